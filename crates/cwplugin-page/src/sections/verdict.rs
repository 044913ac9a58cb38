//! The expected gain.

use cwplugin::Metric;
use cwplugin::evaluate::ScoreInterval;
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::{self, gain, score};

/// With fewer resamples the interval is too rough to decide by.
const FEWEST_RESAMPLES: usize = 100;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    json!({
        "forecast": page.model.verdict().map(|verdict| number::sentence(&number::capitalised(&verdict)) + "."),
        "observed": observed(page),
        "conclusion": page.first_score().filter(|_| page.resamples >= FEWEST_RESAMPLES).map(conclusion),
        "not_shown": not_shown(page),
        "caution": caution(page),
        "constraints": constraints(page),
    })
}

/// The metric before and after on the evaluated rows.
fn observed<M: Metric>(page: &FitPage<M>) -> Option<Value> {
    let (metric, own) = (page.first_metric()?, page.first_score()?);
    let outcomes = &page.evaluation.outcomes;
    let labelled = number::count(outcomes.n_rows() as f64);
    Some(json!({
        "metric": metric,
        "rows": format!("{} ({labelled} labelled rows)", page.evaluated_name()),
        "clean": number::shown(&score(own.clean.value), own.clean.value),
        "fitted": number::shown(&score(own.fitted.value), own.fitted.value),
        "gain": number::shown(&gain(own.gain.value), own.gain.value),
        "clean_interval": number::score_range(own.clean.low, own.clean.high),
        "fitted_interval": number::score_range(own.fitted.low, own.fitted.high),
        "interval": number::gain_range(own.gain.low, own.gain.high),
        "changed": number::count(outcomes.n_changed() as f64),
    }))
}

/// Whether the interval of the gain excludes 0: the CSS class, and a sentence.
fn conclusion(own: &ScoreInterval) -> Value {
    let (kind, text) = if own.gain.low > 0.0 {
        ("better", "Better on these rows: the 95% CI of the gain is above 0.")
    } else if own.gain.high < 0.0 {
        ("worse", "Worse on these rows: the 95% CI of the gain is below 0. Leave the predictions unadjusted.")
    } else if own.gain.low >= 0.0 && own.gain.high <= 0.0 {
        ("same", "No difference on these rows.")
    } else {
        ("open", "Inconclusive on these rows: the 95% CI of the gain includes 0.")
    };
    json!({"kind": kind, "text": text})
}

/// The metric of the fit, if it is not among those shown.
fn not_shown<'a, M: Metric>(page: &'a FitPage<'a, M>) -> Option<&'a str> {
    page.report()?.metric.as_deref().filter(|_| page.own_metric().is_none())
}

/// A warning if the model was, or may have been, fitted on the evaluated rows.
fn caution<M: Metric>(page: &FitPage<M>) -> Option<String> {
    const CURE: &str = "Evaluate on labelled rows that were not used in the fit.";
    let learned_nothing = page.report().is_some_and(|report| report.method == "clean");
    if page.test.is_some() || page.reproduces_model == Some(false) || learned_nothing {
        return None;
    }
    let of_fit = page.report().and_then(|report| report.score);
    let own = page.first_score().filter(|_| page.own_metric().is_some());
    let is_same = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(1.0);
    let agrees = of_fit.zip(own).is_some_and(|(of_fit, own)| {
        is_same(of_fit.clean, own.clean.value) && is_same(of_fit.fitted, own.fitted.value)
    });
    Some(if page.reproduces_model == Some(true) || agrees {
        let forecast = if page.model.verdict().is_some() { "; the forecast is not" } else { "" };
        format!("The model was fitted on these rows, so the scores are optimistic{forecast}. {CURE}")
    } else {
        format!("If the model was fitted on these rows, the scores are optimistic. {CURE}")
    })
}

/// The status of the model's constraints on the evaluated rows.
fn constraints<M: Metric>(page: &FitPage<M>) -> Vec<Value> {
    let constraints = page.evaluation.constraints.iter().map(|status| {
        json!({
            "constraint": status.constraint, "value": score(status.value), "margin": gain(status.margin),
            "status": if status.is_met() { "met" } else { "not met" },
            "probability": number::percent(status.probability),
        })
    });
    constraints.collect()
}
