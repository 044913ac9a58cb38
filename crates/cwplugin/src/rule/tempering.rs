//! Temperature scaling mixed with the uniform distribution, before an affine map.

use crate::error::Error;
use crate::numeric::exponential::exp_all;

/// The first step of some calibration maps: temperature scaling, mixed with the uniform distribution over the m classes.
///
/// ```text
/// b ← (1 − uniform)·softmax(slope·log b) + uniform/m
/// ```
///
/// Invariants: the slope is finite and above 0; `uniform` is above 0 and below 1, so that every logarithm is finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tempering {
    slope: f64,
    uniform: f64,
}

impl Tempering {
    /// A step with this slope and this share of the uniform distribution.
    ///
    /// # Errors
    ///
    /// If the slope is not finite and above 0, or the share is not above 0 and below 1.
    pub fn new(slope: f64, uniform: f64) -> Result<Self, Error> {
        if !(slope > 0.0 && slope.is_finite()) {
            return Err(Error::BadTempering { what: "slope", value: slope });
        }
        if !(uniform > 0.0 && uniform < 1.0) {
            return Err(Error::BadTempering { what: "uniform", value: uniform });
        }
        Ok(Self { slope, uniform })
    }

    /// The slope on the log-probabilities: the inverse of the temperature.
    pub fn slope(self) -> f64 {
        self.slope
    }

    /// The share of the uniform distribution.
    pub fn uniform(self) -> f64 {
        self.uniform
    }

    /// Replaces the log-probabilities of a row by those after this step. Exports repeat this arithmetic.
    pub(crate) fn apply(self, x: &mut [f64]) {
        let (kept, each) = (1.0 - self.uniform, self.uniform / x.len() as f64);
        let top = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for x in &mut *x {
            *x = (*x - top) * self.slope;
        }
        exp_all(x);
        let sum: f64 = x.iter().sum();
        for x in x {
            *x = (kept * (*x / sum) + each).ln();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_softmax_and_a_share_of_the_uniform_distribution() {
        let mut x = [0.7_f64, 0.2, 0.1].map(f64::ln);
        Tempering::new(2.0, 0.25).unwrap().apply(&mut x);
        for (x, square) in x.iter().zip([0.49, 0.04, 0.01]) {
            assert!((x.exp() - (0.75 * square / 0.54 + 0.25 / 3.0)).abs() < 1e-15);
        }
    }

    #[test]
    fn extreme_slopes_give_finite_logarithms() {
        for slope in [1e-7, 1e7, f64::MIN_POSITIVE, f64::MAX] {
            let mut x = [-9.0, -9.000_1, -87.0];
            Tempering::new(slope, 0.01).unwrap().apply(&mut x);
            assert!(x.iter().all(|x| (-6.0..0.0).contains(x)), "{x:?}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for slope in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Tempering::new(slope, 0.5), Err(Error::BadTempering { what: "slope", .. })));
        }
        for uniform in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(matches!(Tempering::new(1.0, uniform), Err(Error::BadTempering { what: "uniform", .. })));
        }
    }
}
