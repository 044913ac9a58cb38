//! Arrays become probabilities, without a copy where they are in C order.

use std::collections::BTreeMap;

use cwplugin::{Error, Probabilities, RowSums, Scores};
use cwplugin_replies::{CountError, smooth};
use numpy::{Element, PyArray2, PyArrayMethods as _, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

use crate::borrowed::borrowed;
use crate::errors::{Columns, UserError, choice, warn};
use crate::table;

/// The value of `scores` for the votes for each class.
pub(crate) const VOTES: &str = "votes";

/// What the numbers are, and what to do with rows that do not sum to 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    /// `None` for votes.
    pub(crate) scores: Option<Scores>,
    pub(crate) sums: RowSums,
}

impl Reading {
    pub(crate) fn new(py: Python<'_>, scores: &str, normalize: bool) -> PyResult<Self> {
        let mut known = Scores::ALL.map(|scale| (scale.name(), Some(scale))).to_vec();
        known.push((VOTES, None));
        let scores = choice(py, "scores", scores, &known)?;
        if normalize && scores.is_none() {
            let what = "normalize is not supported by scores=\"votes\"";
            return Err(UserError::new(what).hint("leave it out: votes are counts").raise(py));
        }
        Ok(Self { scores, sums: if normalize { RowSums::Normalize } else { RowSums::MustBeOne } })
    }

    fn is_plain(self) -> bool {
        (self.scores, self.sums) == (Some(Scores::Probabilities), RowSums::MustBeOne)
    }
}

/// Scores of a graph or another language, which take no votes.
pub(crate) fn scores(py: Python<'_>, scores: &str) -> PyResult<Scores> {
    choice(py, "scores", scores, &Scores::ALL.map(|scale| (scale.name(), scale)))
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

impl Rows {
    /// A copy in double precision.
    fn into_doubles(self) -> Vec<f64> {
        match self {
            Self::F64(Matrix::Owned(values)) => values,
            Self::F64(matrix) => matrix.as_slice().to_vec(),
            Self::F32(matrix) => matrix.as_slice().iter().copied().map(f64::from).collect(),
        }
    }
}

/// How long the numbers of an array are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// For one pass within a call: they are read where they are.
    Once,
    /// For the many passes of a fit, or after the call: they are copied, unless nobody can write to them.
    Often,
}

/// Reads an array of NumPy, or an object with Arrow columns; one column per class.
pub(crate) fn probabilities(
    input: &Bound<'_, PyAny>,
    n_classes: usize,
    reading: Reading,
    columns: &Columns,
    used: Use,
) -> PyResult<Probabilities> {
    let py = input.py();
    let wrong = |error: Error| columns.error(py, &error);
    let Some(scores) = reading.scores else {
        return Probabilities::new(votes(input, n_classes, columns)?.0, n_classes).map_err(wrong);
    };
    let rows = rows_of_width(input, n_classes, columns, used)?;
    let (probabilities, rounded) = if reading.is_plain() {
        plain(rows, n_classes).map_err(wrong)?
    } else {
        let values = rows.into_doubles();
        if let Some(what) = scores.unlike(&values, n_classes) {
            warn_of_scale(py, what, scores)?;
        }
        let converted = Probabilities::from_scores(values, n_classes, scores, reading.sums);
        (converted.map_err(wrong)?, 0)
    };
    if rounded > 0 {
        warn_of_rounding(py, rounded)?;
    }
    Ok(probabilities)
}

/// Probabilities from the votes for each class, and rows by their number of votes.
pub(crate) fn votes(
    input: &Bound<'_, PyAny>,
    n_classes: usize,
    columns: &Columns,
) -> PyResult<(Vec<f64>, BTreeMap<u64, u64>)> {
    let mut counts = rows_of_width(input, n_classes, columns, Use::Once)?.into_doubles();
    let mut totals = BTreeMap::new();
    for (row, counts) in counts.chunks_exact_mut(n_classes).enumerate() {
        let total = smooth(counts).map_err(|error| not_votes(&error, row, columns).raise(input.py()))?;
        *totals.entry(total).or_default() += 1;
    }
    Ok((counts, totals))
}

fn not_votes(error: &CountError, row: usize, columns: &Columns) -> UserError {
    match *error {
        CountError::NotACount { class, .. } => {
            UserError::at(row, &columns.probabilities[class], &error.to_string()).hint(
                "votes are whole numbers, the answers for each class; for probabilities use scores=\"probabilities\"",
            )
        }
        CountError::NoVotes => {
            UserError::across(row, &columns.probabilities, &error.to_string()).hint("drop the row, or ask again")
        }
    }
}

/// The numbers of an array or a table with one column per class.
fn rows_of_width(input: &Bound<'_, PyAny>, n_classes: usize, columns: &Columns, used: Use) -> PyResult<Rows> {
    let (rows, found) = rows(input, columns, used)?;
    if found == n_classes {
        return Ok(rows);
    }
    let error = Error::LengthMismatch { what: "class columns", found, expected: n_classes };
    Err(columns.error(input.py(), &error))
}

/// Warns that numbers look like another scale than the one they are read as.
fn warn_of_scale(py: Python<'_>, what: &str, scores: Scores) -> PyResult<()> {
    let name = scores.name();
    let message = format!(
        "{what}, but they are read as {name}\n  hint: leave out scores=\"{name}\", here or in the fit, if that is what they are"
    );
    warn(py, &message)
}

/// Warns as the program does.
fn warn_of_rounding(py: Python<'_>, rounded: usize) -> PyResult<()> {
    let (rows, were) = if rounded == 1 { ("row", "was") } else { ("rows", "were") };
    let message = format!(
        "{rounded} {rows} {were} divided by the row sum, which is off 1 by up to 0.02, as after rounding\n  hint: \
         normalize=True divides every row by its sum, without a warning"
    );
    warn(py, &message)
}

/// The probabilities, and how many rows were divided by their sum because they were rounded.
fn plain(rows: Rows, m: usize) -> Result<(Probabilities, usize), Error> {
    match rows {
        Rows::F64(Matrix::Owned(values)) => Probabilities::rounded(values, m),
        Rows::F64(Matrix::Borrowed(values)) => {
            let in_place = Probabilities::shared(Arc::clone(&values), m);
            or_rounded(in_place, m, || (*values).as_ref().to_vec())
        }
        Rows::F32(matrix) => {
            let values = match matrix {
                Matrix::Borrowed(values) => values,
                Matrix::Owned(values) => Arc::new(values),
            };
            let in_place = Probabilities::shared_f32(Arc::clone(&values), m);
            or_rounded(in_place, m, || (*values).as_ref().iter().copied().map(f64::from).collect())
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
pub(crate) fn rows(input: &Bound<'_, PyAny>, columns: &Columns, used: Use) -> PyResult<(Rows, usize)> {
    if let Ok(array) = input.cast::<PyArray2<f64>>() {
        return Ok((Rows::F64(matrix(array, used)?), width(array)));
    }
    if let Ok(array) = input.cast::<PyArray2<f32>>() {
        return Ok((Rows::F32(matrix(array, used)?), width(array)));
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

fn matrix<T>(array: &Bound<'_, PyArray2<T>>, used: Use) -> PyResult<Matrix<T>>
where
    T: Element + Copy + Send + Sync + 'static,
{
    let is_lasting = used == Use::Once || !is_writeable(array)?;
    if let Some(numbers) = is_lasting.then(|| borrowed(array)).flatten() {
        return Ok(Matrix::Borrowed(numbers));
    }
    let view = array.readonly();
    let numbers = view.as_array();
    // A slice only in C order; that of NumPy's crate may be in Fortran order.
    Ok(Matrix::Owned(numbers.as_slice().map_or_else(|| numbers.iter().copied().collect(), <[T]>::to_vec)))
}

/// Whether somebody can write to an array, or to one that it is a part of.
fn is_writeable(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    let mut array = array.clone();
    while !array.is_none() && array.hasattr("flags")? {
        if array.getattr("flags")?.getattr("writeable")?.is_truthy()? {
            return Ok(true);
        }
        array = array.getattr("base")?;
    }
    Ok(false)
}

/// A borrow of an array: while it lasts, no other code that asks as this does can write to it.
#[expect(dead_code, reason = "it is only held")]
pub(crate) enum Borrow<'py> {
    F32(PyReadonlyArray2<'py, f32>),
    F64(PyReadonlyArray2<'py, f64>),
}

impl<'py> Borrow<'py> {
    /// Borrows an array; anything else is not read in place, or cannot be written to.
    pub(crate) fn of(input: &Bound<'py, PyAny>) -> Option<Self> {
        let single = || Some(Self::F32(input.cast::<PyArray2<f32>>().ok()?.readonly()));
        input.cast::<PyArray2<f64>>().map_or_else(|_| single(), |array| Some(Self::F64(array.readonly())))
    }
}

/// The address that the numbers of an array are read from, once or often; for tests of what is copied.
#[pyfunction]
#[pyo3(name = "_address_of", signature = (input, often=false))]
pub(crate) fn address_of(input: &Bound<'_, PyAny>, often: bool) -> PyResult<usize> {
    let used = if often { Use::Often } else { Use::Once };
    let columns = Columns::of_classes(&[]);
    Ok(match rows(input, &columns, used)?.0 {
        Rows::F64(matrix) => matrix.as_slice().as_ptr() as usize,
        Rows::F32(matrix) => matrix.as_slice().as_ptr() as usize,
    })
}
