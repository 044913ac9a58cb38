//! The same climb on many rows: quickly near the summit, and no further than the rows can tell.

use super::climb::{CYCLES, Climber, Round, Summit};
use super::coordinate;
use super::targets::Truth;
use crate::data::Probabilities;
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::metric::{Confusion, Constrained, Metric};
use crate::numeric::tolerance::is_as_good;
use crate::rule::Weights;

/// The part of a standard error, nearly, that a round on many rows must gain.
const LITTLE: f64 = 0.02;

/// Rounds of boundaries end once one gains no more than so many times that, where all cuts are cheap to search.
const ROUGH: f64 = 100.0;

/// What a whole round must gain on many rows to be followed by another: 0.02/√n of what the weights so far are worth,
/// against predicting the heaviest class always. `truths` is what the rows of each class weigh.
///
/// A score of n rows is off by about 1/√n of its range from what it is on other rows. Where one of the two breaks a
/// constraint there is no such range, and everything counts.
pub(crate) fn negligible_gain<M: Metric + ?Sized>(metric: &M, truths: &[f64], n_rows: f64, seen: f64) -> f64 {
    let m = truths.len();
    let heaviest = (0..m).fold(0, |best, class| if truths[class] > truths[best] { class } else { best });
    let constant = Confusion::from_cells(m, |i, j| if j == heaviest { truths[i] } else { 0.0 });
    let constant = metric.score(&constant);
    let is_range = |score: f64| score.is_finite() && Constrained::is_allowed(score);
    if is_range(seen) && is_range(constant) { LITTLE * (seen - constant).abs() / n_rows.sqrt() } else { 0.0 }
}

impl<T: Real, Y: Truth, M: Metric + ?Sized> Climber<'_, T, Y, M> {
    /// Climbs from a start until a whole round gains too little: first by boundaries between buckets, where the metric
    /// allows them, then by all cuts. The score never falls, but for rounding.
    pub(super) fn approach(
        &mut self,
        probabilities: &Probabilities,
        start: &Weights,
    ) -> Result<Summit, Error> {
        let score = self.stand_at(start)?;
        let truths: Vec<f64> = (0..self.weights.len()).map(|class| self.confusion.truth(class)).collect();
        self.tolerance = negligible_gain(self.metric, &truths, self.n_rows() as f64, score);
        // Near the summit boundaries find little that all cuts would not find for about the same price.
        let rough = if self.metric.is_monotone_by_class() { ROUGH * self.tolerance } else { self.tolerance };
        let first = if self.metric.is_by_class() { Round::Boundaries } else { Round::Centring };
        let progress = coordinate::climb(self, score, first, CYCLES, |climber, round, progress| {
            Ok(match round {
                Round::Boundaries if progress.seen - progress.before > rough => Some(Round::Boundaries),
                Round::Boundaries => Some(Round::Centring),
                _ if climber.gained() <= climber.tolerance => None,
                _ => Some(Round::Cuts),
            })
        })?;
        self.settle_fixed(progress.seen)?;
        let mut summit =
            Summit { weights: start.clone(), score, cycles: progress.cycles, is_proven: progress.is_done };
        // The weights as they will be used: dividing them by their sum may tip a row that hangs on a tie.
        let weights = Weights::new(self.weights.clone())?;
        let score = self.score_of(probabilities, &weights)?;
        if is_as_good(score, summit.score) {
            (summit.weights, summit.score) = (weights, score);
        }
        Ok(summit)
    }
}
