//! Rows predicted by the refits that did not draw them: an unbiased score from the labelled rows alone.

use super::shrink::{factor, weights_of};
use super::{Bag, OutOfBag};
use crate::data::{Probabilities, Sample};
use crate::error::Error;
use crate::evaluate::Outcomes;
use crate::methods::method::Options;
use crate::metric::Metric;
use crate::rule::argmax_weighted;

/// Bootstrap samples for the interval of the gain.
const RESAMPLES: usize = 500;

/// The class of each row by the mean of the refits that did not draw it, shrunk by their own variance, so that no
/// prediction has seen its label. `None` with fewer than two such refits, because there is no variance.
pub(super) fn predictions(probabilities: &Probabilities, bags: &[Bag]) -> Result<Vec<Option<u32>>, Error> {
    let m = probabilities.n_classes();
    let norms: Vec<f64> = bags.iter().map(|bag| bag.logs.iter().map(|log| log * log).sum()).collect();
    let mut row_logs = vec![0.0; m];
    let mut values = vec![0.0; m];
    let predict = |row: usize| {
        row_logs.fill(0.0);
        let (mut n, mut squares) = (0.0, 0.0);
        for (bag, norm) in bags.iter().zip(&norms).filter(|(bag, _)| !bag.is_drawn[row]) {
            row_logs.iter_mut().zip(&bag.logs).for_each(|(sum, log)| *sum += log);
            squares += norm;
            n += 1.0;
        }
        if n < 2.0 {
            return Ok(None);
        }
        for sum in &mut row_logs {
            *sum /= n;
        }
        let size: f64 = row_logs.iter().map(|mean| mean * mean).sum();
        // Σ_k Σ_b (l_bk − μ_k)² = Σ_b ‖l_b‖² − n·‖μ‖², which may be negative by rounding.
        let noise = ((squares - n * size) / (n - 1.0)).max(0.0);
        let factor = factor(size, noise);
        for mean in &mut row_logs {
            *mean *= factor;
        }
        let weights = weights_of(&row_logs)?;
        values.iter_mut().zip(probabilities.row(row)).for_each(|(value, b)| *value = b);
        Ok(Some(argmax_weighted(&values, weights.as_slice()) as u32))
    };
    (0..probabilities.n_rows()).map(predict).collect()
}

/// The metric of these predictions and of the black box on the same rows.
pub(super) fn score(
    sample: &Sample,
    predictions: &[Option<u32>],
    metric: &dyn Metric,
    options: &Options<'_>,
) -> Result<Option<OutOfBag>, Error> {
    let mut outcomes = Outcomes::new(sample.n_classes());
    let unit = vec![1.0; sample.n_classes()];
    for (row, predicted) in predictions.iter().enumerate() {
        if let (Some(truth), &Some(predicted)) = (sample.label(row), predicted) {
            let values: Vec<f64> = sample.probabilities().row(row).collect();
            let clean = argmax_weighted(&values, &unit);
            outcomes.add_row(truth, clean, predicted as usize, sample.weight(row));
        }
    }
    let rows = outcomes.n_rows();
    if rows == 0 {
        return Ok(None);
    }
    let scores =
        match outcomes.intervals_with_progress(&[metric], (RESAMPLES, options.seed), options.observer) {
            Ok(scores) => scores,
            // The metric may be undefined on the out-of-bag rows alone.
            Err(Error::MetricNotFinite { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
    Ok(scores.first().map(|score| OutOfBag {
        rows,
        unscored_rows: predictions.len() as u64 - rows,
        clean: score.clean.value,
        fitted: score.fitted.value,
        gain: [score.gain.low, score.gain.high],
    }))
}
