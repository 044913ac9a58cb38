//! Mistakes that no single row shows: labels that are predictions, and weights that leave a few rows.

use crate::data::{DistinctValues, Sample};

/// Fewer labelled rows may all be predicted right.
const MIN_PREDICTED: u64 = 10;

/// So many are suspicious, whatever the black box says.
const MANY_PREDICTED: u64 = 50;

/// Fewer than those are suspicious if, by its own probabilities, the black box is right in all of them less often than this.
const CHANCE: f64 = 0.01;

/// Row weights are suspicious if they leave fewer than one in so many rows, or less than two: then one row outweighs all others.
const ROWS_PER_EFFECTIVE: f64 = 10.0;

/// Checks the rows of a fit as a whole; they may be added in parts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowChecks {
    pub(crate) values: DistinctValues,
    /// Labelled rows of positive weight.
    labelled: u64,
    labels: Labels,
    /// Logarithm of the probability, by the black box, that all rows so far are predicted right, while they are.
    log_chance: f64,
    /// Sum of the row weights and of their squares, and the largest.
    weight: f64,
    squares: f64,
    heaviest: f64,
}

/// What the labels of the rows so far are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Labels {
    #[default]
    None,
    /// The classes with the largest probability, all of them this one.
    Predicted(usize),
    /// … of several classes.
    AllPredicted,
    /// A label is another class than the predicted one.
    Own,
}

impl RowChecks {
    /// Adds rows.
    pub fn add(&mut self, sample: &Sample) {
        self.values.add(sample.probabilities());
        if sample.weights().is_none() {
            // Nothing to add up, and the labels are soon their own.
            let n = sample.n_labelled();
            self.labelled += n;
            self.weight += n as f64;
            self.squares += n as f64;
            self.heaviest = self.heaviest.max(1.0);
            let labelled = (0..sample.n_rows()).filter_map(|row| Some((row, sample.label(row)?)));
            for (row, label) in labelled {
                if self.labels == Labels::Own {
                    break;
                }
                self.add_label(sample, row, label);
            }
            return;
        }
        for row in 0..sample.n_rows() {
            let (Some(label), weight) = (sample.label(row), sample.weight(row)) else { continue };
            if weight > 0.0 {
                self.labelled += 1;
                self.weight += weight;
                self.squares += weight * weight;
                self.heaviest = self.heaviest.max(weight);
                if self.labels != Labels::Own {
                    self.add_label(sample, row, label);
                }
            }
        }
    }

    fn add_label(&mut self, sample: &Sample, row: usize, label: usize) {
        self.labels = self.labels.with(label, is_predicted(sample, row, label));
        self.log_chance += sample.probabilities().get(row, label).ln();
    }

    /// A message if every label is the prediction of the black box.
    pub(crate) fn labels_warning(&self) -> Option<&'static str> {
        let is_suspicious = self.labelled >= MANY_PREDICTED
            || self.labelled >= MIN_PREDICTED && self.log_chance < CHANCE.ln();
        (self.labels == Labels::AllPredicted && is_suspicious).then_some(
            "every label is the class with the largest probability, so nothing can be improved on these rows: check that the \
             labels are the truth, not the predictions of the black box",
        )
    }

    /// A message if a few rows outweigh all others. By Kish, the effective number of rows is (Σw)² / Σw².
    pub(crate) fn weights_warning(&self) -> Option<String> {
        let effective = self.weight / self.squares * self.weight;
        let fewest = (self.labelled as f64 / ROWS_PER_EFFECTIVE).max(2.0);
        (self.labelled > 2 && effective < fewest).then(|| {
            format!(
                "the row weights leave an effective number of {effective:.1} of {} rows: the heaviest, of weight {:?}, has \
                 {:.0}% of the total weight; check the weights, or limit the largest",
                self.labelled,
                self.heaviest,
                100.0 * self.heaviest / self.weight
            )
        })
    }
}

impl Labels {
    /// With one more label.
    fn with(self, label: usize, is_predicted: bool) -> Self {
        match self {
            _ if !is_predicted => Self::Own,
            Self::None => Self::Predicted(label),
            Self::Predicted(other) if other == label => self,
            _ => Self::AllPredicted,
        }
    }
}

/// Whether no class has a larger probability in this row.
pub(super) fn is_predicted(sample: &Sample, row: usize, class: usize) -> bool {
    let own = sample.probabilities().get(row, class);
    sample.probabilities().row(row).all(|other| other <= own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;

    /// Rows whose labels are the predictions, for `n` rows of two classes.
    fn sample(n: usize) -> Sample {
        sample_of(n, [[0.3, 0.7], [0.6, 0.4]])
    }

    fn sample_of(n: usize, rows: [[f64; 2]; 2]) -> Sample {
        let values = (0..n).flat_map(|row| rows[usize::from(row % 3 > 0)]).collect();
        let labels = (0..n).map(|row| Some(usize::from(row % 3 == 0))).collect();
        Sample::new(Probabilities::new(values, 2).unwrap(), labels).unwrap()
    }

    fn checks(samples: &[Sample]) -> RowChecks {
        let mut checks = RowChecks::default();
        for sample in samples {
            checks.add(sample);
        }
        checks
    }

    #[test]
    fn labels_that_are_all_predicted_are_suspicious_unless_they_are_few_or_of_one_class() {
        assert!(checks(&[sample(11)]).labels_warning().is_some());
        assert!(checks(&[sample(5), sample(6)]).labels_warning().is_some());
        assert_eq!(checks(&[sample(9)]).labels_warning(), None);
        let one_class = sample(20).labels((0..20).map(|row| (row % 3 == 0).then_some(1))).unwrap();
        assert_eq!(checks(&[one_class]).labels_warning(), None);
        let with_an_error =
            sample(20).labels((0..20).map(|row| usize::from(row % 3 == 0 || row == 19))).unwrap();
        assert_eq!(checks(&[with_an_error]).labels_warning(), None);
        // A black box that is sure of its classes may be right in all of a few rows.
        let sure = |n: usize| sample_of(n, [[0.05, 0.95], [0.95, 0.05]]);
        assert_eq!(checks(&[sure(49)]).labels_warning(), None);
        assert!(checks(&[sure(50)]).labels_warning().is_some());
    }

    #[test]
    fn a_row_that_outweighs_all_others_is_suspicious_and_usual_weights_are_not() {
        let weighed = |weight: &dyn Fn(usize) -> f64| {
            let weights = (0..100).map(weight).collect();
            checks(&[sample(100).with_weights(weights).unwrap()]).weights_warning()
        };
        let message = weighed(&|row| if row == 17 { 1e99 } else { 1.0 }).unwrap();
        assert!(message.contains("effective number of 1.0 of 100 rows"), "{message}");
        assert!(message.contains("of weight 1e99, has 100% of"), "{message}");
        assert_eq!(
            weighed(&|row| if row % 10 == 0 { 1e100 } else { 0.0 }),
            None,
            "rows of weight 0 do not count"
        );
        assert_eq!(weighed(&|row| 1.0 + row as f64), None);
        let few = |weights: Vec<f64>| {
            checks(&[sample(weights.len()).with_weights(weights).unwrap()]).weights_warning()
        };
        assert!(few(vec![1.0, 1.0, 9.0]).is_some());
        assert_eq!(few(vec![1.0, 9.0]), None);
        assert_eq!(few(vec![1.0, 1.0, 1.0, 3.0]), None);
        assert_eq!(weighed(&|row| if row % 5 == 0 { 20.0 } else { 1.0 }), None);
        assert_eq!(checks(&[sample(100)]).weights_warning(), None);
    }
}
