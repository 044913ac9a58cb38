//! Who is in a sample: how many rows each class has, and what they weigh.

use crate::error::Error;
use crate::metric::{Metric, check_size};
use crate::numeric::tally::Tally;

/// What is known of the classes before any search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Census {
    /// Labelled rows of each class with a weight above 0.
    pub(crate) classes: Tally,
    /// Whether any of those rows gives the class a positive probability.
    pub(crate) probable: Vec<bool>,
    /// Rows without a label.
    pub(crate) unlabelled: u64,
}

impl Census {
    pub(crate) fn empty(n_classes: usize) -> Self {
        Self { classes: Tally::new(n_classes, false), probable: vec![false; n_classes], unlabelled: 0 }
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

    /// Refuses what nothing can be learned from for this metric.
    pub(crate) fn check_for<M: Metric + ?Sized>(&self, metric: &M) -> Result<(), Error> {
        if self.n_labelled() == 0 {
            return Err(Error::NoLabelledRows);
        }
        check_size(metric, self.n_classes())
    }

    /// Adds the rows of another census of the same classes.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.classes.merge(&other.classes);
        for (ours, theirs) in self.probable.iter_mut().zip(&other.probable) {
            *ours |= theirs;
        }
        self.unlabelled = self.unlabelled.saturating_add(other.unlabelled);
    }
}
