//! Class probabilities of the black box: an n × m matrix, checked once.

mod numbers; // owned or shared buffers
mod values; // single or double precision
mod scores; // scores of any scale, rounded rows, one column for two classes

use std::sync::Arc;

pub(crate) use numbers::Numbers;
pub use scores::{RowSums, Scores};
pub(crate) use values::{Real, Values, with_values};

use crate::data::check_length;
use crate::data::class_names::check_count;
use crate::error::Error;

/// Largest deviation of a row sum from 1; allows for probabilities printed with few digits.
const ROW_SUM_TOLERANCE: f64 = 1e-3;

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
    /// Fewer than two or too many classes, an incomplete last row, or a row that breaks an invariant above.
    pub fn new(values: Vec<f64>, n_classes: usize) -> Result<Self, Error> {
        check_rows(&values, n_classes)?;
        Ok(Self { values: Values::F64(values.into()), n_classes })
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

    /// Appends the rows of `more`, for data that arrive in chunks.
    ///
    /// # Errors
    ///
    /// If the chunks do not have the same number of classes, or the rows do not fit into memory.
    pub fn append(&mut self, more: Self) -> Result<(), Error> {
        check_length("classes", more.n_classes, self.n_classes)?;
        self.values.append(more.values)
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
    check_count(n_classes)?;
    if !values.is_multiple_of(n_classes) {
        return Err(Error::RaggedMatrix { values, classes: n_classes });
    }
    Ok(())
}

/// Returns an error for the first invalid row.
fn check_rows<T: Real>(values: &[T], n_classes: usize) -> Result<(), Error> {
    check_shape(values.len(), n_classes)?;
    for (i, row) in values.chunks_exact(n_classes).enumerate() {
        check_sum(row_sum(row, i)?, i, ROW_SUM_TOLERANCE)?;
    }
    Ok(())
}

/// The sum of a row, whose values must be finite and not negative.
fn row_sum<T: Real>(row: &[T], i: usize) -> Result<f64, Error> {
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
    Ok(sum)
}

/// An error if the sum of a row is not 1.
fn check_sum(sum: f64, i: usize, tolerance: f64) -> Result<(), Error> {
    // Not `>`, which is false for an infinite sum minus itself.
    if (sum - 1.0).abs() <= tolerance { Ok(()) } else { Err(Error::RowSum { row: i, sum }) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
