//! Rows of class probabilities.

use crate::missing::NOT_LISTED;
use crate::source::Kind;

/// One row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    /// The id beside the reply, or that of the reply.
    pub id: Option<&'a str>,
    /// The label beside the reply.
    pub label: Option<&'a str>,
    /// One probability per class: at least 0, with sum 1; 0 only if the reply lists a score of 0.
    pub probabilities: &'a [f64],
    /// The probability that no class covers; 0 for independent scores.
    pub other: f64,
    /// Classes that the reply does not list.
    pub n_missing: usize,
    /// What the numbers of the reply were.
    pub kind: Kind,
}

/// Rows in the order of the replies; can be cleared and filled again without allocating.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    probabilities: Vec<f64>,
    facts: Vec<Facts>,
    /// The classes that the rows do not list, row after row.
    missing: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq)]
struct Facts {
    id: Option<Box<str>>,
    label: Option<Box<str>>,
    other: f64,
    n_missing: u32,
    kind: Kind,
}

impl Facts {
    fn row<'a>(&'a self, probabilities: &'a [f64]) -> Row<'a> {
        Row {
            id: self.id.as_deref(),
            label: self.label.as_deref(),
            probabilities,
            other: self.other,
            n_missing: self.n_missing as usize,
            kind: self.kind,
        }
    }
}

impl Rows {
    /// No rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.probabilities.clear();
        self.facts.clear();
        self.missing.clear();
    }

    /// Row `i`.
    pub fn get(&self, i: usize) -> Option<Row<'_>> {
        let m = self.n_classes();
        Some(self.facts.get(i)?.row(&self.probabilities[i * m..(i + 1) * m]))
    }

    /// All rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        let m = self.n_classes().max(1);
        let rows = self.facts.iter().zip(self.probabilities.chunks_exact(m));
        rows.map(|(facts, probabilities)| facts.row(probabilities))
    }

    /// All probabilities, row after row.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The classes that the rows do not list, row after row: every row has as many as its `n_missing`.
    pub fn missing(&self) -> &[u32] {
        &self.missing
    }

    fn n_classes(&self) -> usize {
        self.probabilities.len().checked_div(self.len()).unwrap_or(0)
    }

    /// `m` classes that are not listed, for the probabilities of the next row.
    pub(crate) fn start(&mut self, m: usize) -> &mut [f64] {
        let from = self.facts.len() * m;
        self.probabilities.truncate(from); // what a failed row left
        self.probabilities.resize(from + m, NOT_LISTED);
        &mut self.probabilities[from..]
    }

    /// Adds the row whose probabilities were started.
    pub(crate) fn finish(&mut self, id: Option<&str>, other: f64, missing: &[u32], kind: Kind) {
        let n_missing = missing.len() as u32;
        self.missing.extend_from_slice(missing);
        self.facts.push(Facts { id: id.map(Into::into), label: None, other, n_missing, kind });
    }

    /// Removes the rows from `n` on, which have `m` classes.
    pub(crate) fn truncate(&mut self, n: usize, m: usize) {
        let removed: u32 = self.facts.iter().skip(n).map(|facts| facts.n_missing).sum();
        self.missing.truncate(self.missing.len() - removed as usize);
        self.facts.truncate(n);
        self.probabilities.truncate(n * m);
    }

    pub(crate) fn set_id(&mut self, i: usize, id: &str) {
        self.facts[i].id = Some(id.into());
    }

    pub(crate) fn set_label(&mut self, i: usize, label: &str) {
        self.facts[i].label = Some(label.into());
    }

    pub(crate) fn has_id(&self, i: usize) -> bool {
        self.facts[i].id.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_row_leaves_no_trace() {
        let mut rows = Rows::new();
        rows.start(2).copy_from_slice(&[0.25, 0.75]);
        rows.finish(Some("a"), 0.1, &[1], Kind::Tokens);
        rows.start(2).copy_from_slice(&[0.9, 0.0]);
        assert!(rows.start(2).iter().all(|q| *q < 0.0));
        rows.finish(None, 0.0, &[0, 1], Kind::Tokens);
        rows.truncate(1, 2);
        assert_eq!(rows.missing(), [1]);
        let row = rows.get(0).unwrap();
        assert_eq!(
            (row.id, row.label, row.probabilities, row.n_missing),
            (Some("a"), None, &[0.25, 0.75][..], 1)
        );
        assert_eq!((rows.len(), rows.get(1), rows.probabilities().len()), (1, None, 2));
        assert_eq!(rows.iter().len(), 1);
        rows.clear();
        assert!(rows.is_empty() && rows.iter().next().is_none());
    }
}
