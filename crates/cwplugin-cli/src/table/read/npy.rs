//! NPY: one matrix of floats, one column per class; labels come from a second file.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use arrow_array::ArrayRef;
use arrow_schema::DataType;

use super::super::numpy::{Header, Kind};
use super::super::{Format, doubles};
use super::arrays::{Arrays, Matrix, check_held, read_items, too_short};
use super::source::{Source, Stream};
use super::{MAX_COLUMNS, ReadOptions, errors};
use crate::user_error::UserError;

const TITLE: &str = Format::Npy.title();

/// Empty texts in an array, at most: they take no bytes in the file.
const MOST_EMPTY: usize = 1 << 24;

/// Opens a two-dimensional array.
pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Arrays> {
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
    let labels = match &options.label_file {
        Some(path) => {
            vec![("label".to_owned(), read_labels(path, &name, rows)?)]
        }
        None => Vec::new(),
    };
    let names = (0..width).map(|column| column.to_string()).collect();
    let matrix = Matrix { header: header.into(), stream, names, array: "probabilities".to_owned() };
    Ok(Arrays::new((name, Format::Npy), Some(matrix), (labels, 0), rows, (options, progress)))
}

fn read_header(name: &str, stream: &mut Stream) -> Result<Header> {
    Header::read(stream).map_err(|err| match err.downcast::<UserError>() {
        Ok(error) => error.into(),
        Err(err) => errors::damaged(name, TITLE, &err),
    })
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

/// The labels of the `rows` of the file `table`.
fn read_labels(path: &Path, table: &str, rows: usize) -> Result<ArrayRef> {
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
    // Before anything is read: the header may claim any number.
    if count != rows {
        return Err(UserError::new(format!("{name}: has {count} labels, {table} has {rows} rows"))
            .hint("give one label for each row, in the same order")
            .into());
    }
    let bytes = check_column(&name, &header, 0)?;
    let items = read_items(&name, &mut stream, bytes)?;
    widen(&header, &items, count).map_err(|what| {
        UserError::new(format!("{name}: {what}")).hint("save the labels as text, with `y.astype(str)`").into()
    })
}

/// The bytes of a column, which is in memory as a whole beside others of `held` bytes.
pub(super) fn check_column(name: &str, header: &Header, held: u64) -> Result<usize> {
    let count = header.shape.iter().fold(1_usize, |count, &length| count.saturating_mul(length));
    if header.dtype.size == 0 && count > MOST_EMPTY {
        return Err(UserError::new(format!("{name}: has {count} empty texts, more than {MOST_EMPTY}"))
            .hint("save texts of at least one character, or leave the array out")
            .into());
    }
    let bytes = header.bytes().ok_or_else(|| too_short(name))?;
    check_held(name, held.saturating_add(header.held()))?;
    Ok(bytes)
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
