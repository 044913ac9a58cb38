//! Coordinate ascent on large samples: fewer rounds, stopped once the gain is below sampling error.

use super::counted_ascent::{CountedAscent, LocalMaximum, RoundKind};
use super::targets::Truth;
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::methods::coordinate_ascent::coordinate_ascent;
use crate::metric::{Confusion, Constrained, Metric};
use crate::numeric::tolerance::is_as_good;
use crate::progress::Stage;
use crate::rule::Weights;

/// The gain that a round on a large sample must reach, as a fraction of about one standard error.
const GAIN_FRACTION: f64 = 0.02;

/// Boundary rounds stop at this multiple of the tolerance if searching all cuts is cheap.
const BOUNDARY_FACTOR: f64 = 100.0;

/// The gain below which ascent on a large sample stops: 0.02/√n of the gain of the current weights over always predicting
/// the heaviest class. `truths` is the total row weight of each class.
///
/// The sampling error of a score on n rows is about 1/√n of its range. 0 if one of the two scores violates a constraint,
/// because there is no range then.
pub(crate) fn negligible_gain(metric: &dyn Metric, truths: &[f64], n_rows: f64, seen: f64) -> f64 {
    let m = truths.len();
    let heaviest = (0..m).fold(0, |best, class| if truths[class] > truths[best] { class } else { best });
    let constant = metric.score(&Confusion::of_constant_classes(metric, truths, |_| heaviest));
    let is_range = |score: f64| score.is_finite() && Constrained::is_allowed(score);
    if is_range(seen) && is_range(constant) {
        GAIN_FRACTION * (seen - constant).abs() / n_rows.sqrt()
    } else {
        0.0
    }
}

impl<T: Real, Y: Truth> CountedAscent<'_, T, Y> {
    /// Ascends from a start until a whole round gains less than the tolerance: first over boundaries between buckets, if the
    /// metric allows it, then over all cuts. The score never decreases, up to rounding.
    pub(super) fn ascend_large(&mut self, start: &Weights, stage: &Stage<'_>) -> Result<LocalMaximum, Error> {
        let score = self.set_weights(start)?;
        let truths: Vec<f64> = (0..self.weights.len()).map(|class| self.confusion.truth(class)).collect();
        self.tolerance = negligible_gain(self.metric, &truths, self.n_rows() as f64, score);
        // Near the maximum, boundaries cost about as much as all cuts and find less.
        let factor = if self.metric.is_monotone_by_class() { BOUNDARY_FACTOR } else { 1.0 };
        self.kind = if self.metric.is_by_class() { RoundKind::Boundaries } else { RoundKind::Centring };
        let free = self.free.clone();
        let last = coordinate_ascent(self, &free, score, stage, |ascent, round| {
            if ascent.kind == RoundKind::Centring {
                ascent.set_fixed_to_mean(round.score)?;
            }
            match ascent.kind {
                RoundKind::Boundaries if round.score - round.before > factor * ascent.tolerance => {}
                RoundKind::Boundaries => ascent.kind = RoundKind::Centring,
                _ if ascent.gained() <= ascent.tolerance => return Ok(true),
                _ => ascent.kind = RoundKind::Cuts,
            }
            Ok(false)
        })?;
        self.set_fixed_to_mean(last.score)?;
        // Evaluates the normalised weights: normalising may change the prediction of a row with a tie.
        let weights = Weights::new(self.weights.clone())?;
        let found = self.set_weights(&weights)?;
        let (weights, score) =
            if is_as_good(found, score) { (weights, found) } else { (start.clone(), score) };
        Ok(LocalMaximum { weights, score, cycles: last.number, has_converged: last.has_converged })
    }
}
