//! Rows and weight of each class.

use std::sync::Arc;

use crate::numeric::tally::Tally;

/// Names, rows and weight of each class of a sample.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClassTotals {
    /// Their names.
    pub(crate) names: Arc<[String]>,
    /// Labelled rows of each class with a weight above 0.
    pub(crate) classes: Tally,
    /// Whether any of those rows gives the class a positive probability.
    pub(crate) probable: Vec<bool>,
    /// Rows without a label.
    pub(crate) unlabelled: u64,
}

impl ClassTotals {
    pub(crate) fn empty(names: Arc<[String]>) -> Self {
        let m = names.len();
        Self { names, classes: Tally::new(m, false), probable: vec![false; m], unlabelled: 0 }
    }

    pub(crate) fn n_classes(&self) -> usize {
        self.probable.len()
    }

    /// Labelled rows of a class with a weight above 0.
    pub(crate) fn rows(&self, class: usize) -> u64 {
        self.classes.rows(class)
    }

    /// Weight of the rows of a class: the same bits for any order of the rows.
    pub(crate) fn weight(&self, class: usize) -> f64 {
        self.classes.weight(class)
    }

    /// Labelled rows with a weight above 0.
    pub(crate) fn n_labelled(&self) -> u64 {
        self.classes.all_rows()
    }

    /// The weight of every class.
    pub(crate) fn weights(&self) -> Vec<f64> {
        (0..self.n_classes()).map(|class| self.weight(class)).collect()
    }

    /// The name of a class.
    pub(crate) fn name(&self, class: usize) -> &str {
        &self.names[class]
    }

    /// Adds the rows of another class_totals of the same classes.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.classes.merge(&other.classes);
        for (ours, theirs) in self.probable.iter_mut().zip(&other.probable) {
            *ours |= theirs;
        }
        self.unlabelled = self.unlabelled.saturating_add(other.unlabelled);
    }
}
