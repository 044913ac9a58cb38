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
    /// The 95% interval of `fitted` from draws; without it, scores are taken to be normally distributed.
    pub(crate) drawn: Option<(f64, f64)>,
    /// The probability that the gain is positive, if it is known well enough to be reported.
    pub(crate) probability_of_gain: Option<f64>,
}

impl From<Expectation> for Forecast {
    fn from(expected: Expectation) -> Self {
        let (low, high) = expected.interval();
        // JSON has no infinity.
        let [low, high, gain_sd] =
            [low, high, expected.gain.sd].map(|end| Some(end).filter(|end| end.is_finite()));
        let (clean, fitted, gain) = (expected.clean.mean, expected.fitted.mean, expected.gain.mean);
        Self { clean, fitted, low, high, gain, gain_sd, probability_of_gain: expected.probability_of_gain }
    }
}

impl Expectation {
    /// The expectation from draws of both scores.
    pub(crate) fn of_draws(clean: &[f64], fitted: &[f64], range: (f64, f64)) -> Self {
        let gains: Vec<f64> = fitted.iter().zip(clean).map(|(fitted, clean)| fitted - clean).collect();
        let mut sorted = fitted.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |share| quantile(&sorted, share).unwrap_or(f64::NAN);
        let [clean, fitted, gain] = [clean, fitted, &gains].map(Estimate::of);
        Self { clean, fitted, gain, range, drawn: Some((at(0.025), at(0.975))), probability_of_gain: None }
    }

    /// The same with another estimate of the gain, and its probability. The score before is then that much lower than the one
    /// after.
    pub(crate) fn with_gain(self, gain: Estimate) -> Self {
        let clean = Estimate { mean: self.fitted.mean - gain.mean, ..self.clean };
        Self { clean, gain, probability_of_gain: Some(gain.probability_above_zero()), ..self }
    }

    /// The expectation for a gain over the unadjusted black box, clipped to the range of the metric.
    pub(crate) fn of_gain(clean: Estimate, gain: Estimate, range: (f64, f64)) -> Self {
        let unclipped = clean.mean + gain.mean;
        let mean = clip(unclipped, clean.mean, range);
        let is_clipped = (mean - unclipped).abs() > 0.0;
        let gain = if is_clipped { Estimate { mean: mean - clean.mean, ..gain } } else { gain };
        let fitted = Estimate { mean, sd: clean.sd.hypot(gain.sd) };
        Self { clean, fitted, gain, range, drawn: None, probability_of_gain: None }
    }

    /// The 95% interval of `fitted`, clipped to the range of the metric; infinite if the uncertainty is unknown.
    pub(crate) fn interval(&self) -> (f64, f64) {
        if let Some(drawn) = self.drawn {
            return drawn;
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
    let shifted =
        |by: usize| metric.score(&Confusion::of_constant_classes(metric, truths, |truth| (truth + by) % m));
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

    /// The mean of two estimates, each weighted with its inverse variance; the standard deviation is that of independent ones.
    pub(crate) fn and(self, other: Self) -> Self {
        let [a, b] = [self, other].map(|estimate| 1.0 / (estimate.sd * estimate.sd).max(f64::MIN_POSITIVE));
        Self { mean: (a * self.mean + b * other.mean) / (a + b), sd: (1.0 / (a + b)).sqrt() }
    }

    /// The probability that a normally distributed quantity is positive.
    pub(crate) fn probability_above_zero(self) -> f64 {
        if self.sd > 0.0 { normal_probability(self.mean / self.sd) } else { 0.5 + 0.5 * sign(self.mean) }
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

/// 1, 0 or −1.
fn sign(number: f64) -> f64 {
    if number > 0.0 { 1.0 } else { -f64::from(u8::from(number < 0.0)) }
}

/// The standard normal distribution function, to seven digits (Abramowitz and Stegun, 26.2.17).
fn normal_probability(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let coefficients = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let series = coefficients.iter().rev().fold(0.0, |sum, coefficient| t * (coefficient + sum));
    let tail = series * (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{Accuracy, Mcc};

    /// Values of `scipy.stats.norm.cdf`.
    #[test]
    fn the_probability_of_a_gain_is_that_of_a_normal_distribution() {
        let of = |mean, sd| estimate(mean, sd).probability_above_zero();
        let known = [
            (-3.0, 0.001_349_898),
            (-0.5, 0.308_537_539),
            (0.0, 0.5),
            (0.625, 0.734_014_471),
            (1.0, 0.841_344_746),
            (2.5, 0.993_790_335),
            (9.0, 1.0),
        ];
        for (z, probability) in known {
            assert!((of(0.1 * z, 0.1) - probability).abs() < 1e-7, "{z}");
        }
        assert_eq!([of(0.1, 0.0), of(0.0, 0.0), of(-0.1, 0.0)], [1.0, 0.5, 0.0]);
    }

    #[test]
    fn the_gain_of_an_expectation_is_the_difference_of_its_scores() {
        let drawn = Expectation::of_draws(&[0.4, 0.5, 0.6], &[0.5, 0.6, 0.7], (0.0, 1.0));
        let forecast = Forecast::from(drawn.with_gain(estimate(0.04, 0.04)));
        assert!((forecast.fitted - forecast.clean - 0.04).abs() < 1e-12);
        assert!((forecast.probability_of_gain.unwrap() - 0.841).abs() < 0.001);
        assert!(forecast.low.unwrap() >= 0.5 && forecast.high.unwrap() <= 0.7);
    }

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
