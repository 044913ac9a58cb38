//! The scores of one method for one metric at one sample size.

use super::test_bootstrap::REPLICATES;
use crate::error::Error;
use crate::report::Estimate;

/// The scores of a method on the test rows, one per sample it was fitted on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cell {
    /// Name of the method.
    pub method: String,
    /// Name of the metric.
    pub metric: String,
    /// Rows of each sample.
    pub size: usize,
    /// The scores, in the order of the repeats; failed fits are missing.
    pub scores: Vec<f64>,
    /// The failed fits.
    pub failures: Vec<Failure>,
    /// Sum of the differences to the black box, for every replicate of the test rows.
    differences: Option<Vec<f64>>,
}

/// The score of one rule on the test rows.
#[derive(Debug, Clone)]
pub(super) struct Score {
    pub(super) value: f64,
    /// The difference to the black box in each replicate of the test rows, if known.
    pub(super) differences: Option<Vec<f64>>,
}

/// A fit that failed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// Index of the sample, from 0.
    pub repeat: usize,
    /// The cause.
    pub error: Error,
}

impl Cell {
    pub(super) fn new(method: &str, metric: &str, size: usize) -> Self {
        let differences = Some(vec![0.0; REPLICATES]);
        Self {
            method: method.into(),
            metric: metric.into(),
            size,
            scores: Vec::new(),
            failures: Vec::new(),
            differences,
        }
    }

    pub(super) fn add(&mut self, repeat: usize, score: Result<Score, Error>) {
        match score {
            Ok(Score { value, differences }) => {
                self.scores.push(value);
                let both = self.differences.take().zip(differences);
                self.differences = both.map(|(sums, differences)| {
                    sums.iter().zip(differences).map(|(sum, gap)| sum + gap).collect()
                });
            }
            Err(error) => self.failures.push(Failure { repeat, error }),
        }
    }

    /// The mean of the scores; `None` if every fit failed.
    pub fn mean(&self) -> Option<f64> {
        // The mean of equal scores is exact: `clean` is the same in every repeat.
        let first = *self.scores.first()?;
        let beyond: f64 = self.scores.iter().map(|score| score - first).sum();
        Some(first + beyond / self.scores.len() as f64)
    }

    /// The standard deviation between samples (n − 1); `None` with fewer than two scores.
    pub fn sd(&self) -> Option<f64> {
        let mean = self.mean()?;
        let degrees = self.scores.len().checked_sub(1).filter(|&degrees| degrees > 0)?;
        let squares: f64 = self.scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        Some((squares / degrees as f64).sqrt())
    }

    /// The standard error of the mean difference to the black box that is due to the test rows, which are the same in every
    /// repeat; `None` if unknown.
    pub fn test_error(&self) -> Option<f64> {
        let differences = self.differences.as_ref().filter(|_| !self.scores.is_empty())?;
        Some(Estimate::of(differences).sd / self.scores.len() as f64)
    }

    /// The standard error of the mean over the repeats; `None` with fewer than two scores.
    pub fn standard_error(&self) -> Option<f64> {
        Some(self.sd()? / (self.scores.len() as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(scores: &[f64]) -> Cell {
        let mut cell = Cell::new("clean", "accuracy", 50);
        scores
            .iter()
            .enumerate()
            .for_each(|(repeat, &score)| cell.add(repeat, Ok(Score { value: score, differences: None })));
        cell
    }

    #[test]
    fn mean_and_deviation_are_those_of_a_sample() {
        let cell = cell(&[0.2, 0.4, 0.9]);
        assert!((cell.mean().unwrap() - 0.5).abs() < 1e-15);
        assert!((cell.sd().unwrap() - 0.13_f64.sqrt()).abs() < 1e-15);
        assert!((cell.standard_error().unwrap() - (0.13_f64 / 3.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn equal_scores_have_no_deviation_and_few_have_none_known() {
        assert_eq!((cell(&[0.1; 5]).mean(), cell(&[0.1; 5]).sd()), (Some(0.1), Some(0.0)));
        assert_eq!((cell(&[0.1]).mean(), cell(&[0.1]).sd()), (Some(0.1), None));
        assert_eq!((cell(&[]).mean(), cell(&[]).sd()), (None, None));
    }

    #[test]
    fn a_failure_is_recorded_and_the_others_count() {
        let mut cell = cell(&[0.5]);
        cell.add(1, Err(Error::NoLabelledRows));
        assert_eq!(cell.mean(), Some(0.5));
        assert_eq!(cell.failures, [Failure { repeat: 1, error: Error::NoLabelledRows }]);
    }
}
