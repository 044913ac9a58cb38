//! NPZ: a matrix of floats and one-dimensional arrays, held in memory.

use std::io::{self, BufReader};
use std::sync::Arc;

use anyhow::Result;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use zip::ZipArchive;
use zip::result::ZipError;

use super::super::numpy::{Header, Kind};
use super::super::{Format, texts};
use super::npy::{check_matrix, matrix_columns, matrix_fields, read_items, widen};
use super::source::{Progress, Seekable, Source};
use super::{Decode, ReadOptions, Rows, errors};
use crate::user_error::UserError;

const TITLE: &str = Format::Npz.title();

/// Usual names of the matrix, best first.
const MATRIX: [&str; 5] = ["probabilities", "probs", "proba", "p", "P"];

/// The array with the names of the matrix's columns.
const CLASSES: &str = "classes";

/// All columns, returned in slices.
pub(super) struct Npz {
    table: RecordBatch,
    schema: SchemaRef,
    progress: Progress,
    done: usize,
    batch_rows: usize,
}

impl Npz {
    pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Self> {
        let (name, progress) = (source.name().to_owned(), source.progress());
        let file = source.into_seekable()?;
        let mut archive = Archive::open(name, file)?;
        let matrix = archive.matrix()?;
        let rows = archive.rows(matrix)?;
        let (mut fields, mut columns) = (Vec::new(), Vec::new());
        let classes = match matrix {
            Some(index) => archive.classes(index)?,
            None => None,
        };
        for index in 0..archive.arrays.len() {
            let array = archive.arrays[index].clone();
            if Some(index) == matrix {
                let width = array.header.shape[1];
                let names = match classes {
                    Some(classes) => archive.names(classes)?,
                    None => (0..width).map(|column| column.to_string()).collect(),
                };
                fields.extend(matrix_fields(&array.header, &array.name, names.into_iter()));
                columns.extend(archive.read_matrix(&array)?);
            } else if Some(index) != classes && array.header.shape == [rows] && array.is_column() {
                let column = archive.read_column(&array)?;
                fields.push(Field::new(&array.name, column.data_type().clone(), false));
                columns.push(column);
            }
        }
        let schema = Arc::new(Schema::new(fields));
        let table = RecordBatch::try_new(Arc::clone(&schema), columns)?;
        Ok(Self { table, schema, progress, done: 0, batch_rows: options.batch_rows.max(1) })
    }
}

impl Decode for Npz {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        self.table = self.table.project(columns)?;
        Ok(())
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        let rows = self.batch_rows.min(self.table.num_rows() - self.done);
        if rows == 0 {
            return Ok(None);
        }
        let batch = self.table.slice(self.done, rows);
        self.done += rows;
        self.progress.set(self.done as u64, self.table.num_rows() as u64);
        Ok(Some(Rows::Batch(batch)))
    }
}

#[derive(Clone)]
struct Member {
    index: usize,
    name: String,
    header: Header,
}

impl Member {
    fn is_column(&self) -> bool {
        !matches!(self.header.dtype.kind, Kind::Object | Kind::Other)
    }

    fn is_matrix(&self) -> bool {
        self.header.shape.len() == 2 && self.header.dtype.kind == Kind::Float
    }
}

struct Archive {
    name: String,
    zip: ZipArchive<BufReader<Seekable>>,
    arrays: Vec<Member>,
}

impl Archive {
    fn open(name: String, file: Seekable) -> Result<Self> {
        let mut zip = ZipArchive::new(BufReader::new(file)).map_err(|err| zip_error(&name, &err))?;
        let mut arrays = Vec::new();
        for index in 0..zip.len() {
            let mut entry = zip.by_index(index).map_err(|err| zip_error(&name, &err))?;
            let entry_name = entry.name().map_err(|err| zip_error(&name, &err))?.into_owned();
            let Some(array) = entry_name.strip_suffix(".npy") else { continue };
            let label = format!("{name}: array \"{array}\"");
            let header = Header::read(&mut entry).map_err(|err| errors::damaged(&name, TITLE, &err))?;
            // A single object, such as a dictionary of metadata, is not a column and is ignored.
            if header.dtype.kind == Kind::Object && !header.shape.is_empty() {
                return Err(UserError::new(format!("{label} holds pickled Python objects (dtype object)"))
                    .hint("save it as text, with `astype(str)`")
                    .into());
            }
            arrays.push(Member { index, name: array.to_owned(), header });
        }
        if arrays.is_empty() {
            return Err(UserError::new(format!("{name}: is a zip archive without arrays"))
                .hint("write it with `np.savez`; export a spreadsheet as CSV")
                .into());
        }
        Ok(Self { name, zip, arrays })
    }

    /// The array of probabilities; an archive of columns only has none.
    fn matrix(&self) -> Result<Option<usize>> {
        let position = |name: &str| self.arrays.iter().position(|array| array.name == name);
        let usual = MATRIX.iter().filter_map(|name| position(name));
        let matrices: Vec<_> =
            (0..self.arrays.len()).filter(|&index| self.arrays[index].is_matrix()).collect();
        let chosen = usual.clone().find(|index| matrices.contains(index));
        let chosen = match (chosen, matrices.as_slice()) {
            (Some(index), _) | (None, &[index]) => Some(index),
            (None, []) => usual.clone().find(|&index| self.arrays[index].header.shape.len() > 1),
            (None, several) => {
                let names: Vec<_> = several.iter().map(|&index| self.arrays[index].name.as_str()).collect();
                return Err(UserError::new(format!(
                    "{}: has {} matrices of floats ({})",
                    self.name,
                    several.len(),
                    names.join(", ")
                ))
                .hint("name the one to read `probabilities`")
                .into());
            }
        };
        let other = || (0..self.arrays.len()).find(|&index| self.arrays[index].header.shape.len() > 1);
        let Some(index) = chosen.or_else(other) else { return Ok(None) };
        let array = &self.arrays[index];
        check_matrix(&format!("{}: array \"{}\"", self.name, array.name), &array.header)?;
        Ok(Some(index))
    }

    /// The number of rows.
    fn rows(&self, matrix: Option<usize>) -> Result<usize> {
        if let Some(index) = matrix {
            return Ok(self.arrays[index].header.shape[0]);
        }
        let columns =
            || self.arrays.iter().filter(|array| array.header.shape.len() == 1 && array.is_column());
        let Some(first) = columns().next() else {
            return Err(UserError::new(format!("{}: has no array of one or two dimensions", self.name))
                .hint("save the probabilities as a matrix of floats named `probabilities`")
                .into());
        };
        let rows = first.header.shape[0];
        if let Some(other) = columns().find(|array| array.header.shape[0] != rows) {
            return Err(UserError::new(format!(
                "{}: array \"{}\" has {rows} items, array \"{}\" has {}",
                self.name, first.name, other.name, other.header.shape[0]
            ))
            .hint("save one item per row in every array")
            .into());
        }
        Ok(rows)
    }

    /// The array with the names of the matrix's columns.
    fn classes(&self, matrix: usize) -> Result<Option<usize>> {
        let width = self.arrays[matrix].header.shape[1];
        let Some(index) = self.arrays.iter().position(|array| array.name == CLASSES) else { return Ok(None) };
        let header = &self.arrays[index].header;
        let is_names =
            matches!(header.dtype.kind, Kind::Text | Kind::Bytes | Kind::Int | Kind::Uint | Kind::Bool);
        if is_names && header.shape == [width] {
            return Ok(Some(index));
        }
        let what = format!(
            "{}: array \"{CLASSES}\" does not have one name for each of the {width} columns",
            self.name
        );
        Err(UserError::new(what)
            .hint("save one name per column of the matrix, or leave the array out")
            .into())
    }

    fn names(&mut self, classes: usize) -> Result<Vec<String>> {
        let array = self.arrays[classes].clone();
        let names = texts(&self.read_column(&array)?)?;
        Ok(names.iter().map(|name| name.unwrap_or_default().to_owned()).collect())
    }

    fn read(&mut self, array: &Member) -> Result<Vec<u8>> {
        let claim = || errors::damaged_because(&self.name, TITLE, "an array claims too many rows");
        let bytes = array.header.bytes().ok_or_else(claim)?;
        let mut entry = self.zip.by_index(array.index).map_err(|err| zip_error(&self.name, &err))?;
        Header::read(&mut entry).map_err(|err| errors::damaged(&self.name, TITLE, &err))?;
        let items = read_items(&self.name, &mut entry, bytes)?;
        // The checksum is checked at the end of the entry.
        io::copy(&mut entry, &mut io::sink()).map_err(|err| errors::damaged(&self.name, TITLE, &err))?;
        Ok(items)
    }

    fn read_column(&mut self, array: &Member) -> Result<ArrayRef> {
        let items = self.read(array)?;
        widen(&array.header, &items, array.header.shape[0]).map_err(|what| {
            UserError::new(format!("{}: array \"{}\": {what}", self.name, array.name))
                .hint("save it as text, with `astype(str)`")
                .into()
        })
    }

    fn read_matrix(&mut self, array: &Member) -> Result<Vec<ArrayRef>> {
        let items = self.read(array)?;
        let (rows, width) = (array.header.shape[0], array.header.shape[1]);
        let columns = matrix_columns(&array.header, &items, (rows, width), 0..width);
        columns.map_err(|what| errors::damaged_because(&self.name, TITLE, &what))
    }
}

fn zip_error(name: &str, err: &ZipError) -> anyhow::Error {
    match err {
        ZipError::UnsupportedArchive(what) => {
            UserError::new(format!("{name}: this kind of zip archive is not supported ({what})"))
                .hint("write it with `np.savez` or `np.savez_compressed`")
                .into()
        }
        err => errors::damaged(name, TITLE, err),
    }
}
