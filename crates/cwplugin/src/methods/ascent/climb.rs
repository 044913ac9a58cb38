//! One class after the other to the best place of its line, until nothing is better.

use super::columns::{by_column, column_of};
use super::ledger::Ledger;
use super::line::Line;
use super::standings::Standings;
use super::targets::Truth;
use crate::data::Probabilities;
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::metric::Metric;
use crate::numeric::tolerance::is_as_good;
use crate::rule::Weights;
use crate::rule::predict::predict;

/// After so many rounds over the classes it is enough.
pub(super) const CYCLES: usize = 50;

/// Where a climb has got to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Summit {
    pub(super) weights: Weights,
    pub(super) score: f64,
    pub(super) cycles: usize,
    /// Whether a last round found nothing better for any class.
    pub(super) is_proven: bool,
}

/// The rows as the present weights predict them.
pub(super) struct Climber<'a, T, Y: Truth, M: ?Sized> {
    pub(super) values: &'a [T],
    /// The same numbers class by class: a line looks at one class of every row.
    pub(super) columns: Vec<T>,
    pub(super) truth: &'a Y,
    pub(super) metric: &'a M,
    /// The classes whose weight may change, the heaviest first.
    pub(super) free: Vec<usize>,
    pub(super) fixed: Vec<usize>,
    pub(super) weights: Vec<f64>,
    pub(super) standings: Standings,
    pub(super) ledger: Ledger<'a, Y, M>,
    /// The best score of this climb.
    pub(super) seen: f64,
    /// What each class last gained.
    pub(super) gains: Vec<f64>,
    /// A class moves for more than its share of this, and all together go on while they gain more.
    pub(super) tolerance: f64,
}

impl<'a, T: Real, Y: Truth, M: Metric + ?Sized> Climber<'a, T, Y, M> {
    pub(super) fn new(values: &'a [T], truth: &'a Y, metric: &'a M, is_free: &[bool]) -> Self {
        let m = is_free.len();
        let ledger = Ledger::new(truth, metric, values.len() / m, m);
        let (mut free, fixed): (Vec<usize>, Vec<usize>) = (0..m).partition(|&class| is_free[class]);
        // By weight, not by index, so that the order of the classes does not matter; a stable sort for equals.
        free.sort_by(|&a, &b| ledger.truth(b).total_cmp(&ledger.truth(a)));
        let standings = Standings::default();
        let (columns, weights) = (by_column(values, m), vec![1.0; m]);
        Self {
            values,
            columns,
            truth,
            metric,
            free,
            fixed,
            weights,
            standings,
            ledger,
            seen: f64::NEG_INFINITY,
            gains: vec![f64::INFINITY; m],
            tolerance: 0.0,
        }
    }

    /// Takes these weights, and predicts and counts all rows with them.
    pub(super) fn stand_at(&mut self, weights: &Weights) -> Result<f64, Error> {
        self.weights = weights.as_slice().to_vec();
        self.standings = Standings::of(self.values, &self.weights);
        self.ledger.recount(self.standings.first.iter().map(|&first| first as usize));
        let score = self.ledger.score();
        self.ledger.check()?;
        Ok(score)
    }

    /// The score of these weights.
    pub(super) fn score_of(
        &mut self,
        probabilities: &Probabilities,
        weights: &Weights,
    ) -> Result<f64, Error> {
        let mut predictions = Vec::with_capacity(probabilities.n_rows());
        predict(probabilities, 0..probabilities.n_rows(), [weights.as_slice()], |_, [predicted]| {
            predictions.extend_from_slice(predicted);
        });
        self.ledger.recount(predictions.into_iter().map(|class| class as usize));
        let score = self.ledger.score();
        self.ledger.check()?;
        Ok(score)
    }

    /// Climbs from here.
    ///
    /// Every move goes to the middle of the widest best stretch of a line. The first round, and one when nothing is
    /// better any more, also move classes to such a middle that only is as good: a weight that hangs on a cut
    /// is chance. After that round everything is looked at once more, and only if nothing is better, it is done. The
    /// score never falls, but for rounding.
    pub(super) fn climb(&mut self, start: &Weights) -> Result<Summit, Error> {
        self.seen = self.stand_at(start)?;
        let mut summit = Summit { weights: start.clone(), score: self.seen, cycles: 0, is_proven: false };
        let (mut is_centring, mut is_centred) = (true, false);
        while summit.cycles < CYCLES && !summit.is_proven {
            let is_better = self.cycle(is_centring)?;
            summit.cycles += 1;
            // Not after every round: it takes as long as several classes.
            if is_centring || summit.cycles == CYCLES {
                // The weights as they will be used: dividing them by their sum may tip a row that hangs on a tie.
                let weights = Weights::new(self.weights.clone())?;
                let score = self.stand_at(&weights)?;
                if is_as_good(score, summit.score) {
                    (summit.weights, summit.score) = (weights, score);
                }
            }
            summit.is_proven = !is_better && !is_centring && is_centred;
            is_centred = !is_better && (is_centring || is_centred);
            is_centring = !is_better && !is_centring && !is_centred;
        }
        Ok(summit)
    }

    /// One round over the classes; says whether it found anything better.
    pub(super) fn cycle(&mut self, is_centring: bool) -> Result<bool, Error> {
        let mut is_better = false;
        let enough = 0.5 * self.tolerance / self.weights.len() as f64;
        for class in self.free.clone() {
            self.gains[class] = 0.0;
            let (seen, metric) = (self.seen, self.metric);
            let (line, ledger) = self.line(class);
            let Some(place) = line.best(ledger, metric, seen)? else {
                continue;
            };
            let is_higher = !is_as_good(seen, place.score) && place.score - seen > enough;
            if (is_higher || is_centring && !place.is_flat) && self.reweight(class, place.factor) {
                is_better |= is_higher;
                self.seen = seen.max(place.score);
                self.gains[class] = self.seen - seen;
            }
            if self.is_little() {
                break; // the round that began behind this class is over
            }
        }
        if is_centring {
            self.settle_fixed()?;
        }
        Ok(is_better)
    }

    pub(super) fn line(&mut self, class: usize) -> (Line<'_, T, Y>, &mut Ledger<'a, Y, M>) {
        let line = Line {
            column: column_of(&self.columns, class, self.standings.len()),
            truth: self.truth,
            standings: &self.standings,
            class,
            weight: self.weights[class],
            n_classes: self.weights.len(),
        };
        (line, &mut self.ledger)
    }

    /// Multiplies a weight; false if that is more than a number can hold.
    pub(super) fn reweight(&mut self, class: usize, factor: f64) -> bool {
        let weight = self.weights[class] * factor;
        if !weight.is_normal() {
            return false;
        }
        self.weights[class] = weight;
        let column = column_of(&self.columns, class, self.standings.len());
        for moved in self.standings.update(self.values, column, &self.weights, class) {
            self.ledger.move_row(self.truth.tag(moved.row), moved.from as usize, moved.to as usize);
        }
        true
    }

    /// Gives the classes that are not searched the mean, in logarithms, of those that are, if no score is lost by it:
    /// that is weight 1 where the others are balanced around 1.
    pub(super) fn settle_fixed(&mut self) -> Result<(), Error> {
        if self.free.is_empty() || self.fixed.is_empty() {
            return Ok(());
        }
        let logs: f64 = self.free.iter().map(|&class| self.weights[class].ln()).sum();
        let mean = (logs / self.free.len() as f64).exp();
        let before = self.weights.clone();
        self.fixed.iter().for_each(|&class| self.weights[class] = mean);
        let settled = Weights::new(self.weights.clone())?;
        if !is_as_good(self.stand_at(&settled)?, self.seen) {
            self.stand_at(&Weights::new(before)?)?;
        }
        Ok(())
    }
}
