//! The sample S of the paper: probabilities of the black box with labels.

mod rows; // selecting, appending and relabelling rows

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::data::class_names::{check_unique, numbered};
use crate::data::class_totals::ClassTotals;
use crate::data::{Features, Label, Probabilities, check_length};
use crate::error::Error;
use crate::numeric::tally::{Count, Tally};

/// Valid row weights besides 0; outside this range, squares in some metrics overflow or underflow.
const ROW_WEIGHTS: RangeInclusive<f64> = 1e-100..=1e100;

/// Probabilities with labels and row weights; a row may be unlabelled.
///
/// Invariants: one label slot and one weight per row; every label `< n_classes`; every weight 0 or from 1e-100 to 1e100.
///
/// ```
/// use cwplugin::{Probabilities, Sample};
///
/// let p = Probabilities::new(vec![0.7, 0.3, 0.2, 0.8, 0.6, 0.4], 2)?;
/// let sample = Sample::new(p, vec![Some(0), Some(1), None])?;
/// assert_eq!((sample.n_labelled(), sample.n_unlabelled()), (2, 1));
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    probabilities: Probabilities,
    /// Class indices, m for unlabelled rows: a valid index into m + 1 counters.
    labels: Vec<u32>,
    /// `None`: every row has weight 1.
    weights: Option<Vec<f64>>,
    features: Option<Features>,
    class_totals: ClassTotals,
}

impl Sample {
    /// Label code of an unlabelled row.
    pub const UNLABELLED: u32 = u32::MAX;

    /// Probabilities with one label slot per row; every row has weight 1.
    ///
    /// # Errors
    ///
    /// If there is not one label slot per row, or a label is not a class.
    pub fn new(probabilities: Probabilities, labels: Vec<Option<usize>>) -> Result<Self, Error> {
        let classes = probabilities.n_classes();
        let code = |(row, label): (usize, Option<usize>)| match label {
            None => Ok(Self::UNLABELLED),
            Some(label) if label < classes => Ok(label as u32),
            Some(label) => Err(Error::LabelOutOfRange { row, label, classes }),
        };
        check_length("labels", labels.len(), probabilities.n_rows())?;
        let labels = labels.into_iter().enumerate().map(code).collect::<Result<_, _>>()?;
        Self::from_codes(probabilities, labels)
    }

    /// Probabilities with labels as class indices, [`Sample::UNLABELLED`] for none. Uses a quarter of the memory of
    /// [`Sample::new`].
    ///
    /// # Errors
    ///
    /// As [`Sample::new`].
    pub fn from_codes(probabilities: Probabilities, mut labels: Vec<u32>) -> Result<Self, Error> {
        let classes = probabilities.n_classes();
        check_length("labels", labels.len(), probabilities.n_rows())?;
        let is_invalid = |&label: &u32| label as usize >= classes && label != Self::UNLABELLED;
        if let Some(row) = labels.iter().position(is_invalid) {
            return Err(Error::LabelOutOfRange { row, label: labels[row] as usize, classes });
        }
        for label in labels.iter_mut().filter(|label| **label == Self::UNLABELLED) {
            *label = classes as u32;
        }
        Ok(Self::assemble(probabilities, labels))
    }

    /// Rows of probabilities with columns in the order of `classes`. All rows are unlabelled until
    /// [`labels`](Self::labels) is called.
    ///
    /// ```
    /// use cwplugin::Sample;
    ///
    /// let sample = Sample::from_rows([[0.7, 0.3], [0.2, 0.8]], &["ham", "spam"])?.labels(["ham", "spam"])?;
    /// assert_eq!((sample.n_labelled(), sample.classes()[1].as_str()), (2, "spam"));
    /// # Ok::<(), cwplugin::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a row does not have one probability per class, a probability is invalid, or a name occurs twice.
    pub fn from_rows<R: AsRef<[f64]>>(
        rows: impl IntoIterator<Item = R>,
        classes: &[impl AsRef<str>],
    ) -> Result<Self, Error> {
        let m = classes.len();
        let mut values = Vec::new();
        for row in rows {
            check_length("probabilities in a row", row.as_ref().len(), m)?;
            values.extend_from_slice(row.as_ref());
        }
        let names: Vec<String> = classes.iter().map(|name| name.as_ref().to_string()).collect();
        Self::unlabelled(Probabilities::new(values, m)?).with_classes(names)
    }

    /// Names the classes [default: `0`, `1`, …].
    ///
    /// # Errors
    ///
    /// If there is not one name per class, or a name occurs twice.
    pub fn with_classes(mut self, names: impl Into<Arc<[String]>>) -> Result<Self, Error> {
        let names = names.into();
        check_length("class names", names.len(), self.n_classes())?;
        check_unique(&names)?;
        self.class_totals.names = names;
        Ok(self)
    }

    /// Sets the labels: class names, class indices, or options of either.
    ///
    /// # Errors
    ///
    /// If there is not one label per row, or a label is not a class.
    pub fn labels<L: Label>(mut self, labels: impl IntoIterator<Item = L>) -> Result<Self, Error> {
        let index = |(row, label): (usize, L)| label.index(row, &self.class_totals.names);
        let labels: Vec<Option<usize>> =
            labels.into_iter().enumerate().map(index).collect::<Result<_, _>>()?;
        check_length("labels", labels.len(), self.n_rows())?;
        let none = self.n_classes();
        self.labels = labels.into_iter().map(|label| label.unwrap_or(none) as u32).collect();
        self.class_totals = self.count_classes();
        Ok(self)
    }

    /// Sets the row weights; a row of weight 0 is ignored.
    ///
    /// # Errors
    ///
    /// If there is not one weight per row, or one is neither 0 nor from 1e-100 to 1e100.
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self, Error> {
        check_length("weights", weights.len(), self.n_rows())?;
        if let Some(row) = weights.iter().position(|&w| !is_usable_weight(w)) {
            return Err(Error::BadRowWeight { row, value: weights[row] });
        }
        self.weights = Some(weights);
        self.class_totals = self.count_classes();
        Ok(self)
    }

    /// Sets the features, for methods that fit a model on them.
    ///
    /// # Errors
    ///
    /// If there is not one row of features per row.
    pub fn with_features(mut self, features: Features) -> Result<Self, Error> {
        check_length("rows of features", features.n_rows(), self.n_rows())?;
        self.features = Some(features);
        Ok(self)
    }

    /// A sample without labels.
    pub fn unlabelled(probabilities: Probabilities) -> Self {
        let labels = vec![probabilities.n_classes() as u32; probabilities.n_rows()];
        Self::assemble(probabilities, labels)
    }

    /// Builds a sample from checked parts; a label is a class index, or m for none.
    fn assemble(probabilities: Probabilities, labels: Vec<u32>) -> Self {
        let class_totals = ClassTotals::empty(numbered(probabilities.n_classes()));
        let mut sample = Self { probabilities, labels, weights: None, features: None, class_totals };
        sample.class_totals = sample.count_classes();
        sample
    }

    fn count_classes(&self) -> ClassTotals {
        let m = self.n_classes();
        // The extra place counts unlabelled rows.
        let mut classes = Tally::new(m + 1, self.weights.is_some());
        let places = self.labels.iter().map(|&label| label as usize).enumerate();
        match &self.weights {
            None => {
                let mut counter = classes.ones();
                places.for_each(|(row, class)| counter.count(class, row));
            }
            Some(weights) => {
                let mut counter = classes.weighed(weights);
                places.for_each(|(row, class)| counter.count(class, row));
            }
        }
        let is_unlabelled = |label: &&u32| **label as usize == m;
        let unlabelled = self.labels.iter().filter(is_unlabelled).count() as u64;
        let names = Arc::clone(&self.class_totals.names);
        ClassTotals { names, classes: classes.without_last(), probable: self.probable(), unlabelled }
    }

    /// For each class, whether any labelled row of positive weight gives it a positive probability.
    fn probable(&self) -> Vec<bool> {
        let m = self.n_classes();
        let mut probable = vec![false; m];
        let mut missing = m;
        for row in (0..self.n_rows()).filter(|&row| self.counts(row)) {
            if missing == 0 {
                break; // usually after a few rows
            }
            for (class, b) in self.probabilities.row(row).enumerate() {
                missing -= usize::from(b > 0.0 && !probable[class]);
                probable[class] |= b > 0.0;
            }
        }
        probable
    }

    /// Whether a row has a label and a weight above 0.
    fn counts(&self, row: usize) -> bool {
        (self.labels[row] as usize) < self.n_classes() && self.weight(row) > 0.0
    }

    /// Number of rows, labelled or not.
    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }

    /// The names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.class_totals.names
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.probabilities.n_classes()
    }

    /// Number of labelled rows with positive weight.
    pub fn n_labelled(&self) -> u64 {
        self.class_totals.n_labelled()
    }

    /// Number of unlabelled rows.
    pub fn n_unlabelled(&self) -> u64 {
        self.class_totals.unlabelled
    }

    /// Number of labelled rows of a class with positive weight.
    pub fn n_rows_of(&self, class: usize) -> u64 {
        self.class_totals.rows(class)
    }

    /// The probabilities of all rows.
    pub fn probabilities(&self) -> &Probabilities {
        &self.probabilities
    }

    /// The label of a row, if it has one.
    pub fn label(&self, row: usize) -> Option<usize> {
        Some(self.labels[row] as usize).filter(|&label| label < self.n_classes())
    }

    /// The labels as class indices, [`Sample::UNLABELLED`] for none.
    pub fn codes(&self) -> impl ExactSizeIterator<Item = u32> {
        let none = self.n_classes() as u32;
        self.labels.iter().map(move |&label| if label == none { Self::UNLABELLED } else { label })
    }

    /// The labels as class indices, m for none.
    pub(crate) fn label_indices(&self) -> &[u32] {
        &self.labels
    }

    /// The weight of a row [default: 1].
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// The row weights, if set.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Whether any labelled row gives the class a positive probability.
    pub fn is_ever_probable(&self, class: usize) -> bool {
        self.class_totals.probable[class]
    }

    /// The features, if set.
    pub fn features(&self) -> Option<&Features> {
        self.features.as_ref()
    }

    pub(crate) fn class_totals(&self) -> &ClassTotals {
        &self.class_totals
    }

    /// The probabilities, without labels and weights.
    pub fn into_probabilities(self) -> Probabilities {
        self.probabilities
    }
}

/// Whether a number is a valid row weight.
pub(crate) fn is_usable_weight(weight: f64) -> bool {
    (-0.0..=0.0).contains(&weight) || ROW_WEIGHTS.contains(&weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_rows() -> Probabilities {
        Probabilities::new(vec![0.7, 0.3, 0.2, 0.8], 2).unwrap()
    }

    #[test]
    fn labels_are_checked_once() {
        assert_eq!(
            Sample::new(two_rows(), vec![Some(0)]).unwrap_err(),
            Error::LengthMismatch { what: "labels", found: 1, expected: 2 }
        );
        assert_eq!(
            Sample::new(two_rows(), vec![Some(0), Some(2)]).unwrap_err(),
            Error::LabelOutOfRange { row: 1, label: 2, classes: 2 }
        );
    }

    #[test]
    fn a_row_of_weight_zero_is_ignored() {
        let sample =
            Sample::new(two_rows(), vec![Some(0), Some(1)]).unwrap().with_weights(vec![0.0, 2.5]).unwrap();
        assert_eq!((sample.n_labelled(), sample.n_rows_of(0)), (1, 0));
        assert_eq!(sample.labelled_rows(), [1]);
    }

    #[test]
    fn invalid_row_weights_are_rejected() {
        let sample = Sample::new(two_rows(), vec![Some(0), Some(1)]).unwrap();
        assert_eq!(
            sample.clone().with_weights(vec![1.0, -1.0]).unwrap_err(),
            Error::BadRowWeight { row: 1, value: -1.0 }
        );
        assert!(sample.with_weights(vec![1.0]).is_err());
    }

    #[test]
    fn a_class_is_probable_if_any_labelled_row_gives_it_probability() {
        let p = Probabilities::new(vec![1.0, 0.0, 0.0, 0.5, 0.5, 0.0], 3).unwrap();
        let sample = Sample::new(p, vec![Some(0), None]).unwrap();
        assert!(sample.is_ever_probable(0));
        assert!(!sample.is_ever_probable(1));
    }
}
