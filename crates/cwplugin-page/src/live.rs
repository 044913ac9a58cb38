//! The data of the interactive section: rows, model and metrics.

use cwplugin::metric::{Accuracy, Formula};
use cwplugin::{Error, Metric, Model, Sample};
use rand::SeedableRng as _;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::encode::{self, Precision};

/// Of more rows than this the page gets a random sample.
const MOST_ROWS: usize = 10_000;

/// Metrics with more steps would dominate the size of the page, and are left out.
const MOST_STEPS: usize = 3_000;

/// The data from which the script recomputes confusion matrix and metrics; the rows take at most `letters` characters.
///
/// # Errors
///
/// If the rows do not match the model.
pub(crate) fn data<M: Metric>(
    model: &Model,
    sample: &Sample,
    metrics: &[M],
    selected: Option<&str>,
    letters: usize,
    seed: u64,
) -> Result<Value, Error> {
    let m = model.classes().len();
    let labelled: Vec<usize> =
        (0..sample.n_rows()).filter(|&row| sample.label(row).is_some() && sample.weight(row) > 0.0).collect();
    // The page has no features, so it gets the calibrated probabilities of models that use them.
    let uses_features = model.rule().n_features().is_some();
    let numbers = m * if uses_features { 2 } else { 1 };
    // Labels and row weights are exact, whatever the precision of the probabilities.
    let fixed = if sample.weights().is_some() { 4 * (2 + 8) / 3 + 1 } else { 4 * 2 / 3 + 1 };
    let letters = letters.saturating_sub(fixed * labelled.len().min(MOST_ROWS));
    let room = (Precision::Log16.room(letters) / numbers).clamp(1, MOST_ROWS);
    let rows = drawn(&labelled, room, seed);
    let part = sample.select(&rows);
    let precision = Precision::for_numbers(rows.len() * numbers, letters);
    let all =
        |p: &cwplugin::Probabilities| precision.probabilities((0..p.n_rows()).flat_map(|row| p.row(row)));
    let calibrated =
        if uses_features { Some(all(&*model.rule().calibrated_probabilities(&part)?)) } else { None };
    let entry =
        |metric: &dyn Metric| json!({"name": metric.name(), "program": program(metric, model.classes())});
    let mut metrics: Vec<Value> = metrics.iter().map(|metric| entry(metric)).collect();
    if metrics.iter().all(|metric| metric["program"].is_null()) {
        metrics.push(entry(&Accuracy)); // at least one metric must follow the sliders
    }
    let text = model.to_json();
    Ok(json!({
        "classes": model.classes(),
        "rows": rows.len(),
        "labelledRows": labelled.len(),
        "labels": encode::classes(part.codes().map(|class| class as u16)),
        "rowWeights": part.weights().map(|weights| encode::weights(weights.iter().copied())),
        "probabilities": all(part.probabilities()),
        "calibrated": calibrated,
        "model": serde_json::from_str::<Value>(&text).unwrap_or_default(),
        "metrics": metrics,
        "selectedMetric": selected,
    }))
}

/// All rows, or a random sample of `most` rows in their order.
fn drawn(rows: &[usize], most: usize, seed: u64) -> Vec<usize> {
    if rows.len() <= most {
        return rows.to_vec();
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn: Vec<usize> = index::sample(&mut rng, rows.len(), most).iter().map(|i| rows[i]).collect();
    drawn.sort_unstable();
    drawn
}

/// The steps of a metric, unless it has none or too many.
fn program(metric: &dyn Metric, classes: &[String]) -> Option<Value> {
    let program = Formula::of_metric(metric, classes)?.to_json();
    let steps = |stage: &Value| stage["steps"].as_array().map_or(0, Vec::len);
    let n_steps: usize = program["stages"].as_array().map_or(0, |stages| stages.iter().map(steps).sum());
    (n_steps <= MOST_STEPS).then_some(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_are_all_kept_and_many_are_sampled_in_order() {
        let rows: Vec<usize> = (0..100).collect();
        assert_eq!(drawn(&rows, 100, 0), rows);
        let some = drawn(&rows, 10, 0);
        assert!(some.len() == 10 && some.is_sorted() && some != rows[..10]);
        assert_eq!(some, drawn(&rows, 10, 0));
    }
}
