//! A number and its standard deviation, and the metric before and after made of such numbers.

use serde::{Deserialize, Serialize};

use crate::metric::{Confusion, Metric};
use crate::report::Forecast;

/// A number that is not known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// What to expect.
    pub mean: f64,
    /// How far off that may be: one standard deviation.
    pub sd: f64,
}

/// The metric expected on new rows, with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Expectation {
    /// Of the unadjusted black box.
    pub(crate) clean: Estimate,
    /// Of the fitted rule.
    pub(crate) fitted: Estimate,
    /// The difference; it is known better than either of them.
    pub(crate) gain: Estimate,
    /// The lowest and the highest value of the metric: where every row is wrong, and where every row is right.
    pub(crate) range: (f64, f64),
}

impl From<Expectation> for Forecast {
    fn from(expected: Expectation) -> Self {
        let (low, high) = expected.interval();
        // JSON has no infinity.
        let [low, high, gain_sd] =
            [low, high, expected.gain.sd].map(|end| Some(end).filter(|end| end.is_finite()));
        let (clean, fitted, gain) = (expected.clean.mean, expected.fitted.mean, expected.gain.mean);
        Self { clean, fitted, low, high, gain, gain_sd }
    }
}

impl Expectation {
    /// That much more than the black box, as far as the metric goes.
    pub(crate) fn of_gain(clean: Estimate, gain: Estimate, range: (f64, f64)) -> Self {
        let promised = clean.mean + gain.mean;
        let mean = cut(promised, clean.mean, range);
        let is_cut = (mean - promised).abs() > 0.0;
        let gain = if is_cut { Estimate { mean: mean - clean.mean, ..gain } } else { gain };
        Self { clean, fitted: Estimate { mean, sd: clean.sd.hypot(gain.sd) }, gain, range }
    }

    /// The 95 % interval of `fitted`, as far as the metric goes; infinite if nothing is known of it.
    pub(crate) fn interval(&self) -> (f64, f64) {
        let (low, high) = self.fitted.interval();
        if !self.fitted.sd.is_finite() {
            return (low, high);
        }
        (cut(low, self.fitted.mean, self.range), cut(high, self.fitted.mean, self.range))
    }
}

/// A number that is not beyond the range, unless one that is known already is so too.
fn cut(number: f64, known: f64, (low, high): (f64, f64)) -> f64 {
    number.max(low.min(known)).min(high.max(known))
}

/// What a metric is where every row is wrong, each class taken for the next, and where every row is right.
///
/// No formula says how far a metric goes. Hardly any is lower than the one or higher than the other.
pub(crate) fn range_of<M: Metric + ?Sized>(metric: &M, truths: &[f64]) -> (f64, f64) {
    let m = truths.len();
    let shifted = |by: usize| {
        let confusion = Confusion::from_cells(m, |i, j| if j == (i + by) % m { truths[i] } else { 0.0 });
        metric.score(&confusion)
    };
    let (wrong, right) = (shifted(1), shifted(0));
    if wrong.is_finite() && right.is_finite() {
        (wrong.min(right), wrong.max(right))
    } else {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

impl Estimate {
    /// Mean and standard deviation of some draws.
    pub(crate) fn of(draws: &[f64]) -> Self {
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let squares: f64 = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum();
        Self { mean, sd: (squares / (draws.len() as f64 - 1.0).max(1.0)).sqrt() }
    }

    /// Two estimates of one number, each counting with its certainty.
    pub(crate) fn and(self, other: Self) -> Self {
        let [a, b] = [self, other].map(|estimate| 1.0 / (estimate.sd * estimate.sd).max(f64::MIN_POSITIVE));
        Self { mean: (a * self.mean + b * other.mean) / (a + b), sd: (1.0 / (a + b)).sqrt() }
    }

    /// The same with another reason to be off.
    pub(crate) fn doubted_by(self, sd: f64) -> Self {
        Self { sd: self.sd.hypot(sd), ..self }
    }

    /// The 95 % interval of a normal distribution.
    pub fn interval(&self) -> (f64, f64) {
        (self.mean - 1.96 * self.sd, self.mean + 1.96 * self.sd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{Accuracy, Mcc};

    fn estimate(mean: f64, sd: f64) -> Estimate {
        Estimate { mean, sd }
    }

    #[test]
    fn a_metric_reaches_from_all_wrong_to_all_right() {
        assert_eq!(range_of(&Accuracy, &[3.0, 1.0]), (0.0, 1.0));
        let (wrong, right) = range_of(&Mcc, &[2.0, 2.0]);
        assert!((wrong + 1.0).abs() < 1e-12 && (right - 1.0).abs() < 1e-12, "{wrong} {right}");
    }

    #[test]
    fn nothing_is_promised_that_cannot_be() {
        let forecast = Expectation::of_gain(estimate(0.9, 0.05), estimate(0.05, 0.02), (0.0, 1.0));
        assert_eq!((forecast.interval().1, forecast.gain.mean), (1.0, 0.05));
        let forecast = Expectation::of_gain(estimate(0.9, 0.05), estimate(0.2, 0.02), (0.0, 1.0));
        assert_eq!((forecast.fitted.mean, forecast.gain.mean), (1.0, 1.0 - 0.9));
        let forecast = Expectation::of_gain(estimate(0.05, 0.05), estimate(0.0, 0.0), (0.0, 1.0));
        assert_eq!(forecast.interval().0, 0.0);
    }

    #[test]
    fn what_is_known_is_not_cut_by_a_range_that_is_wrong() {
        let forecast = Expectation::of_gain(estimate(3.0, 0.1), estimate(0.0, 0.0), (0.0, 1.0));
        assert_eq!((forecast.fitted.mean, forecast.interval().1), (3.0, 3.0));
        let unknown = Expectation::of_gain(estimate(0.5, f64::INFINITY), estimate(0.0, 0.0), (0.0, 1.0));
        assert_eq!(unknown.interval(), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
