//! The posterior under one prior, up to a constant, with its exact Hessian.

use nalgebra::{DMatrix, DVector};

use super::class_blocks::{AddRow, ClassBlocks, Row};
use super::evidence::{Evidence, apply};
use super::precision::Precision;
use super::prior::Prior;
use crate::numeric::kernel;
use crate::numeric::newton::{Point, Problem};
use crate::numeric::solve::factor;

/// The labels with one prior.
pub(super) struct Penalised<'a> {
    evidence: &'a Evidence,
    prior: Prior,
    pub(super) precision: Precision,
}

impl<'a> Penalised<'a> {
    pub(super) fn new(evidence: &'a Evidence, prior: Prior) -> Self {
        Self { evidence, prior, precision: Precision::new(prior, &evidence.shift) }
    }

    /// The negative log joint probability of labels and parameters, up to a constant, and the calibrated probabilities.
    pub(super) fn loss(&self, parameters: &DVector<f64>) -> (f64, Vec<f64>) {
        let evidence = self.evidence;
        let mut p = vec![0.0; evidence.logs.len()];
        let mut loss = self.precision.penalty(parameters);
        for ((logs, label, weight), p) in evidence.rows().zip(p.chunks_exact_mut(evidence.n_classes())) {
            loss -= weight * apply(parameters.as_slice(), logs, &evidence.centre, p)[label].max(1e-300).ln();
        }
        (loss, p)
    }

    /// Gradient of the loss, and the lower triangle of its Hessian.
    ///
    /// The derivative of a class's logit is its log-probability ℓ for the shared slope and its features for its own
    /// parameters: 1 for the bias, `ℓ − centre` for the slopes. With J these derivatives and p the probabilities, a row's
    /// Hessian is `Jᵀ·(diag p − p·pᵀ)·J`: one block per class, minus the outer product of `Jᵀ·p`.
    fn derivatives(&self, parameters: &DVector<f64>, p: &[f64]) -> (DVector<f64>, DMatrix<f64>) {
        let (evidence, structure) = (self.evidence, self.prior.structure);
        let (m, n) = (evidence.n_classes(), parameters.len());
        let width = 1 + structure.n_extra(m) / m;
        let mut gradient = self.precision.times(parameters);
        let mut hessian = self.precision.matrix();
        let mut blocks = ClassBlocks::of(&hessian, m, width);
        let mut means = DMatrix::zeros(n, evidence.labels.len()); // Jᵀ·p, times the root of the weight
        let mut features = vec![1.0; m * width];
        let columns = means.as_mut_slice().chunks_exact_mut(n);
        for (((logs, label, weight), p), means) in evidence.rows().zip(p.chunks_exact(m)).zip(columns) {
            evidence.fill_features(structure, logs, &mut features);
            let row = Row { logs, label, weight, p, features: &features };
            kernel::run(AddRow { row, gradient: gradient.as_mut_slice(), blocks: &mut blocks, means });
        }
        blocks.write(&mut hessian);
        hessian -= &means * means.transpose();
        (gradient, hessian)
    }
}

impl Problem for Penalised<'_> {
    type Curvature = DMatrix<f64>;

    /// The loss alone is much cheaper than its derivatives.
    fn evaluate(&self, at: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, DMatrix<f64>)) {
        let (loss, p) = self.loss(at);
        (loss, move || self.derivatives(at, &p))
    }

    fn solve(&self, point: &Point<DMatrix<f64>>) -> DVector<f64> {
        factor(&point.curvature).solve(&point.gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::super::laplace::tests::evidence;
    use super::*;
    use crate::methods::expected::prior::priors;

    impl Penalised<'_> {
        pub(crate) fn derivatives_at(&self, at: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
            self.evaluate(at).1()
        }
    }

    #[test]
    fn the_derivatives_are_those_of_the_loss() {
        let evidence = evidence();
        for prior in priors(3) {
            let problem = Penalised::new(&evidence, prior);
            let at =
                DVector::from_fn(problem.precision.diagonal.len(), |i, _| 0.1 * ((i * 5 % 7) as f64 - 3.0));
            let (gradient, mut hessian) = problem.derivatives_at(&at);
            hessian.fill_upper_triangle_with_lower_triangle();
            let step = 1e-5;
            for p in 0..at.len() {
                let moved = |by: f64| {
                    let mut at = at.clone();
                    at[p] += by;
                    at
                };
                let (up, down) = (moved(step), moved(-step));
                let slope = (problem.loss(&up).0 - problem.loss(&down).0) / (2.0 * step);
                assert!((slope - gradient[p]).abs() < 1e-5 * (1.0 + slope.abs()), "{slope} {}", gradient[p]);
                let difference =
                    (problem.derivatives_at(&up).0 - problem.derivatives_at(&down).0) / (2.0 * step);
                let gap = (difference.clone() - hessian.column(p)).amax();
                assert!(gap < 1e-4 * (1.0 + difference.amax()), "{gap}");
            }
        }
    }
}
