//! Selecting, appending and relabelling rows of a sample.

use std::borrow::Cow;
use std::sync::Arc;

use super::Sample;
use crate::data::class_totals::ClassTotals;
use crate::error::Error;

impl Sample {
    /// Indices of the labelled rows with positive weight.
    pub(crate) fn labelled_rows(&self) -> Vec<usize> {
        (0..self.n_rows()).filter(|&row| self.counts(row)).collect()
    }

    /// Only the labelled rows with positive weight; borrowed if that is all rows.
    pub(crate) fn labelled(&self) -> Cow<'_, Self> {
        if self.n_labelled() == self.n_rows() as u64 {
            Cow::Borrowed(self)
        } else {
            Cow::Owned(self.select(&self.labelled_rows()))
        }
    }

    /// Appends the rows of `more`, for data that arrive in chunks.
    ///
    /// # Errors
    ///
    /// If the samples do not have the same number of classes, or the rows do not fit into memory.
    pub fn append(&mut self, more: Self) -> Result<(), Error> {
        let (n, n_more) = (self.n_rows(), more.n_rows());
        self.probabilities.append(more.probabilities)?;
        self.labels.extend(more.labels);
        if self.weights.is_some() || more.weights.is_some() {
            let weights = self.weights.get_or_insert_with(|| vec![1.0; n]);
            weights.extend(more.weights.unwrap_or_else(|| vec![1.0; n_more]));
        }
        match (&mut self.features, more.features) {
            (Some(features), Some(more)) => features.append(more)?,
            (None, Some(more)) if n == 0 => self.features = Some(more),
            (None, None) => {}
            (ours, _) => {
                let (found, expected) = if ours.is_some() { (n, n + n_more) } else { (n_more, n + n_more) };
                return Err(Error::LengthMismatch { what: "rows of features", found, expected });
            }
        }
        self.class_totals.merge(&more.class_totals);
        Ok(())
    }

    /// The same rows with other labels, as class indices.
    pub(crate) fn relabelled(&self, labels: Vec<u32>) -> Result<Self, Error> {
        let mut sample = Self::from_codes(self.probabilities.clone(), labels)?;
        sample.class_totals.names = Arc::clone(&self.class_totals.names);
        sample.features.clone_from(&self.features);
        match &self.weights {
            None => Ok(sample),
            Some(weights) => sample.with_weights(weights.clone()),
        }
    }

    /// The same rows, unlabelled.
    pub(crate) fn without_labels(mut self) -> Self {
        let none = self.n_classes() as u32;
        self.labels.fill(none);
        self.class_totals = self.count_classes();
        self
    }

    /// These rows, in this order; rows may repeat.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn select(&self, rows: &[usize]) -> Self {
        let weights = self.weights.as_ref().map(|weights| rows.iter().map(|&row| weights[row]).collect());
        let mut selected = Self {
            probabilities: self.probabilities.select(rows),
            labels: rows.iter().map(|&row| self.labels[row]).collect(),
            weights,
            features: self.features.as_ref().map(|features| features.rows(rows)),
            class_totals: ClassTotals::empty(Arc::clone(&self.class_totals.names)),
        };
        selected.class_totals = selected.count_classes();
        selected
    }
}
