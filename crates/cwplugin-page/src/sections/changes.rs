//! Changed predictions.

use cwplugin::{Error, Metric, Rule};
use serde_json::{Value, json};

use super::trend;
use crate::fit_page::FitPage;
use crate::number::{self, count, count_change, percent};

/// Flows in the table.
const MOST_FLOWS: usize = 40;

/// Rows in the table.
const MOST_ROWS: usize = 60;

/// Rows whose prediction changes from one class to another.
#[derive(Default)]
struct Flow {
    rows: u64,
    correct_before: u64,
    correct_after: u64,
}

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Result<Value, Error> {
    let flows = flows(page);
    let most = flows.first().map_or(1, |flow| flow.1.rows);
    let (listed, others) = flows.split_at(flows.len().min(MOST_FLOWS));
    let flow = |((from, to), flow): &((usize, usize), Flow)| {
        let net = flow.correct_after as f64 - flow.correct_before as f64;
        json!({
            "from": page.class(*from), "to": page.class(*to), "rows": count(flow.rows as f64),
            "correct_before": count(flow.correct_before as f64), "correct_after": count(flow.correct_after as f64),
            "net": count_change(net), "kind": trend(0.0, net),
            "bar": (100.0 * flow.rows as f64 / most as f64).round(),
        })
    };
    Ok(json!({
        "sentence": sentence(page, &flows),
        "is_weighted": page.is_weighted(),
        "flows": listed.iter().map(flow).collect::<Vec<_>>(),
        "others": others.len(),
        "other_rows": number::rows(others.iter().map(|(_, flow)| flow.rows).sum()),
        "rows": rows(page)?,
    }))
}

/// How many predictions change, and how many of them become correct or wrong.
fn sentence<M: Metric>(page: &FitPage<M>, flows: &[((usize, usize), Flow)]) -> String {
    let outcomes = &page.evaluation.outcomes;
    let changed = outcomes.n_changed();
    if changed == 0 {
        return "No prediction changes.".into();
    }
    let sum = |of: fn(&Flow) -> u64| flows.iter().map(|(_, flow)| of(flow)).sum::<u64>();
    let (correct, wrong) = (sum(|flow| flow.correct_after), sum(|flow| flow.correct_before));
    let verb =
        |n: u64, one: &str, many: &str| format!("{} {}", count(n as f64), if n == 1 { one } else { many });
    format!(
        "{} ({}) {} predicted differently: {} correct, {} wrong, {} wrong.",
        number::rows(changed),
        percent(changed as f64 / (outcomes.n_rows() as f64).max(1.0)),
        if changed == 1 { "is" } else { "are" },
        verb(correct, "becomes", "become"),
        verb(wrong, "becomes", "become"),
        verb(changed.saturating_sub(correct + wrong), "stays", "stay"),
    )
}

/// The flows from class to class, largest first.
fn flows<M: Metric>(page: &FitPage<M>) -> Vec<((usize, usize), Flow)> {
    let mut flows: std::collections::BTreeMap<(usize, usize), Flow> = std::collections::BTreeMap::new();
    for change in page.evaluation.outcomes.changes() {
        let flow = flows.entry((change.clean, change.fitted)).or_default();
        flow.rows += change.rows;
        flow.correct_before += if change.truth == change.clean { change.rows } else { 0 };
        flow.correct_after += if change.truth == change.fitted { change.rows } else { 0 };
    }
    let mut flows: Vec<_> = flows.into_iter().collect();
    flows.sort_by_key(|flow| std::cmp::Reverse(flow.1.rows));
    flows
}

/// The first rows with another prediction, numbered from 1.
fn rows<M: Metric>(page: &FitPage<M>) -> Result<Vec<Value>, Error> {
    let sample = page.evaluated_rows();
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
