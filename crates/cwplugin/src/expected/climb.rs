//! Coordinate ascent on the mean of a metric over draws.
//!
//! The same climb as in `ascent`, on many confusion matrices at once. Their mean is smooth where one matrix of counts
//! has steps, so a cut in every few rows is as good as all of them.

use super::crowd::Crowd;
use crate::metric::checked_score;
use crate::{Confusion, Error, Metric};

/// Stretches that the cuts of a class are put into, at most.
const STRETCHES: usize = 60;

/// Rounds over the classes, at most.
const CYCLES: usize = 30;

/// Smaller gains of the mean are rounding.
const GAIN: f64 = 1e-9;

/// The logarithms of the weights that make the mean of the metric largest, from a start.
pub(super) fn climb<M: Metric + ?Sized>(
    crowd: &Crowd,
    logits: &[f64],
    metric: &M,
    start: Vec<f64>,
) -> Result<Vec<f64>, Error> {
    let mut at = start;
    let mut best = mean(&crowd.scores(&predict(logits, &at), metric)?);
    for _ in 0..CYCLES {
        let before = best;
        for class in 0..at.len() {
            let Some((middle, promised)) = best_weight(crowd, logits, metric, &at, class)? else { continue };
            if promised > best + GAIN {
                let old = std::mem::replace(&mut at[class], middle);
                let found = mean(&crowd.scores(&predict(logits, &at), metric)?);
                // In the middle of a stretch of several rows it may be a little less than at its end.
                if found > best { best = found } else { at[class] = old }
            }
        }
        if best <= before + GAIN {
            break;
        }
    }
    Ok(at)
}

/// The middle of the widest best stretch of one class's log-weights, and the mean of the metric there.
fn best_weight<M: Metric + ?Sized>(
    crowd: &Crowd,
    logits: &[f64],
    metric: &M,
    at: &[f64],
    class: usize,
) -> Result<Option<(f64, f64)>, Error> {
    let mut without = at.to_vec();
    without[class] = f64::NEG_INFINITY;
    let others = predict(logits, &without);
    let m = at.len();
    let mut cuts: Vec<(f64, usize)> = Vec::with_capacity(others.len());
    for (row, (logits, &other)) in logits.chunks_exact(m).zip(&others).enumerate() {
        cuts.push((logits[other] + at[other] - logits[class], row));
    }
    cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (Some(&(first, _)), Some(&(last, _))) = (cuts.first(), cuts.last()) else { return Ok(None) };

    let mut confusions = crowd.confusions(&others);
    // The ends are closed one unit past the last cuts: no class is given up or made the only one for good.
    let mut stretches = vec![(first - 1.0, first, mean_score(&confusions, metric)?)];
    let step = cuts.len().div_ceil(STRETCHES);
    let mut passed = 0;
    while passed < cuts.len() {
        let mut end = (passed + step).min(cuts.len());
        while end < cuts.len() && cuts[end].0 <= cuts[end - 1].0 {
            end += 1;
        }
        for &(_, row) in &cuts[passed..end] {
            for (confusion, truths) in confusions.iter_mut().zip(crowd.truths(row)) {
                confusion.shift(truths, others[row], class);
            }
        }
        let upper = cuts.get(end).map_or(last + 1.0, |cut| cut.0);
        stretches.push((cuts[end - 1].0, upper, mean_score(&confusions, metric)?));
        passed = end;
    }
    let top = stretches.iter().map(|stretch| stretch.2).fold(f64::NEG_INFINITY, f64::max);
    let is_best = |stretch: &(f64, f64, f64)| stretch.2 >= top - GAIN * 1e-3;
    let runs = stretches.chunk_by(|a, b| is_best(a) == is_best(b)).filter(|run| is_best(&run[0]));
    let widest =
        runs.map(|run| (run[0].0, run[run.len() - 1].1)).max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    Ok(widest.map(|(low, high)| (f64::midpoint(low, high), top)))
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

fn mean_score<M: Metric + ?Sized>(confusions: &[Confusion], metric: &M) -> Result<f64, Error> {
    let scores: Result<Vec<f64>, Error> = confusions.iter().map(|c| checked_score(metric, c)).collect();
    scores.map(|scores| mean(&scores))
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
