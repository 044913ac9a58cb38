//! Coordinate ascent on counted confusion matrices.

use super::columns::{by_column, column_of};
use super::incremental::IncrementalConfusion;
use super::line::Line;
use super::targets::Truth;
use super::top_twos::TopTwos;
use crate::data::Probabilities;
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::methods::log_weights::with_mean_for_fixed;
use crate::metric::Metric;
use crate::numeric::tolerance::is_as_good;
use crate::progress::Part;
use crate::rule::Weights;

/// Maximum number of rounds over the classes.
pub(super) const CYCLES: usize = 50;

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

impl LocalMaximum {
    /// Takes these weights if they score as well.
    pub(super) fn replace_by(&mut self, weights: Weights, score: f64) {
        if is_as_good(score, self.score) {
            (self.weights, self.score) = (weights, score);
        }
    }
}

/// The result of searching one line.
struct Step {
    /// The best score so far.
    score: f64,
    is_better: bool,
}

/// How a round searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// Searches the boundaries between buckets of cuts; accepts a move if the score does not decrease.
    Boundaries,
    /// Searches every cut; accepts a move if the score increases.
    Cuts,
    /// Searches every cut; also moves to the middle of an equally good plateau, because a weight close to a cut overfits.
    Centring,
}

/// The current weights, with the predictions and the confusion matrix they give.
pub(super) struct CountedAscent<'a, T, Y: Truth> {
    values: &'a [T],
    /// The same values by column: a line search reads one class of every row.
    columns: Vec<T>,
    truth: &'a Y,
    pub(super) metric: &'a dyn Metric,
    /// The classes whose weight is tuned, heaviest first.
    free: Vec<usize>,
    fixed: Vec<usize>,
    pub(super) weights: Vec<f64>,
    top_twos: TopTwos,
    pub(super) confusion: IncrementalConfusion<'a, Y>,
    /// The gain of each class in its last search.
    gains: Vec<f64>,
    /// A class moves if it gains more than its share of this; rounds continue while all classes together gain more.
    pub(super) tolerance: f64,
}

impl<'a, T: Real, Y: Truth> CountedAscent<'a, T, Y> {
    pub(super) fn new(values: &'a [T], truth: &'a Y, metric: &'a dyn Metric, is_free: &[bool]) -> Self {
        let m = is_free.len();
        let confusion = IncrementalConfusion::of_rows(truth, metric, values.len() / m, m);
        let (mut free, fixed): (Vec<usize>, Vec<usize>) = (0..m).partition(|&class| is_free[class]);
        // By weight, not by index, so that the order of the classes does not matter; the sort is stable.
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

    /// Sets the weights, predicts all rows and returns the score.
    pub(super) fn set_weights(&mut self, weights: &Weights) -> Result<f64, Error> {
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
        self.confusion.recount(weights.predict(probabilities)?.into_iter())
    }

    /// Ascends from a start; a round of `part` is the search of one class.
    ///
    /// Every move goes to the middle of the widest best plateau of a line. The first round is centring, and so is the round
    /// after one without gain. After that, one more round over all cuts must find nothing. The score never decreases, up to
    /// rounding.
    pub(super) fn ascend(&mut self, start: &Weights, mut part: Part<'_>) -> Result<LocalMaximum, Error> {
        let score = self.set_weights(start)?;
        let mut maximum = LocalMaximum { weights: start.clone(), score, cycles: 0, has_converged: false };
        let (mut seen, mut round, mut is_centred) = (score, Round::Centring, false);
        while maximum.cycles < CYCLES && !maximum.has_converged {
            let (best, is_better) = self.round(round, seen, &mut part)?;
            seen = best;
            maximum.cycles += 1;
            // Only after some rounds: it takes as long as searching several classes.
            if round == Round::Centring || maximum.cycles == CYCLES {
                // Evaluates the normalised weights: normalising may change the prediction of a row with a tie.
                let weights = Weights::new(self.weights.clone())?;
                let score = self.set_weights(&weights)?;
                maximum.replace_by(weights, score);
            }
            let is_stuck = !is_better && round == Round::Cuts;
            maximum.has_converged = is_stuck && is_centred;
            is_centred = !is_better && (round == Round::Centring || is_centred);
            round = if is_stuck { Round::Centring } else { Round::Cuts };
        }
        part.finish();
        Ok(maximum)
    }

    /// Moves every class once to the maximum of its line. Returns the best score so far and whether a class improved it.
    pub(super) fn round(
        &mut self,
        round: Round,
        mut seen: f64,
        part: &mut Part<'_>,
    ) -> Result<(f64, bool), Error> {
        let mut is_better = false;
        for class in self.free.clone() {
            let step = match round {
                Round::Boundaries => self.move_to_boundary(class, seen)?,
                Round::Cuts => self.move_to_plateau(class, seen, false)?,
                Round::Centring => self.move_to_plateau(class, seen, true)?,
            };
            part.round();
            let Some(step) = step else { continue };
            seen = step.score;
            is_better |= step.is_better;
            // On a large sample a round ends once the last searches of all classes gained too little.
            if self.tolerance > 0.0 && self.gained() <= self.tolerance {
                break;
            }
        }
        match round {
            Round::Boundaries => self.confusion.check()?,
            Round::Cuts => {}
            Round::Centring => self.set_fixed_to_mean(seen)?,
        }
        Ok((seen, is_better))
    }

    /// The sum of the last gains of all classes.
    pub(super) fn gained(&self) -> f64 {
        self.free.iter().map(|&class| self.gains[class]).sum()
    }

    fn line(&mut self, class: usize) -> (Line<'_, T, Y>, &mut IncrementalConfusion<'a, Y>) {
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

    /// Multiplies a weight; false if the result would overflow or underflow.
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

    /// Moves to the best boundary between buckets, if the score does not decrease.
    fn move_to_boundary(&mut self, class: usize, seen: f64) -> Result<Option<Step>, Error> {
        let (line, confusion) = self.line(class);
        let Some(factor) = line.best_boundary(confusion, seen)? else { return Ok(None) };
        let before = self.weights[class];
        if !self.reweight(class, factor) {
            return Ok(None);
        }
        let score = self.confusion.score();
        if score >= seen {
            return Ok(Some(Step { score, is_better: true }));
        }
        self.reweight(class, before / self.weights[class]); // a tie at the boundary went the other way
        Ok(None)
    }

    /// Moves to the best plateau between cuts.
    fn move_to_plateau(&mut self, class: usize, seen: f64, is_centring: bool) -> Result<Option<Step>, Error> {
        let enough = 0.5 * self.tolerance / self.weights.len() as f64;
        self.gains[class] = 0.0;
        let metric = self.metric;
        let (line, confusion) = self.line(class);
        let Some(place) = line.best(confusion, metric, seen)? else { return Ok(None) };
        let is_better = !is_as_good(seen, place.score) && place.score - seen > enough;
        if !(is_better || is_centring && !place.is_flat) || !self.reweight(class, place.factor) {
            return Ok(Some(Step { score: seen, is_better: false }));
        }
        let score = seen.max(place.score);
        self.gains[class] = score - seen;
        Ok(Some(Step { score, is_better }))
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
