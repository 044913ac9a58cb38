//! Metrics by name, with the files that some of them need.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;

use cwplugin::metric::{self, CATALOGUE, Cost};
use cwplugin::{Error, Metric};

use super::columns::quoted;
use super::formula;
use crate::refusal::Refusal;

/// Finds a metric by name; `cost:FILE` reads the file.
pub(crate) fn metric_by_name(name: &str, classes: &[String]) -> anyhow::Result<Box<dyn Metric>> {
    if let Some(file) = name.strip_prefix("cost:") {
        return Ok(Box::new(Cost::new(name, read_costs(Path::new(file), classes)?, classes.len())?));
    }
    metric::by_name(name, classes).map_err(|error| refuse(&error, classes).into())
}

/// The metrics that one or more `--metric` values name: `all`, a name, or names between commas.
pub(crate) fn metrics_by_names(names: &[String], classes: &[String]) -> anyhow::Result<Vec<Box<dyn Metric>>> {
    let mut metrics = Vec::new();
    for name in names.iter().flat_map(|list| split(list)) {
        if name == "all" {
            for plain in metric::plain_names() {
                metrics.push(metric_by_name(plain, classes)?);
            }
        } else {
            metrics.push(metric_by_name(&name, classes)?);
        }
    }
    // Who asks for `all` and one of them asks for it once.
    let mut seen = HashSet::new();
    metrics.retain(|metric| seen.insert(metric.name().to_string()));
    Ok(metrics)
}

/// Splits a list at its commas; a piece that is no metric's beginning belongs to the one before it, as in
/// `accuracy,linear-diagonal:0.2,0.8` or `f1:so, so`. A comma inside a formula's parentheses is the formula's own.
fn split(list: &str) -> Vec<String> {
    let begins = |piece: &str| {
        let head = piece.split(':').next().unwrap_or_default();
        piece == "all" || CATALOGUE.iter().any(|entry| entry.name.split(':').next() == Some(head))
    };
    let heads = ["linear-diagonal:", "f1:", "precision:", "recall:", "f-beta:", "cost:", "expr:"];
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
        match names.last_mut().filter(|name| heads.iter().any(|head| name.starts_with(head))) {
            Some(open) if !begins(piece) => {
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
    let text = std::fs::read_to_string(path).map_err(|error| {
        let what = match error.kind() {
            ErrorKind::NotFound => "no such file".to_string(),
            ErrorKind::IsADirectory => "is a folder".to_string(),
            ErrorKind::InvalidData => "is not text".to_string(),
            _ => error.to_string(),
        };
        Refusal::new(format!("{file}: {what}")).hint("cost:FILE names a CSV file with a cost matrix")
    })?;
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
