//! Probabilities from what black boxes return: scores of any scale, rounded rows, one column for two classes.

use serde::{Deserialize, Serialize};

use super::{Probabilities, ROW_SUM_TOLERANCE, Values, check_shape, check_sum, row_sum};
use crate::error::Error;

/// Largest deviation of a row sum that rounding explains: four classes with two digits may be off by 0.02, and sums of decimals
/// by a little more.
const ROUNDING_TOLERANCE: f64 = 0.02 + 1e-9;

/// Largest deviation of a row of percentages from 100.
const PERCENT_TOLERANCE: f64 = 1.0;

/// The scale of the scores of the black box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Scores {
    /// Probabilities.
    #[default]
    Probabilities,
    /// Logits: converted by a softmax over the row. Minus infinity is probability 0.
    Logits,
    /// Natural logarithms of probabilities: converted by `exp`. Minus infinity is probability 0.
    Logprobs,
    /// Percentages: every row sums to 100 ± 1 and is divided by its sum.
    Percentages,
}

impl Scores {
    /// Every scale.
    pub const ALL: [Self; 4] = [Self::Probabilities, Self::Logits, Self::Logprobs, Self::Percentages];

    /// Its name as an option: `probabilities`, `logits`, `logprobs` or `percentages`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Probabilities => "probabilities",
            Self::Logits => "logits",
            Self::Logprobs => "logprobs",
            Self::Percentages => "percentages",
        }
    }
}

/// Rows from which a single column of numbers shows its scale.
const MIN_SHOWN: usize = 10;

impl Scores {
    /// What the numbers of rows look like, if that is another scale than this one: a clause such as `every row sums to 1 like
    /// probabilities`. With one number per row, that of the second of two classes.
    ///
    /// ```
    /// use cwplugin::Scores;
    ///
    /// let rows = [0.7, 0.2, 0.1, 0.5, 0.5, 0.0];
    /// assert_eq!(Scores::Logits.unlike(&rows, 3), Some("every row sums to 1 like probabilities"));
    /// assert_eq!(Scores::Probabilities.unlike(&rows, 3), None);
    /// ```
    pub fn unlike(self, values: &[f64], n_columns: usize) -> Option<&'static str> {
        let all = |low: f64, high: f64| values.iter().all(|value| (low..=high).contains(value));
        let sums = |to: f64, tolerance: f64| {
            let mut rows = values.chunks_exact(n_columns.max(1));
            rows.all(|row| (row.iter().sum::<f64>() - to).abs() <= tolerance)
        };
        match (self, n_columns) {
            _ if values.is_empty() => None,
            (Self::Logits, 1) => (values.len() >= MIN_SHOWN && all(0.0, 1.0))
                .then_some("the numbers are from 0 to 1 like probabilities"),
            (Self::Percentages, 1) => {
                all(f64::NEG_INFINITY, 1.0).then_some("the numbers are at most 1 like probabilities")
            }
            (Self::Logits, _) if all(0.0, f64::INFINITY) && sums(1.0, ROUNDING_TOLERANCE) => {
                Some("every row sums to 1 like probabilities")
            }
            (Self::Logits, _) if all(0.0, f64::INFINITY) && sums(100.0, PERCENT_TOLERANCE) => {
                Some("every row sums to 100 like percentages")
            }
            _ => None,
        }
    }
}

/// How to treat rows that do not sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowSums {
    /// Return an error if the sum differs from 1 by more than 0.001.
    #[default]
    MustBeOne,
    /// Divide the row by its sum.
    Normalize,
}

impl Probabilities {
    /// Probabilities from scores of any scale; `sums` sets how rows that do not sum to 1 are treated.
    ///
    /// # Errors
    ///
    /// As [`Probabilities::new`]; with [`RowSums::Normalize`] also for a row of zeros.
    pub fn from_scores(
        mut values: Vec<f64>,
        n_classes: usize,
        scores: Scores,
        sums: RowSums,
    ) -> Result<Self, Error> {
        if (scores, sums) == (Scores::Probabilities, RowSums::MustBeOne) {
            return Self::new(values, n_classes);
        }
        check_shape(values.len(), n_classes)?;
        for (i, row) in values.chunks_exact_mut(n_classes).enumerate() {
            to_probabilities(row, i, scores)?;
            let sum = row_sum(row, i)?;
            match sums {
                RowSums::MustBeOne => check_sum(sum, i, ROW_SUM_TOLERANCE)?,
                RowSums::Normalize if sum <= 0.0 => return Err(Error::ZeroRow { row: i }),
                RowSums::Normalize if !sum.is_finite() => return Err(Error::RowSum { row: i, sum }),
                RowSums::Normalize => divide(row, sum),
            }
        }
        Ok(Self { values: Values::F64(values.into()), n_classes })
    }

    /// Probabilities that may have been rounded, and the number of rows that were divided by their sum.
    ///
    /// A row whose sum differs from 1 by at most 0.001 is left as it is; one that differs by at most 0.02 is divided by its sum.
    ///
    /// # Errors
    ///
    /// As [`Probabilities::new`].
    pub fn rounded(mut values: Vec<f64>, n_classes: usize) -> Result<(Self, usize), Error> {
        check_shape(values.len(), n_classes)?;
        let mut rounded = 0;
        for (i, row) in values.chunks_exact_mut(n_classes).enumerate() {
            let sum = row_sum(row, i)?;
            check_sum(sum, i, ROUNDING_TOLERANCE)?;
            if check_sum(sum, i, ROW_SUM_TOLERANCE).is_err() {
                divide(row, sum);
                rounded += 1;
            }
        }
        Ok((Self { values: Values::F64(values.into()), n_classes }, rounded))
    }

    /// Probabilities of two classes from scores of the second one.
    ///
    /// # Errors
    ///
    /// A value that is not a probability: not finite, negative, or above 1.
    ///
    /// ```
    /// use cwplugin::{Probabilities, Scores};
    ///
    /// let p = Probabilities::of_positive(&[0.75], Scores::Probabilities)?;
    /// assert_eq!(p.row(0).collect::<Vec<_>>(), [0.25, 0.75]);
    /// # Ok::<(), cwplugin::Error>(())
    /// ```
    pub fn of_positive(values: &[f64], scores: Scores) -> Result<Self, Error> {
        if scores == Scores::Logits {
            // The softmax of 0 and x is the sigmoid of x.
            let both = values.iter().flat_map(|&value| [0.0, value]).collect();
            return Self::from_scores(both, 2, scores, RowSums::MustBeOne);
        }
        let mut both = Vec::with_capacity(2 * values.len());
        for (row, &value) in values.iter().enumerate() {
            let positive = match scores {
                Scores::Logprobs => value.exp(),
                Scores::Percentages => value / 100.0,
                _ => value,
            };
            if !positive.is_finite() {
                return Err(Error::NotFinite { row, class: 1, value });
            }
            if positive < 0.0 {
                return Err(Error::Negative { row, class: 1, value });
            }
            if positive > 1.0 {
                return Err(Error::AboveOne { row, class: 1, value });
            }
            both.extend([1.0 - positive, positive]);
        }
        Ok(Self { values: Values::F64(both.into()), n_classes: 2 })
    }
}

/// Converts the scores of one row to probabilities. Rejects scores whose conversion would hide that they are invalid.
fn to_probabilities(row: &mut [f64], i: usize, scores: Scores) -> Result<(), Error> {
    if scores == Scores::Probabilities {
        return Ok(());
    }
    if scores == Scores::Percentages {
        let sum = row_sum(row, i)?;
        if (sum - 100.0).abs() > PERCENT_TOLERANCE {
            return Err(Error::PercentSum { row: i, sum });
        }
        divide(row, sum);
        return Ok(());
    }
    let mut top = f64::NEG_INFINITY;
    for (class, &value) in row.iter().enumerate() {
        if value.is_nan() || value == f64::INFINITY {
            return Err(Error::NotFinite { row: i, class, value });
        }
        if scores == Scores::Logprobs && value > ROW_SUM_TOLERANCE {
            return Err(Error::AboveZero { row: i, class, value });
        }
        top = top.max(value);
    }
    if scores == Scores::Logprobs {
        for v in row {
            *v = v.exp();
        }
        return Ok(());
    }
    if top == f64::NEG_INFINITY {
        return Err(Error::ZeroRow { row: i });
    }
    for v in row.iter_mut() {
        *v = (*v - top).exp();
    }
    let sum: f64 = row.iter().sum(); // ≥ 1: the largest logit became exp(0)
    divide(row, sum);
    Ok(())
}

fn divide(row: &mut [f64], sum: f64) {
    for v in row {
        *v /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(values: &[f64], kind: Scores, sums: RowSums) -> Result<Probabilities, Error> {
        Probabilities::from_scores(values.to_vec(), 2, kind, sums)
    }

    #[test]
    fn normalising_divides_by_the_sum_and_rejects_a_row_of_zeros() {
        let p = scores(&[1.0, 3.0], Scores::Probabilities, RowSums::Normalize).unwrap();
        assert!(p.row(0).eq([0.25, 0.75]));
        assert_eq!(
            scores(&[0.0, 0.0], Scores::Probabilities, RowSums::Normalize).unwrap_err(),
            Error::ZeroRow { row: 0 }
        );
    }

    #[test]
    fn logits_and_logprobs_may_be_minus_infinity_but_not_nan() {
        let p = scores(&[f64::NEG_INFINITY, 800.0], Scores::Logits, RowSums::MustBeOne).unwrap();
        assert!(p.row(0).eq([0.0, 1.0]));
        let p = scores(&[0.25_f64.ln(), 0.75_f64.ln()], Scores::Logprobs, RowSums::MustBeOne).unwrap();
        assert!((p.get(0, 0) - 0.25).abs() < 1e-15);
        assert!(scores(&[f64::NAN, 0.0], Scores::Logits, RowSums::MustBeOne).is_err());
        assert!(scores(&[-1.0, -1.0], Scores::Logprobs, RowSums::MustBeOne).is_err());
        assert_eq!(
            scores(&[0.7, 0.3], Scores::Logprobs, RowSums::Normalize).unwrap_err(),
            Error::AboveZero { row: 0, class: 0, value: 0.7 }
        );
    }

    #[test]
    fn rounded_rows_are_divided_by_their_sum_and_others_keep_their_bits() {
        let rows = vec![0.5, 0.4991, 0.6, 0.42];
        let (p, rounded) = Probabilities::rounded(rows, 2).unwrap();
        assert!((0..2).flat_map(|i| p.row(i)).eq([0.5, 0.4991, 0.6 / 1.02, 0.42 / 1.02]));
        assert_eq!(rounded, 1);
        assert_eq!(
            Probabilities::rounded(vec![0.6, 0.425], 2).unwrap_err(),
            Error::RowSum { row: 0, sum: 1.025 }
        );
    }

    #[test]
    fn percentages_sum_to_100_within_1() {
        let percent = |row: [f64; 2]| scores(&row, Scores::Percentages, RowSums::MustBeOne);
        assert!(percent([25.0, 75.0]).unwrap().row(0).eq([0.25, 0.75]));
        assert!(percent([25.0, 75.9]).is_ok());
        assert_eq!(percent([25.0, 73.5]).unwrap_err(), Error::PercentSum { row: 0, sum: 98.5 });
        assert_eq!(percent([-1.0, 101.0]).unwrap_err(), Error::Negative { row: 0, class: 0, value: -1.0 });
        assert!(percent([f64::NAN, 1.0]).is_err());
    }

    #[test]
    fn numbers_of_another_scale_are_recognised() {
        let sums_to_1 = Some("every row sums to 1 like probabilities");
        assert_eq!(Scores::Logits.unlike(&[0.7, 0.3, 1.0, 0.0], 2), sums_to_1);
        assert_eq!(Scores::Logits.unlike(&[0.7, 0.31], 2), sums_to_1, "rounded");
        assert_eq!(Scores::Logits.unlike(&[70.0, 30.0], 2), Some("every row sums to 100 like percentages"));
        for logits in [&[0.7, 0.3, 1.5, -0.5][..], &[0.7, 0.4], &[f64::NAN, 1.0], &[]] {
            assert_eq!(Scores::Logits.unlike(logits, 2), None, "{logits:?}");
        }
        let column = [0.1, 0.5].repeat(5);
        assert_eq!(Scores::Logits.unlike(&column, 1), Some("the numbers are from 0 to 1 like probabilities"));
        assert_eq!(Scores::Logits.unlike(&column[..9], 1), None, "few logits may be from 0 to 1");
        assert_eq!(
            Scores::Percentages.unlike(&column, 1),
            Some("the numbers are at most 1 like probabilities")
        );
        assert_eq!(Scores::Percentages.unlike(&[0.5, 20.0], 1), None);
        assert_eq!(Scores::Probabilities.unlike(&[0.7, 0.3], 2), None);
    }

    #[test]
    fn one_column_is_enough_for_two_classes() {
        let of = |value: f64, scores| {
            Probabilities::of_positive(&[value], scores).map(|p| p.row(0).collect::<Vec<_>>())
        };
        assert_eq!(of(0.25, Scores::Probabilities).unwrap(), [0.75, 0.25]);
        assert_eq!(of(25.0, Scores::Percentages).unwrap(), [0.75, 0.25]);
        assert_eq!(of(0.0, Scores::Logits).unwrap(), [0.5, 0.5]);
        assert!((of(0.25_f64.ln(), Scores::Logprobs).unwrap()[1] - 0.25).abs() < 1e-15);
        let above = Error::AboveOne { row: 0, class: 1, value: 1.5 };
        assert_eq!(of(1.5, Scores::Probabilities).unwrap_err(), above);
        assert_eq!(
            of(-0.5, Scores::Probabilities).unwrap_err(),
            Error::Negative { row: 0, class: 1, value: -0.5 }
        );
        assert!(of(f64::NAN, Scores::Logprobs).is_err());
    }
}
