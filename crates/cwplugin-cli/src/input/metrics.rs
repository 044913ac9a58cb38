//! Metrics by name, with the files that some of them need.

use std::collections::HashSet;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;
use std::time::Duration;

use cwplugin::metric::{self, CATALOGUE, Cost};
use cwplugin::{Error, Metric};

use super::columns::quoted;
use super::formula;
use super::linear_fractional;
use super::named_metric::NamedMetric;
use crate::command;
use crate::refusal::Refusal;

/// A file of so many bytes is none of costs or coefficients.
const LARGEST_FILE: u64 = 64 << 20;

/// Finds a metric by name; `cost:FILE` and `linear-fractional:FILE` read the file, `command:PROGRAM` starts the program,
/// which has so long for each answer.
///
/// # Errors
///
/// If there is no such metric, its file cannot be read or its program cannot be started.
pub fn metric_by_name(
    name: &str,
    classes: &[String],
    timeout: Option<Duration>,
) -> anyhow::Result<NamedMetric> {
    if let Some(program) = command::by_name(name, classes, timeout.unwrap_or(command::PATIENCE)) {
        return Ok(NamedMetric::by_program(program?));
    }
    if timeout.is_some() {
        return Err(idle_timeout(name).into());
    }
    formula_by_name(name, classes).map(NamedMetric::by_formula)
}

fn idle_timeout(names: &str) -> Refusal {
    Refusal::usage(format!("--metric-timeout means nothing to --metric {names}"))
        .hint("leave it out; only the programs of command:PROGRAM take their time")
}

fn formula_by_name(name: &str, classes: &[String]) -> anyhow::Result<Box<dyn Metric>> {
    match name.split_once(':') {
        Some(("cost", file)) => {
            Ok(Box::new(Cost::new(name, read_costs(Path::new(file), classes)?, classes.len())?))
        }
        Some(("linear-fractional", file)) => {
            Ok(Box::new(linear_fractional::read(name, Path::new(file), classes)?))
        }
        _ => metric::by_name(name, classes).map_err(|error| refuse(&error, classes).into()),
    }
}

/// The file that a metric is read from, and what is in it.
pub(crate) fn metric_file(name: &str) -> Option<(&Path, &'static str)> {
    match name.split_once(':')? {
        ("cost", file) => Some((Path::new(file), "the cost matrix")),
        ("linear-fractional", file) => Some((Path::new(file), "the coefficients of the metric")),
        _ => None,
    }
}

/// The metrics that one or more `--metric` values name: `all`, a name, or names between commas.
pub(crate) fn metrics_by_names(
    names: &[String],
    classes: &[String],
    timeout: Option<Duration>,
) -> anyhow::Result<Vec<NamedMetric>> {
    let is_program = |name: &String| command::is_named(name);
    if timeout.is_some() && !names.iter().flat_map(|list| split(list)).any(|name| is_program(&name)) {
        return Err(idle_timeout(&names.join(",")).into());
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
    // Who asks for `all` and one of them asks for it once.
    let mut seen = HashSet::new();
    metrics.retain(|metric| seen.insert(metric.name().to_string()));
    Ok(metrics)
}

/// Splits a list at its commas; a piece that is no metric's beginning belongs to the one before it, as in
/// `accuracy,linear-diagonal:0.2,0.8` or `f1:so, so`. A comma inside a formula's parentheses is the formula's own, and behind a
/// program nothing begins: whatever stands there is its own.
fn split(list: &str) -> Vec<String> {
    let begins = |piece: &str| {
        let head = piece.split(':').next().unwrap_or_default();
        piece == "all" || CATALOGUE.iter().any(|entry| entry.name.split(':').next() == Some(head))
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
            Some(open) if command::is_named(open) || !begins(piece) => {
                open.push(',');
                open.push_str(piece);
            }
            _ => names.push(piece.to_string()),
        }
    }
    names
}

fn refuse(error: &Error, classes: &[String]) -> Refusal {
    let refusal = Refusal::usage(error.to_string());
    match error {
        Error::UnknownMetric { name } => {
            let head = name.split(':').next().unwrap_or_default();
            let near = |known: &&str| strsim::jaro_winkler(known.split(':').next().unwrap_or_default(), head);
            let nearest = CATALOGUE.iter().map(|entry| entry.name).max_by(|a, b| near(a).total_cmp(&near(b)));
            match nearest.filter(|nearest| near(nearest) > 0.8) {
                Some(nearest) => {
                    refusal.hint(format!("did you mean {nearest}? `cwplugin metrics` lists them all"))
                }
                None => refusal.hint("`cwplugin metrics` lists them all"),
            }
        }
        Error::MetricParameter { name, .. } if name.starts_with("linear-diagonal") => refusal.hint(format!(
            "write {} numbers, one per class: {}",
            classes.len(),
            quoted(classes.iter().map(String::as_str))
        )),
        Error::Formula { formula, column, problem } => {
            formula::refuse(error.to_string(), formula, *column, problem, classes)
        }
        Error::MetricClass { .. } => {
            refusal.hint(format!("the classes are {}", quoted(classes.iter().map(String::as_str))))
        }
        _ => refusal.hint("`cwplugin metrics` shows how it is written"),
    }
}

/// Reads a text of costs or coefficients; `/dev/zero` has no end, and is none.
pub(super) fn read_small_text(path: &Path, hint: &str) -> Result<String, Refusal> {
    let refuse = |what: &str| Refusal::new(format!("{}: {what}", path.display())).hint(hint);
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST_FILE).read_to_string(&mut text));
    match read.map_err(|error| (error.kind(), error)) {
        Ok(n) if n as u64 == LARGEST_FILE => Err(refuse("is too large")),
        Ok(_) => Ok(text),
        Err((ErrorKind::NotFound, _)) => Err(refuse("no such file")),
        Err((ErrorKind::IsADirectory, _)) => Err(refuse("is a folder")),
        Err((ErrorKind::InvalidData, _)) => Err(refuse("is not text")),
        Err((_, error)) => Err(refuse(&error.to_string())),
    }
}

/// A cost matrix `[truth, predicted]`: m × m numbers in the order of the classes, or the same with a header of
/// predicted classes and a first column of true ones.
fn read_costs(path: &Path, classes: &[String]) -> anyhow::Result<Vec<f64>> {
    let (file, m) = (path.display(), classes.len());
    let shape = || {
        format!(
            "a cost matrix has one row and one column per class ({m} × {m} numbers), or that with a header line of \
             predicted classes and a first column of true classes"
        )
    };
    let text = read_small_text(path, "cost:FILE names a CSV file with a cost matrix")?;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let rows: Vec<csv::StringRecord> = reader
        .records()
        .collect::<Result<_, _>>()
        .map_err(|error| Refusal::new(format!("{file}: {error}")).hint(shape()))?;
    let width = rows.first().map_or(0, csv::StringRecord::len);
    if let Some(ragged) = rows.iter().position(|row| row.len() != width) {
        let what =
            format!("{file}: line {} has {} fields, line 1 has {width}", ragged + 1, rows[ragged].len());
        return Err(Refusal::new(what).hint(shape()).into());
    }
    let is_square = |side: usize| rows.len() == side && rows.iter().all(|row| row.len() == side);
    let (truths, predictions) = if is_square(m) {
        ((0..m).collect(), (0..m).collect())
    } else if is_square(m + 1) {
        let truths: Vec<&str> = rows[1..].iter().map(|row| &row[0]).collect();
        let predictions: Vec<&str> = rows[0].iter().skip(1).collect();
        (positions(&truths, classes, &file)?, positions(&predictions, classes, &file)?)
    } else {
        let what = format!("{file}: the table is {} × {width}, but there are {m} classes", rows.len());
        return Err(Refusal::new(what).hint(shape()).into());
    };
    let skip = rows.len() - m;
    let cost = |i: usize, j: usize| {
        let (row, column) = (truths[i] + skip, predictions[j] + skip);
        let value = &rows[row][column];
        value.parse::<f64>().ok().filter(|cost| cost.is_finite()).ok_or_else(|| {
            let place = format!("{file}: line {}, field {}", row + 1, column + 1);
            Refusal::new(format!("{place}: \"{value}\" is not a finite number")).hint(shape())
        })
    };
    let cells = (0..m).flat_map(|i| (0..m).map(move |j| (i, j)));
    Ok(cells.map(|(i, j)| cost(i, j)).collect::<Result<_, _>>()?)
}

/// For each class its place among the names of a cost matrix.
fn positions(
    names: &[&str],
    classes: &[String],
    file: &dyn std::fmt::Display,
) -> Result<Vec<usize>, Refusal> {
    let place = |class: &String| {
        names.iter().position(|name| name == class).ok_or_else(|| {
            let names = quoted(names.iter().copied());
            Refusal::new(format!("{file}: class \"{class}\" is missing; the file names {names}"))
                .hint("the rows and columns of a cost matrix are named after the classes")
        })
    };
    classes.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_list_is_split_where_a_metric_begins() {
        for (list, names) in [
            ("accuracy,macro-f1", &["accuracy", "macro-f1"] as &[&str]),
            ("mcc,linear-diagonal:1,2,1,f1:so, so", &["mcc", "linear-diagonal:1,2,1", "f1:so, so"]),
            ("accuracy,expr:min(1,2),macro-f1", &["accuracy", "expr:min(1,2)", "macro-f1"]),
            ("expr:min(recall,f1),expr:C[a,f1]", &["expr:min(recall,f1)", "expr:C[a,f1]"]),
            ("expr:n,5,mcc", &["expr:n,5", "mcc"]),
            ("f1:expr,expr:x=1; if(x,mcc,2),all", &["f1:expr", "expr:x=1; if(x,mcc,2)", "all"]),
            ("accuracy,", &["accuracy", ""]),
            ("", &[""]),
        ] {
            assert_eq!(split(list), names, "{list}");
        }
    }
}
