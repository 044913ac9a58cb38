//! The posterior of a full matrix of slopes for many classes.
//!
//! A matrix has m² slopes, so the Hessian has m⁴ entries. Newton's system is therefore solved by conjugate gradients, which
//! only multiply by the Hessian, and the curvature at the mode is reduced to one block per class. Blocks overestimate the
//! determinant (Fischer's inequality), so the evidence is underestimated: a matrix is hardly ever preferred by mistake.

use nalgebra::{Cholesky, DMatrix, DMatrixView, DMatrixViewMut, DVector, Dyn};

use super::evidence::Evidence;
use super::logit_columns::{TimesRows, sum_columns};
use super::precision::Precision;
use crate::numeric::kernel;
use crate::numeric::newton::{Point, Problem};
use crate::numeric::parallel;
use crate::numeric::solve::{conjugate_gradients, factor};

/// Norm of the residual of a Newton system, relative to the gradient.
const RESIDUAL: f64 = 0.01;

/// The labels with a prior on a full matrix of slopes. The parameters are ordered as in [`super::laplace::Learned`].
pub(super) struct ManyClasses<'a> {
    labels: &'a [usize],
    weights: &'a [f64],
    pub(super) precision: Precision,
    /// Log-probabilities; a row per row.
    logs: DMatrix<f64>,
    /// The same minus the centre.
    inputs: DMatrix<f64>,
    /// The inputs transposed: nalgebra multiplies by a transposed matrix far slower.
    transposed: DMatrix<f64>,
}

impl<'a> ManyClasses<'a> {
    pub(super) fn new(evidence: &'a Evidence, precision: Precision) -> Self {
        let m = evidence.centre.len();
        let logs = DMatrix::from_row_slice(evidence.labels.len(), m, &evidence.logs);
        let inputs =
            DMatrix::from_fn(logs.nrows(), m, |row, class| logs[(row, class)] - evidence.centre[class]);
        let transposed = inputs.transpose();
        Self { labels: &evidence.labels, weights: &evidence.weights, precision, logs, inputs, transposed }
    }

    fn n_classes(&self) -> usize {
        self.logs.ncols()
    }

    /// The logits, without the identity, as a linear function of the parameters; a row per row.
    fn logits(&self, parameters: &DVector<f64>) -> DMatrix<f64> {
        let m = self.n_classes();
        let (own, slopes) = parameters.as_slice().split_at(1 + m);
        let mut logits = &self.inputs * DMatrixView::from_slice(slopes, m, m);
        for (class, mut column) in logits.column_iter_mut().enumerate() {
            column.axpy(own[0], &self.logs.column(class), 1.0);
            column.add_scalar_mut(own[1 + class]);
        }
        logits
    }

    /// The transpose of [`Self::logits`]: the gradient of the parameters for a gradient of the logits.
    fn parameters(&self, logits: &DMatrix<f64>) -> DVector<f64> {
        let m = self.n_classes();
        let mut parameters = DVector::zeros(1 + m + m * m);
        let (own, slopes) = parameters.as_mut_slice().split_at_mut(1 + m);
        own[0] = self.logs.dot(logits);
        sum_columns(logits.as_slice(), self.labels.len(), &mut own[1..]);
        DMatrixViewMut::from_slice(slopes, m, m).gemm(1.0, &self.transposed, logits, 0.0);
        parameters
    }

    /// Multiplies by the Hessian: per row, `diag p − p·pᵀ` times the change of the logits.
    pub(super) fn times_hessian(&self, p: &DMatrix<f64>, direction: &DVector<f64>) -> DVector<f64> {
        let m = self.n_classes();
        let (own, slopes) = direction.as_slice().split_at(1 + m);
        let mut change = &self.inputs * DMatrixView::from_slice(slopes, m, m);
        kernel::run(TimesRows {
            own,
            logs: self.logs.as_slice(),
            p: p.as_slice(),
            weights: self.weights,
            change: change.as_mut_slice(),
        });
        self.parameters(&change) + self.precision.times(direction)
    }

    /// The row weights times `p·(1 − p)`, the diagonal of each row's Hessian.
    fn variances(&self, p: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(p.nrows(), p.ncols(), |row, class| {
            let p = p[(row, class)];
            self.weights[row] * p * (1.0 - p)
        })
    }

    /// The diagonal of the Hessian; for the shared slope an approximation.
    pub(super) fn diagonal(&self, p: &DMatrix<f64>) -> DVector<f64> {
        let variances = self.variances(p);
        let slopes = self.transposed.component_mul(&self.transposed) * &variances;
        let shared = self.logs.component_mul(&self.logs).dot(&variances);
        let biases = variances.column_iter().map(|column| column.sum());
        let all = std::iter::once(shared).chain(biases).chain(slopes.iter().copied());
        DVector::from_iterator(self.precision.diagonal.len(), all) + self.precision.matrix_diagonal()
    }

    /// The curvature at the mode, reduced to the shared slope and one block per class.
    pub(super) fn blocks(&self, p: &DMatrix<f64>) -> Blocks {
        let m = self.n_classes();
        let variances = self.variances(p);
        let inputs = self.inputs.clone().insert_column(0, 1.0);
        let transposed = inputs.transpose();
        let block = |class: usize| {
            let mut weighted = inputs.clone();
            weighted
                .column_iter_mut()
                .for_each(|mut column| column.component_mul_assign(&variances.column(class)));
            let mut block = &transposed * weighted;
            for i in 0..=m {
                block[(i, i)] += self.precision.diagonal[place(class, i, m)];
            }
            factor(&block)
        };
        let n = self.precision.diagonal.len();
        let shared = self.times_hessian(p, &DVector::from_fn(n, |i, _| f64::from(u8::from(i == 0))));
        Blocks::new(shared[0], parallel::map((0..m).collect(), block), &self.precision)
    }
}

/// The place of a class's bias (0) or slope among the parameters.
fn place(class: usize, i: usize, n_classes: usize) -> usize {
    match i {
        0 => 1 + class,
        _ => n_classes + class * n_classes + i,
    }
}

impl Problem for ManyClasses<'_> {
    /// The calibrated probabilities; a row per row.
    type Curvature = DMatrix<f64>;

    fn evaluate(&self, at: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, DMatrix<f64>)) {
        let mut p = self.logits(at) + &self.logs;
        let mut loss = self.precision.penalty(at);
        for (row, mut logits) in p.row_iter_mut().enumerate() {
            let largest = logits.max();
            logits.apply(|logit| *logit = (*logit - largest).exp());
            logits.unscale_mut(logits.sum());
            loss -= self.weights[row] * logits[self.labels[row]].max(1e-300).ln();
        }
        (loss, move || {
            let mut residuals = p.clone();
            for (row, mut residuals) in residuals.row_iter_mut().enumerate() {
                residuals[self.labels[row]] -= 1.0;
                residuals.scale_mut(self.weights[row]);
            }
            (self.parameters(&residuals) + self.precision.times(at), p)
        })
    }

    fn solve(&self, point: &Point<DMatrix<f64>>) -> DVector<f64> {
        let scale = self.diagonal(&point.curvature).map(f64::recip);
        let goal = RESIDUAL * point.gradient.norm();
        let times = |direction: &DVector<f64>| self.times_hessian(&point.curvature, direction);
        conjugate_gradients(&point.gradient, |residual| residual.component_mul(&scale), goal, times)
            .unwrap_or_else(|| point.gradient.component_mul(&scale))
    }
}

/// A Hessian without the parts that connect classes, except the common direction of the biases in the prior.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    /// Second derivative by the shared slope.
    shared: f64,
    /// Cholesky factors of the blocks of the classes, each with its bias first.
    classes: Vec<Cholesky<f64, Dyn>>,
    /// What the common direction adds to the covariance is the square of this vector.
    common: DVector<f64>,
    half_log_determinant: f64,
}

impl Blocks {
    /// The blocks B of a prior without common direction u, minus `less·u·uᵀ`. With `v = B⁻¹·u` and `c = 1 − less·u·v`, the
    /// determinant is that of B times c, and the inverse is `B⁻¹ + v·vᵀ·less/c` (Sherman and Morrison).
    fn new(shared: f64, classes: Vec<Cholesky<f64, Dyn>>, precision: &Precision) -> Self {
        let m = classes.len();
        let mut common = DVector::zeros(precision.diagonal.len());
        for (class, block) in classes.iter().enumerate() {
            let mut own = DVector::zeros(1 + m);
            own[0] = precision.direction[place(class, 0, m)];
            block.solve_mut(&mut own);
            (0..=m).for_each(|i| common[place(class, i, m)] = own[i]);
        }
        // The curvature is at least that of the prior, so only rounding can reach 0.
        let rest = (1.0 - precision.less * precision.direction.dot(&common)).max(f64::MIN_POSITIVE);
        let determinants = classes.iter().map(|block| block.l_dirty().diagonal().map(f64::ln).sum());
        let half_log_determinant = 0.5 * (shared.ln() + rest.ln()) + determinants.sum::<f64>();
        Self { shared, classes, common: common * (precision.less / rest).sqrt(), half_log_determinant }
    }

    /// Half the logarithm of the determinant.
    pub(super) fn half_log_determinant(&self) -> f64 {
        self.half_log_determinant
    }

    /// Turns standard normal noise into noise with the inverse as covariance; `common` is another standard normal number.
    pub(super) fn colour(&self, noise: &mut DVector<f64>, common: f64) {
        let m = self.classes.len();
        noise[0] /= self.shared.sqrt();
        for (class, block) in self.classes.iter().enumerate() {
            let mut own = DVector::from_fn(1 + m, |i, _| noise[place(class, i, m)]);
            block.l_dirty().tr_solve_lower_triangular_mut(&mut own);
            for i in 0..=m {
                noise[place(class, i, m)] = own[i];
            }
        }
        noise.axpy(common, &self.common, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::expected::prior::{SlopeStructure, priors};

    /// The noise of the blocks is exact: its covariance times the blocks, less the common direction, is the identity.
    #[test]
    fn the_noise_has_the_inverse_of_the_curvature_as_covariance() {
        let logs: Vec<f64> = (0..30).map(|i| -0.2 - f64::from(i * 7 % 11) / 4.0).collect();
        let evidence =
            Evidence::new(logs, (0..10).map(|row| row % 3).collect(), vec![1.0; 10], vec![0.7, -1.1, 0.4]);
        for prior in priors(3).into_iter().filter(|prior| prior.structure == SlopeStructure::Matrix) {
            let problem = ManyClasses::new(&evidence, Precision::new(prior, &evidence.shift));
            let n = problem.precision.diagonal.len();
            let p = DMatrix::from_element(10, 3, 1.0 / 3.0);
            let blocks = problem.blocks(&p);
            let mut covariance = DMatrix::zeros(n, n);
            for unit in 0..=n {
                let mut noise = DVector::from_fn(n, |i, _| f64::from(u8::from(i == unit)));
                blocks.colour(&mut noise, f64::from(u8::from(unit == n)));
                covariance += &noise * noise.transpose();
            }
            let mut curvature = DMatrix::zeros(n, n);
            curvature[(0, 0)] = blocks.shared;
            for (class, block) in blocks.classes.iter().enumerate() {
                let block = block.l() * block.l().transpose();
                for i in 0..=3 {
                    for j in 0..=3 {
                        curvature[(place(class, i, 3), place(class, j, 3))] = block[(i, j)];
                    }
                }
            }
            let (u, less) = (&problem.precision.direction, problem.precision.less);
            curvature.ger(-less, u, u, 1.0);
            assert!((&covariance * &curvature - DMatrix::identity(n, n)).amax() < 1e-8, "{prior:?}");
            let half = 0.5 * curvature.determinant().ln();
            assert!((blocks.half_log_determinant() - half).abs() < 1e-8, "{prior:?}");
        }
    }
}
