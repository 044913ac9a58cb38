//! One class after the other to the best place of its line, until nothing is better.

use super::ledger::Ledger;
use super::line::Line;
use super::standings::Standings;
use super::targets::Truth;
use crate::predict::predict;
use crate::probabilities::Real;
use crate::ties::is_as_good;
use crate::{Confusion, Error, Metric, Probabilities, Weights};

/// After so many rounds over the classes it is enough.
const CYCLES: usize = 50;

/// The part of a standard error, nearly, that a round on many rows must gain.
const LITTLE: f64 = 0.02;

/// Lines follow a round of glances that gained no more than so many times that, where lines are cheap.
const ROUGH: f64 = 100.0;

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
    values: &'a [T],
    /// The same numbers class by class: a line looks at one class of every row.
    columns: Vec<T>,
    truth: &'a Y,
    metric: &'a M,
    /// The classes whose weight may change, the heaviest first.
    free: Vec<usize>,
    fixed: Vec<usize>,
    weights: Vec<f64>,
    standings: Standings,
    pub(super) ledger: Ledger<'a, Y, M>,
    /// The best score of this climb.
    seen: f64,
    /// What each class last gained.
    gains: Vec<f64>,
    /// A class moves for more than its share of this, and all together go on while they gain more.
    tolerance: f64,
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

    /// What a whole round must gain on many rows to be followed by another: 0.02/√n of what the weights so far
    /// are worth, against predicting the heaviest class always.
    ///
    /// A score of n rows is off by about 1/√n of its range from what it is on other rows.
    fn tolerance(&self) -> f64 {
        let m = self.weights.len();
        let truth = |class: usize| self.ledger.truth(class);
        let heaviest = (0..m).fold(0, |best, class| if truth(class) > truth(best) { class } else { best });
        let constant = Confusion::from_cells(m, |i, j| if j == heaviest { truth(i) } else { 0.0 });
        let worth = (self.seen - self.metric.score(&constant)).abs();
        let n = self.values.len() as f64 / m as f64;
        if worth.is_finite() { LITTLE * worth / n.sqrt() } else { 0.0 }
    }

    /// What the last lines of all classes gained.
    fn gained(&self) -> f64 {
        self.free.iter().map(|&class| self.gains[class]).sum()
    }

    /// Whether many rows have been climbed far enough.
    fn is_little(&self) -> bool {
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

    /// One round over the classes; says whether it found anything better.
    fn cycle(&mut self, is_centring: bool) -> Result<bool, Error> {
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

    fn line(&mut self, class: usize) -> (Line<'_, T, Y>, &mut Ledger<'a, Y, M>) {
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
    fn reweight(&mut self, class: usize, factor: f64) -> bool {
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
    fn settle_fixed(&mut self) -> Result<(), Error> {
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

/// One column of `n` numbers.
fn column_of<T>(columns: &[T], class: usize, n: usize) -> &[T] {
    &columns[class * n..(class + 1) * n]
}

/// The numbers of a matrix column by column.
fn by_column<T: Real>(values: &[T], m: usize) -> Vec<T> {
    /// Rows that are in the cache while their columns are written.
    const BLOCK: usize = 64;
    let n = values.len() / m;
    let mut columns = values.to_vec();
    for (block, rows) in values.chunks(BLOCK * m).enumerate() {
        for k in 0..m {
            let column = &mut columns[k * n + block * BLOCK..(k + 1) * n];
            for (value, row) in column.iter_mut().zip(rows.chunks_exact(m)) {
                *value = row[k];
            }
        }
    }
    columns
}
