//! The paper's S: what the black box said, and what was true.

use std::ops::RangeInclusive;

use crate::{Confusion, Error, Probabilities, Weights};

/// Row weights beyond these would overflow or vanish in the squares that some metrics are made of.
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
    labels: Vec<Option<usize>>,
    /// `None` = every row weighs 1.
    weights: Option<Vec<f64>>,
    /// Labelled rows with a weight above 0, by class: a pair needs only two of these lists.
    by_class: Vec<Vec<usize>>,
    /// For each class whether any of those rows gives it a positive probability.
    ever_probable: Vec<bool>,
}

impl Sample {
    /// Joins probabilities and labels; every row weighs 1.
    ///
    /// # Errors
    ///
    /// If there is not one label slot per row, or a label is not a class.
    pub fn new(probabilities: Probabilities, labels: Vec<Option<usize>>) -> Result<Self, Error> {
        let (n, m) = (probabilities.n_rows(), probabilities.n_classes());
        if labels.len() != n {
            return Err(Error::LengthMismatch { what: "labels", found: labels.len(), expected: n });
        }
        for (row, &label) in labels.iter().enumerate() {
            if let Some(label) = label.filter(|&label| label >= m) {
                return Err(Error::LabelOutOfRange { row, label, classes: m });
            }
        }
        let (by_class, ever_probable) = (Vec::new(), Vec::new());
        let mut sample = Self { probabilities, labels, weights: None, by_class, ever_probable };
        sample.index_classes();
        Ok(sample)
    }

    /// Gives every row a weight; a row of weight 0 takes no part.
    ///
    /// # Errors
    ///
    /// If there is not one weight per row, or one is neither 0 nor from 1e-100 to 1e100.
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self, Error> {
        if weights.len() != self.n_rows() {
            return Err(Error::LengthMismatch {
                what: "weights",
                found: weights.len(),
                expected: self.n_rows(),
            });
        }
        let is_usable = |w: f64| (-0.0..=0.0).contains(&w) || ROW_WEIGHTS.contains(&w);
        if let Some(row) = weights.iter().position(|&w| !is_usable(w)) {
            return Err(Error::BadRowWeight { row, value: weights[row] });
        }
        self.weights = Some(weights);
        self.index_classes();
        Ok(self)
    }

    fn index_classes(&mut self) {
        let mut by_class = vec![Vec::new(); self.n_classes()];
        for (row, &label) in self.labels.iter().enumerate() {
            if let Some(label) = label
                && self.weight(row) > 0.0
            {
                by_class[label].push(row);
            }
        }
        let mut ever_probable = vec![false; self.n_classes()];
        for &row in by_class.iter().flatten() {
            for (ever, &b) in ever_probable.iter_mut().zip(self.probabilities.row(row)) {
                *ever |= b > 0.0;
            }
        }
        (self.by_class, self.ever_probable) = (by_class, ever_probable);
    }

    /// Rows, labelled or not.
    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }

    /// m.
    pub fn n_classes(&self) -> usize {
        self.probabilities.n_classes()
    }

    /// Labelled rows with a weight above 0.
    pub fn n_labelled(&self) -> usize {
        self.by_class.iter().map(Vec::len).sum()
    }

    /// Rows without a label.
    pub fn n_unlabelled(&self) -> usize {
        self.labels.iter().filter(|label| label.is_none()).count()
    }

    /// The probabilities of all rows.
    pub fn probabilities(&self) -> &Probabilities {
        &self.probabilities
    }

    /// The label of a row, if it has one.
    pub fn label(&self, row: usize) -> Option<usize> {
        self.labels[row]
    }

    /// The weight of a row; 1 unless weights were given.
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// Rows labelled `class` with a weight above 0.
    pub fn rows_of(&self, class: usize) -> &[usize] {
        &self.by_class[class]
    }

    /// Weight of the rows labelled `class`: the same bits for any order of the rows.
    pub(crate) fn weight_of(&self, class: usize) -> f64 {
        let rows = self.rows_of(class);
        if self.weights.is_none() {
            return rows.len() as f64;
        }
        let mut weights: Vec<f64> = rows.iter().map(|&row| self.weight(row)).collect();
        weights.sort_unstable_by(f64::total_cmp);
        weights.iter().sum()
    }

    /// Whether any labelled row gives the class a positive probability.
    pub fn is_ever_probable(&self, class: usize) -> bool {
        self.ever_probable[class]
    }

    /// The probabilities alone.
    pub fn into_probabilities(self) -> Probabilities {
        self.probabilities
    }

    /// The confusion matrix of the labelled rows when these weights predict.
    ///
    /// # Errors
    ///
    /// If the weights are for another number of classes.
    pub fn confusion(&self, weights: &Weights) -> Result<Confusion, Error> {
        let m = self.n_classes();
        if weights.n_classes() != m {
            return Err(Error::LengthMismatch {
                what: "class weights",
                found: weights.n_classes(),
                expected: m,
            });
        }
        let labelled =
            self.labels.iter().enumerate().filter_map(|(row, label)| label.map(|label| (row, label)));
        let predict = |(row, label): (usize, usize)| {
            (label, weights.predict_row(self.probabilities.row(row)), self.weight(row))
        };
        let mut confusion = Confusion::zeros(m);
        if self.weights.is_none() {
            for (label, predicted, weight) in labelled.map(predict) {
                confusion.add(label, predicted, weight);
            }
            return Ok(confusion);
        }
        // In a total order: the sums are then the same bits for any order of the rows.
        let mut counted: Vec<_> = labelled.map(predict).collect();
        counted.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        for (label, predicted, weight) in counted {
            confusion.add(label, predicted, weight);
        }
        Ok(confusion)
    }
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
    fn a_row_of_weight_zero_takes_no_part() {
        let sample =
            Sample::new(two_rows(), vec![Some(0), Some(1)]).unwrap().with_weights(vec![0.0, 2.5]).unwrap();
        assert_eq!(sample.n_labelled(), 1);
        assert!(sample.rows_of(0).is_empty());
        assert_eq!(
            sample.confusion(&Weights::uniform(2).unwrap()).unwrap(),
            Confusion::from_rows(&[[0.0, 0.0], [0.0, 2.5]])
        );
    }

    #[test]
    fn bad_row_weights_are_refused() {
        let sample = Sample::new(two_rows(), vec![Some(0), Some(1)]).unwrap();
        assert_eq!(
            sample.clone().with_weights(vec![1.0, -1.0]).unwrap_err(),
            Error::BadRowWeight { row: 1, value: -1.0 }
        );
        assert!(sample.with_weights(vec![1.0]).is_err());
    }

    #[test]
    fn a_class_is_probable_if_any_labelled_row_says_so() {
        let p = Probabilities::new(vec![1.0, 0.0, 0.0, 0.5, 0.5, 0.0], 3).unwrap();
        let sample = Sample::new(p, vec![Some(0), None]).unwrap();
        assert!(sample.is_ever_probable(0));
        assert!(!sample.is_ever_probable(1));
    }
}
