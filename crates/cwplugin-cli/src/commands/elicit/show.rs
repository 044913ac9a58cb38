//! The text and JSON of a session.

use cwplugin::elicit::Elicited;
use cwplugin::report::Estimate;
use cwplugin::{Query, Session};
use serde_json::{Value, json};

use crate::output::{Align, plain_table};

/// The weights of queries, with all digits.
pub(super) fn queries(session: &Session, queries: &[Query]) -> String {
    if queries.is_empty() {
        return "no more queries\n".into();
    }
    let mut columns = vec![("query", Align::Right)];
    columns.extend(session.classes().iter().map(|class| (class.as_str(), Align::Right)));
    let row = |query: &Query| {
        let weights = query.weights.as_slice().iter().map(f64::to_string);
        std::iter::once(query.id.to_string()).chain(weights).collect()
    };
    plain_table(&columns, queries.iter().map(row))
}

pub(super) fn answered(session: &Session) -> usize {
    session.queries().iter().filter(|query| query.answer.is_some()).count()
}

/// The number of queries.
pub(super) fn plan(session: &Session) -> String {
    let recipe = session.recipe();
    let fixed = &session.classes()[recipe.fixed()];
    let (budget, others) = (recipe.budget(), session.classes().len() - 1);
    let classes = if others == 1 { "1 class".to_string() } else { format!("{others} classes") };
    match recipe.count() {
        Some(count) if count < budget => {
            format!("{classes} against \"{fixed}\": {count} queries, {} for each\n", count / others)
        }
        Some(_) => format!(
            "{classes} against \"{fixed}\": all {budget} queries, about {} for each; alpha will be less precise than requested\n",
            budget / others
        ),
        None => format!("{classes} against \"{fixed}\": at most {budget} queries\n"),
    }
}

/// Progress, and the estimate for every class.
pub(super) fn status(session: &Session) -> anyhow::Result<String> {
    let (recipe, elicited) = (session.recipe(), session.elicited()?);
    let fixed = &session.classes()[recipe.fixed()];
    let open: Vec<String> = session.open().map(|query| query.id.to_string()).collect();
    let (mode, answered, budget) = (recipe.mode().name(), answered(session), recipe.budget());
    let waiting =
        if open.is_empty() { String::new() } else { format!(", {} open ({})", open.len(), open.join(", ")) };
    let end = if elicited.is_done { "; finished" } else { "" };
    let measured = elicited.clean.zip(elicited.value).map_or_else(String::new, |(clean, value)| {
        format!("measured: {} → {}\n", shown(clean), shown(value))
    });
    Ok(format!(
        "{mode} queries, \"{fixed}\" fixed: {answered} of at most {budget} answered{waiting}{end}\n{measured}\n{}",
        lines(session, &elicited)
    ))
}

fn lines(session: &Session, elicited: &Elicited) -> String {
    let columns = [
        ("class", Align::Left),
        ("weight", Align::Right),
        ("alpha", Align::Right),
        ("interval", Align::Left),
        ("best answer", Align::Right),
        ("answers", Align::Right),
    ];
    let rows = session.classes().iter().enumerate().map(|(class, name)| {
        let weight = format!("{:.4}", elicited.weights.as_slice()[class]);
        let Some(line) = elicited.lines.iter().find(|line| line.class == class) else {
            return vec![name.clone(), weight, String::new(), "fixed".into(), String::new(), String::new()];
        };
        let interval =
            if line.evaluations > 0 { format!("{:.4}–{:.4}", line.low, line.high) } else { String::new() };
        let value = line.value.map_or_else(String::new, |value| format!("{value:.6}"));
        vec![
            name.clone(),
            weight,
            format!("{:.4}", line.alpha),
            interval,
            value,
            line.evaluations.to_string(),
        ]
    });
    plain_table(&columns, rows)
}

fn shown(worth: Estimate) -> String {
    if worth.sd > 0.0 {
        format!("{:.6} ± {:.6}", worth.mean, worth.sd)
    } else {
        format!("{:.6}", worth.mean)
    }
}

/// The same as JSON.
pub(super) fn status_json(session: &Session) -> anyhow::Result<Value> {
    let (recipe, elicited) = (session.recipe(), session.elicited()?);
    let worth = |worth: Option<Estimate>| worth.map(|worth| json!({"value": worth.mean, "se": worth.sd}));
    let lines: Vec<Value> = elicited
        .lines
        .iter()
        .map(|line| {
            json!({
                "class": session.classes()[line.class], "alpha": line.alpha, "low": line.low, "high": line.high,
                "value": line.value, "answers": line.evaluations,
            })
        })
        .collect();
    Ok(json!({
        "mode": recipe.mode().name(),
        "classes": session.classes(),
        "reference": session.classes()[recipe.fixed()],
        "quasi_concave": recipe.is_quasi_concave(),
        "budget": recipe.budget(),
        "count": recipe.count(),
        "answered": answered(session),
        "open": session.open().map(|query| query.id).collect::<Vec<_>>(),
        "done": elicited.is_done || (answered(session) >= recipe.budget()),
        "converged": elicited.is_done,
        "weights": elicited.weights.as_slice(),
        "clean": worth(elicited.clean),
        "fitted": worth(elicited.value),
        "lines": lines,
    }))
}
