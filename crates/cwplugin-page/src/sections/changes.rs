//! Which rows changed class.

use cwplugin::{Error, Metric, Rule};
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::{self, count, count_change, percent};

/// So many flows have a line of their own.
const MOST_FLOWS: usize = 40;

/// So many rows are listed.
const MOST_ROWS: usize = 60;

/// Rows that went from one class to another.
#[derive(Default)]
struct Flow {
    weight: f64,
    right_before: f64,
    right_after: f64,
}

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Result<Value, Error> {
    let flows = flows(page);
    let most = flows.first().map_or(0.0, |flow| flow.1.weight);
    let (listed, others) = flows.split_at(flows.len().min(MOST_FLOWS));
    let flow = |((from, to), flow): &((usize, usize), Flow)| {
        let net = flow.right_after - flow.right_before;
        json!({
            "from": page.class(*from), "to": page.class(*to), "rows": count(flow.weight),
            "right_before": count(flow.right_before), "right_after": count(flow.right_after),
            "net": count_change(net), "kind": if net > 0.0 { "better" } else if net < 0.0 { "worse" } else { "same" },
            "bar": (100.0 * flow.weight / most).round(),
        })
    };
    let sum = |of: fn(&Flow) -> f64| flows.iter().map(|(_, flow)| of(flow)).sum::<f64>();
    let (right_before, right_after) = (sum(|flow| flow.right_before), sum(|flow| flow.right_after));
    let outcomes = &page.evaluation.outcomes;
    Ok(json!({
        "changed": number::rows(outcomes.n_changed()),
        "share": percent(outcomes.n_changed() as f64 / (outcomes.n_rows() as f64).max(1.0)),
        "right_before": count(right_before),
        "right_after": count(right_after),
        "wrong": count(sum(|flow| flow.weight - flow.right_before - flow.right_after)),
        "flows": listed.iter().map(flow).collect::<Vec<_>>(),
        "others": others.len(),
        "other_rows": count(others.iter().map(|(_, flow)| flow.weight).sum()),
        "rows": rows(page)?,
    }))
}

/// From which class to which, the largest first.
fn flows<M: Metric>(page: &FitPage<M>) -> Vec<((usize, usize), Flow)> {
    let mut flows: std::collections::BTreeMap<(usize, usize), Flow> = std::collections::BTreeMap::new();
    for change in page.evaluation.outcomes.changes() {
        let flow = flows.entry((change.clean, change.fitted)).or_default();
        flow.weight += change.weight;
        flow.right_before += if change.truth == change.clean { change.weight } else { 0.0 };
        flow.right_after += if change.truth == change.fitted { change.weight } else { 0.0 };
    }
    let mut flows: Vec<_> = flows.into_iter().collect();
    flows.sort_by(|a, b| b.1.weight.total_cmp(&a.1.weight));
    flows
}

/// The first rows that changed, one by one, as the table counts them: from 1.
fn rows<M: Metric>(page: &FitPage<M>) -> Result<Vec<Value>, Error> {
    let sample = page.looked_at();
    let [clean, fitted] =
        [&Rule::clean(sample.n_classes())?, page.model.rule()].map(|rule| rule.predict(sample));
    let changed = clean?.into_iter().zip(fitted?).enumerate().filter(|(_, (clean, fitted))| clean != fitted);
    let row = |(row, (clean, fitted)): (usize, (usize, usize))| {
        let truth = sample.label(row)?;
        let probability = |class: usize| format!("{:.3}", sample.probabilities().get(row, class));
        Some(json!({
            "row": row + 1, "truth": page.class(truth),
            "before": page.class(clean), "p_before": probability(clean),
            "after": page.class(fitted), "p_after": probability(fitted),
            "kind": if truth == fitted { "better" } else if truth == clean { "worse" } else { "same" },
        }))
    };
    Ok(changed.filter_map(row).take(MOST_ROWS).collect())
}
