//! The climb on counted confusion matrices.

use super::columns::{by_column, column_of};
use super::coordinate::{self, Hill, Step};
use super::incremental::IncrementalConfusion;
use super::line::Line;
use super::targets::Truth;
use super::top_twos::TopTwos;
use crate::data::Probabilities;
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::metric::Metric;
use crate::numeric::tolerance::is_as_good;
use crate::rule::Weights;
use crate::rule::predict::predict;

/// Rounds over the classes, at most.
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

/// How a round searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// Only the boundaries between buckets of cuts; a move is kept if the score does not fall.
    Boundaries,
    /// Every cut; a move must gain something.
    Cuts,
    /// … and a class also moves to the middle of a plateau that only is as good: a weight that hangs on a cut is chance.
    Centring,
}

/// The rows as the present weights predict them.
pub(super) struct Climber<'a, T, Y: Truth, M: ?Sized> {
    values: &'a [T],
    /// The same numbers class by class: a line looks at one class of every row.
    columns: Vec<T>,
    truth: &'a Y,
    pub(super) metric: &'a M,
    /// The classes whose weight may change, the heaviest first.
    free: Vec<usize>,
    fixed: Vec<usize>,
    pub(super) weights: Vec<f64>,
    top_twos: TopTwos,
    pub(super) confusion: IncrementalConfusion<'a, Y, M>,
    /// What each class gained when its cuts were last searched.
    gains: Vec<f64>,
    /// A class moves for more than its share of this, and all together go on while they gain more.
    pub(super) tolerance: f64,
}

impl<'a, T: Real, Y: Truth, M: Metric + ?Sized> Climber<'a, T, Y, M> {
    pub(super) fn new(values: &'a [T], truth: &'a Y, metric: &'a M, is_free: &[bool]) -> Self {
        let m = is_free.len();
        let confusion = IncrementalConfusion::of_rows(truth, metric, values.len() / m, m);
        let (mut free, fixed): (Vec<usize>, Vec<usize>) = (0..m).partition(|&class| is_free[class]);
        // By weight, not by index, so that the order of the classes does not matter; a stable sort for equals.
        free.sort_by(|&a, &b| confusion.truth(b).total_cmp(&confusion.truth(a)));
        Self {
            values,
            columns: by_column(values, m),
            truth,
            metric,
            free,
            fixed,
            weights: vec![1.0; m],
            top_twos: TopTwos::default(),
            confusion,
            gains: vec![f64::INFINITY; m],
            tolerance: 0.0,
        }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.values.len() / self.weights.len()
    }

    /// Takes these weights, and predicts and counts all rows with them.
    pub(super) fn stand_at(&mut self, weights: &Weights) -> Result<f64, Error> {
        self.weights = weights.as_slice().to_vec();
        self.top_twos = TopTwos::of(self.values, &self.weights);
        self.confusion.recount(self.top_twos.first.iter().map(|&first| first as usize))
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
        self.confusion.recount(predictions.into_iter().map(|class| class as usize))
    }

    /// Climbs from a start.
    ///
    /// Every move goes to the middle of the widest best plateau of a line. The first round, and one when nothing is
    /// better any more, are centring. After that round everything is searched once more, and only if nothing is better,
    /// it is done. The score never falls, but for rounding.
    pub(super) fn climb(&mut self, start: &Weights) -> Result<Summit, Error> {
        let (mut weights, mut score) = (start.clone(), self.stand_at(start)?);
        let mut is_centred = false;
        let progress =
            coordinate::climb(self, score, Round::Centring, CYCLES, |climber, round, progress| {
                // Not after every round: it takes as long as several classes.
                if round == Round::Centring || progress.cycles == CYCLES {
                    // The weights as they will be used: dividing them by their sum may tip a row that hangs on a tie.
                    let normalised = Weights::new(climber.weights.clone())?;
                    let found = climber.stand_at(&normalised)?;
                    if is_as_good(found, score) {
                        (weights, score) = (normalised, found);
                    }
                }
                let is_done = !progress.is_better && round == Round::Cuts && is_centred;
                let is_stuck = !progress.is_better && round == Round::Cuts;
                is_centred = !progress.is_better && (round == Round::Centring || is_centred);
                let next = if is_stuck { Round::Centring } else { Round::Cuts };
                Ok((!is_done).then_some(next))
            })?;
        Ok(Summit { weights, score, cycles: progress.cycles, is_proven: progress.is_done })
    }

    /// What the last searches of all classes gained.
    pub(super) fn gained(&self) -> f64 {
        self.free.iter().map(|&class| self.gains[class]).sum()
    }

    fn line(&mut self, class: usize) -> (Line<'_, T, Y>, &mut IncrementalConfusion<'a, Y, M>) {
        let line = Line {
            column: column_of(&self.columns, class, self.top_twos.len()),
            truth: self.truth,
            top_twos: &self.top_twos,
            class,
            weight: self.weights[class],
            n_classes: self.weights.len(),
        };
        (line, &mut self.confusion)
    }

    /// Multiplies a weight; false if that is more than a number can hold.
    fn reweight(&mut self, class: usize, factor: f64) -> bool {
        let weight = self.weights[class] * factor;
        if !weight.is_normal() {
            return false;
        }
        self.weights[class] = weight;
        let column = column_of(&self.columns, class, self.top_twos.len());
        for moved in self.top_twos.update(self.values, column, &self.weights, class) {
            self.confusion.move_row(self.truth.tag(moved.row), moved.from as usize, moved.to as usize);
        }
        true
    }

    /// To the best boundary between buckets, if the score does not fall by it.
    fn move_to_boundary(&mut self, class: usize, seen: f64) -> Result<Option<Step>, Error> {
        let (line, confusion) = self.line(class);
        let Some(factor) = line.best_boundary(confusion, seen)? else { return Ok(None) };
        let before = self.weights[class];
        if !self.reweight(class, factor) {
            return Ok(None);
        }
        let score = self.confusion.score();
        if score >= seen {
            return Ok(Some(Step { seen: score, is_better: true }));
        }
        self.reweight(class, before / self.weights[class]); // a tie at the boundary went the other way
        Ok(None)
    }

    /// To the best place between cuts.
    fn move_to_plateau(&mut self, class: usize, seen: f64, is_centring: bool) -> Result<Option<Step>, Error> {
        let enough = 0.5 * self.tolerance / self.weights.len() as f64;
        self.gains[class] = 0.0;
        let metric = self.metric;
        let (line, confusion) = self.line(class);
        let Some(place) = line.best(confusion, metric, seen)? else { return Ok(None) };
        let is_better = !is_as_good(seen, place.score) && place.score - seen > enough;
        if !(is_better || is_centring && !place.is_flat) || !self.reweight(class, place.factor) {
            return Ok(Some(Step { seen, is_better: false }));
        }
        let step = Step { seen: seen.max(place.score), is_better };
        self.gains[class] = step.seen - seen;
        Ok(Some(step))
    }

    /// Gives the classes that are not searched the mean, in logarithms, of those that are, if no score is lost by it.
    pub(super) fn settle_fixed(&mut self, seen: f64) -> Result<(), Error> {
        let Some(settled) = settled(&self.weights, &self.free, &self.fixed) else { return Ok(()) };
        let before = self.weights.clone();
        if !is_as_good(self.stand_at(&Weights::new(settled)?)?, seen) {
            self.stand_at(&Weights::new(before)?)?;
        }
        Ok(())
    }
}

impl<T: Real, Y: Truth, M: Metric + ?Sized> Hill for Climber<'_, T, Y, M> {
    type Round = Round;

    fn classes(&self) -> Vec<usize> {
        self.free.clone()
    }

    fn improve(&mut self, class: usize, seen: f64, round: Round) -> Result<Option<Step>, Error> {
        match round {
            Round::Boundaries => self.move_to_boundary(class, seen),
            Round::Cuts | Round::Centring => self.move_to_plateau(class, seen, round == Round::Centring),
        }
    }

    /// On many rows a round ends once the last searches of all classes, from whichever round, gained too little.
    fn is_enough(&self) -> bool {
        self.tolerance > 0.0 && self.gained() <= self.tolerance
    }

    fn end_round(&mut self, round: Round, seen: f64) -> Result<(), Error> {
        match round {
            Round::Boundaries => self.confusion.check(),
            Round::Cuts => Ok(()),
            Round::Centring => self.settle_fixed(seen),
        }
    }
}

/// Weights in which the classes that are not searched have the mean, in logarithms, of those that are: that is weight 1
/// where the others are balanced around 1. `None` if there are none of either kind.
pub(crate) fn settled(weights: &[f64], free: &[usize], fixed: &[usize]) -> Option<Vec<f64>> {
    if free.is_empty() || fixed.is_empty() {
        return None;
    }
    let logs: f64 = free.iter().map(|&class| weights[class].ln()).sum();
    let mean = (logs / free.len() as f64).exp();
    let mut settled = weights.to_vec();
    for &class in fixed {
        settled[class] = mean;
    }
    Some(settled)
}
