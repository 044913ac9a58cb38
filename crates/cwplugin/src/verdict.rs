//! What a fit was worth, in a sentence for whoever decides.

use crate::{AutoReport, Details, Fitted, Forecast, LearningCurve, Reason, Report};

impl Fitted {
    /// The forecast, or why there is nothing to hope for; only of methods that make one.
    pub fn verdict(&self) -> Option<String> {
        let report = self.report();
        match &report.details {
            Details::Auto(auto) if self.is_repaired() => Some(of_repaired(auto, report)),
            Details::Auto(auto) => Some(of_auto(auto, report, self.learning_curve())),
            Details::Expected(expected) => Some(format!(
                "{}, if the mended probabilities are right",
                forecast(report, &expected.forecast)
            )),
            _ => None,
        }
    }
}

fn of_auto(auto: &AutoReport, report: &Report, curve: Option<&LearningCurve>) -> String {
    const KEPT: &str = "keeping the black box as it is";
    let rows = rows(report);
    match auto.reason {
        Reason::Gain | Reason::Rival => forecast(report, &auto.outlook),
        Reason::OneClass => format!("nothing to learn from {rows} of one class: {KEPT}"),
        Reason::TooFewRows => format!("nothing can be told from {rows}, no two of one class: {KEPT}"),
        _ => {
            let drawn = curve.filter(|curve| !curve.points.is_empty());
            let of_curve = drawn.and_then(|curve| curve.rows_needed);
            // A curve for which these rows are enough has less to go by than the trials, for which they are not.
            let needed = match drawn {
                Some(_) if of_curve.is_none() => None,
                _ => of_curve.filter(|needed| *needed > report.rows).or(auto.rows_needed),
            };
            match needed {
                Some(needed) => {
                    let more = about(needed.saturating_sub(report.rows));
                    format!("no reliable gain with {rows}: {KEPT}; about {more} more labels would be needed")
                }
                None => format!("no sign of a gain with {rows}: {KEPT}"),
            }
        }
    }
}

/// The constraints had the last word, whatever would have been better without them.
fn of_repaired(auto: &AutoReport, report: &Report) -> String {
    if auto.outlook.gain.sd.is_finite() {
        format!("{}, within the constraints", forecast(report, &auto.outlook))
    } else {
        format!(
            "nothing can be told of new rows from {}: weights that keep to the constraints on these",
            rows(report)
        )
    }
}

fn forecast(report: &Report, outlook: &Forecast) -> String {
    let Forecast { clean, fitted, gain, .. } = outlook;
    let (low, high) = outlook.interval();
    // As many digits as show the gain.
    let digits = match gain.mean.abs() {
        gain if gain >= 0.02 => 2,
        gain if gain >= 0.002 => 3,
        _ => 4,
    };
    format!(
        "expected {} on new rows: {:.digits$} → {:.digits$} (95 %: {low:.digits$} … {high:.digits$})",
        report.metric, clean.mean, fitted.mean
    )
}

/// Two digits and noughts: no more is known of it.
fn about(rows: u64) -> u64 {
    let mut unit: u64 = 1;
    while rows / unit >= 100 {
        unit = unit.saturating_mul(10);
    }
    rows.div_ceil(unit).saturating_mul(unit)
}

fn rows(report: &Report) -> String {
    let n = report.rows;
    format!("{n} row{}", if n == 1 { "" } else { "s" })
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
