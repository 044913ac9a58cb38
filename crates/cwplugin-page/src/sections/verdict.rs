//! What to expect, in a sentence.

use cwplugin::{Metric, ScoreInterval};
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::{self, gain, score};

/// Fewer resamples make no interval to decide by.
const FEWEST_RESAMPLES: usize = 100;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let seen = seen(page);
    json!({
        "forecast": page.model.verdict().map(|verdict| number::capitalised(&verdict) + "."),
        "seen": seen,
        "standing": page.first_score().filter(|_| page.resamples >= FEWEST_RESAMPLES).map(standing),
        "not_shown": not_shown(page),
        "caution": caution(page),
        "constraints": constraints(page),
    })
}

/// What the rows at hand say.
fn seen<M: Metric>(page: &FitPage<M>) -> Option<Value> {
    let (metric, own) = (page.first_metric()?, page.first_score()?);
    let rows = number::rows(page.evaluation.outcomes.n_rows());
    Some(json!({
        "metric": metric,
        "rows": format!("{} ({rows} with a label)", page.looked_at_name()),
        "clean": number::shown(&score(own.clean.value), own.clean.value),
        "fitted": number::shown(&score(own.fitted.value), own.fitted.value),
        "gain": number::shown(&gain(own.gain.value), own.gain.value),
        "interval": format!("{} … {}", gain(own.gain.low), gain(own.gain.high)),
        "changed": number::rows(page.evaluation.outcomes.n_changed()),
    }))
}

/// Whether the gain is more than chance on these rows: a word, and how it looks.
fn standing(own: &ScoreInterval) -> Value {
    let (kind, text) = if own.gain.low > 0.0 {
        ("better", "Better on these rows: the whole interval of the gain is above 0.")
    } else if own.gain.high < 0.0 {
        (
            "worse",
            "Worse on these rows: the whole interval of the gain is below 0. Keep the black box as it is.",
        )
    } else if own.gain.low >= 0.0 && own.gain.high <= 0.0 {
        ("same", "No difference on these rows.")
    } else {
        ("open", "Not decided by these rows: the interval of the gain includes 0.")
    };
    json!({"kind": kind, "text": text})
}

/// The metric of the fit, if it is another one than those shown.
fn not_shown<'a, M: Metric>(page: &'a FitPage<'a, M>) -> Option<&'a str> {
    page.record()?.metric.as_deref().filter(|_| page.own_metric().is_none())
}

/// Numbers on rows that a model has seen flatter it.
fn caution<M: Metric>(page: &FitPage<M>) -> Option<String> {
    const TEST: &str = "Labelled rows that the fit has not seen are the honest test.";
    let learned_nothing = page.record().is_some_and(|record| record.method == "clean");
    if page.test.is_some() || page.gives_model_again == Some(false) || learned_nothing {
        return None;
    }
    let known = page.record().and_then(|record| record.score);
    let own = page.first_score().filter(|_| page.own_metric().is_some());
    let is_same = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(1.0);
    let agrees = known.zip(own).is_some_and(|(known, own)| {
        is_same(known.clean, own.clean.value) && is_same(known.fitted, own.fitted.value)
    });
    Some(if page.gives_model_again == Some(true) || agrees {
        let forecast = if page.model.verdict().is_some() { "; the forecast does not" } else { "" };
        format!(
            "These are the rows that the model was fitted on, so their numbers flatter it{forecast}. {TEST}"
        )
    } else {
        format!("If the model was fitted on these rows, their numbers flatter it. {TEST}")
    })
}

/// What the model had to keep to, on these rows.
fn constraints<M: Metric>(page: &FitPage<M>) -> Vec<Value> {
    let kept = page.evaluation.constraints.iter().map(|kept| {
        json!({
            "constraint": kept.constraint, "value": score(kept.value), "margin": gain(kept.margin),
            "kept": if kept.is_met() { "kept" } else { "not kept" },
            "chance": number::percent(kept.probability),
        })
    });
    kept.collect()
}
