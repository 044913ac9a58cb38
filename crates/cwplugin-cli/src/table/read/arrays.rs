//! NumPy arrays as a table: a matrix that is read in blocks of rows, and columns beside it that are in memory.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::Arc;

use anyhow::Result;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::super::numpy::Header;
use super::super::{Format, NPZ_ARRAY};
use super::source::{Progress, Stream};
use super::{Decode, ReadOptions, Rows, errors, rows_of_width};
use crate::user_error::UserError;
use crate::whole_file::HELD;

/// Bytes that are reserved before they are read: a damaged header may claim any number.
const RESERVED: usize = 4 << 20;

/// A matrix, from its first item on.
pub(super) struct Matrix {
    pub(super) header: Arc<Header>,
    pub(super) stream: Stream,
    /// The names of its columns.
    pub(super) names: Vec<String>,
    /// The name of the array.
    pub(super) array: String,
}

/// A table of arrays.
pub(super) struct Arrays {
    name: String,
    format: Format,
    matrix: Option<Matrix>,
    /// The place of the matrix among the columns.
    first: usize,
    columns: Vec<ArrayRef>,
    schema: SchemaRef,
    selected: Vec<usize>,
    rows: usize,
    done: usize,
    batch_rows: usize,
    progress: Progress,
}

/// Arrays with their names, and the place of the matrix among them.
pub(super) type Beside = (Vec<(String, ArrayRef)>, usize);

impl Arrays {
    pub(super) fn new(
        (name, format): (String, Format),
        matrix: Option<Matrix>,
        (columns, first): Beside,
        rows: usize,
        (options, progress): (&ReadOptions, Progress),
    ) -> Self {
        let beside =
            |(name, column): &(String, ArrayRef)| Field::new(name, column.data_type().clone(), false);
        let mut fields: Vec<Field> = columns.iter().map(beside).collect();
        let width = matrix.as_ref().map_or(0, |matrix| matrix.names.len());
        fields.splice(first..first, matrix.iter().flat_map(Matrix::fields));
        Self {
            name,
            format,
            matrix,
            first,
            columns: columns.into_iter().map(|(_, column)| column).collect(),
            selected: (0..fields.len()).collect(),
            schema: Arc::new(Schema::new(fields)),
            rows,
            done: 0,
            batch_rows: rows_of_width(options.batch_rows, width),
            progress,
        }
    }

    /// A matrix in Fortran order becomes columns: its first row ends with its last item.
    fn read_columns(&mut self) -> Result<()> {
        let Some(matrix) = self.matrix.take_if(|matrix| matrix.header.fortran) else { return Ok(()) };
        let (Matrix { header, mut stream, names, .. }, rows) = (matrix, self.rows);
        check_held(&self.name, header.held())?;
        let size = rows * header.dtype.size;
        let items = read_items(&self.name, &mut stream, size * names.len())?;
        self.check_end(stream)?;
        let column = |k: usize| header.dtype.decode(&items[k * size..][..size], rows);
        let columns: Result<Vec<_>, _> = (0..names.len()).map(column).collect();
        let damaged = |what: String| errors::damaged_because(&self.name, self.format.title(), &what);
        self.columns.splice(self.first..self.first, columns.map_err(damaged)?);
        Ok(())
    }

    /// In an archive, the checksum is checked behind the last item.
    fn check_end(&self, mut stream: Stream) -> Result<()> {
        if self.format == Format::Npz {
            let rest = io::copy(&mut stream, &mut io::sink());
            rest.map_err(|err| errors::damaged(&self.name, self.format.title(), &err))?;
        }
        Ok(())
    }
}

impl Decode for Arrays {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        columns.clone_into(&mut self.selected);
        Ok(())
    }

    fn n_rows(&self) -> Option<usize> {
        Some(self.rows)
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        self.read_columns()?;
        let (start, rows) = (self.done, self.batch_rows.min(self.rows - self.done));
        if rows == 0 {
            return self
                .matrix
                .take()
                .map_or(Ok(None), |matrix| self.check_end(matrix.stream).map(|()| None));
        }
        self.done += rows;
        if self.format == Format::Npz {
            self.progress.set(self.done as u64, self.rows as u64); // the stream of an NPY file counts its bytes
        }
        let beside = |column: usize| self.columns[column].slice(start, rows);
        let Some(Matrix { header, stream, names, .. }) = &mut self.matrix else {
            let columns = self.selected.iter().map(|&column| beside(column)).collect();
            let schema = Arc::new(self.schema.project(&self.selected)?);
            let options = RecordBatchOptions::new().with_row_count(Some(rows));
            return Ok(Some(Rows::Batch(RecordBatch::try_new_with_options(schema, columns, &options)?)));
        };
        let (first, width) = (self.first, names.len());
        let place = |&column: &usize| match column.checked_sub(first) {
            None => Place::Beside(beside(column)),
            Some(k) if k < width => Place::OfMatrix(k),
            Some(_) => Place::Beside(beside(column - width)),
        };
        let columns = self.selected.iter().map(place).collect();
        let items = read_items(&self.name, stream, rows * width * header.dtype.size)?;
        Ok(Some(Rows::Matrix(MatrixRows { header: Arc::clone(header), items, rows, width, columns })))
    }
}

impl Matrix {
    /// The fields of its columns, marked as such in their metadata.
    fn fields(&self) -> impl Iterator<Item = Field> {
        let data_type = if self.header.dtype.size == 8 { DataType::Float64 } else { DataType::Float32 };
        let metadata = HashMap::from([(NPZ_ARRAY.to_owned(), self.array.clone())]);
        let field = move |name| Field::new(name, data_type.clone(), false).with_metadata(metadata.clone());
        self.names.iter().map(field)
    }
}

/// Rows of a matrix as they are in the file, and columns beside it.
pub(super) struct MatrixRows {
    header: Arc<Header>,
    items: Vec<u8>,
    rows: usize,
    width: usize,
    columns: Vec<Place>,
}

/// Where a column is.
enum Place {
    OfMatrix(usize),
    Beside(ArrayRef),
}

impl MatrixRows {
    pub(super) fn n_rows(&self) -> usize {
        self.rows
    }

    pub(super) fn column(&self, column: usize) -> Result<ArrayRef, String> {
        match &self.columns[column] {
            Place::Beside(column) => Ok(Arc::clone(column)),
            Place::OfMatrix(column) => self.header.dtype.decode(&self.items_of(&[*column]), self.rows),
        }
    }

    /// The numbers of these columns, row by row; `None` if one is not in the matrix.
    pub(super) fn numbers(&self, columns: &[usize]) -> Option<Vec<f64>> {
        let of_matrix = |&column: &usize| match self.columns[column] {
            Place::OfMatrix(column) => Some(column),
            Place::Beside(_) => None,
        };
        let columns = columns.iter().map(of_matrix).collect::<Option<Vec<_>>>()?;
        if columns.iter().copied().eq(0..self.width) {
            return Some(self.header.dtype.doubles(&self.items));
        }
        Some(self.header.dtype.doubles(&self.items_of(&columns)))
    }

    /// The items of these columns of the matrix, row by row.
    fn items_of(&self, columns: &[usize]) -> Vec<u8> {
        let size = self.header.dtype.size;
        let mut items = Vec::with_capacity(self.rows * columns.len() * size);
        for row in self.items.chunks_exact(self.width * size) {
            for &column in columns {
                items.extend_from_slice(&row[column * size..][..size]);
            }
        }
        items
    }
}

/// Refuses arrays that take more memory than one file may.
pub(super) fn check_held(name: &str, bytes: u64) -> Result<()> {
    if bytes <= HELD {
        return Ok(());
    }
    let what = format!("{name}: its arrays take {} GiB of memory, more than {}", bytes >> 30, HELD >> 30);
    Err(UserError::new(what)
        .hint(
            "save the matrix in C order (`np.ascontiguousarray`), which is read in parts, and less beside it",
        )
        .into())
}

/// Reads exactly this many bytes. The buffer grows with the data: a damaged header may claim any number.
pub(super) fn read_items(name: &str, stream: &mut impl Read, bytes: usize) -> Result<Vec<u8>> {
    let mut items = Vec::with_capacity(bytes.min(RESERVED));
    stream.take(bytes as u64).read_to_end(&mut items).map_err(|err| errors::reading(name, err))?;
    if items.len() < bytes {
        return Err(too_short(name));
    }
    Ok(items)
}

/// The error of an array that has fewer items than its header says.
pub(super) fn too_short(name: &str) -> anyhow::Error {
    errors::damaged_because(name, Format::Npy.title(), "it ends before its last row")
}
