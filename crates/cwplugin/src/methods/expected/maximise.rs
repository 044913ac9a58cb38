//! Coordinate ascent on the mean of a metric over draws.
//!
//! The mean is nearly smooth, so it suffices to evaluate it at every few cuts.

use super::best_two::BestTwo;
use super::expected_confusion::{ExpectedConfusion, Objective};
use super::population::Population;
use crate::error::Error;
use crate::methods::coordinate_ascent::{LineSearch, Round, coordinate_ascent};
use crate::plugin::ties::{Interval, best_score, widest_plateau};
use crate::progress::Stage;

/// Maximum number of intervals per class.
const MAX_INTERVALS: usize = 60;

/// With more classes, a line is searched only as far as a class can be worth predicting.
const ALL_CUTS_CLASSES: usize = 50;

/// Smaller gains of the mean are rounding.
const GAIN: f64 = 1e-9;

/// Means that differ by less belong to one plateau: each draw adds rounding.
const PLATEAU: f64 = GAIN * 1e-3;

/// The log-weights that maximise the mean of the metric, from a start, and their score; one part of a stage.
pub(super) fn maximise<'a>(
    population: &'a Population,
    logits: &'a [f64],
    objective: &'a Objective<'a>,
    start: Vec<f64>,
    stage: &Stage<'_>,
) -> Result<(Vec<f64>, f64), Error> {
    let classes: Vec<usize> = (0..start.len()).collect();
    let best_two = BestTwo::new(logits, &start);
    let predictions: Vec<usize> = best_two.predictions().collect();
    let mut confusion = ExpectedConfusion::new(population, objective, &predictions);
    let score = confusion.value()?;
    let trial = confusion.clone();
    let mut ascent = ExpectedAscent { best_two, log_weights: start, predictions, confusion, trial };
    let last = coordinate_ascent(&mut ascent, &classes, score, stage, |_, round| {
        Ok(round.score <= round.before + GAIN)
    })?;
    Ok((ascent.log_weights, last.score))
}

/// The current log-weights, with the predictions and the expected confusion matrix they give.
struct ExpectedAscent<'a> {
    best_two: BestTwo<'a>,
    log_weights: Vec<f64>,
    predictions: Vec<usize>,
    confusion: ExpectedConfusion<'a>,
    /// The same, for trying other predictions.
    trial: ExpectedConfusion<'a>,
}

impl LineSearch for ExpectedAscent<'_> {
    const MAX_ROUNDS: usize = 30;
    const USUAL_ROUNDS: usize = 3;

    /// Moves a log-weight to the middle of the best plateau, if that raises the score.
    fn search(&mut self, class: usize, round: &mut Round) -> Result<(), Error> {
        let intervals = self.line(class)?;
        if best_score(&intervals) <= round.score + GAIN {
            return Ok(());
        }
        let [low, high] = widest_plateau(&intervals, PLATEAU);
        let old = std::mem::replace(&mut self.log_weights[class], f64::midpoint(low, high));
        self.best_two.update(class, &self.log_weights);
        for (row, (&old, new)) in self.predictions.iter().zip(self.best_two.predictions()).enumerate() {
            if old != new {
                self.trial.shift(row, old, new);
            }
        }
        let found = self.trial.value()?;
        // The middle of an interval that spans several cuts may score less than its end.
        if found <= round.score {
            self.log_weights[class] = old;
            self.best_two.update(class, &self.log_weights);
            self.trial.restore(&self.confusion);
            return Ok(());
        }
        self.trial.copy_changes(&mut self.confusion);
        self.predictions = self.best_two.predictions().collect();
        (round.score, round.is_better) = (found, true);
        Ok(())
    }
}

impl ExpectedAscent<'_> {
    /// The score along the log-weight of one class, with the others fixed.
    fn line(&mut self, class: usize) -> Result<Vec<Interval>, Error> {
        let Self { best_two, predictions, confusion, trial, .. } = self;
        let others = best_two.without(class).enumerate();
        let mut cuts: Vec<(f64, usize, usize)> =
            others.map(|(row, (other, cut))| (cut, row, other)).collect();
        let by_cut =
            |a: &(f64, usize, usize), b: &(f64, usize, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let reach = reach(confusion.population(), class);
        let beyond = (reach < cuts.len()).then(|| {
            let (.., next, _) = cuts.select_nth_unstable_by(reach, by_cut);
            next.0
        });
        cuts.truncate(reach);
        cuts.sort_unstable_by(by_cut);
        let (Some(&(first, ..)), Some(&(last, ..))) = (cuts.first(), cuts.last()) else {
            return Ok(Vec::new());
        };
        let beyond = beyond.unwrap_or(last + 1.0);
        for (row, (other, _)) in best_two.without(class).enumerate() {
            if predictions[row] != other {
                trial.shift(row, predictions[row], other);
            }
        }
        // Open ends are closed one unit past the last cuts, so that no class is excluded or always predicted.
        let mut intervals = vec![Interval { span: (first - 1.0, first), score: trial.value()? }];
        let step = predictions.len().div_ceil(MAX_INTERVALS);
        let mut passed = 0;
        while passed < cuts.len() {
            let mut end = (passed + step).min(cuts.len());
            while end < cuts.len() && cuts[end].0 <= cuts[end - 1].0 {
                end += 1;
            }
            for &(_, row, other) in &cuts[passed..end] {
                trial.shift(row, other, class);
            }
            let span = (cuts[end - 1].0, cuts.get(end).map_or(beyond, |cut| cut.0));
            intervals.push(Interval { span, score: trial.value()? });
            passed = end;
        }
        trial.restore(confusion);
        Ok(intervals)
    }
}

/// The number of rows that may be predicted as a class: with many classes four times as many as are expected of it and of
/// the average class, and some more.
fn reach(population: &Population, class: usize) -> usize {
    let (n, m) = (population.n_rows(), population.n_classes());
    if m <= ALL_CUTS_CLASSES {
        return n;
    }
    let share = population.share_of(class) + 1.0 / m as f64;
    #[allow(clippy::cast_sign_loss)] // a share is not negative
    let rows = (4.0 * share * n as f64).ceil() as usize;
    rows + MAX_INTERVALS
}

/// The class of every row: the largest logit plus log-weight; ties go to the first.
pub(super) fn predict(logits: &[f64], log_weights: &[f64]) -> Vec<usize> {
    let class = |logits: &[f64]| {
        let mut best = (0, f64::NEG_INFINITY);
        for (class, (logit, log_weight)) in logits.iter().zip(log_weights).enumerate() {
            let value = logit + log_weight;
            if value > best.1 {
                best = (class, value);
            }
        }
        best.0
    };
    logits.chunks_exact(log_weights.len()).map(class).collect()
}
