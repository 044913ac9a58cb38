//! Coordinate ascent on the mean of a metric over draws.
//!
//! The mean is smooth where one matrix of counts has steps, so a cut in every few rows is as good as all of them.

use super::population::{ExpectedConfusion, Goal, Population};
use crate::error::Error;
use crate::methods::ascent::{self, Hill, Step};
use crate::metric::Metric;
use crate::plugin::ties::{Candidates, best_score, widest_plateau};

/// Stretches that the cuts of a class are put into, at most.
const STRETCHES: usize = 60;

/// Rounds over the classes, at most.
const CYCLES: usize = 30;

/// Smaller gains of the mean are rounding.
const GAIN: f64 = 1e-9;

/// Means that differ by less are one plateau: a mean is rounded once for each draw.
const PLATEAU: f64 = GAIN * 1e-3;

/// The logarithms of the weights that make the mean of the metric largest, from a start; and what they are worth.
pub(super) fn climb<M: Metric + ?Sized>(
    population: &Population,
    logits: &[f64],
    goal: &Goal<'_, M>,
    start: Vec<f64>,
) -> Result<(Vec<f64>, f64), Error> {
    let predictions = predict(logits, &start);
    let confusion = population.expect(&predictions);
    let score = confusion.worth(goal)?;
    let mut climber = Climber { logits, goal, at: start, predictions, confusion };
    let progress = ascent::climb(&mut climber, score, (), CYCLES, |_, (), progress| {
        Ok((progress.seen > progress.before + GAIN).then_some(()))
    })?;
    Ok((climber.at, progress.seen))
}

/// The population as the present weights predict it.
struct Climber<'a, M: ?Sized> {
    logits: &'a [f64],
    goal: &'a Goal<'a, M>,
    /// The log-weights.
    at: Vec<f64>,
    predictions: Vec<usize>,
    confusion: ExpectedConfusion<'a>,
}

impl<M: Metric + ?Sized> Hill for Climber<'_, M> {
    type Round = ();

    fn classes(&self) -> Vec<usize> {
        (0..self.at.len()).collect()
    }

    fn improve(&mut self, class: usize, seen: f64, (): ()) -> Result<Option<Step>, Error> {
        let stretches = self.line(class)?;
        if best_score(&stretches) <= seen + GAIN {
            return Ok(None);
        }
        let [low, high] = widest_plateau(&stretches, PLATEAU);
        let old = std::mem::replace(&mut self.at[class], f64::midpoint(low, high));
        let predictions = predict(self.logits, &self.at);
        let confusion = self.moved_to(&predictions);
        let found = confusion.worth(self.goal)?;
        // In the middle of a stretch of several rows it may be a little less than at its end.
        if found <= seen {
            self.at[class] = old;
            return Ok(None);
        }
        (self.predictions, self.confusion) = (predictions, confusion);
        Ok(Some(Step { seen: found, is_better: true }))
    }
}

impl<'a, M: Metric + ?Sized> Climber<'a, M> {
    /// The confusion of other predictions.
    fn moved_to(&self, predictions: &[usize]) -> ExpectedConfusion<'a> {
        let mut confusion = self.confusion.clone();
        for (row, (&old, &new)) in self.predictions.iter().zip(predictions).enumerate() {
            if old != new {
                confusion.shift(row, old, new, self.goal.metric.is_by_class());
            }
        }
        confusion
    }

    /// The log-weights of one class, all others being as they are, with what they are worth.
    fn line(&self, class: usize) -> Result<Stretches, Error> {
        let Self { logits, at, goal, .. } = self;
        let mut without = at.clone();
        without[class] = f64::NEG_INFINITY;
        let others = predict(logits, &without);
        let rows = logits.chunks_exact(at.len()).zip(&others).enumerate();
        let cut = |(row, (logits, &other)): (usize, (&[f64], &usize))| {
            (logits[other] + at[other] - logits[class], row)
        };
        let mut cuts: Vec<(f64, usize)> = rows.map(cut).collect();
        cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (Some(&(first, _)), Some(&(last, _))) = (cuts.first(), cuts.last()) else {
            return Ok(Stretches::default());
        };
        let by_class = goal.metric.is_by_class();
        let mut confusion = self.moved_to(&others);
        // The ends are closed one unit past the last cuts: no class is given up or made the only one for good.
        let mut stretches = vec![(first - 1.0, first, confusion.worth(goal)?)];
        let step = cuts.len().div_ceil(STRETCHES);
        let mut passed = 0;
        while passed < cuts.len() {
            let mut end = (passed + step).min(cuts.len());
            while end < cuts.len() && cuts[end].0 <= cuts[end - 1].0 {
                end += 1;
            }
            for &(_, row) in &cuts[passed..end] {
                confusion.shift(row, others[row], class, by_class);
            }
            let upper = cuts.get(end).map_or(last + 1.0, |cut| cut.0);
            stretches.push((cuts[end - 1].0, upper, confusion.worth(goal)?));
            passed = end;
        }
        Ok(Stretches(stretches))
    }
}

/// Some of the stretches between neighbouring cuts: from where, to where, and the score.
#[derive(Default)]
struct Stretches(Vec<(f64, f64, f64)>);

impl Candidates for Stretches {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn score(&self, i: usize) -> f64 {
        self.0[i].2
    }

    fn span(&self, i: usize) -> (f64, f64) {
        (self.0[i].0, self.0[i].1)
    }
}

/// The class of every row: the largest logit plus log-weight, the first of equals.
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
