//! Rows and weight of each class.

use std::sync::Arc;

use crate::numeric::tally::Tally;

/// Names, rows and weight of each class of a sample.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClassTotals {
    /// Class names.
    pub(crate) names: Arc<[String]>,
    /// Labelled rows of positive weight, per class.
    pub(crate) classes: Tally,
    /// Whether any labelled row of positive weight gives the class a positive probability.
    pub(crate) probable: Vec<bool>,
    /// Number of unlabelled rows.
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

    /// Number of labelled rows of a class with positive weight.
    pub(crate) fn rows(&self, class: usize) -> u64 {
        self.classes.rows(class)
    }

    /// Weight of the rows of a class, independent of the order of the rows.
    pub(crate) fn weight(&self, class: usize) -> f64 {
        self.classes.weight(class)
    }

    /// Number of labelled rows with positive weight.
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

    /// Adds the totals of other rows with the same classes.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.classes.merge(&other.classes);
        for (ours, theirs) in self.probable.iter_mut().zip(&other.probable) {
            *ours |= theirs;
        }
        self.unlabelled = self.unlabelled.saturating_add(other.unlabelled);
    }
}
