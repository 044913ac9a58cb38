//! Combines the log-weights of the refits: their mean, shrunk towards equal weights.

use super::WeightSpread;
use crate::error::Error;
use crate::methods::log_weights::{centred, exponentials};
use crate::numeric::quantile::quantile;
use crate::rule::Weights;

/// Log-weights, centred on the tuned classes; the others get 0, the mean of the tuned ones.
pub(super) fn centred_logs(weights: &Weights, is_free: &[bool]) -> Vec<f64> {
    // Normalising may round a small weight to 0.
    let logs: Vec<f64> = weights.as_slice().iter().map(|weight| weight.max(f64::MIN_POSITIVE).ln()).collect();
    centred(&logs, is_free)
}

/// The mean of the refits' log-weights, and its shrinkage.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shrunken {
    /// The mean over the refits.
    pub(super) mean: Vec<f64>,
    /// The unbiased variance between refits.
    pub(super) variance: Vec<f64>,
    /// The shrinkage factor of the mean.
    pub(super) factor: f64,
}

impl Shrunken {
    /// From at least two refits.
    pub(super) fn new(refits: &[Vec<f64>]) -> Self {
        let n_classes = refits.first().map_or(0, Vec::len);
        let of_class = |class: usize| refits.iter().map(move |logs| logs[class]);
        let n = refits.len() as f64;
        let mean: Vec<f64> = (0..n_classes).map(|class| of_class(class).sum::<f64>() / n).collect();
        let variance: Vec<f64> = (0..n_classes)
            .map(|class| of_class(class).map(|log| (log - mean[class]).powi(2)).sum::<f64>() / (n - 1.0))
            .collect();
        let factor = factor(mean.iter().map(|mean| mean * mean).sum(), variance.iter().sum());
        Self { mean, variance, factor }
    }

    /// The shrunken log-weights.
    pub(super) fn logs(&self) -> Vec<f64> {
        self.mean.iter().map(|mean| self.factor * mean).collect()
    }

    /// The spread of the refits per class, on the scale of the shrunken weights.
    pub(super) fn spread(&self, refits: &[Vec<f64>]) -> Vec<WeightSpread> {
        let logs = self.logs();
        // The same scale as in `weights_of`.
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
        let of_class = |class: usize| {
            let mut sorted: Vec<f64> = refits.iter().map(|logs| logs[class]).collect();
            sorted.sort_by(f64::total_cmp);
            let at = |share| {
                let log = self.factor * quantile(&sorted, share).unwrap_or_default();
                ((log - largest).exp() / sum).min(f64::MAX)
            };
            WeightSpread { low: at(0.025), median: at(0.5), high: at(0.975), sd: self.variance[class].sqrt() }
        };
        (0..logs.len()).map(of_class).collect()
    }
}

/// `‖μ‖² / (‖μ‖² + Σ var)`: 1 if all refits agree, near 0 if their variance exceeds their mean.
pub(super) fn factor(size: f64, noise: f64) -> f64 {
    if noise <= 0.0 { 1.0 } else { size / (size + noise) }
}

/// `exp(log)`, normalised; none is 0, because a class of weight 0 is never predicted.
pub(super) fn weights_of(logs: &[f64]) -> Result<Weights, Error> {
    Weights::new(exponentials(logs).into_iter().map(|weight| weight.max(f64::MIN_POSITIVE)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_centred_on_the_classes_that_were_searched() {
        let weights = Weights::new(vec![1.0, 4.0, 100.0]).unwrap();
        let logs = centred_logs(&weights, &[true, true, false]);
        assert!((logs[0] + 2.0_f64.ln()).abs() < 1e-15 && (logs[1] - 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(logs[2], 0.0);
        assert_eq!(centred_logs(&weights, &[false, true, false]), [0.0; 3]);
        assert_eq!(centred_logs(&weights, &[false; 3]), [0.0; 3]);
    }

    #[test]
    fn the_factor_is_the_printed_one() {
        let shrunken = Shrunken::new(&[vec![1.0, -1.0], vec![3.0, -3.0]]);
        assert_eq!((&shrunken.mean[..], &shrunken.variance[..]), (&[2.0, -2.0][..], &[2.0, 2.0][..]));
        assert_eq!(shrunken.factor, 8.0 / 12.0);
        assert_eq!(shrunken.logs(), [4.0 / 3.0, -4.0 / 3.0]);
    }

    #[test]
    fn refits_that_agree_are_not_shrunk_and_those_that_cancel_are() {
        assert_eq!(Shrunken::new(&vec![vec![0.5, -0.5]; 3]).factor, 1.0);
        assert_eq!(Shrunken::new(&vec![vec![0.0, 0.0]; 3]).factor, 1.0);
        assert_eq!(Shrunken::new(&[vec![1.0, -1.0], vec![-1.0, 1.0]]).factor, 0.0);
    }

    #[test]
    fn the_spread_is_on_the_scale_of_the_weights() {
        let refits = [vec![0.9, -0.9], vec![1.0, -1.0], vec![1.1, -1.1]];
        let shrunken = Shrunken::new(&refits);
        let weights = weights_of(&shrunken.logs()).unwrap();
        for (spread, weight) in shrunken.spread(&refits).iter().zip(weights.as_slice()) {
            assert!((spread.median - weight).abs() < 1e-12 && (spread.sd - 0.1).abs() < 1e-12);
            assert!(spread.low < *weight && *weight < spread.high);
        }
    }

    #[test]
    fn extreme_logarithms_give_weights_all_the_same() {
        let weights = weights_of(&[2000.0, -2000.0, 0.0]).unwrap();
        assert!(weights.as_slice().iter().all(|&weight| weight > 0.0), "{weights:?}");
    }
}
