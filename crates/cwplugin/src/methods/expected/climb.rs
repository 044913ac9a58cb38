//! Coordinate ascent on the mean of a metric over draws.
//!
//! The same climb as in `ascent`, on many confusion matrices at once. Their mean is smooth where one matrix of counts
//! has steps, so a cut in every few rows is as good as all of them.

use super::crowd::{Crowd, Expectation, Goal};
use crate::error::Error;
use crate::metric::Metric;

/// Stretches that the cuts of a class are put into, at most.
const STRETCHES: usize = 60;

/// Rounds over the classes, at most.
const CYCLES: usize = 30;

/// Smaller gains of the mean are rounding.
const GAIN: f64 = 1e-9;

/// The logarithms of the weights that make the mean of the metric largest, from a start; and what they are worth.
pub(super) fn climb<M: Metric + ?Sized>(
    crowd: &Crowd,
    logits: &[f64],
    goal: &Goal<'_, M>,
    start: Vec<f64>,
) -> Result<(Vec<f64>, f64), Error> {
    let mut at = start;
    let mut predictions = predict(logits, &at);
    let mut expectation = crowd.expect(&predictions);
    let mut best = expectation.worth(goal)?;
    for _ in 0..CYCLES {
        let before = best;
        for class in 0..at.len() {
            let line = Line { logits, at: &at, class, predictions: &predictions };
            let Some((middle, promised)) = line.best_weight(&expectation, goal)? else { continue };
            if promised <= best + GAIN {
                continue;
            }
            let old = std::mem::replace(&mut at[class], middle);
            let moved = predict(logits, &at);
            let next = shifted(&expectation, &predictions, &moved, goal.metric.is_by_class());
            let found = next.worth(goal)?;
            // In the middle of a stretch of several rows it may be a little less than at its end.
            if found > best {
                (best, predictions, expectation) = (found, moved, next);
            } else {
                at[class] = old;
            }
        }
        if best <= before + GAIN {
            break;
        }
    }
    Ok((at, best))
}

fn shifted<'a>(from: &Expectation<'a>, old: &[usize], new: &[usize], by_class: bool) -> Expectation<'a> {
    let mut expectation = from.clone();
    for (row, (&old, &new)) in old.iter().zip(new).enumerate() {
        if old != new {
            expectation.shift(row, old, new, by_class);
        }
    }
    expectation
}

/// The log-weights of one class, all others being as they are.
struct Line<'a> {
    logits: &'a [f64],
    at: &'a [f64],
    class: usize,
    /// The classes of all rows now.
    predictions: &'a [usize],
}

impl Line<'_> {
    /// The middle of the widest best stretch, and what it is worth.
    fn best_weight<M: Metric + ?Sized>(
        &self,
        now: &Expectation<'_>,
        goal: &Goal<'_, M>,
    ) -> Result<Option<(f64, f64)>, Error> {
        let Self { logits, at, class, .. } = *self;
        let mut without = at.to_vec();
        without[class] = f64::NEG_INFINITY;
        let others = predict(logits, &without);
        let rows = logits.chunks_exact(at.len()).zip(&others).enumerate();
        let cut = |(row, (logits, &other)): (usize, (&[f64], &usize))| {
            (logits[other] + at[other] - logits[class], row)
        };
        let mut cuts: Vec<(f64, usize)> = rows.map(cut).collect();
        cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (Some(&(first, _)), Some(&(last, _))) = (cuts.first(), cuts.last()) else { return Ok(None) };

        let by_class = goal.metric.is_by_class();
        let mut expectation = shifted(now, self.predictions, &others, by_class);
        // The ends are closed one unit past the last cuts: no class is given up or made the only one for good.
        let mut stretches = vec![(first - 1.0, first, expectation.worth(goal)?)];
        let step = cuts.len().div_ceil(STRETCHES);
        let mut passed = 0;
        while passed < cuts.len() {
            let mut end = (passed + step).min(cuts.len());
            while end < cuts.len() && cuts[end].0 <= cuts[end - 1].0 {
                end += 1;
            }
            for &(_, row) in &cuts[passed..end] {
                expectation.shift(row, others[row], class, by_class);
            }
            let upper = cuts.get(end).map_or(last + 1.0, |cut| cut.0);
            stretches.push((cuts[end - 1].0, upper, expectation.worth(goal)?));
            passed = end;
        }
        let top = stretches.iter().map(|stretch| stretch.2).fold(f64::NEG_INFINITY, f64::max);
        let is_best = |stretch: &(f64, f64, f64)| stretch.2 >= top - GAIN * 1e-3;
        let runs = stretches.chunk_by(|a, b| is_best(a) == is_best(b)).filter(|run| is_best(&run[0]));
        let ends = runs.map(|run| (run[0].0, run[run.len() - 1].1));
        let widest = ends.max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
        Ok(widest.map(|(low, high)| (f64::midpoint(low, high), top)))
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
