//! Class probabilities of the black box: an n × m matrix, checked once.

mod numbers; // owned or shared buffers
mod values; // single or double precision

use std::sync::Arc;

pub(crate) use numbers::Numbers;
pub(crate) use values::{Real, Values, with_values};

use crate::data::check_length;
use crate::error::Error;

/// Largest deviation of a row sum from 1; allows for probabilities printed with few digits.
const ROW_SUM_TOLERANCE: f64 = 1e-3;

/// The scale of the scores of the black box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Scores {
    /// Probabilities.
    #[default]
    Probabilities,
    /// Logits: converted by a softmax over the row. Minus infinity is probability 0.
    Logits,
    /// Natural logarithms of probabilities: converted by `exp`. Minus infinity is probability 0.
    Logprobs,
}

impl Scores {
    /// Every scale.
    pub const ALL: [Self; 3] = [Self::Probabilities, Self::Logits, Self::Logprobs];

    /// Its name as an option: `probabilities`, `logits` or `logprobs`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Probabilities => "probabilities",
            Self::Logits => "logits",
            Self::Logprobs => "logprobs",
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

/// Class probabilities of n rows over m classes.
///
/// Invariants: m ≥ 2; `values.len()` is a multiple of m; every value is finite and ≥ 0; every row sums to 1 within
/// 0.001. Other code relies on this without checking again.
///
/// ```
/// use cwplugin::Probabilities;
///
/// let p = Probabilities::new(vec![0.7, 0.3, 0.2, 0.8], 2)?;
/// assert_eq!(p.n_rows(), 2);
/// assert_eq!(p.row(1).collect::<Vec<_>>(), [0.2, 0.8]);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Probabilities {
    values: Values,
    n_classes: usize,
}

impl Probabilities {
    /// Probabilities in row-major order.
    ///
    /// # Errors
    ///
    /// Fewer than two classes, an incomplete last row, or a row that breaks an invariant above.
    pub fn new(values: Vec<f64>, n_classes: usize) -> Result<Self, Error> {
        Self::from_scores(values, n_classes, Scores::Probabilities, RowSums::MustBeOne)
    }

    /// Single-precision probabilities in row-major order. They are stored as `f32`; all computation is in `f64`.
    ///
    /// # Errors
    ///
    /// As [`Probabilities::new`].
    pub fn from_f32(values: Vec<f32>, n_classes: usize) -> Result<Self, Error> {
        check_rows(&values, n_classes)?;
        Ok(Self { values: Values::F32(values.into()), n_classes })
    }

    /// Probabilities in a shared buffer, e.g. an array owned by Python; they are not copied.
    ///
    /// # Errors
    ///
    /// As [`Probabilities::new`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use cwplugin::Probabilities;
    ///
    /// let theirs = Arc::new([0.7, 0.3, 0.2, 0.8]);
    /// let p = Probabilities::shared(theirs.clone(), 2)?;
    /// assert_eq!(p.as_f64().map(<[f64]>::as_ptr), Some(theirs.as_ptr()));
    /// # Ok::<(), cwplugin::Error>(())
    /// ```
    pub fn shared(values: Arc<dyn AsRef<[f64]> + Send + Sync>, n_classes: usize) -> Result<Self, Error> {
        check_rows((*values).as_ref(), n_classes)?;
        Ok(Self { values: Values::F64(Numbers::Shared(values)), n_classes })
    }

    /// [`Probabilities::shared`] in single precision.
    ///
    /// # Errors
    ///
    /// As [`Probabilities::new`].
    pub fn shared_f32(values: Arc<dyn AsRef<[f32]> + Send + Sync>, n_classes: usize) -> Result<Self, Error> {
        check_rows((*values).as_ref(), n_classes)?;
        Ok(Self { values: Values::F32(Numbers::Shared(values)), n_classes })
    }

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
            check_rows(&values, n_classes)?;
            return Ok(Self { values: Values::F64(values.into()), n_classes });
        }
        check_shape(values.len(), n_classes)?;
        for (i, row) in values.chunks_exact_mut(n_classes).enumerate() {
            to_probabilities(row, i, scores)?;
            let sum = check_row(row, i, sums)?;
            if sums == RowSums::Normalize {
                divide(row, sum);
            }
        }
        Ok(Self { values: Values::F64(values.into()), n_classes })
    }

    /// Appends the rows of `more`, for data that arrive in chunks.
    ///
    /// # Errors
    ///
    /// If the chunks do not have the same number of classes.
    pub fn append(&mut self, more: Self) -> Result<(), Error> {
        check_length("classes", more.n_classes, self.n_classes)?;
        self.values.append(more.values);
        Ok(())
    }

    /// These rows, in this order.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        Self { values: self.values.select(self.n_classes, rows), n_classes: self.n_classes }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        with_values!(self, values => values.len() / self.n_classes)
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The probability of one class in one row.
    ///
    /// # Panics
    ///
    /// If there is no such row or class.
    pub fn get(&self, row: usize, class: usize) -> f64 {
        assert!(class < self.n_classes, "no class {class}");
        with_values!(self, values => number(values[row * self.n_classes + class]))
    }

    /// The probabilities of one row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = f64> {
        (0..self.n_classes).map(move |class| self.get(row, class))
    }

    /// The values in row-major order, if stored as `f64`.
    pub fn as_f64(&self) -> Option<&[f64]> {
        if let Values::F64(values) = &self.values { Some(values) } else { None }
    }

    /// The values in row-major order, if stored as `f32`.
    pub fn as_f32(&self) -> Option<&[f32]> {
        if let Values::F32(values) = &self.values { Some(values) } else { None }
    }

    /// The values in row-major order.
    pub(crate) fn values(&self) -> &Values {
        &self.values
    }
}

fn number(value: impl Real) -> f64 {
    value.into()
}

fn check_shape(values: usize, n_classes: usize) -> Result<(), Error> {
    if n_classes < 2 {
        return Err(Error::TooFewClasses { found: n_classes });
    }
    if !values.is_multiple_of(n_classes) {
        return Err(Error::RaggedMatrix { values, classes: n_classes });
    }
    Ok(())
}

/// Converts the scores of one row to probabilities. Rejects scores whose conversion would hide that they are invalid.
fn to_probabilities(row: &mut [f64], i: usize, scores: Scores) -> Result<(), Error> {
    if scores == Scores::Probabilities {
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

/// Returns an error for the first invalid row.
fn check_rows<T: Real>(values: &[T], n_classes: usize) -> Result<(), Error> {
    check_shape(values.len(), n_classes)?;
    for (i, row) in values.chunks_exact(n_classes).enumerate() {
        check_row(row, i, RowSums::MustBeOne)?;
    }
    Ok(())
}

/// Checks one row and returns its sum.
fn check_row<T: Real>(row: &[T], i: usize, sums: RowSums) -> Result<f64, Error> {
    let mut sum = 0.0;
    let mut smallest = 0.0_f64;
    for &value in row {
        let value: f64 = value.into();
        sum += value;
        smallest = smallest.min(value);
    }
    // A value that is not finite makes the sum not finite. Only then search for it.
    if !sum.is_finite() || smallest < 0.0 {
        for (class, &value) in row.iter().enumerate() {
            let value: f64 = value.into();
            if !value.is_finite() {
                return Err(Error::NotFinite { row: i, class, value });
            }
            if value < 0.0 {
                return Err(Error::Negative { row: i, class, value });
            }
        }
    }
    match sums {
        RowSums::MustBeOne if (sum - 1.0).abs() > ROW_SUM_TOLERANCE => Err(Error::RowSum { row: i, sum }),
        RowSums::Normalize if sum <= 0.0 => Err(Error::ZeroRow { row: i }),
        RowSums::Normalize if !sum.is_finite() => Err(Error::RowSum { row: i, sum }),
        _ => Ok(sum),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(values: &[f64], kind: Scores, sums: RowSums) -> Result<Probabilities, Error> {
        Probabilities::from_scores(values.to_vec(), 2, kind, sums)
    }

    #[test]
    fn invalid_values_are_rejected_with_row_and_class() {
        let good = [0.5, 0.5];
        let with = |bad: [f64; 2]| Probabilities::new([good, bad].concat(), 2).unwrap_err();
        assert_eq!(with([-0.1, 1.1]), Error::Negative { row: 1, class: 0, value: -0.1 });
        assert_eq!(with([0.0, f64::INFINITY]), Error::NotFinite { row: 1, class: 1, value: f64::INFINITY });
        assert!(matches!(with([f64::NAN, 1.0]), Error::NotFinite { row: 1, class: 0, .. }));
        assert_eq!(with([0.5, 0.25]), Error::RowSum { row: 1, sum: 0.75 });
        assert_eq!(
            Probabilities::new(vec![1.0; 3], 2).unwrap_err(),
            Error::RaggedMatrix { values: 3, classes: 2 }
        );
        assert_eq!(Probabilities::new(vec![1.0], 1).unwrap_err(), Error::TooFewClasses { found: 1 });
    }

    #[test]
    fn row_sums_have_a_tolerance_of_a_thousandth() {
        assert!(Probabilities::new(vec![0.5, 0.4991], 2).is_ok());
        assert!(Probabilities::new(vec![0.5, 0.4989], 2).is_err());
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
    fn single_precision_input_gives_the_same_rows() {
        let p = Probabilities::from_f32(vec![0.25, 0.75], 2).unwrap();
        assert!(p.row(0).eq([0.25, 0.75]));
        assert_eq!((p.as_f64(), p.as_f32()), (None, Some(&[0.25, 0.75][..])));
    }

    #[test]
    fn chunks_append_in_order() {
        let mut p = Probabilities::new(vec![], 2).unwrap();
        p.append(Probabilities::new(vec![1.0, 0.0], 2).unwrap()).unwrap();
        p.append(Probabilities::new(vec![0.0, 1.0], 2).unwrap()).unwrap();
        p.append(Probabilities::from_f32(vec![0.25, 0.75], 2).unwrap()).unwrap();
        assert!((0..3).flat_map(|i| p.row(i)).eq([1.0, 0.0, 0.0, 1.0, 0.25, 0.75]));
        assert!(p.append(Probabilities::new(vec![], 3).unwrap()).is_err());
    }
}
