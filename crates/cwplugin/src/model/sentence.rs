//! What a fit was worth, in a sentence for whoever decides.

use crate::methods::Reason;
use crate::model::{FitRecord, OutlookRecord};

impl FitRecord {
    /// The forecast, or why there is nothing to hope for; only of methods that make one.
    pub fn verdict(&self) -> Option<String> {
        let outlook = self.outlook.as_ref();
        match (&self.reason, outlook) {
            (Some(_), _) if self.repaired == Some(true) => Some(self.of_repaired(outlook)),
            (Some(reason), _) => self.of_auto(reason, outlook),
            (None, Some(outlook)) => {
                Some(format!("{}, if the mended probabilities are right", self.forecast(outlook)))
            }
            (None, None) => None,
        }
    }

    fn of_auto(&self, reason: &str, outlook: Option<&OutlookRecord>) -> Option<String> {
        const KEPT: &str = "keeping the black box as it is";
        let (n, rows) = (self.rows.unwrap_or_default(), self.labelled());
        if [Reason::Gain, Reason::Rival].iter().any(|known| known.name() == reason) {
            return outlook.map(|outlook| self.forecast(outlook));
        }
        if reason == Reason::OneClass.name() {
            return Some(format!("nothing to learn from {rows} of one class: {KEPT}"));
        }
        if reason == Reason::TooFewRows.name() {
            return Some(format!("nothing can be told from {rows}, no two of one class: {KEPT}"));
        }
        let drawn = self.learning_curve.as_ref().filter(|curve| !curve.points.is_empty());
        let of_curve = drawn.and_then(|curve| curve.rows_needed);
        // A curve for which these rows are enough has less to go by than the trials, for which they are not.
        let needed = match drawn {
            Some(_) if of_curve.is_none() => None,
            _ => of_curve.filter(|needed| *needed > n).or(self.rows_needed),
        };
        Some(match needed {
            Some(needed) => {
                let more = about(needed.saturating_sub(n));
                format!("no reliable gain with {rows}: {KEPT}; about {more} more labels would be needed")
            }
            None => format!("no sign of a gain with {rows}: {KEPT}"),
        })
    }

    /// The constraints had the last word, whatever would have been better without them.
    fn of_repaired(&self, outlook: Option<&OutlookRecord>) -> String {
        // Without an interval nothing is known of new rows.
        match outlook.filter(|outlook| outlook.low.is_some()) {
            Some(outlook) => format!("{}, within the constraints", self.forecast(outlook)),
            None => format!(
                "nothing can be told of new rows from {}: weights that keep to the constraints on these",
                self.labelled()
            ),
        }
    }

    fn forecast(&self, outlook: &OutlookRecord) -> String {
        let OutlookRecord { clean, fitted, gain, low, high, .. } = *outlook;
        let (low, high) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
        // As many digits as show the gain.
        let digits = match gain.abs() {
            gain if gain >= 0.02 => 2,
            gain if gain >= 0.002 => 3,
            _ => 4,
        };
        let metric = self.metric.as_deref().unwrap_or("the metric");
        format!(
            "expected {metric} on new rows: {clean:.digits$} → {fitted:.digits$} (95 %: {low:.digits$} … {high:.digits$})"
        )
    }

    fn labelled(&self) -> String {
        let n = self.rows.unwrap_or_default();
        format!("{n} row{}", if n == 1 { "" } else { "s" })
    }
}

/// Two digits and noughts: no more is known of it.
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
