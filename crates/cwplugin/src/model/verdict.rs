//! The expected gain of a fit in one sentence.

use super::labels::MoreLabels;
use crate::methods::{AutoReport, BaggedReport, OutOfBag, Reason};
use crate::report::words::grouped;
use crate::report::{Estimate, FitReport, Forecast};

/// What `auto` did if it found no gain.
const UNCHANGED: &str = "predictions are left unchanged";

impl FitReport {
    /// The expected gain with its 95% confidence interval, or the reason why predictions are unchanged, and how many more
    /// labels would settle an undecided case. `None` if the method does not estimate it.
    pub fn verdict(&self) -> Option<String> {
        if let Some(score) = self.details::<BaggedReport>().and_then(|bagged| bagged.out_of_bag) {
            return Some(self.out_of_bag(score));
        }
        let auto = self.details::<AutoReport>();
        match (auto, self.forecast) {
            (Some(_), forecast) if self.adjusted == Some(true) => Some(self.of_adjusted(forecast)),
            (Some(auto), forecast) => self.of_auto(&auto, forecast),
            (None, Some(forecast)) => {
                Some(format!("{}, if the calibrated probabilities are right", self.expectation(forecast)))
            }
            (None, None) => None,
        }
    }

    /// The estimated gain over the unadjusted black box on new rows; if `auto` left the predictions unchanged, that of the
    /// method it would have used. `None` if it is not known.
    pub fn gain(&self) -> Option<Estimate> {
        let auto = self.details::<AutoReport>();
        match auto.filter(|auto| auto.chosen == "clean" && self.adjusted != Some(true)) {
            Some(auto) => auto.estimated_gain,
            None => self
                .forecast
                .and_then(|forecast| Some(Estimate { mean: forecast.gain, sd: forecast.gain_sd? })),
        }
    }

    fn of_auto(&self, auto: &AutoReport, forecast: Option<Forecast>) -> Option<String> {
        let rows = self.labelled();
        let head = match auto.reason {
            Reason::Gain | Reason::BetterAlternative => {
                let expectation = self.expectation(forecast?);
                return Some(match self.more_labels() {
                    None => expectation,
                    Some(more) => format!("{expectation}; {}", more.sentence()),
                });
            }
            Reason::OneClass => return Some(format!("only one class is labelled ({rows}): {UNCHANGED}")),
            Reason::TooFewRows => {
                let n = self.rows.unwrap_or_default();
                return Some(format!("too few rows ({n}): no class has two labelled examples; {UNCHANGED}"));
            }
            Reason::NoReliableGain if auto.shows_a_gain() => "no reliable gain",
            Reason::NoReliableGain => "no sign of a gain",
        };
        // A gain of 0 ± 0 says nothing more: the rule predicts as the black box does.
        let is_known = |gain: &Estimate| gain.mean.abs().max(gain.sd) >= 0.000_05;
        let estimated = self.gain().filter(is_known).map_or_else(String::new, |gain| {
            let digits = digits(gain.mean.abs().max(gain.sd));
            format!(" (estimated gain {:+.digits$}, {})", gain.mean, interval_of(gain, digits))
        });
        let more = self.more_labels().map_or_else(String::new, |more| format!("; {}", more.sentence()));
        Some(format!("{head} with {rows}: {UNCHANGED}{estimated}{more}"))
    }

    /// The verdict if the rule was changed to meet the constraints.
    fn of_adjusted(&self, forecast: Option<Forecast>) -> String {
        // Without an interval there is no estimate for new rows.
        match forecast.filter(|forecast| forecast.low.is_some()) {
            Some(forecast) => format!("{}, subject to the constraints", self.expectation(forecast)),
            None => format!(
                "the weights meet the constraints on these {}, which are too few for an estimate on new rows",
                self.labelled()
            ),
        }
    }

    fn expectation(&self, forecast: Forecast) -> String {
        let Forecast { clean, fitted, gain, gain_sd, probability_of_gain, .. } = forecast;
        let digits = digits(gain.abs());
        let sd = gain_sd.unwrap_or(f64::INFINITY);
        let interval = interval_of(Estimate { mean: gain, sd }, digits);
        let metric = self.metric_name();
        let probability = probability_of_gain
            .map_or_else(String::new, |p| format!("; probability of a gain {}", chance(p)));
        format!(
            "expected {metric} on new rows: {clean:.digits$} → {fitted:.digits$} \
             ({gain:+.digits$}, {interval}{probability})"
        )
    }

    fn out_of_bag(&self, score: OutOfBag) -> String {
        let OutOfBag { clean, fitted, gain: [low, high], .. } = score;
        let gain = fitted - clean;
        let digits = digits(gain.abs());
        format!(
            "{} on out-of-bag rows: {clean:.digits$} → {fitted:.digits$} \
             ({gain:+.digits$}, 95% CI {low:+.digits$} to {high:+.digits$})",
            self.metric_name()
        )
    }

    fn metric_name(&self) -> &str {
        self.metric.as_deref().unwrap_or("the metric")
    }

    fn labelled(&self) -> String {
        let n = self.rows.unwrap_or_default();
        format!("{} row{}", grouped(n), if n == 1 { "" } else { "s" })
    }
}

impl AutoReport {
    /// Whether any number suggests a gain: the estimate of `expected`, or a candidate whose 95% interval is above 0.
    fn shows_a_gain(&self) -> bool {
        let is_significant = |gain: f64, sd: f64| Estimate { mean: gain, sd }.interval().0 > 0.0;
        self.estimated_gain.is_some_and(|gain| gain.mean > 0.0)
            || self.candidates.iter().any(|candidate| is_significant(candidate.gain, candidate.gain_sd))
    }
}

/// Digits after the point that show a gain.
fn digits(gain: f64) -> usize {
    match gain {
        gain if gain >= 0.02 => 2,
        gain if gain >= 0.002 => 3,
        _ => 4,
    }
}

/// A probability in percent; draws cannot show that something is certain.
fn chance(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent > 99.0 => "above 99%".into(),
        percent if percent < 1.0 => "below 1%".into(),
        percent => format!("{percent:.0}%"),
    }
}

fn interval_of(gain: Estimate, digits: usize) -> String {
    let (low, high) = gain.interval();
    if !gain.sd.is_finite() {
        return "95% CI unknown".into();
    }
    format!("95% CI {low:+.digits$} to {high:+.digits$}")
}

impl MoreLabels {
    fn sentence(self) -> String {
        match self {
            Self::About(n) => format!("about {} more labels would settle it", grouped(n)),
            Self::MoreThan(n) => format!("it would take more than {} labels to settle it", grouped(n)),
            Self::Unlikely => "more labels are unlikely to change that".into(),
        }
    }
}
