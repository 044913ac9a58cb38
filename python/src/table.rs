//! Columns of Arrow tables: from pandas, polars, pyarrow, DuckDB.
//!
//! A table is stored by column and copied by row; a single column of lists is stored by row, and read without a copy.
#![allow(unsafe_code)] // the C interface hands over pointers

mod lists; // probabilities in one column

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch, StructArray};
use arrow_buffer::{ArrowNativeType, ScalarBuffer};
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::convert::{Matrix, Rows};
use crate::errors::{Columns, UserError};

/// Whether an object has an Arrow interface.
pub(crate) fn is_arrow(input: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(input.hasattr("__arrow_c_stream__")? || input.hasattr("__arrow_c_array__")?)
}

/// The numbers of a table, and how many columns it has.
pub(crate) fn rows(input: &Bound<'_, PyAny>, names: &Columns) -> PyResult<(Rows, usize)> {
    let batches = batches(input)?;
    let schema = batches.first().map(RecordBatch::schema);
    let fields = schema.as_ref().map_or(0, |schema| schema.fields().len());
    if let (1, Some(schema)) = (fields, &schema) {
        let lists: Vec<ArrayRef> = batches.iter().map(|batch| batch.column(0).clone()).collect();
        if let Some(width) = lists::width(&lists, names) {
            return Ok((lists::rows(input.py(), &lists, schema.field(0).name(), width, names)?, width));
        }
    }
    let is_single = schema
        .as_ref()
        .is_some_and(|schema| schema.fields().iter().all(|field| *field.data_type() == DataType::Float32));
    let rows = if is_single {
        Rows::F32(Matrix::Owned(by_rows(&batches, |array, place| single(input.py(), array, place, names))?))
    } else {
        Rows::F64(Matrix::Owned(by_rows(&batches, |array, place| double(input.py(), array, place, names))?))
    };
    Ok((rows, fields))
}

/// The position of a column of a batch in the table.
#[derive(Debug, Clone, Copy)]
struct Place {
    column: usize,
    first_row: usize,
}

/// All rows of all batches, row by row.
fn by_rows<T>(
    batches: &[RecordBatch],
    column: impl Fn(&ArrayRef, Place) -> PyResult<ScalarBuffer<T>>,
) -> PyResult<Vec<T>>
where
    T: ArrowNativeType + Default,
{
    let cells = batches.iter().map(|batch| batch.num_rows() * batch.num_columns()).sum();
    let mut rows = vec![T::default(); cells];
    let mut first = 0;
    for batch in batches {
        let m = batch.num_columns();
        let part = &mut rows[first * m..(first + batch.num_rows()) * m];
        for (k, array) in batch.columns().iter().enumerate() {
            let column = column(array, Place { column: k, first_row: first })?;
            for (row, &value) in part.chunks_exact_mut(m).zip(column.iter()) {
                row[k] = value;
            }
        }
        first += batch.num_rows();
    }
    Ok(rows)
}

fn single(py: Python<'_>, array: &ArrayRef, place: Place, names: &Columns) -> PyResult<ScalarBuffer<f32>> {
    check_not_null(py, array, place, names)?;
    Ok(array.as_primitive::<Float32Type>().values().clone())
}

#[allow(clippy::cast_lossless)] // whole numbers of every width
fn double(py: Python<'_>, array: &ArrayRef, place: Place, names: &Columns) -> PyResult<ScalarBuffer<f64>> {
    use arrow_array::types::{
        Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
    };
    /// Whole numbers beyond 2⁵³ lose digits, as everywhere.
    fn widened<T: ArrowPrimitiveType>(array: &ArrayRef, widen: fn(T::Native) -> f64) -> ScalarBuffer<f64> {
        array.as_primitive::<T>().values().iter().copied().map(widen).collect::<Vec<f64>>().into()
    }
    check_not_null(py, array, place, names)?;
    Ok(match array.data_type() {
        DataType::Float64 => array.as_primitive::<Float64Type>().values().clone(),
        DataType::Float32 => widened::<Float32Type>(array, |value| value as f64),
        DataType::Int8 => widened::<Int8Type>(array, |value| value as f64),
        DataType::Int16 => widened::<Int16Type>(array, |value| value as f64),
        DataType::Int32 => widened::<Int32Type>(array, |value| value as f64),
        DataType::Int64 => widened::<Int64Type>(array, |value| value as f64),
        DataType::UInt8 => widened::<UInt8Type>(array, |value| value as f64),
        DataType::UInt16 => widened::<UInt16Type>(array, |value| value as f64),
        DataType::UInt32 => widened::<UInt32Type>(array, |value| value as f64),
        DataType::UInt64 => widened::<UInt64Type>(array, |value| value as f64),
        other => {
            return Err(UserError::new(format!(
                "column \"{}\" contains {other}, not numbers",
                column_name(place.column, names)
            ))
            .hint("pass the columns of the classes only")
            .raise(py));
        }
    })
}

fn column_name(k: usize, names: &Columns) -> String {
    names.probabilities.get(k).cloned().unwrap_or_else(|| k.to_string())
}

fn check_not_null(py: Python<'_>, array: &ArrayRef, place: Place, names: &Columns) -> PyResult<()> {
    match (0..array.len()).find(|&row| array.null_count() > 0 && array.is_null(row)) {
        Some(row) => Err(UserError::at(
            place.first_row + row,
            &column_name(place.column, names),
            "the value is missing",
        )
        .hint("fill it in, or drop the row")
        .raise(py)),
        None => Ok(()),
    }
}

/// All batches of a stream, or the one of an array.
fn batches(input: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let wrong = |error: arrow_schema::ArrowError| PyValueError::new_err(error.to_string());
    if input.hasattr("__arrow_c_stream__")? {
        let capsule = input.call_method0("__arrow_c_stream__")?;
        let capsule = capsule.cast::<PyCapsule>()?;
        let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: the capsule bears the name that the Arrow C stream interface gives to such a pointer; the reader takes the
        // stream over and leaves an empty one behind.
        let reader = unsafe { ArrowArrayStreamReader::from_raw(stream.as_ptr()) }.map_err(wrong)?;
        return reader.collect::<Result<_, _>>().map_err(wrong);
    }
    let pair = input.call_method0("__arrow_c_array__")?;
    let pair = pair.cast::<PyTuple>()?;
    let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
    let schema =
        schema.cast::<PyCapsule>()?.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    let array = array.cast::<PyCapsule>()?.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // SAFETY: the capsules bear the names that the Arrow C data interface gives to such pointers; the array is taken over, and
    // an empty one left behind.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr());
        from_ffi(array, schema.as_ref())
    }
    .map_err(wrong)?;
    if !matches!(data.data_type(), DataType::Struct(_)) {
        let list = arrow_array::make_array(data);
        let batch = RecordBatch::try_from_iter([("probabilities", list)]).map_err(wrong)?;
        return Ok(vec![batch]);
    }
    Ok(vec![RecordBatch::from(StructArray::from(data))])
}
