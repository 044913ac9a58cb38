//! Coordinate ascent on counted confusion matrices.

use super::columns::column_of;
use super::incremental::IncrementalConfusion;
use super::line::{Counted, Line};
use super::targets::Truth;
use super::top_twos::TopTwos;
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::methods::coordinate_ascent::{LineSearch, Round, coordinate_ascent};
use crate::methods::log_weights::with_mean_for_fixed;
use crate::metric::Metric;
use crate::numeric::tolerance::is_as_good;
use crate::progress::Stage;
use crate::rule::Weights;

/// A local maximum, or the state when the rounds ran out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LocalMaximum {
    pub(crate) weights: Weights,
    pub(super) score: f64,
    /// Rounds over the classes.
    pub(super) cycles: usize,
    /// Whether a last round improved no class.
    pub(super) has_converged: bool,
}

/// How a round searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoundKind {
    /// Searches the boundaries between buckets of cuts; accepts a move if the score does not decrease.
    Boundaries,
    /// Searches every cut; accepts a move if the score increases.
    Cuts,
    /// Searches every cut; also moves to the middle of an equally good plateau, because a weight close to a cut overfits.
    Centring,
}

/// The current weights, with the predictions and the confusion matrix they give.
pub(super) struct CountedAscent<'a, T, Y: Truth> {
    /// The probabilities by column: a line search reads one class of every row.
    columns: &'a [T],
    truth: &'a Y,
    pub(super) metric: &'a dyn Metric,
    /// The classes whose weight is tuned, heaviest first.
    pub(super) free: Vec<usize>,
    fixed: Vec<usize>,
    pub(super) weights: Vec<f64>,
    top_twos: TopTwos,
    pub(super) confusion: IncrementalConfusion<'a, Y>,
    counted: Counted<Y>,
    /// The gain of each class in its last search.
    gains: Vec<f64>,
    pub(super) kind: RoundKind,
    /// A class moves if it gains more than its share of this; rounds continue while all classes together gain more.
    pub(super) tolerance: f64,
}

impl<'a, T: Real, Y: Truth> CountedAscent<'a, T, Y> {
    pub(super) fn new(columns: &'a [T], truth: &'a Y, metric: &'a dyn Metric, is_free: &[bool]) -> Self {
        let m = is_free.len();
        let confusion = IncrementalConfusion::of_rows(truth, metric, columns.len() / m, m);
        let (mut free, fixed): (Vec<usize>, Vec<usize>) = (0..m).partition(|&class| is_free[class]);
        // By weight, not by index, so that the order of the classes does not matter; the sort is stable.
        free.sort_by(|&a, &b| confusion.truth(b).total_cmp(&confusion.truth(a)));
        Self {
            columns,
            truth,
            metric,
            free,
            fixed,
            weights: vec![1.0; m],
            top_twos: TopTwos::default(),
            confusion,
            counted: Counted::default(),
            gains: vec![f64::INFINITY; m],
            kind: RoundKind::Centring,
            tolerance: 0.0,
        }
    }

    /// Sets the weights, predicts all rows and returns the score.
    pub(super) fn set_weights(&mut self, weights: &Weights) -> Result<f64, Error> {
        self.weights = weights.as_slice().to_vec();
        self.top_twos = TopTwos::of(self.columns, &self.weights);
        self.confusion.recount(self.top_twos.first.iter().map(|&first| first as usize))
    }

    /// Ascends from a start.
    ///
    /// Every move goes to the middle of the widest best plateau of a line. The first round is centring, and so is the round
    /// after one without gain. After that, one more round over all cuts must find nothing. The score never decreases, up to
    /// rounding.
    pub(super) fn ascend(&mut self, start: &Weights, stage: &Stage<'_>) -> Result<LocalMaximum, Error> {
        let score = self.set_weights(start)?;
        let mut maximum = LocalMaximum { weights: start.clone(), score, cycles: 0, has_converged: false };
        let (free, mut is_centred) = (self.free.clone(), false);
        self.kind = RoundKind::Centring;
        let last = coordinate_ascent(self, &free, score, stage, |ascent, round| {
            let is_centring = ascent.kind == RoundKind::Centring;
            if is_centring {
                ascent.set_fixed_to_mean(round.score)?;
            }
            // Only after some rounds: it takes as long as searching several classes.
            if is_centring || round.number == Self::MAX_ROUNDS {
                // Evaluates the normalised weights: normalising may change the prediction of a row with a tie.
                let weights = Weights::new(ascent.weights.clone())?;
                let score = ascent.set_weights(&weights)?;
                if is_as_good(score, maximum.score) {
                    (maximum.weights, maximum.score) = (weights, score);
                }
            }
            let is_stuck = !round.is_better && !is_centring;
            let has_converged = is_stuck && is_centred;
            is_centred = !round.is_better && (is_centring || is_centred);
            ascent.kind = if is_stuck { RoundKind::Centring } else { RoundKind::Cuts };
            Ok(has_converged)
        })?;
        Ok(LocalMaximum { cycles: last.number, has_converged: last.has_converged, ..maximum })
    }

    pub(super) fn n_rows(&self) -> usize {
        self.top_twos.len()
    }

    /// The sum of the last gains of all classes.
    pub(super) fn gained(&self) -> f64 {
        self.free.iter().map(|&class| self.gains[class]).sum()
    }

    fn line(&mut self, class: usize) -> (Line<'_, T, Y>, &mut IncrementalConfusion<'a, Y>, &mut Counted<Y>) {
        let line = Line {
            column: column_of(self.columns, class, self.top_twos.len()),
            truth: self.truth,
            top_twos: &self.top_twos,
            class,
            weight: self.weights[class],
            n_classes: self.weights.len(),
        };
        (line, &mut self.confusion, &mut self.counted)
    }

    /// Multiplies a weight; false if the result would overflow or underflow.
    fn reweight(&mut self, class: usize, factor: f64) -> bool {
        let weight = self.weights[class] * factor;
        if !weight.is_normal() {
            return false;
        }
        self.weights[class] = weight;
        for moved in self.top_twos.update(self.columns, &self.weights, class) {
            self.confusion.move_row(self.truth.tag(moved.row), moved.from as usize, moved.to as usize);
        }
        true
    }

    /// Moves to the best boundary between buckets, if the score does not decrease.
    fn move_to_boundary(&mut self, class: usize, round: &mut Round) -> Result<(), Error> {
        let before = self.weights[class];
        let (line, confusion, counted) = self.line(class);
        if let Some(factor) = line.best_boundary(confusion, counted, round.score)?
            && self.reweight(class, factor)
        {
            let score = self.confusion.score();
            self.confusion.check()?;
            if score >= round.score {
                (round.score, round.is_better) = (score, true);
            } else {
                self.reweight(class, before / self.weights[class]); // a tie at the boundary went the other way
            }
        }
        Ok(())
    }

    /// Moves to the best plateau between cuts.
    fn move_to_plateau(&mut self, class: usize, round: &mut Round) -> Result<(), Error> {
        let enough = 0.5 * self.tolerance / self.weights.len() as f64;
        self.gains[class] = 0.0;
        let (metric, seen) = (self.metric, round.score);
        let (line, confusion, counted) = self.line(class);
        let Some(place) = line.best(confusion, metric, counted, seen)? else { return Ok(()) };
        let is_better = !is_as_good(seen, place.score) && place.score - seen > enough;
        let is_centring = self.kind == RoundKind::Centring && !place.is_flat;
        if (is_better || is_centring) && self.reweight(class, place.factor) {
            round.score = seen.max(place.score);
            round.is_better |= is_better;
            self.gains[class] = round.score - seen;
        }
        // On a large sample a round ends once the last searches of all classes gained too little.
        round.is_over = self.tolerance > 0.0 && self.gained() <= self.tolerance;
        Ok(())
    }

    /// Gives the classes that are not tuned the geometric mean of those that are, if the score does not decrease.
    pub(super) fn set_fixed_to_mean(&mut self, seen: f64) -> Result<(), Error> {
        let Some(settled) = with_mean_for_fixed(&self.weights, &self.free, &self.fixed) else {
            return Ok(());
        };
        let before = self.weights.clone();
        if !is_as_good(self.set_weights(&Weights::new(settled)?)?, seen) {
            self.set_weights(&Weights::new(before)?)?;
        }
        Ok(())
    }
}

impl<T: Real, Y: Truth> LineSearch for CountedAscent<'_, T, Y> {
    const MAX_ROUNDS: usize = 50;
    const USUAL_ROUNDS: usize = 5;

    fn search(&mut self, class: usize, round: &mut Round) -> Result<(), Error> {
        match self.kind {
            RoundKind::Boundaries => self.move_to_boundary(class, round),
            RoundKind::Cuts | RoundKind::Centring => self.move_to_plateau(class, round),
        }
    }
}
