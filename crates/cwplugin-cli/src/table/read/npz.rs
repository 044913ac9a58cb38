//! NPZ: a matrix of floats and one-dimensional arrays.

use std::io::{self, BufReader};

use anyhow::Result;
use arrow_array::ArrayRef;
use zip::ZipArchive;
use zip::result::ZipError;

use super::super::numpy::{Header, Kind};
use super::super::{Format, texts};
use super::arrays::{Arrays, Matrix, read_items};
use super::entry::into_entry;
use super::npy::{check_column, check_matrix, widen};
use super::source::{Seekable, Source};
use super::{ReadOptions, errors};
use crate::user_error::UserError;

const TITLE: &str = Format::Npz.title();

/// Usual names of the matrix, best first.
const MATRIX: [&str; 5] = ["probabilities", "probs", "proba", "p", "P"];

/// The array with the names of the matrix's columns.
const CLASSES: &str = "classes";

/// Opens an archive: its matrix is read in blocks of rows, its columns are held in memory.
pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Arrays> {
    let (name, progress) = (source.name().to_owned(), source.progress());
    let mut archive = Archive::open(name.clone(), source.into_seekable()?)?;
    let matrix = archive.matrix()?;
    let rows = archive.rows(matrix)?;
    let classes = match matrix {
        Some(index) => archive.classes(index)?,
        None => None,
    };
    let (mut columns, mut first) = (Vec::new(), 0);
    for index in 0..archive.arrays.len() {
        let array = archive.arrays[index].clone();
        if Some(index) == matrix {
            first = columns.len();
        } else if Some(index) != classes && array.header.shape == [rows] && array.is_column() {
            columns.push((array.name.clone(), archive.read_column(&array)?));
        }
    }
    let names = classes.map(|classes| archive.names(classes)).transpose()?;
    let matrix = matrix.map(|index| archive.into_matrix(index, names)).transpose()?;
    Ok(Arrays::new((name, Format::Npz), matrix, (columns, first), rows, (options, progress)))
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
    /// Bytes of the columns in memory.
    held: u64,
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
        Ok(Self { name, zip, arrays, held: 0 })
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
        let bytes =
            check_column(&format!("{}: array \"{}\"", self.name, array.name), &array.header, self.held)?;
        self.held += array.header.held();
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

    /// The matrix from its first item on; the rest of the archive is no longer needed.
    fn into_matrix(mut self, index: usize, names: Option<Vec<String>>) -> Result<Matrix> {
        let Member { index, name: array, header } = self.arrays.swap_remove(index);
        header.bytes().ok_or_else(|| too_many(&self.name))?;
        let names = names.unwrap_or_else(|| (0..header.shape[1]).map(|column| column.to_string()).collect());
        let mut stream = into_entry(self.zip, index).map_err(|err| zip_error(&self.name, &err))?;
        Header::read(&mut stream).map_err(|err| errors::damaged(&self.name, TITLE, &err))?;
        Ok(Matrix { header: header.into(), stream, names, array })
    }
}

fn too_many(name: &str) -> anyhow::Error {
    errors::damaged_because(name, TITLE, "an array claims too many rows")
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
