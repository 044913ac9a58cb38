//! The expected gain of a fit in one sentence.

use crate::methods::{AutoReport, Reason};
use crate::report::{FitReport, Forecast};

impl FitReport {
    /// The expected gain, or why there is none, if the method estimates it.
    pub fn verdict(&self) -> Option<String> {
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

    fn of_auto(&self, auto: &AutoReport, forecast: Option<Forecast>) -> Option<String> {
        const UNCHANGED: &str = "predictions are left unchanged";
        let (n, rows) = (self.rows.unwrap_or_default(), self.labelled());
        match auto.reason {
            Reason::Gain | Reason::Rival => return forecast.map(|forecast| self.expectation(forecast)),
            Reason::OneClass => return Some(format!("all {rows} have one label: {UNCHANGED}")),
            Reason::TooFewRows => {
                return Some(format!("too few rows ({n}): no class has two labelled examples; {UNCHANGED}"));
            }
            Reason::NoReliableGain => {}
        }
        let drawn = self.learning_curve.as_ref().filter(|curve| !curve.points.is_empty());
        let of_curve = drawn.and_then(|curve| curve.rows_needed);
        // A curve for which these rows are enough rests on less than cross-validation, for which they are not.
        let needed = match drawn {
            Some(_) if of_curve.is_none() => None,
            _ => of_curve.filter(|needed| *needed > n).or(auto.rows_needed),
        };
        Some(match needed {
            Some(needed) => {
                let more = about(needed.saturating_sub(n));
                format!("no reliable gain with {rows}: {UNCHANGED}; about {more} more labels would be needed")
            }
            None => format!("no sign of a gain with {rows}: {UNCHANGED}"),
        })
    }

    /// The constraints decided, whatever would have been better without them.
    fn of_adjusted(&self, forecast: Option<Forecast>) -> String {
        // Without an interval nothing is known about new rows.
        match forecast.filter(|forecast| forecast.low.is_some()) {
            Some(forecast) => format!("{}, subject to the constraints", self.expectation(forecast)),
            None => format!(
                "the weights meet the constraints on these {}; too few to say anything about new rows",
                self.labelled()
            ),
        }
    }

    fn expectation(&self, forecast: Forecast) -> String {
        let Forecast { clean, fitted, gain, low, high, .. } = forecast;
        let (low, high) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
        // As many digits as show the gain.
        let digits = match gain.abs() {
            gain if gain >= 0.02 => 2,
            gain if gain >= 0.002 => 3,
            _ => 4,
        };
        let metric = self.metric.as_deref().unwrap_or("the metric");
        format!(
            "expected {metric} on new rows: {clean:.digits$} → {fitted:.digits$} (95% CI {low:.digits$}–{high:.digits$})"
        )
    }

    fn labelled(&self) -> String {
        let n = self.rows.unwrap_or_default();
        format!("{n} row{}", if n == 1 { "" } else { "s" })
    }
}

/// Two significant digits: no more is known.
fn about(rows: u64) -> u64 {
    let mut unit: u64 = 1;
    while rows / unit >= 100 {
        unit = unit.saturating_mul(10);
    }
    rows.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_keeps_two_digits() {
        for (rows, rounded) in [(1, 1), (99, 99), (120, 120), (121, 130), (1_999, 2_000)] {
            assert_eq!(about(rows), rounded);
        }
        assert_eq!(about(u64::MAX), u64::MAX, "nothing overflows");
    }
}
