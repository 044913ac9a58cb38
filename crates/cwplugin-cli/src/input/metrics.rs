//! Metrics and constraints by name.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cwplugin::data::quoted;
use cwplugin::metric::{self, CATALOGUE, Cost};
use cwplugin::{Bound, Confusion, Constraint, Error, Metric};

use super::{costs, formula, linear_fractional};
use crate::command::{self, CommandMetric};
use crate::user_error::UserError;

/// A metric by name: a formula, or a program, which may fail.
pub struct NamedMetric {
    metric: Arc<dyn Metric>,
    program: Option<Arc<CommandMetric>>,
}

impl NamedMetric {
    pub(crate) fn by_formula(metric: Box<dyn Metric>) -> Self {
        Self { metric: metric.into(), program: None }
    }
}

/// Returns the outcome of some work, or the error of a program if one of these metrics failed.
///
/// A score cannot fail, so the scores of a failed program are NaN, which a fit reports as an error, but `compare` and `auto`
/// may skip. Every command with metrics must call this before it prints or writes anything.
///
/// # Errors
///
/// The error of a program, else that of the work.
pub fn settled<'a, T>(
    metrics: impl IntoIterator<Item = &'a NamedMetric>,
    outcome: anyhow::Result<T>,
) -> anyhow::Result<T> {
    for metric in metrics {
        metric.program.as_ref().map_or(Ok(()), |program| program.finish())?;
    }
    outcome
}

impl fmt::Debug for NamedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NamedMetric").field(&self.metric.name()).finish()
    }
}

impl Metric for NamedMetric {
    fn score(&self, confusion: &Confusion) -> f64 {
        self.metric.score(confusion)
    }
    cwplugin::forward_metric!(self => self.metric);
}

/// Finds a metric by name; `cost:FILE` and `linear-fractional:FILE` read the file, `command:PROGRAM` starts the program, with
/// a timeout for each answer.
///
/// # Errors
///
/// If the metric is unknown, its file cannot be read or its program cannot be started.
pub fn metric_by_name(
    name: &str,
    classes: &[String],
    timeout: Option<Duration>,
) -> anyhow::Result<NamedMetric> {
    if let Some(program) = command::by_name(name, classes, timeout) {
        let program = Arc::new(program?);
        return Ok(NamedMetric { metric: Arc::clone(&program) as _, program: Some(program) });
    }
    if timeout.is_some() {
        return Err(unused_timeout(name).into());
    }
    formula_by_name(name, classes).map(NamedMetric::by_formula)
}

fn unused_timeout(names: &str) -> UserError {
    UserError::usage(format!("--metric-timeout is not supported by --metric {names}"))
        .hint("omit it; it is for command:PROGRAM only")
}

fn formula_by_name(name: &str, classes: &[String]) -> anyhow::Result<Box<dyn Metric>> {
    match name.split_once(':') {
        Some(("cost", file)) => {
            Ok(Box::new(Cost::new(name, costs::read(Path::new(file), classes)?, classes.len())?))
        }
        Some(("linear-fractional", file)) => {
            Ok(Box::new(linear_fractional::read(name, Path::new(file), classes)?))
        }
        _ => metric::by_name(name, classes).map_err(|error| user_error(&error, classes).into()),
    }
}

/// The file of a metric, and what it holds.
pub(crate) fn metric_file(name: &str) -> Option<(&Path, &'static str)> {
    match name.split_once(':')? {
        ("cost", file) => Some((Path::new(file), "the cost matrix")),
        ("linear-fractional", file) => Some((Path::new(file), "the coefficients of the metric")),
        _ => None,
    }
}

/// The metrics of one or more `--metric` values: `all`, a name, or names separated by commas.
pub(crate) fn metrics_by_names(
    names: &[String],
    classes: &[String],
    timeout: Option<Duration>,
) -> anyhow::Result<Vec<NamedMetric>> {
    let is_program = |name: &String| command::is_named(name);
    if timeout.is_some() && !names.iter().flat_map(|list| split(list)).any(|name| is_program(&name)) {
        return Err(unused_timeout(&names.join(",")).into());
    }
    let mut metrics = Vec::new();
    for name in names.iter().flat_map(|list| split(list)) {
        if name == "all" {
            for plain in metric::plain_names() {
                metrics.push(metric_by_name(plain, classes, None)?);
            }
        } else {
            metrics.push(metric_by_name(&name, classes, timeout.filter(|_| is_program(&name)))?);
        }
    }
    // `all` and one of them: once.
    let mut seen = HashSet::new();
    metrics.retain(|metric| seen.insert(metric.name().to_string()));
    Ok(metrics)
}

/// Splits a list at commas; a piece that does not start a metric belongs to the one before it, as in
/// `accuracy,linear-diagonal:0.2,0.8` or `f1:so, so`. A comma inside parentheses belongs to the formula, and everything after a
/// program belongs to the program.
fn split(list: &str) -> Vec<String> {
    let starts_metric = |piece: &str| {
        let is_own = CATALOGUE.iter().any(|entry| formula::head(entry.name) == formula::head(piece));
        piece == "all" || is_own || metric::canonical(piece).is_some()
    };
    let heads = [
        "linear-diagonal:",
        "f1:",
        "precision:",
        "recall:",
        "f-beta:",
        "cost:",
        "linear-fractional:",
        "expr:",
    ];
    let is_open = |name: &str| command::is_named(name) || heads.iter().any(|head| name.starts_with(head));
    let mut names: Vec<String> = Vec::new();
    let mut rest = Some(list);
    while let Some(list) = rest {
        let end = if list.starts_with("expr:") {
            formula::length(list)
        } else {
            list.find(',').unwrap_or(list.len())
        };
        let piece = &list[..end];
        rest = list[end..].strip_prefix(',');
        match names.last_mut().filter(|name| is_open(name)) {
            Some(open) if command::is_named(open) || !starts_metric(piece) => {
                open.push(',');
                open.push_str(piece);
            }
            _ => names.push(piece.to_string()),
        }
    }
    names
}

fn user_error(error: &Error, classes: &[String]) -> UserError {
    let user_error = UserError::usage(error.to_string());
    match error {
        Error::UnknownMetric { name } => {
            user_error.hint(metric::hint(name, "`cwplugin metrics` lists them all"))
        }
        Error::MetricParameter { name, .. } if name.starts_with("linear-diagonal") => {
            user_error.hint(format!("write {} numbers, one per class: {}", classes.len(), quoted(classes)))
        }
        Error::MetricParameter { name, .. } if !name.contains(':') => {
            user_error.hint(metric::hint(name, "`cwplugin metrics` shows the syntax"))
        }
        Error::Formula { formula, column, problem } => {
            formula::user_error(error.to_string(), formula, *column, problem, classes)
        }
        _ => user_error
            .hint(error.cure(classes).unwrap_or_else(|| "`cwplugin metrics` shows the syntax".into())),
    }
}

/// The constraints of these texts, with their metrics; `timeout` is for programs.
pub(crate) fn constraints_by_names(
    texts: &[String],
    classes: &[String],
    timeout: Option<Duration>,
) -> anyhow::Result<Vec<(Arc<NamedMetric>, Constraint)>> {
    let mut constraints: Vec<(Arc<NamedMetric>, Constraint)> = Vec::new();
    for text in texts {
        let (name, bound, limit) = split_constraint(text)?;
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
    constraints.iter().filter_map(|text| Some(split_constraint(text).ok()?.0))
}

fn split_constraint(text: &str) -> Result<(&str, Bound, f64), UserError> {
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

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_list_is_split_where_a_metric_starts() {
        for (list, names) in [
            ("accuracy,macro-f1", &["accuracy", "macro-f1"] as &[&str]),
            ("mcc,linear-diagonal:1,2,1,f1:so, so", &["mcc", "linear-diagonal:1,2,1", "f1:so, so"]),
            ("accuracy,expr:min(1,2),macro-f1", &["accuracy", "expr:min(1,2)", "macro-f1"]),
            ("expr:min(recall,f1),expr:C[a,f1]", &["expr:min(recall,f1)", "expr:C[a,f1]"]),
            ("expr:n,5,mcc", &["expr:n,5", "mcc"]),
            ("f1:expr,expr:x=1; if(x,mcc,2),all", &["f1:expr", "expr:x=1; if(x,mcc,2)", "all"]),
            ("f1:so, so,f1_macro", &["f1:so, so", "f1_macro"]),
            ("accuracy,", &["accuracy", ""]),
            ("", &[""]),
        ] {
            assert_eq!(split(list), names, "{list}");
        }
    }
}
