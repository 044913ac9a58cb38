//! Limits that the user sets: `precision:fraud>=0.9`.

use std::sync::Arc;
use std::time::Duration;

use cwplugin::{Bound, Constraint, Error};

use super::metrics::metric_by_name;
use super::named_metric::NamedMetric;
use crate::command;
use crate::refusal::Refusal;

/// The constraints that these texts mean, with their metrics; a program has so long for each answer.
pub(crate) fn constraints_by_names(
    texts: &[String],
    classes: &[String],
    timeout: Option<Duration>,
) -> anyhow::Result<Vec<(Arc<NamedMetric>, Constraint)>> {
    let mut constraints: Vec<(Arc<NamedMetric>, Constraint)> = Vec::new();
    for text in texts {
        let (name, bound, limit) = split(text)?;
        let timeout = timeout.filter(|_| command::is_named(name));
        let metric = Arc::new(metric_by_name(name, classes, timeout)?);
        let constraint = Constraint::new(Arc::clone(&metric), bound, limit)?;
        if constraints.iter().any(|(_, known)| known.to_string() == constraint.to_string()) {
            return Err(Refusal::usage(format!("--subject-to {text} is given twice"))
                .hint("leave one out")
                .into());
        }
        constraints.push((metric, constraint));
    }
    Ok(constraints)
}

/// The metrics that constraints limit.
pub(crate) fn limited(constraints: &[String]) -> impl Iterator<Item = &str> {
    constraints.iter().filter_map(|text| Some(split(text).ok()?.0))
}

fn split(text: &str) -> Result<(&str, Bound, f64), Refusal> {
    Constraint::split(text).map_err(|error| {
        let what = match error {
            Error::BadConstraint { .. } => format!("--subject-to {text}: not a constraint"),
            error => error.to_string(),
        };
        Refusal::usage(what).hint(
            "write a metric, >= or <= and a number, in quotes for the shell: --subject-to 'precision:fraud>=0.9'",
        )
    })
}
