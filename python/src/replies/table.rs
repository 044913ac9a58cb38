//! Rows as arrays, with warnings about all of them.

use cwplugin_replies::ReplyError;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::prelude::*;

/// Probabilities, classes, labels, ids, other, votes, errors, the options as a model stores them, warnings.
pub(super) type Arrays<'py> = (
    Bound<'py, PyArray2<f64>>,
    Vec<String>,
    Vec<Option<String>>,
    Vec<Option<String>>,
    Bound<'py, PyArray1<f64>>,
    Option<Bound<'py, PyArray2<u64>>>,
    Vec<(usize, String)>,
    String,
    Vec<String>,
);

/// Share of `other` that is worth a warning.
const MUCH_OTHER: f64 = 0.05;

/// A class with this probability leaves nothing to the others.
const CERTAIN: f64 = 1.0 - 1e-6;

/// All rows, column by column.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) classes: Vec<String>,
    pub(super) probabilities: Vec<f64>,
    pub(super) labels: Vec<Option<String>>,
    pub(super) ids: Vec<Option<String>>,
    pub(super) other: Vec<f64>,
    /// Answers per class, row by row, if the input has votes.
    pub(super) votes: Option<Vec<u64>>,
    /// Rows whose scores were not related to each other.
    pub(super) n_independent: usize,
    /// Rows from scores instead of tokens.
    pub(super) n_scores: usize,
    /// Ids without an answer that is a class, their places and errors.
    pub(super) without_class: Vec<(usize, String, ReplyError)>,
}

impl Table {
    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Whether a source of tokens replied with scores, which have no names.
    pub(super) fn has_unnamed_scores(&self) -> bool {
        self.n_scores > 0
    }

    pub(super) fn into_arrays(
        self,
        py: Python<'_>,
        errors: Vec<(usize, String)>,
        input: String,
    ) -> PyResult<Arrays<'_>> {
        let warnings = self.warnings();
        let shape = [self.labels.len(), self.classes.len()];
        let votes = self.votes.map(|votes| PyArray1::from_vec(py, votes).reshape(shape)).transpose()?;
        Ok((
            PyArray1::from_vec(py, self.probabilities).reshape(shape)?,
            self.classes,
            self.labels,
            self.ids,
            PyArray1::from_vec(py, self.other),
            votes,
            errors,
            input,
            warnings,
        ))
    }

    fn warnings(&self) -> Vec<String> {
        let n = self.labels.len();
        let mut warnings = Vec::new();
        let share = self.other.iter().sum::<f64>() / n as f64;
        if share > MUCH_OTHER {
            let what = if self.votes.is_some() { "answers" } else { "probability" };
            warnings.push(format!(
                "{:.1}% of the {what} belong{} to no class; see other\n  hint: spellings= names what else a class is called",
                100.0 * share,
                if self.votes.is_some() { "" } else { "s" },
            ));
        }
        if self.n_independent > 0 {
            warnings.push(format!(
                "{} of {n} rows have independent scores, one for each class; they were divided by their sum",
                self.n_independent
            ));
        }
        let m = self.classes.len().max(1);
        let certain =
            self.probabilities.chunks_exact(m).filter(|row| row.iter().any(|p| *p >= CERTAIN)).count();
        if 2 * certain > n {
            warnings.push(format!(
                "{certain} of {n} rows are one-hot: they name a class, but not how certain it is, so that weights change \
                 little\n  hint: ask for log-probabilities or scores of all classes, or ask several times and read \
                 source=\"votes\""
            ));
        }
        let is_single = |row: &[u64]| row.iter().sum::<u64>() <= 1;
        if self.votes.as_ref().is_some_and(|votes| votes.chunks_exact(m).all(is_single)) {
            warnings.push(
                "every id has one answer: it names a class, but not how certain it is\n  hint: ask several times".into(),
            );
        }
        warnings
    }
}
