//! A column of lists, one list of m numbers per row; those of one batch are read without a copy.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait};
use arrow_buffer::{ArrowNativeType, ScalarBuffer};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::column_name;
use crate::convert::{Matrix, Rows};
use crate::errors::{Columns, UserError};

/// How long every list has to be: as long as they all are, or as there are classes; `None` if these are not lists.
pub(super) fn width(lists: &[ArrayRef], names: &Columns) -> Option<usize> {
    let first = lists.first()?;
    let of_first = match first.data_type() {
        DataType::FixedSizeList(_, width) => return usize::try_from(*width).ok(),
        DataType::List(_) if !first.is_empty() => first.as_list::<i32>().value(0).len(),
        DataType::LargeList(_) if !first.is_empty() => first.as_list::<i64>().value(0).len(),
        DataType::List(_) | DataType::LargeList(_) => 0,
        _ => return None,
    };
    Some(if names.probabilities.is_empty() { of_first } else { names.probabilities.len() })
}

/// The numbers of all lists of the column `column`, each as long as `width` says.
pub(super) fn rows(
    py: Python<'_>,
    lists: &[ArrayRef],
    column: &str,
    width: usize,
    names: &Columns,
) -> PyResult<Rows> {
    let mut parts = Vec::new();
    let mut first_row = 0;
    for list in lists {
        parts.push(numbers(list, column, width, first_row, names).map_err(|error| error.raise(py))?);
        first_row += list.len();
    }
    let item = parts.first().map_or(DataType::Float64, |part| part.data_type().clone());
    match item {
        DataType::Float64 => {
            Ok(Rows::F64(joined(parts.iter().map(|v| v.as_primitive::<Float64Type>().values().clone()))))
        }
        DataType::Float32 => {
            Ok(Rows::F32(joined(parts.iter().map(|v| v.as_primitive::<Float32Type>().values().clone()))))
        }
        other => Err(PyTypeError::new_err(format!(
            "probabilities must be lists of float32 or float64, got lists of {other}"
        ))),
    }
}

/// The numbers of the lists of one batch, one after the other; refuses lists of another length, and missing values.
fn numbers(
    list: &ArrayRef,
    column: &str,
    width: usize,
    first_row: usize,
    names: &Columns,
) -> Result<ArrayRef, UserError> {
    let missing = |row: usize, column: &str| {
        UserError::at(first_row + row, column, "the value is missing").hint("fill it in, or drop the row")
    };
    if list.null_count() > 0
        && let Some(row) = (0..list.len()).find(|&row| list.is_null(row))
    {
        return Err(missing(row, column));
    }
    let values = match list.data_type() {
        DataType::List(_) => values_of(list.as_list::<i32>(), width),
        DataType::LargeList(_) => values_of(list.as_list::<i64>(), width),
        _ => {
            let list = list.as_fixed_size_list();
            Ok(list.values().slice(list.value_offset(0).unsigned_abs() as usize, list.len() * width))
        }
    };
    let values = values.map_err(|(row, found)| {
        UserError::at(first_row + row, column, &format!("{found} numbers for {width} classes"))
            .hint("every list needs one number per class, in the order of the classes")
    })?;
    match (0..values.len()).find(|&place| values.null_count() > 0 && values.is_null(place)) {
        Some(place) => Err(missing(place / width, &column_name(place % width, names))),
        None => Ok(values),
    }
}

/// The numbers of lists that may be of any length, or the first row whose list is of another, and which.
fn values_of<O: OffsetSizeTrait>(
    list: &GenericListArray<O>,
    width: usize,
) -> Result<ArrayRef, (usize, usize)> {
    let offsets = list.offsets();
    for (row, ends) in offsets.windows(2).enumerate() {
        let found = ends[1].as_usize() - ends[0].as_usize();
        if found != width {
            return Err((row, found));
        }
    }
    Ok(list.values().slice(offsets[0].as_usize(), list.len() * width))
}

fn joined<T>(mut parts: impl ExactSizeIterator<Item = ScalarBuffer<T>>) -> Matrix<T>
where
    T: ArrowNativeType + Send + Sync,
{
    match (parts.len(), parts.next()) {
        (1, Some(only)) => Matrix::Borrowed(Arc::new(only)),
        (_, first) => Matrix::Owned(first.into_iter().chain(parts).flat_map(|part| part.to_vec()).collect()),
    }
}
