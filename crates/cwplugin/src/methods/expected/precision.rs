//! The precision of a normal prior on the parameters of a calibration map.
//!
//! All parameters are independent, except the biases, which may move together along one direction.

use nalgebra::{DMatrix, DVector};

use super::prior::{Prior, SlopeStructure};

/// The inverse covariance of a prior.
///
/// The covariance of the biases is `τ²·I + σ²·u·uᵀ`, with u the direction of a label shift. Its inverse is
/// `I/τ² − less·u·uᵀ`.
#[derive(Debug, Clone)]
pub(super) struct Precision {
    /// The inverse variance of every parameter, without the common direction.
    pub(super) diagonal: DVector<f64>,
    /// The direction u among the parameters; 0 except for the biases.
    pub(super) direction: DVector<f64>,
    pub(super) less: f64,
    log_determinant: f64,
}

impl Precision {
    pub(super) fn new(prior: Prior, shift: &[f64]) -> Self {
        let m = shift.len();
        let of = |deviation: f64| 1.0 / (deviation * deviation);
        let mut diagonal = vec![of(prior.slope)];
        diagonal.resize(1 + m, of(prior.bias));
        let extra = 0..prior.structure.n_extra(m);
        // Of a matrix, every (m + 1)th slope is that of a class on itself.
        let is_own = |i: usize| prior.structure == SlopeStructure::PerClass || i.is_multiple_of(m + 1);
        diagonal.extend(extra.map(|i| of(if is_own(i) { prior.own } else { prior.other })));
        let mut direction = DVector::zeros(diagonal.len());
        direction.rows_mut(1, m).copy_from_slice(shift);
        let (own, common) = (prior.bias * prior.bias, prior.shift * prior.shift);
        let along = own + common * direction.norm_squared();
        Self {
            log_determinant: diagonal.iter().map(|precision| precision.ln()).sum::<f64>()
                - (along / own).ln(),
            less: common / (own * along),
            diagonal: diagonal.into(),
            direction,
        }
    }

    pub(super) fn log_determinant(&self) -> f64 {
        self.log_determinant
    }

    pub(super) fn times(&self, parameters: &DVector<f64>) -> DVector<f64> {
        let along = self.less * self.direction.dot(parameters);
        let mut product = parameters.component_mul(&self.diagonal);
        product.axpy(-along, &self.direction, 1.0);
        product
    }

    /// Half the squared distance from the centre of the prior: the negative log density, up to a constant.
    pub(super) fn penalty(&self, parameters: &DVector<f64>) -> f64 {
        0.5 * parameters.dot(&self.times(parameters))
    }

    pub(super) fn matrix_diagonal(&self) -> DVector<f64> {
        &self.diagonal - self.less * self.direction.component_mul(&self.direction)
    }

    pub(super) fn matrix(&self) -> DMatrix<f64> {
        let mut matrix = DMatrix::from_diagonal(&self.diagonal);
        matrix.ger(-self.less, &self.direction, &self.direction, 1.0);
        matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::expected::prior::priors;

    #[test]
    fn the_precision_is_the_inverse_of_the_covariance() {
        let shift = [0.7, -1.1, 0.4];
        for prior in priors(3) {
            let precision = Precision::new(prior, &shift);
            let n = precision.diagonal.len();
            let mut covariance = DMatrix::from_diagonal(&precision.diagonal.map(f64::recip));
            for (i, u) in shift.iter().enumerate() {
                for (j, v) in shift.iter().enumerate() {
                    covariance[(1 + i, 1 + j)] += prior.shift * prior.shift * u * v;
                }
            }
            let product = precision.matrix() * &covariance;
            assert!((product - DMatrix::identity(n, n)).amax() < 1e-9, "{prior:?}");
            let log_determinant = -covariance.determinant().ln();
            assert!((precision.log_determinant() - log_determinant).abs() < 1e-6, "{prior:?}");
            let at = DVector::from_fn(n, |i, _| 0.1 * ((i * 5 % 7) as f64 - 3.0));
            assert!((precision.matrix_diagonal() - precision.matrix().diagonal()).amax() < 1e-9);
            assert!((precision.times(&at) - precision.matrix() * &at).amax() < 1e-9);
            assert!((precision.penalty(&at) - 0.5 * at.dot(&(precision.matrix() * &at))).abs() < 1e-9);
        }
    }
}
