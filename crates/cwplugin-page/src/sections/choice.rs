//! Why `auto` chose the method, and what it tried.

use cwplugin::Metric;
use cwplugin::methods::{AutoReport, Candidate};
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::{self, gain, score};

/// `None` for other methods, and if nothing could be tried.
pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Option<Value> {
    let report = page.report()?;
    let auto = report.details::<AutoReport>().filter(|auto| !auto.candidates.is_empty())?;
    let mut rows: Vec<Value> = auto.candidates.iter().map(|candidate| row(candidate, &auto.chosen)).collect();
    if auto.candidates.iter().all(|candidate| candidate.method != auto.chosen) {
        // It could not be cross-validated.
        rows.push(json!({
            "method": auto.chosen, "is_chosen": true, "score": "–", "interval": null, "gain": "–", "sd": null,
        }));
    }
    Some(json!({
        "why": report.explanation().map(|why| number::sentence(&why)),
        "metric": report.metric,
        "labelled": auto.cv_rows.or(report.rows).map(|rows| number::count(rows as f64)),
        "rows": rows,
    }))
}

fn row(candidate: &Candidate, chosen: &str) -> Value {
    let is_clean = candidate.method == "clean"; // it has no gain over itself
    json!({
        "method": candidate.name(),
        "is_chosen": candidate.method == chosen,
        "score": score(candidate.cv_score),
        "interval": number::score_range(candidate.low, candidate.high),
        "gain": (!is_clean).then(|| gain(candidate.gain)),
        "sd": (!is_clean).then(|| score(candidate.gain_sd)),
    })
}
