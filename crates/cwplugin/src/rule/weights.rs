//! Class weights.

use crate::data::class_names::check_count;
use crate::data::{Probabilities, check_length};
use crate::error::Error;
use crate::rule::predict::{argmax_weighted, predict};

/// One non-negative weight per class, summing to 1: predict `argmax_k w_k·b_k`.
///
/// ```
/// use cwplugin::{Probabilities, Weights};
///
/// let weights = Weights::new(vec![1.0, 3.0])?;
/// let p = Probabilities::new(vec![0.7, 0.3, 0.8, 0.2], 2)?;
/// assert_eq!(weights.predict(&p)?, [1, 0]);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Weights(Vec<f64>);

impl Weights {
    /// Weights of any scale; they are divided by their sum.
    ///
    /// # Errors
    ///
    /// If there are fewer than two or too many, one is negative or not finite, or all are 0.
    pub fn new(mut weights: Vec<f64>) -> Result<Self, Error> {
        check_count(weights.len())?;
        if let Some(class) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
            return Err(Error::BadWeight { class, value: weights[class] });
        }
        if weights.iter().sum::<f64>().is_infinite() {
            // Scaling by a power of two is exact.
            for w in &mut weights {
                *w *= 2.0_f64.powi(-64);
            }
        }
        let sum: f64 = weights.iter().sum();
        if sum <= 0.0 {
            return Err(Error::ZeroWeights);
        }
        for w in &mut weights {
            *w /= sum;
        }
        Ok(Self(weights))
    }

    /// Equal weights: the unadjusted black box.
    ///
    /// # Errors
    ///
    /// If there are fewer than two classes.
    pub fn uniform(n_classes: usize) -> Result<Self, Error> {
        Self::new(vec![1.0; n_classes])
    }

    /// Weights from a model file. Weights that already sum to 1 are not divided again, so that a model round-trips exactly.
    pub(crate) fn from_file(weights: Vec<f64>) -> Result<Self, Error> {
        let normalised = Self::new(weights.clone())?;
        let is_sum_one = (weights.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        Ok(if is_sum_one { Self(weights) } else { normalised })
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.0.len()
    }

    /// The weights in class order.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// The class predicted for one row, with one probability per weight.
    pub fn predict_row(&self, probabilities: &[f64]) -> usize {
        argmax_weighted(probabilities, &self.0)
    }

    /// The class predicted for every row.
    ///
    /// # Errors
    ///
    /// If there is not one probability per weight.
    pub fn predict(&self, probabilities: &Probabilities) -> Result<Vec<usize>, Error> {
        check_length("classes", probabilities.n_classes(), self.n_classes())?;
        let mut classes = Vec::with_capacity(probabilities.n_rows());
        predict(probabilities, 0..probabilities.n_rows(), [&self.0], |_, [predicted]| {
            classes.extend(predicted.iter().map(|&class| class as usize));
        });
        Ok(classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_divided_by_their_sum() {
        assert_eq!(Weights::new(vec![1.0, 3.0]).unwrap().as_slice(), [0.25, 0.75]);
        assert_eq!(Weights::new(vec![f64::MAX, f64::MAX]).unwrap().as_slice(), [0.5, 0.5]);
    }

    #[test]
    fn invalid_weights_are_rejected() {
        assert_eq!(Weights::new(vec![0.0, 0.0]).unwrap_err(), Error::ZeroWeights);
        assert_eq!(Weights::new(vec![1.0, -1.0]).unwrap_err(), Error::BadWeight { class: 1, value: -1.0 });
        assert!(Weights::new(vec![1.0, f64::INFINITY]).is_err());
        assert_eq!(Weights::new(vec![1.0]).unwrap_err(), Error::TooFewClasses { found: 1 });
    }
}
