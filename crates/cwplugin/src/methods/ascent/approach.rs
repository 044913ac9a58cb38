//! The same climb on many rows: quickly near the summit, and no further than the rows can tell.

use super::climb::{CYCLES, Climber, Summit};
use super::targets::Truth;
use crate::data::Probabilities;
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::metric::{Confusion, Constrained, Metric};
use crate::numeric::tolerance::is_as_good;
use crate::rule::Weights;

/// The part of a standard error, nearly, that a round on many rows must gain.
const LITTLE: f64 = 0.02;

/// Lines follow a round of glances that gained no more than so many times that, where lines are cheap.
const ROUGH: f64 = 100.0;

/// What a whole round must gain on many rows to be followed by another: 0.02/√n of what the weights so far are worth,
/// against predicting the heaviest class always. `truths` is what the rows of each class weigh.
///
/// A score of n rows is off by about 1/√n of its range from what it is on other rows. Where one of the two breaks a
/// constraint there is no such range, and everything counts.
pub(crate) fn too_little<M: Metric + ?Sized>(metric: &M, truths: &[f64], n_rows: f64, seen: f64) -> f64 {
    let m = truths.len();
    let heaviest = (0..m).fold(0, |best, class| if truths[class] > truths[best] { class } else { best });
    let constant = Confusion::from_cells(m, |i, j| if j == heaviest { truths[i] } else { 0.0 });
    let constant = metric.score(&constant);
    let is_range = |score: f64| score.is_finite() && Constrained::is_allowed(score);
    if is_range(seen) && is_range(constant) { LITTLE * (seen - constant).abs() / n_rows.sqrt() } else { 0.0 }
}

impl<T: Real, Y: Truth, M: Metric + ?Sized> Climber<'_, T, Y, M> {
    /// Climbs from here until a whole round gains too little: first by glances, where the metric allows
    /// them, then line by line. The score never falls, but for rounding.
    pub(super) fn approach(
        &mut self,
        probabilities: &Probabilities,
        start: &Weights,
    ) -> Result<Summit, Error> {
        self.seen = self.stand_at(start)?;
        self.tolerance = self.tolerance();
        let tolerance = self.tolerance;
        let mut summit = Summit { weights: start.clone(), score: self.seen, cycles: 0, is_proven: false };
        let mut is_glancing = self.metric.is_by_class();
        let is_cheap = self.metric.is_monotone_by_class();
        let mut is_first = true;
        while summit.cycles < CYCLES && !summit.is_proven {
            let before = self.seen;
            if is_glancing {
                self.glance()?;
            } else {
                self.cycle(is_first)?;
                is_first = false;
            }
            summit.cycles += 1;
            summit.is_proven = !is_glancing && self.gained() <= tolerance;
            // Near the summit a glance finds little that a line would not find for about the same price.
            is_glancing &= self.seen - before > if is_cheap { ROUGH * tolerance } else { tolerance };
        }
        self.settle_fixed()?;
        // The weights as they will be used: dividing them by their sum may tip a row that hangs on a tie.
        let weights = Weights::new(self.weights.clone())?;
        let score = self.score_of(probabilities, &weights)?;
        if is_as_good(score, summit.score) {
            (summit.weights, summit.score) = (weights, score);
        }
        Ok(summit)
    }

    fn tolerance(&self) -> f64 {
        let m = self.weights.len();
        let truths: Vec<f64> = (0..m).map(|class| self.ledger.truth(class)).collect();
        too_little(self.metric, &truths, self.values.len() as f64 / m as f64, self.seen)
    }

    /// What the last lines of all classes gained.
    fn gained(&self) -> f64 {
        self.free.iter().map(|&class| self.gains[class]).sum()
    }

    /// Whether many rows have been climbed far enough.
    pub(super) fn is_little(&self) -> bool {
        self.tolerance > 0.0 && self.gained() <= self.tolerance
    }

    /// One round over the classes, each to the best boundary between buckets of its cuts.
    fn glance(&mut self) -> Result<(), Error> {
        for class in self.free.clone() {
            let seen = self.seen;
            let (line, ledger) = self.line(class);
            let Some(factor) = line.glance(ledger, seen)? else {
                continue;
            };
            let before = self.weights[class];
            if !self.reweight(class, factor) {
                continue;
            }
            let score = self.ledger.score();
            if score >= self.seen {
                self.seen = score;
            } else {
                self.reweight(class, before / self.weights[class]); // a tie at the boundary went the other way
            }
        }
        self.ledger.check()
    }
}
