//! User errors as exceptions: an `InputError` that knows row and column, in the words of the program.

use cwplugin::data::{did_you_mean, quoted};
use cwplugin::metric;
use cwplugin::{Error, METHODS, Method};
use pyo3::prelude::*;

/// How classes and columns are called in messages.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    /// The names of the classes, as models know them.
    pub(crate) classes: Vec<String>,
    /// The column of each class.
    pub(crate) probabilities: Vec<String>,
    pub(crate) label: String,
    pub(crate) weight: String,
}

impl Columns {
    /// Columns that are called like their classes.
    pub(crate) fn of_classes(classes: &[String]) -> Self {
        Self {
            classes: classes.to_vec(),
            probabilities: classes.to_vec(),
            label: "label".into(),
            weight: "weight".into(),
        }
    }

    /// An error of the library, in the terms of the user's arrays.
    pub(crate) fn error(&self, py: Python<'_>, error: &Error) -> PyErr {
        self.user_error(error).raise(py)
    }

    fn user_error(&self, error: &Error) -> UserError {
        let user_error = self.with_hint(error);
        UserError { hint: user_error.hint.or_else(|| error.cure(&self.classes)), ..user_error }
    }

    /// The error with the hint that names parameters of the package, if there is one.
    fn with_hint(&self, error: &Error) -> UserError {
        let fact = error.fact();
        let cell = |row: usize, class: usize| match self.probabilities.get(class) {
            Some(name) => UserError::at(row, name, &fact),
            None => UserError::at(row, &class.to_string(), &fact),
        };
        match *error {
            Error::NotFinite { row, class, .. } => cell(row, class),
            Error::Negative { row, class, .. } => cell(row, class).hint(format!(
                "probabilities must be >= 0; for raw scores use scores=\"logits\" or scores=\"logprobs\"; the class columns \
                 are {}",
                quoted(&self.probabilities)
            )),
            Error::AboveZero { row, class, .. } => cell(row, class).hint(
                "leave out scores=\"logprobs\", here or in the fit, if these are probabilities; for raw scores use scores=\"logits\"",
            ),
            Error::RowSum { row, .. } => UserError::across(row, &self.probabilities, &fact)
                .hint("normalize=True divides every row by its sum; pass only the columns of the classes"),
            Error::PercentSum { row, .. } => UserError::across(row, &self.probabilities, &fact)
                .hint(
                    "leave out scores=\"percentages\", here or in the fit, if these are not percentages; pass only the columns of the classes",
                ),
            Error::ZeroRow { row } => UserError::across(row, &self.probabilities, &fact).hint("drop the row"),
            Error::BadRowWeight { row, .. } => UserError::at(row, &self.weight, &fact),
            Error::NoLabelledRows => UserError::new(format!("column \"{}\": {fact}", self.label))
                .hint("label some rows with a class name; None and NaN mean unlabelled"),
            Error::UnknownMetric { ref name } => {
                const ALL: &str = "cwplugin.metric_names() lists them all; a function of the confusion matrix works too";
                UserError::new(fact).hint(metric::hint(name, ALL))
            }
            Error::MetricParameter { ref name, .. } if !name.contains(':') => {
                UserError::new(fact).hint(metric::hint(name, "cwplugin.metric_names() lists the metrics"))
            }
            Error::MetricNotFinite { .. } => UserError::new(fact).hint(
                "the metric is undefined on these rows: label rows of other classes, or choose another metric",
            ),
            Error::UnknownMethod { ref name } => {
                let names = METHODS.iter().map(|method| method.name);
                UserError::new(fact).hint(did_you_mean(name, names, "cwplugin.method_names() lists them all"))
            }
            Error::UnsupportedOption { ref option, ref method } => {
                unsupported(&option.replace('-', "_"), method, Method::supporting(option))
            }
            Error::NotConstrainable { ref method } => {
                unsupported("subject_to", method, Method::by_name("ascent").ok())
            }
            Error::NeedsRows { .. } => {
                UserError::new(fact).hint("leave out method, or use method=\"cwplugin\"")
            }
            Error::BadConstraint { .. } => UserError::new(fact)
                .hint("write a metric, >= or <= and a number: subject_to=[\"precision:fraud>=0.9\"]"),
            Error::UnknownReferenceName { ref name } => UserError::new(fact).hint(did_you_mean(
                name,
                &self.classes,
                "write \"last\", \"largest\", \"best\" or a class (\"class:NAME\" for one called last, largest or best)",
            )),
            Error::UnknownOption { option, .. } => match Method::all_options().iter().find(|o| o.name == option) {
                Some(option) => UserError::new(fact).hint(option.help),
                None => UserError::new(fact),
            },
            Error::NotQuasiConcave { .. } => {
                UserError::new(fact).hint("use search=\"exact\" (it is fast), or force=True")
            }
            Error::EmptyReference { class } => {
                let name = self.classes.get(class).cloned().unwrap_or_else(|| class.to_string());
                UserError::new(format!("reference class \"{name}\" has no labelled rows"))
                    .hint("use reference=\"largest\", or label some rows of it")
            }
            _ => UserError::new(fact),
        }
    }
}

/// What is wrong, where, and what to do about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct UserError {
    what: String,
    hint: Option<String>,
    row: Option<usize>,
    column: Option<String>,
}

impl UserError {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), ..Self::default() }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The hint, if there is one.
    pub(crate) fn maybe_hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }

    /// What is wrong with a row, counted from 0, whose place the text names.
    pub(crate) fn in_row(row: usize, what: String) -> Self {
        Self { what, row: Some(row), ..Self::default() }
    }

    /// A fact about one cell; the row is counted from 0 here and from 1 in words.
    pub(crate) fn at(row: usize, column: &str, fact: &str) -> Self {
        let what = format!("row {}, column \"{column}\": {fact}", row + 1);
        Self { what, row: Some(row), column: Some(column.into()), ..Self::default() }
    }

    /// A fact about all class columns of a row.
    pub(crate) fn across(row: usize, columns: &[String], fact: &str) -> Self {
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

/// Warns; the warning names the line that called the package.
pub(crate) fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    py.import("cwplugin._errors")?.call_method1("warn", (message,)).map(drop)
}

/// The value of a parameter by name.
pub(crate) fn choice<T: Copy>(
    py: Python<'_>,
    parameter: &str,
    word: &str,
    known: &[(&str, T)],
) -> PyResult<T> {
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let what = format!("invalid value \"{word}\" for {parameter}");
        let names = quoted(known.iter().map(|(name, _)| name));
        UserError::new(what).hint(format!("write one of {names}")).raise(py)
    })
}

fn unsupported(parameter: &str, method: &str, other: Option<&Method>) -> UserError {
    let what = format!("{parameter} is not supported by method=\"{method}\"");
    UserError::new(what).hint(match other {
        Some(other) => format!("leave it out, or use method=\"{}\"", other.name),
        None => "leave it out".into(),
    })
}
