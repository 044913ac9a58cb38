//! Features of the rows: numbers other than probabilities, e.g. an embedding.

use crate::data::check_length;
use crate::data::probabilities::{Values, with_values};
use crate::error::Error;

/// Largest absolute value; the squares in a standard deviation would overflow beyond it.
const LARGEST: f64 = 1e100;

/// n rows of d features.
///
/// Invariants: d ≥ 1; the number of values is a multiple of d; every value is from -1e100 to 1e100.
///
/// ```
/// use cwplugin::Features;
///
/// let features = Features::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2)?;
/// assert_eq!((features.n_rows(), features.n_columns()), (3, 2));
/// assert_eq!(features.select(&[2, 0])?, Features::new(vec![5.0, 6.0, 1.0, 2.0], 2)?);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    values: Values,
    n_columns: usize,
    names: Option<Vec<String>>,
}

impl Features {
    /// Features in row-major order.
    ///
    /// # Errors
    ///
    /// No column, an incomplete last row, or a value that is not a number from -1e100 to 1e100.
    pub fn new(values: Vec<f64>, n_columns: usize) -> Result<Self, Error> {
        check(&values, n_columns)?;
        Ok(Self { values: Values::F64(values.into()), n_columns, names: None })
    }

    /// Single-precision features in row-major order. They are stored as `f32`; all computation is in `f64`.
    ///
    /// # Errors
    ///
    /// As [`Features::new`].
    pub fn from_f32(values: Vec<f32>, n_columns: usize) -> Result<Self, Error> {
        check(&values, n_columns)?;
        Ok(Self { values: Values::F32(values.into()), n_columns, names: None })
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        with_values!(self, values => values.len() / self.n_columns)
    }

    /// Number of features.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// The features of one row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = f64> {
        let mut values = vec![0.0; self.n_columns];
        self.copy_row(row, &mut values);
        values.into_iter()
    }

    /// Names the columns; the names are stored in models.
    ///
    /// # Errors
    ///
    /// If there is not one name per column.
    pub fn with_names(self, names: Vec<String>) -> Result<Self, Error> {
        check_length("names of features", names.len(), self.n_columns)?;
        Ok(Self { names: Some(names), ..self })
    }

    /// The column names, if set.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// Appends the rows of `more`, for data that arrive in chunks.
    ///
    /// # Errors
    ///
    /// If the chunks do not have the same number of columns.
    pub fn append(&mut self, more: Self) -> Result<(), Error> {
        check_length("features", more.n_columns, self.n_columns)?;
        self.values.append(more.values)
    }

    /// These rows, in this order; rows may repeat.
    ///
    /// # Errors
    ///
    /// If there is no such row.
    pub fn select(&self, rows: &[usize]) -> Result<Self, Error> {
        let n = self.n_rows();
        if let Some(&row) = rows.iter().find(|&&row| row >= n) {
            return Err(Error::LengthMismatch { what: "rows of features", found: n, expected: row + 1 });
        }
        Ok(self.rows(rows))
    }

    /// [`Features::select`] without the bounds check.
    pub(crate) fn rows(&self, rows: &[usize]) -> Self {
        let values = self.values.select(self.n_columns, rows);
        Self { values, n_columns: self.n_columns, names: self.names.clone() }
    }

    /// Copies a row into `values` as `f64`.
    pub(crate) fn copy_row(&self, row: usize, values: &mut [f64]) {
        let place = row * self.n_columns..(row + 1) * self.n_columns;
        match &self.values {
            Values::F32(all) => {
                values.iter_mut().zip(&all[place]).for_each(|(value, &x)| *value = f64::from(x));
            }
            Values::F64(all) => values.copy_from_slice(&all[place]),
        }
    }

    /// The values in row-major order.
    pub(crate) fn values(&self) -> &Values {
        &self.values
    }
}

fn check<T: Copy + Into<f64>>(values: &[T], columns: usize) -> Result<(), Error> {
    if columns == 0 || !values.len().is_multiple_of(columns) {
        return Err(Error::RaggedFeatures { values: values.len(), columns });
    }
    let is_usable = |value: f64| (-LARGEST..=LARGEST).contains(&value);
    match values.iter().position(|&value| !is_usable(value.into())) {
        None => Ok(()),
        Some(place) => Err(Error::BadFeature {
            row: place / columns,
            column: place % columns,
            value: values[place].into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_features_are_rejected_with_row_and_column() {
        assert_eq!(
            Features::new(vec![0.0, 1.0, 2.0, 1e101], 2).unwrap_err(),
            Error::BadFeature { row: 1, column: 1, value: 1e101 }
        );
        assert!(Features::from_f32(vec![f32::NAN], 1).is_err());
        assert_eq!(
            Features::new(vec![0.0; 3], 2).unwrap_err(),
            Error::RaggedFeatures { values: 3, columns: 2 }
        );
        assert!(Features::new(vec![], 0).is_err());
        let one = Features::from_f32(vec![1.0], 1).unwrap();
        assert_eq!(one.select(&[0, 0]).unwrap().n_rows(), 2);
        assert!(one.select(&[1]).is_err());
    }
}
