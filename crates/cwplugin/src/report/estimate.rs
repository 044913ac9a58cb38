//! Estimates with standard deviations, and the expected metric before and after.

use serde::{Deserialize, Serialize};

use crate::metric::{Confusion, Metric};
use crate::numeric::quantile::quantile;
use crate::report::Forecast;

/// An estimate with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Expected value.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
}

/// The metric expected on new rows, with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Expectation {
    /// Of the unadjusted black box.
    pub(crate) clean: Estimate,
    /// Of the fitted rule.
    pub(crate) fitted: Estimate,
    /// The difference; its uncertainty is smaller than that of either score.
    pub(crate) gain: Estimate,
    /// The approximate range of the metric, see [`range_of`].
    pub(crate) range: (f64, f64),
    /// What only draws tell; without them the estimates are taken to be normally distributed.
    pub(crate) drawn: Option<Drawn>,
}

/// What draws of the score before and after tell besides means and standard deviations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Drawn {
    /// The 95% interval of the score of the fitted rule.
    fitted: (f64, f64),
    probability_of_gain: Option<f64>,
}

impl From<Expectation> for Forecast {
    fn from(expected: Expectation) -> Self {
        let (low, high) = expected.interval();
        // JSON has no infinity.
        let [low, high, gain_sd] =
            [low, high, expected.gain.sd].map(|end| Some(end).filter(|end| end.is_finite()));
        let (clean, fitted, gain) = (expected.clean.mean, expected.fitted.mean, expected.gain.mean);
        let probability_of_gain = expected.drawn.and_then(|drawn| drawn.probability_of_gain);
        Self { clean, fitted, low, high, gain, gain_sd, probability_of_gain }
    }
}

impl Expectation {
    /// The expectation from draws of both scores.
    pub(crate) fn of_draws(clean: &[f64], fitted: &[f64], range: (f64, f64)) -> Self {
        let gains: Vec<f64> = fitted.iter().zip(clean).map(|(fitted, clean)| fitted - clean).collect();
        let mut sorted = fitted.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |share| quantile(&sorted, share).unwrap_or(f64::NAN);
        let of_gain = |gain: &f64| if *gain > 0.0 { 1.0 } else { 0.5 * f64::from(u8::from(*gain >= 0.0)) };
        let probability_of_gain = gains.iter().map(of_gain).sum::<f64>() / gains.len() as f64;
        let drawn = Drawn { fitted: (at(0.025), at(0.975)), probability_of_gain: Some(probability_of_gain) };
        let [clean, fitted, gain] = [clean, fitted, &gains].map(Estimate::of);
        Self { clean, fitted, gain, range, drawn: Some(drawn) }
    }

    /// The same if predictions are unchanged: there is no gain whose probability could be told.
    pub(crate) fn of_unchanged(self) -> Self {
        let drawn = self.drawn.map(|drawn| Drawn { probability_of_gain: None, ..drawn });
        Self { drawn, ..self }
    }

    /// The expectation for a gain over the unadjusted black box, clipped to the range of the metric.
    pub(crate) fn of_gain(clean: Estimate, gain: Estimate, range: (f64, f64)) -> Self {
        let unclipped = clean.mean + gain.mean;
        let mean = clip(unclipped, clean.mean, range);
        let is_clipped = (mean - unclipped).abs() > 0.0;
        let gain = if is_clipped { Estimate { mean: mean - clean.mean, ..gain } } else { gain };
        Self { clean, fitted: Estimate { mean, sd: clean.sd.hypot(gain.sd) }, gain, range, drawn: None }
    }

    /// The 95% interval of `fitted`, clipped to the range of the metric; infinite if the uncertainty is unknown.
    pub(crate) fn interval(&self) -> (f64, f64) {
        if let Some(drawn) = self.drawn {
            return drawn.fitted;
        }
        let (low, high) = self.fitted.interval();
        if !self.fitted.sd.is_finite() {
            return (low, high);
        }
        (clip(low, self.fitted.mean, self.range), clip(high, self.fitted.mean, self.range))
    }
}

/// Clips a number to the range, extended to include `known`.
fn clip(number: f64, known: f64, (low, high): (f64, f64)) -> f64 {
    number.max(low.min(known)).min(high.max(known))
}

/// The approximate range of a metric: its value if every row is predicted as the next class, and if every row is
/// correct.
///
/// The true range of an arbitrary metric is unknown, but few metrics exceed these values.
pub(crate) fn range_of(metric: &dyn Metric, truths: &[f64]) -> (f64, f64) {
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
    /// Mean and standard deviation of draws.
    pub(crate) fn of(draws: &[f64]) -> Self {
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let squares: f64 = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum();
        Self { mean, sd: (squares / (draws.len() as f64 - 1.0).max(1.0)).sqrt() }
    }

    /// Combines two independent estimates, each weighted with its inverse variance.
    pub(crate) fn and(self, other: Self) -> Self {
        let [a, b] = [self, other].map(|estimate| 1.0 / (estimate.sd * estimate.sd).max(f64::MIN_POSITIVE));
        Self { mean: (a * self.mean + b * other.mean) / (a + b), sd: (1.0 / (a + b)).sqrt() }
    }

    /// Adds an independent source of uncertainty.
    pub(crate) fn with_added_sd(self, sd: f64) -> Self {
        Self { sd: self.sd.hypot(sd), ..self }
    }

    /// The 95% interval of a normal distribution.
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
    fn the_range_is_from_all_wrong_to_all_correct() {
        assert_eq!(range_of(&Accuracy, &[3.0, 1.0]), (0.0, 1.0));
        let (wrong, right) = range_of(&Mcc, &[2.0, 2.0]);
        assert!((wrong + 1.0).abs() < 1e-12 && (right - 1.0).abs() < 1e-12, "{wrong} {right}");
    }

    #[test]
    fn forecasts_are_clipped_to_the_range_of_the_metric() {
        let forecast = Expectation::of_gain(estimate(0.9, 0.05), estimate(0.05, 0.02), (0.0, 1.0));
        assert_eq!((forecast.interval().1, forecast.gain.mean), (1.0, 0.05));
        let forecast = Expectation::of_gain(estimate(0.9, 0.05), estimate(0.2, 0.02), (0.0, 1.0));
        assert_eq!((forecast.fitted.mean, forecast.gain.mean), (1.0, 1.0 - 0.9));
        let forecast = Expectation::of_gain(estimate(0.05, 0.05), estimate(0.0, 0.0), (0.0, 1.0));
        assert_eq!(forecast.interval().0, 0.0);
    }

    #[test]
    fn a_wrong_range_does_not_clip_known_values() {
        let forecast = Expectation::of_gain(estimate(3.0, 0.1), estimate(0.0, 0.0), (0.0, 1.0));
        assert_eq!((forecast.fitted.mean, forecast.interval().1), (3.0, 3.0));
        let unknown = Expectation::of_gain(estimate(0.5, f64::INFINITY), estimate(0.0, 0.0), (0.0, 1.0));
        assert_eq!(unknown.interval(), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
