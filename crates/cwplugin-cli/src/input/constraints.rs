//! Constraints by name: `precision:fraud>=0.9`.

use std::sync::Arc;
use std::time::Duration;

use cwplugin::{Bound, Constraint, Error};

use super::metrics::metric_by_name;
use super::named_metric::NamedMetric;
use crate::command;
use crate::user_error::UserError;

/// The constraints of these texts, with their metrics; `timeout` is for programs.
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
            return Err(UserError::usage(format!("--subject-to {text} is given twice"))
                .hint("omit one of them")
                .into());
        }
        constraints.push((metric, constraint));
    }
    Ok(constraints)
}

/// The names of the constrained metrics.
pub(crate) fn constrained_metrics(constraints: &[String]) -> impl Iterator<Item = &str> {
    constraints.iter().filter_map(|text| Some(split(text).ok()?.0))
}

fn split(text: &str) -> Result<(&str, Bound, f64), UserError> {
    Constraint::split(text).map_err(|error| {
        let what = match error {
            Error::BadConstraint { .. } => format!("--subject-to {text}: not a constraint"),
            error => error.to_string(),
        };
        UserError::usage(what).hint(
            "write a metric, >= or <= and a number, in quotes for the shell: --subject-to 'precision:fraud>=0.9'",
        )
    })
}
