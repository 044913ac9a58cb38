//! The expected gain of a fit in one sentence.

use crate::methods::{AutoReport, Reason};
use crate::report::{FitReport, Forecast};

impl FitReport {
    /// The expected gain, or the reason why predictions are unchanged; `None` if the method does not estimate it.
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
            Reason::Gain | Reason::BetterAlternative => {
                return forecast.map(|forecast| self.expectation(forecast));
            }
            Reason::OneClass => return Some(format!("only one class is labelled ({rows}): {UNCHANGED}")),
            Reason::TooFewRows => {
                return Some(format!("too few rows ({n}): no class has two labelled examples; {UNCHANGED}"));
            }
            Reason::NoReliableGain => {}
        }
        let curve = self.learning_curve.as_ref().filter(|curve| !curve.points.is_empty());
        let curve_rows = curve.and_then(|curve| curve.rows_needed);
        // If the curve claims that these rows suffice, cross-validation, which is more reliable, overrules it.
        let needed = match curve {
            Some(_) if curve_rows.is_none() => None,
            _ => curve_rows.filter(|needed| *needed > n).or(auto.rows_needed),
        };
        Some(match needed {
            Some(needed) => {
                let more = about(needed.saturating_sub(n));
                format!("no reliable gain with {rows}: {UNCHANGED}; about {more} more labels would be needed")
            }
            None => format!("no sign of a gain with {rows}: {UNCHANGED}"),
        })
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
        let Forecast { clean, fitted, gain, low, high, .. } = forecast;
        let (low, high) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
        // Enough digits to show the gain.
        let digits = match gain.abs() {
            gain if gain >= 0.02 => 2,
            gain if gain >= 0.002 => 3,
            _ => 4,
        };
        let metric = self.metric.as_deref().unwrap_or("the metric");
        let to = if low < 0.0 { " to " } else { "–" };
        format!(
            "expected {metric} on new rows: {clean:.digits$} → {fitted:.digits$} \
             (95% CI {low:.digits$}{to}{high:.digits$})"
        )
    }

    fn labelled(&self) -> String {
        let n = self.rows.unwrap_or_default();
        format!("{n} row{}", if n == 1 { "" } else { "s" })
    }
}

/// Rounds up to two significant digits, the precision of the estimate.
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
