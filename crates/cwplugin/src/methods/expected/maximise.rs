//! Coordinate ascent on the mean of a metric over draws.
//!
//! The mean is nearly smooth, so it suffices to evaluate it at every few cuts.

use super::population::{ExpectedConfusion, Objective, Population};
use crate::error::Error;
use crate::methods::coordinate_ascent::{LineSearch, Round, coordinate_ascent};
use crate::plugin::ties::{Interval, best_score, widest_plateau};
use crate::progress::Stage;

/// Maximum number of intervals per class.
const MAX_INTERVALS: usize = 60;

/// Smaller gains of the mean are rounding.
const GAIN: f64 = 1e-9;

/// Means that differ by less belong to one plateau: each draw adds rounding.
const PLATEAU: f64 = GAIN * 1e-3;

/// The log-weights that maximise the mean of the metric, from a start, and their score; one part of a stage.
pub(super) fn maximise(
    population: &Population,
    logits: &[f64],
    objective: &Objective<'_>,
    start: Vec<f64>,
    stage: &Stage<'_>,
) -> Result<(Vec<f64>, f64), Error> {
    let classes: Vec<usize> = (0..start.len()).collect();
    let predictions = predict(logits, &start);
    let confusion = population.expect(&predictions);
    let score = confusion.value_of(objective)?;
    let mut ascent = ExpectedAscent { logits, objective, log_weights: start, predictions, confusion };
    let last = coordinate_ascent(&mut ascent, &classes, score, stage, |_, round| {
        Ok(round.score <= round.before + GAIN)
    })?;
    Ok((ascent.log_weights, last.score))
}

/// The current log-weights, with the predictions and the expected confusion matrix they give.
struct ExpectedAscent<'a> {
    logits: &'a [f64],
    objective: &'a Objective<'a>,
    log_weights: Vec<f64>,
    predictions: Vec<usize>,
    confusion: ExpectedConfusion<'a>,
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
        let predictions = predict(self.logits, &self.log_weights);
        let confusion = self.moved_to(&predictions);
        let found = confusion.value_of(self.objective)?;
        // The middle of an interval that spans several cuts may score less than its end.
        if found <= round.score {
            self.log_weights[class] = old;
            return Ok(());
        }
        (self.predictions, self.confusion) = (predictions, confusion);
        (round.score, round.is_better) = (found, true);
        Ok(())
    }
}

impl<'a> ExpectedAscent<'a> {
    /// The confusion matrix of other predictions.
    fn moved_to(&self, predictions: &[usize]) -> ExpectedConfusion<'a> {
        let mut confusion = self.confusion.clone();
        for (row, (&old, &new)) in self.predictions.iter().zip(predictions).enumerate() {
            if old != new {
                confusion.shift(row, old, new, self.objective.metric.is_by_class());
            }
        }
        confusion
    }

    /// The score along the log-weight of one class, with the others fixed.
    fn line(&self, class: usize) -> Result<Vec<Interval>, Error> {
        let Self { logits, log_weights, objective, .. } = self;
        let mut without = log_weights.clone();
        without[class] = f64::NEG_INFINITY;
        let others = predict(logits, &without);
        let rows = logits.chunks_exact(log_weights.len()).zip(&others).enumerate();
        let cut = |(row, (logits, &other)): (usize, (&[f64], &usize))| {
            (logits[other] + log_weights[other] - logits[class], row)
        };
        let mut cuts: Vec<(f64, usize)> = rows.map(cut).collect();
        cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (Some(&(first, _)), Some(&(last, _))) = (cuts.first(), cuts.last()) else {
            return Ok(Vec::new());
        };
        let by_class = objective.metric.is_by_class();
        let mut confusion = self.moved_to(&others);
        // Open ends are closed one unit past the last cuts, so that no class is excluded or always predicted.
        let mut intervals =
            vec![Interval { span: (first - 1.0, first), score: confusion.value_of(objective)? }];
        let step = cuts.len().div_ceil(MAX_INTERVALS);
        let mut passed = 0;
        while passed < cuts.len() {
            let mut end = (passed + step).min(cuts.len());
            while end < cuts.len() && cuts[end].0 <= cuts[end - 1].0 {
                end += 1;
            }
            for &(_, row) in &cuts[passed..end] {
                confusion.shift(row, others[row], class, by_class);
            }
            let span = (cuts[end - 1].0, cuts.get(end).map_or(last + 1.0, |cut| cut.0));
            intervals.push(Interval { span, score: confusion.value_of(objective)? });
            passed = end;
        }
        Ok(intervals)
    }
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
