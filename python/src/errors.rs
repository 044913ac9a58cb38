//! What was refused, as an exception: a `ValueError` that knows row and column, in the words of the program.

use cwplugin::Error;
use cwplugin::metric::CATALOGUE;
use pyo3::prelude::*;

/// How columns are called in messages.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    /// One name per class.
    pub(crate) classes: Vec<String>,
    pub(crate) label: String,
    pub(crate) weight: String,
}

impl Columns {
    /// Columns that are called like their classes.
    pub(crate) fn of_classes(classes: &[String]) -> Self {
        Self { classes: classes.to_vec(), label: "label".into(), weight: "weight".into() }
    }
}

/// What is wrong, where, and what to do about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refusal {
    what: String,
    hint: Option<String>,
    row: Option<usize>,
    column: Option<String>,
}

impl Refusal {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), ..Self::default() }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// A fact about one cell; the row is counted from 0 here and from 1 in words.
    pub(crate) fn at(row: usize, column: &str, fact: &str) -> Self {
        let what = format!("row {}, column \"{column}\": {fact}", row + 1);
        Self { what, row: Some(row), column: Some(column.into()), ..Self::default() }
    }

    /// A fact about all class columns of a row.
    fn across(row: usize, columns: &[String], fact: &str) -> Self {
        let what = format!("row {}, columns {}: {fact}", row + 1, quoted(columns));
        Self { what, row: Some(row), ..Self::default() }
    }

    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        let text =
            self.hint.map_or_else(|| self.what.clone(), |hint| format!("{}\n  hint: {hint}", self.what));
        let make = || {
            let class = py.import("cwplugin._errors")?.getattr("InputError")?;
            class.call1((text, self.row, self.column))
        };
        make().map_or_else(|error| error, PyErr::from_value)
    }
}

/// What the library found wrong, in the terms of the user's arrays.
pub(crate) fn refuse(py: Python<'_>, error: &Error, columns: &Columns) -> PyErr {
    refusal(error, columns).raise(py)
}

fn refusal(error: &Error, columns: &Columns) -> Refusal {
    let fact = error.fact();
    let names = &columns.classes;
    let cell = |row: usize, class: usize| match names.get(class) {
        Some(name) => Refusal::at(row, name, &fact),
        None => Refusal::at(row, &class.to_string(), &fact),
    };
    match *error {
        Error::NotFinite { row, class, .. } => {
            cell(row, class).hint("replace it with a number, or drop the row")
        }
        Error::Negative { row, class, .. } => cell(row, class).hint(format!(
            "probabilities are >= 0; for raw scores use scores=\"logits\" or scores=\"logprobs\"; the class columns \
             are {}",
            quoted(names)
        )),
        Error::AboveZero { row, class, .. } => cell(row, class).hint(
            "leave out scores=\"logprobs\" if these are probabilities; for raw scores use scores=\"logits\"",
        ),
        Error::RowSum { row, .. } => Refusal::across(row, names, &fact)
            .hint("normalize=True divides every row by its sum; pass only the columns of the classes"),
        Error::ZeroRow { row } => {
            Refusal::across(row, names, &fact).hint("such a row has no opinion: drop it")
        }
        Error::BadRowWeight { row, .. } => {
            Refusal::at(row, &columns.weight, &fact).hint("a row of weight 0 takes no part")
        }
        Error::NoLabelledRows => Refusal::new(format!("column \"{}\": {fact}", columns.label))
            .hint("label some rows with a class name; None and NaN mean unlabelled"),
        Error::UnknownMetric { ref name } => {
            const ALL: &str = "cwplugin.metric_names() lists them all; a function of the confusion matrix will do too";
            Refusal::new(fact).hint(match nearest(name) {
                Some(near) => format!("did you mean {near}? {ALL}"),
                None => ALL.into(),
            })
        }
        Error::UnknownMethod { .. } => Refusal::new(fact).hint("cwplugin.method_names() lists them all"),
        Error::MetricClass { .. } => Refusal::new(fact).hint(format!("the classes are {}", quoted(names))),
        Error::NotQuasiConcave { ref metric } => Refusal::new(format!(
            "metric {metric} may have several peaks on a pair, so binary search may miss the best"
        ))
        .hint("use search=\"exact\" (it is fast), or force=True to search all the same"),
        Error::EmptyReference { class } => {
            let name = names.get(class).cloned().unwrap_or_else(|| class.to_string());
            Refusal::new(format!("reference class \"{name}\" has no labelled rows"))
                .hint("use reference=\"largest\", or label some rows of it; absent=\"drop\" goes on without")
        }
        Error::MetricNotFinite { .. } => Refusal::new(fact).hint(
            "on these rows the metric means nothing: label rows of other classes, or choose another metric",
        ),
        _ => Refusal::new(fact),
    }
}

/// `"a", "b", "c"`, cut short where it would fill the screen.
pub(crate) fn quoted(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The metric whose name is most like this one, if any is like it.
fn nearest(name: &str) -> Option<&'static str> {
    let head = |name: &str| name.split(':').next().unwrap_or_default().to_string();
    let near = |known: &str| strsim::jaro_winkler(&head(known), &head(name));
    let names = CATALOGUE.iter().filter(|entry| entry.is_found_by_name()).map(|entry| entry.name);
    names.max_by(|a, b| near(a).total_cmp(&near(b))).filter(|known| near(known) > 0.8)
}
