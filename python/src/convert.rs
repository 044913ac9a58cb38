//! Arrays become probabilities, without a copy where they are in C order.

use cwplugin::{Error, Probabilities, RowSums, Scores};
use numpy::{Element, PyArray2, PyArrayMethods as _};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

use crate::borrowed::borrowed;
use crate::errors::{Columns, choice};
use crate::table;

/// What the numbers are, and what to do with rows that do not sum to 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) scores: Scores,
    pub(crate) sums: RowSums,
}

impl Reading {
    pub(crate) fn new(py: Python<'_>, scores: &str, normalize: bool) -> PyResult<Self> {
        let scores = choice(py, "scores", scores, &Scores::ALL.map(|scale| (scale.name(), scale)))?;
        Ok(Self { scores, sums: if normalize { RowSums::Normalize } else { RowSums::MustBeOne } })
    }

    fn is_plain(self) -> bool {
        (self.scores, self.sums) == (Scores::Probabilities, RowSums::MustBeOne)
    }
}

/// Numbers in C order.
pub(crate) enum Rows {
    F32(Matrix<f32>),
    F64(Matrix<f64>),
}

/// … of one precision.
pub(crate) enum Matrix<T> {
    Borrowed(Arc<dyn AsRef<[T]> + Send + Sync>),
    Owned(Vec<T>),
}

impl<T> Matrix<T> {
    fn as_slice(&self) -> &[T] {
        match self {
            Self::Borrowed(numbers) => (**numbers).as_ref(),
            Self::Owned(numbers) => numbers,
        }
    }
}

/// Reads an array of NumPy, or an object with Arrow columns; one column per class.
pub(crate) fn probabilities(
    input: &Bound<'_, PyAny>,
    n_classes: usize,
    reading: Reading,
    columns: &Columns,
) -> PyResult<Probabilities> {
    let (rows, found) = rows(input, columns)?;
    if found != n_classes {
        let error = Error::LengthMismatch { what: "class columns", found, expected: n_classes };
        return Err(columns.error(input.py(), &error));
    }
    let py = input.py();
    let (probabilities, rounded) =
        into_probabilities(rows, n_classes, reading).map_err(|error| columns.error(py, &error))?;
    if rounded > 0 {
        warn_of_rounding(py, rounded)?;
    }
    Ok(probabilities)
}

/// Warns as the program does; the warning names the line that called the package's function.
fn warn_of_rounding(py: Python<'_>, rounded: usize) -> PyResult<()> {
    let (rows, were) = if rounded == 1 { ("row", "was") } else { ("rows", "were") };
    let message = format!(
        "{rounded} {rows} {were} divided by the row sum, which is off 1 by up to 0.02, as after rounding\n  hint: \
         normalize=True divides every row by its sum, without a warning"
    );
    let category = py.import("cwplugin._errors")?.getattr("FitWarning")?;
    py.import("warnings")?.call_method1("warn", (message, category, 2)).map(drop)
}

/// The probabilities, and how many rows were divided by their sum because they were rounded.
fn into_probabilities(rows: Rows, m: usize, reading: Reading) -> Result<(Probabilities, usize), Error> {
    let converted = |values| Probabilities::from_scores(values, m, reading.scores, reading.sums);
    match rows {
        Rows::F64(Matrix::Owned(values)) if reading.is_plain() => Probabilities::rounded(values, m),
        Rows::F64(Matrix::Borrowed(values)) if reading.is_plain() => {
            let in_place = Probabilities::shared(Arc::clone(&values), m);
            or_rounded(in_place, m, || (*values).as_ref().to_vec())
        }
        Rows::F32(matrix) if reading.is_plain() => {
            let values = match matrix {
                Matrix::Borrowed(values) => values,
                Matrix::Owned(values) => Arc::new(values),
            };
            let in_place = Probabilities::shared_f32(Arc::clone(&values), m);
            or_rounded(in_place, m, || (*values).as_ref().iter().copied().map(f64::from).collect())
        }
        Rows::F64(Matrix::Owned(values)) => converted(values).map(|p| (p, 0)),
        Rows::F64(matrix) => converted(matrix.as_slice().to_vec()).map(|p| (p, 0)),
        Rows::F32(matrix) => {
            converted(matrix.as_slice().iter().copied().map(f64::from).collect()).map(|p| (p, 0))
        }
    }
}

/// Numbers are only copied if rows do not sum to 1 as they are.
fn or_rounded(
    in_place: Result<Probabilities, Error>,
    m: usize,
    copy: impl FnOnce() -> Vec<f64>,
) -> Result<(Probabilities, usize), Error> {
    match in_place {
        Err(Error::RowSum { .. }) => Probabilities::rounded(copy(), m),
        in_place => in_place.map(|p| (p, 0)),
    }
}

/// The numbers of an array or a table, and how many columns it has.
pub(crate) fn rows(input: &Bound<'_, PyAny>, columns: &Columns) -> PyResult<(Rows, usize)> {
    if let Ok(array) = input.cast::<PyArray2<f64>>() {
        return Ok((Rows::F64(matrix(array)), width(array)));
    }
    if let Ok(array) = input.cast::<PyArray2<f32>>() {
        return Ok((Rows::F32(matrix(array)), width(array)));
    }
    if table::is_arrow(input)? {
        return table::rows(input, columns);
    }
    let kind = input.get_type().name()?;
    Err(PyTypeError::new_err(format!("probabilities must be a matrix of float32 or float64, got {kind}")))
}

fn width<T: Element>(array: &Bound<'_, PyArray2<T>>) -> usize {
    use numpy::PyUntypedArrayMethods as _;
    array.shape()[1]
}

fn matrix<T>(array: &Bound<'_, PyArray2<T>>) -> Matrix<T>
where
    T: Element + Copy + Send + Sync + 'static,
{
    match borrowed(array) {
        Some(numbers) => Matrix::Borrowed(numbers),
        None => Matrix::Owned(array.readonly().as_array().iter().copied().collect()),
    }
}

/// The address that the numbers of an array are read from; for tests that nothing is copied.
#[pyfunction]
#[pyo3(name = "_address_of")]
pub(crate) fn address_of(input: &Bound<'_, PyAny>) -> PyResult<usize> {
    let columns = Columns::of_classes(&[]);
    Ok(match rows(input, &columns)?.0 {
        Rows::F64(matrix) => matrix.as_slice().as_ptr() as usize,
        Rows::F32(matrix) => matrix.as_slice().as_ptr() as usize,
    })
}
