//! How many more labels would settle whether there is a gain.

use crate::methods::learning_curve::fewest_rows;
use crate::methods::{AutoReport, CLEARLY_BETTER, MAX_EXTRAPOLATION, Reason, Standing};
use crate::report::words::about;
use crate::report::{Estimate, FitReport};

/// Standard deviations of half a 95% confidence interval.
const HALF_INTERVAL: f64 = 1.96;

/// How many more labels would settle whether there is a gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoreLabels {
    /// About this many more labels.
    About(u64),
    /// More than this many labels in all, twenty times as many as now.
    MoreThan(u64),
    /// Labels are unlikely to show a gain: the estimate is not positive, or the gain too small.
    Unlikely,
}

impl FitReport {
    /// How many more labels would settle whether there is a gain: the 95% confidence interval of the gain would exclude 0,
    /// or an alternative would lead by as much as `auto` requires, if both keep their size. The standard deviation is
    /// taken to fall with the square root of the labelled rows. A learning curve, if there is one, predicts the gain.
    ///
    /// `None` if it is settled, or if the method does not estimate the gain by `auto`.
    pub fn more_labels(&self) -> Option<MoreLabels> {
        let auto = self.details::<AutoReport>()?;
        let (gain, rows) = (self.gain()?, self.rows?);
        let (low, high) = gain.interval();
        if self.adjusted == Some(true) || low > 0.0 && auto.reason != Reason::NoReliableGain {
            return None;
        }
        let leads = auto.candidates.iter().filter(|candidate| {
            candidate.method != "expected" && candidate.standing == Some(Standing::WithinNoise)
        });
        let is_significant = |lead: &Estimate| lead.interval().0 > 0.0;
        let leads = leads.filter_map(|candidate| candidate.lead).filter(is_significant);
        let leads = leads.filter_map(|lead| needed(rows, lead.sd, CLEARLY_BETTER, |_| lead.mean));
        let is_worth_it = low <= 0.0 && high > 0.0 && gain.mean > 0.0;
        let own = is_worth_it.then(|| {
            let curve = self.learning_curve.as_ref().and_then(|curve| curve.limit.zip(curve.slope));
            let by_curve = curve.and_then(|(limit, slope)| {
                needed(rows, gain.sd, HALF_INTERVAL, |n| limit - slope / n as f64).filter(|n| *n > rows)
            });
            // If the curve claims that these rows suffice, the estimate overrules it.
            by_curve.or_else(|| needed(rows, gain.sd, HALF_INTERVAL, |_| gain.mean))
        });
        let least = leads.chain(own.flatten()).min();
        Some(match (least, own) {
            (Some(least), _) => MoreLabels::About(about(least.saturating_sub(rows).max(1))),
            (None, Some(_)) => MoreLabels::MoreThan(about(rows.saturating_mul(MAX_EXTRAPOLATION))),
            (None, None) => MoreLabels::Unlikely,
        })
    }
}

/// The smallest number of rows at which a gain exceeds so many standard deviations; `None` if it is more than twenty times
/// the present number. The gain may grow with the rows; `sd` is that with the present ones.
fn needed(rows: u64, sd: f64, deviations: f64, gain: impl Fn(u64) -> f64) -> Option<u64> {
    fewest_rows(rows, |n| gain(n) > deviations * sd * (rows as f64 / n as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_needed_grow_with_the_square_of_the_uncertainty() {
        assert_eq!(needed(100, 0.1, 1.96, |_| 0.1), Some(385), "100 · 1.96²");
        assert_eq!(needed(100, 0.01, 1.96, |_| 0.1), Some(100));
        assert_eq!(needed(100, 0.1, 1.96, |_| 0.04), None, "more than 2,000");
        assert_eq!(needed(100, 0.1, 1.0, |n| 0.2 - 20.0 / n as f64), Some(165));
    }
}
