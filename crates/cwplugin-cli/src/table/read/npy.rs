//! NPY: one matrix of floats, one column per class; labels come from a second file.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::super::numpy::{Header, Kind};
use super::super::{Format, NPZ_ARRAY, doubles};
use super::source::{Source, Stream};
use super::{Decode, ReadOptions, Rows, errors, rows_of_width};
use crate::user_error::UserError;

const TITLE: &str = Format::Npy.title();

/// A header with more columns is damaged.
const MAX_COLUMNS: usize = 1 << 20;

/// A two-dimensional array, which is read in blocks of rows or, in Fortran order, as a whole.
pub(super) struct Npy {
    name: String,
    stream: Stream,
    header: Header,
    rows: usize,
    width: usize,
    done: usize,
    batch_rows: usize,
    schema: SchemaRef,
    selected: Vec<usize>,
    /// The columns of an array in Fortran order, once they are read.
    columns: Option<Vec<ArrayRef>>,
    labels: Option<ArrayRef>,
}

impl Npy {
    pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Self> {
        let name = source.name().to_owned();
        let (progress, length) = (source.progress(), source.plain_length());
        let mut stream = source.into_stream();
        let header = read_header(&name, &mut stream)?;
        let (rows, width) = check_matrix(&name, &header)?;
        // A truncated file fails now, not after hours of work.
        let bytes = header.bytes().ok_or_else(|| too_short(&name))?;
        if length.is_some_and(|length| length.saturating_sub(progress.get().0) < bytes as u64) {
            return Err(too_short(&name));
        }
        let mut fields = matrix_fields(&header, "probabilities", (0..width).map(|column| column.to_string()));
        let labels = match &options.label_file {
            Some(path) => {
                let labels = read_labels(path)?;
                if labels.len() != rows {
                    return Err(UserError::new(format!(
                        "{}: has {} labels, {name} has {rows} rows",
                        path.display(),
                        labels.len()
                    ))
                    .hint("give one label for each row, in the same order")
                    .into());
                }
                fields.push(Field::new("label", labels.data_type().clone(), false));
                Some(labels)
            }
            None => None,
        };
        let batch_rows = rows_of_width(options.batch_rows, width);
        let selected = (0..fields.len()).collect();
        let schema = Arc::new(Schema::new(fields));
        Ok(Self {
            name,
            stream,
            header,
            rows,
            width,
            done: 0,
            batch_rows,
            schema,
            selected,
            columns: None,
            labels,
        })
    }

    /// The selected columns of the next rows of an array in C order, or of all rows in Fortran order.
    fn read_columns(&mut self, rows: usize) -> Result<Vec<ArrayRef>> {
        let bytes = read_items(&self.name, &mut self.stream, rows * self.width * self.header.dtype.size)?;
        let selected = self.selected.iter().copied().filter(|&column| column < self.width);
        let columns = matrix_columns(&self.header, &bytes, (rows, self.width), selected);
        columns.map_err(|what| errors::damaged_because(&self.name, TITLE, &what))
    }
}

impl Decode for Npy {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        columns.clone_into(&mut self.selected);
        Ok(())
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        let rows = self.batch_rows.min(self.rows - self.done);
        if rows == 0 {
            return Ok(None);
        }
        let mut columns = if self.header.fortran {
            let all = match self.columns.take() {
                Some(all) => all,
                None => self.read_columns(self.rows)?,
            };
            let batch = all.iter().map(|column| column.slice(self.done, rows)).collect();
            self.columns = Some(all);
            batch
        } else {
            self.read_columns(rows)?
        };
        if let Some(labels) = &self.labels
            && self.selected.last() == Some(&self.width)
        {
            columns.push(labels.slice(self.done, rows));
        }
        self.done += rows;
        let schema = Arc::new(self.schema.project(&self.selected)?);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(Some(Rows::Batch(RecordBatch::try_new_with_options(schema, columns, &options)?)))
    }
}

fn read_header(name: &str, stream: &mut Stream) -> Result<Header> {
    Header::read(stream).map_err(|err| match err.downcast::<UserError>() {
        Ok(error) => error.into(),
        Err(err) => errors::damaged(name, TITLE, &err),
    })
}

/// Reads exactly this many bytes. The buffer grows with the data: a damaged header may claim any length.
pub(super) fn read_items(name: &str, stream: &mut impl Read, bytes: usize) -> Result<Vec<u8>> {
    let mut items = Vec::new();
    stream.take(bytes as u64).read_to_end(&mut items).map_err(|err| errors::reading(name, err))?;
    if items.len() < bytes {
        return Err(too_short(name));
    }
    Ok(items)
}

fn too_short(name: &str) -> anyhow::Error {
    errors::damaged_because(name, TITLE, "it ends before its last row")
}

/// Rows and columns of a matrix of floats.
pub(super) fn check_matrix(name: &str, header: &Header) -> Result<(usize, usize)> {
    let refuse =
        |cure: &str| Err(UserError::new(format!("{name}: has {}", header.describe())).hint(cure).into());
    match (header.dtype.kind, header.shape.as_slice()) {
        (Kind::Float, &[_, width]) if width > MAX_COLUMNS => {
            Err(errors::damaged_because(name, TITLE, &format!("it claims {width} columns")))
        }
        (Kind::Float, &[_, 0]) => refuse("save one column per class"),
        (Kind::Float, &[rows, width]) => Ok((rows, width)),
        (Kind::Float, &[_]) => {
            refuse("save one row per sample and one column per class; for two classes `np.c_[1 - p, p]`")
        }
        (_, &[_]) => refuse("give the matrix of probabilities, and the labels with --label FILE.npy"),
        (Kind::Float, _) => refuse("save one row per sample and one column per class"),
        (Kind::Object, _) => refuse("save numbers, with `p.astype(float)`"),
        (Kind::Other, _) if header.dtype.name.contains('[') => refuse("save a plain matrix of floats"),
        _ => refuse("save the probabilities as floats, with `p.astype(float)`"),
    }
}

/// The fields of a matrix, marked as such in their metadata.
pub(super) fn matrix_fields(header: &Header, array: &str, names: impl Iterator<Item = String>) -> Vec<Field> {
    let data_type = if header.dtype.size == 8 { DataType::Float64 } else { DataType::Float32 };
    let metadata = HashMap::from([(NPZ_ARRAY.to_owned(), array.to_owned())]);
    names.map(|name| Field::new(name, data_type.clone(), false).with_metadata(metadata.clone())).collect()
}

/// Some columns of a matrix.
pub(super) fn matrix_columns(
    header: &Header,
    items: &[u8],
    (rows, width): (usize, usize),
    selected: impl Iterator<Item = usize>,
) -> Result<Vec<ArrayRef>, String> {
    let size = header.dtype.size;
    let mut column_items = Vec::with_capacity(rows * size);
    let decode = |column: usize| {
        if header.fortran {
            return header.dtype.decode(&items[column * rows * size..][..rows * size], rows);
        }
        column_items.clear();
        for row in items.chunks_exact(width * size) {
            column_items.extend_from_slice(&row[column * size..][..size]);
        }
        header.dtype.decode(&column_items, rows)
    };
    selected.map(decode).collect()
}

fn read_labels(path: &Path) -> Result<ArrayRef> {
    let source = Source::open(path)?;
    let name = source.name().to_owned();
    if source.head().is_empty() {
        return Err(UserError::new(format!("{name}: is empty"))
            .hint("save the labels with `np.save`")
            .into());
    }
    if !source.head().starts_with(b"\x93NUMPY") {
        return Err(UserError::new(format!("{name}: is not an NPY file"))
            .hint("save the labels with `np.save`")
            .into());
    }
    let mut stream = source.into_stream();
    let header = read_header(&name, &mut stream)?;
    let &[count] = header.shape.as_slice() else {
        return Err(UserError::new(format!("{name}: has {}", header.describe()))
            .hint("save one label per row, in one dimension")
            .into());
    };
    if matches!(header.dtype.kind, Kind::Object | Kind::Other) {
        return Err(UserError::new(format!("{name}: has {}", header.describe()))
            .hint("save the labels as text or integers, with `y.astype(str)`")
            .into());
    }
    let bytes = header.bytes().ok_or_else(|| too_short(&name))?;
    let items = read_items(&name, &mut stream, bytes)?;
    widen(&header, &items, count).map_err(|what| {
        UserError::new(format!("{name}: {what}")).hint("save the labels as text, with `y.astype(str)`").into()
    })
}

/// A column beside the matrix; floats become doubles.
pub(super) fn widen(header: &Header, items: &[u8], count: usize) -> Result<ArrayRef, String> {
    let column = header.dtype.decode(items, count)?;
    if *column.data_type() == DataType::Float32 {
        return Ok(Arc::new(doubles(&column).map_err(|err| err.to_string())?));
    }
    if column.len() != count {
        return Err("it ends before its last row".to_owned());
    }
    Ok(column)
}
