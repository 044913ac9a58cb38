//! NPY and NPZ: columns as arrays, kept in memory since an array begins with its length.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_cast::CastOptions;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Schema};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::super::numpy::Header;
use super::super::{Format, NPZ_ARRAY, refuse};
use super::{Encode, Sink};
use crate::refusal::Refusal;

/// The array that names the columns of a matrix.
const CLASSES: &str = "classes";

/// From this size on an entry needs the wider fields of the zip format.
const LARGE: usize = 1 << 31;

/// The integers up to here are doubles without a loss.
const EXACT: u64 = 1 << 53;

pub(super) struct Numpy {
    sink: Sink,
    format: Format,
    arrays: Vec<Part>,
    rows: usize,
}

/// One array of the file.
struct Part {
    name: String,
    /// The columns of the table that it is made of: several for a matrix.
    columns: Vec<usize>,
    names: Vec<String>,
    items: Items,
}

enum Items {
    /// Rows of doubles, one after the other.
    Matrix(Vec<f64>),
    Column(Vec<ArrayRef>),
}

/// An NPY file holds a single array.
pub(super) fn refuse_several(name: &str, schema: &Schema) -> Result<()> {
    let arrays = parts(schema).len();
    if arrays == 1 {
        return Ok(());
    }
    Err(Refusal::new(format!("{name}: an NPY file holds one array, the table has {arrays}"))
        .hint("use .npz, which holds several")
        .into())
}

/// A column is an array of its own unless its metadata names the matrix that it belongs to.
fn parts(schema: &Schema) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (column, field) in schema.fields().iter().enumerate() {
        let matrix = field.metadata().get(NPZ_ARRAY);
        let known = parts.iter_mut().find(|part| match part.items {
            Items::Matrix(_) => Some(&part.name) == matrix,
            Items::Column(_) => false,
        });
        match (known, matrix) {
            (Some(part), _) => {
                part.columns.push(column);
                part.names.push(field.name().clone());
            }
            (None, matrix) => parts.push(Part {
                name: matrix.unwrap_or(field.name()).clone(),
                columns: vec![column],
                names: vec![field.name().clone()],
                items: if matrix.is_some() { Items::Matrix(Vec::new()) } else { Items::Column(Vec::new()) },
            }),
        }
    }
    parts
}

impl Numpy {
    pub(super) fn create(sink: Sink, format: Format, schema: &Schema) -> Self {
        Self { sink, format, arrays: parts(schema), rows: 0 }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        for part in &mut self.arrays {
            match &mut part.items {
                Items::Column(chunks) => chunks.push(canonical(batch.column(part.columns[0]))?),
                Items::Matrix(rows) => {
                    let columns = part.columns.iter().map(|&column| floats(batch.column(column)));
                    let columns = columns.collect::<Result<Vec<_>, _>>()?;
                    rows.reserve(columns.len() * batch.num_rows());
                    for row in 0..batch.num_rows() {
                        rows.extend(columns.iter().map(|column| column[row]));
                    }
                }
            }
        }
        self.rows += batch.num_rows();
        Ok(())
    }
}

impl Encode for Numpy {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.add(batch).map_err(|err| refuse::writing(self.sink.name(), &err))
    }

    fn finish(self: Box<Self>) -> Result<Sink> {
        let Self { mut sink, format, arrays, rows } = *self;
        let name = sink.name().to_owned();
        if format == Format::Npy {
            for part in &arrays {
                let bytes = part.encode(rows).map_err(|err| refuse::writing(&name, &err))?;
                sink.write_all(&bytes).map_err(|err| refuse::writing(&name, &err))?;
            }
            return Ok(sink);
        }
        let mut zip = ZipWriter::new_stream(sink);
        let mut entry = |array: &str, bytes: &[u8]| {
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            zip.start_file(format!("{array}.npy"), options.large_file(bytes.len() > LARGE))
                .and_then(|()| Ok(zip.write_all(bytes)?))
                .map_err(|err| refuse::writing(&name, &err))
        };
        for part in &arrays {
            entry(&part.name, &part.encode(rows).map_err(|err| refuse::writing(&name, &err))?)?;
        }
        // The first matrix names the columns of all.
        let mut matrices = arrays.iter().filter(|part| matches!(part.items, Items::Matrix(_)));
        if let Some(part) = matrices.next().filter(|part| part.has_classes())
            && arrays.iter().all(|part| part.name != CLASSES)
        {
            entry(CLASSES, &texts(&StringArray::from_iter_values(&part.names)))?;
        }
        zip.finish().map(zip::write::StreamWriter::into_inner).map_err(|err| refuse::writing(&name, &err))
    }
}

impl Part {
    /// Whether the names of a matrix say more than the numbers of its columns.
    fn has_classes(&self) -> bool {
        let numbered = || self.names.iter().enumerate().all(|(column, name)| *name == column.to_string());
        matches!(self.items, Items::Matrix(_)) && !numbered()
    }

    fn encode(&self, rows: usize) -> Result<Vec<u8>, ArrowError> {
        match &self.items {
            Items::Matrix(items) => {
                let mut bytes = Header::format("<f8", &[rows, self.columns.len()]);
                bytes.extend(items.iter().flat_map(|item| item.to_le_bytes()));
                Ok(bytes)
            }
            Items::Column(chunks) => column(chunks, rows),
        }
    }
}

/// One of the four types that an array may have: integers, doubles, truth values, text.
fn canonical(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    let to = |data_type| arrow_cast::cast_with_options(column, &data_type, &strict);
    match column.data_type() {
        DataType::Dictionary(_, values) => canonical(&to(values.as_ref().clone())?),
        kind if kind.is_integer() => to(DataType::Int64),
        kind if kind.is_numeric() => to(DataType::Float64),
        DataType::Boolean => Ok(Arc::clone(column)),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => to(DataType::Utf8),
        _ => Ok(Arc::new(shown(column)?)),
    }
}

/// Dates, lists and whatever else, as Arrow shows them.
fn shown(column: &dyn Array) -> Result<StringArray, ArrowError> {
    let options = FormatOptions::default();
    let formatter = ArrayFormatter::try_new(column, &options)?;
    (0..column.len())
        .map(|row| column.is_valid(row).then(|| formatter.value(row).try_to_string()).transpose())
        .collect()
}

fn floats(column: &dyn Array) -> Result<Vec<f64>, ArrowError> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    let column = arrow_cast::cast_with_options(column, &DataType::Float64, &strict)?;
    Ok(column.as_primitive::<Float64Type>().iter().map(|value| value.unwrap_or(f64::NAN)).collect())
}

/// NumPy has no null: among numbers it becomes NaN, in text the empty string.
fn column(chunks: &[ArrayRef], rows: usize) -> Result<Vec<u8>, ArrowError> {
    let nulls = chunks.iter().any(|chunk| chunk.null_count() > 0);
    let large = |chunk: &ArrayRef| {
        chunk.as_primitive::<Int64Type>().iter().flatten().any(|v| v.unsigned_abs() > EXACT)
    };
    let kind = match chunks.first().map(|chunk| chunk.data_type().clone()) {
        Some(DataType::Int64) if nulls && chunks.iter().any(large) => DataType::Utf8,
        Some(DataType::Int64 | DataType::Boolean) if nulls => DataType::Float64,
        Some(kind) => kind,
        None => DataType::Float64,
    };
    let chunks = chunks.iter().map(|chunk| arrow_cast::cast(chunk, &kind)).collect::<Result<Vec<_>, _>>()?;
    if kind == DataType::Utf8 {
        return Ok(texts(&chunks.iter().flat_map(AsArray::as_string::<i32>).collect()));
    }
    let name = match kind {
        DataType::Int64 => "<i8",
        DataType::Boolean => "|b1",
        _ => "<f8",
    };
    let mut bytes = Header::format(name, &[rows]);
    for chunk in &chunks {
        match kind {
            DataType::Int64 => {
                bytes.extend(
                    chunk.as_primitive::<Int64Type>().values().iter().flat_map(|item| item.to_le_bytes()),
                );
            }
            DataType::Boolean => bytes.extend(chunk.as_boolean().values().iter().map(u8::from)),
            _ => bytes.extend(floats(chunk)?.iter().flat_map(|item| item.to_le_bytes())),
        }
    }
    Ok(bytes)
}

fn texts(texts: &StringArray) -> Vec<u8> {
    let texts = || texts.iter().map(Option::unwrap_or_default);
    let width = texts().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    let mut bytes = Header::format(&format!("<U{width}"), &[texts().count()]);
    for text in texts() {
        let codes = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
        bytes.extend(codes.flat_map(u32::to_le_bytes));
    }
    bytes
}
