//! Tests that see more than one format.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array as _, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};

use super::texts;
use super::{Decoded, Format, NPZ_ARRAY, ReadOptions, Reader, Writer};
use crate::user_error::UserError;

mod matrix; // any format to any format
mod odd; // unusual files
mod arrays; // of NumPy
mod damage; // truncated and corrupted files
mod output; // what a writer writes

/// A file in a folder of its own.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()) // no disk to wait for
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }
}

fn open(path: &Path) -> anyhow::Result<Reader> {
    Reader::open(path, &ReadOptions::default())
}

fn batches(reader: &mut Reader) -> anyhow::Result<Vec<RecordBatch>> {
    let (mut batches, mut rows) = (Vec::new(), 0);
    while let Some(part) = reader.next_part()? {
        let Decoded { batch, error } = part.decode(rows)?;
        error.map_or(Ok(()), Err)?;
        assert_eq!(batch.schema(), reader.schema());
        rows += batch.num_rows();
        batches.push(batch);
    }
    Ok(batches)
}

fn read(path: &Path) -> anyhow::Result<Vec<RecordBatch>> {
    batches(&mut open(path)?)
}

/// Names and rows, every value as text and null as `∅`.
fn cells(batches: &[RecordBatch]) -> Vec<Vec<String>> {
    let mut rows = vec![batches[0].schema().fields().iter().map(|field| field.name().clone()).collect()];
    for batch in batches {
        let text = |column: &ArrayRef, row: usize| match texts(column) {
            Ok(texts) if texts.is_null(row) => "∅".to_owned(),
            Ok(texts) => texts.value(row).to_owned(),
            Err(_) => format!("{:?}", column.slice(row, 1)), // lists and structs
        };
        let cells = |row| batch.columns().iter().map(|column| text(column, row)).collect();
        rows.extend((0..batch.num_rows()).map(cells));
    }
    rows
}

/// The message of a user error, without the folder; it always has a hint.
fn message<T>(outcome: anyhow::Result<T>) -> String {
    let Err(err) = outcome else { panic!("no error") };
    let error = err.downcast_ref::<UserError>().unwrap_or_else(|| panic!("{err:?} is not a user error"));
    assert!(error.cure.is_some(), "{error} has no hint");
    let text = error.to_string();
    assert!(!text.ends_with('.') && !text.contains('\n'), "{text}");
    match text.split_once(": ") {
        Some((path, rest)) => format!("{}: {rest}", Path::new(path).file_name().unwrap().display()),
        None => text,
    }
}

fn write(path: &Path, batches: &[RecordBatch]) -> anyhow::Result<()> {
    let mut writer = Writer::create(Some(path), Format::of_name(path).unwrap(), batches[0].schema())?;
    for batch in batches {
        writer.write(batch)?;
    }
    writer.finish()
}

/// A table with a column of every common type, in two batches.
fn sample() -> Vec<RecordBatch> {
    let matrix = |name: &str| {
        let metadata = [(NPZ_ARRAY.to_owned(), "probabilities".to_owned())];
        Field::new(name, DataType::Float64, false).with_metadata(metadata.into())
    };
    let schema = Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("text", DataType::Utf8, true),
        Field::new("flag", DataType::Boolean, false),
        matrix("p_a"),
        matrix("p b"),
    ]));
    let batch = |start: i64| {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from(vec![start, start + 1])),
            Arc::new(StringArray::from(vec![Some("a,\"b\"\n\tc"), Some("naïve 😀")])),
            Arc::new(BooleanArray::from(vec![true, false])),
            Arc::new(Float64Array::from(vec![0.1, 1e-7])),
            Arc::new(Float64Array::from(vec![0.9, 1.0 / 3.0])),
        ];
        RecordBatch::try_new(Arc::clone(&schema), columns).unwrap()
    };
    vec![batch(1), batch(3)]
}

/// An NPY file of an array in C order.
fn npy(dtype: &str, shape: &[usize], items: impl AsRef<[u8]>) -> Vec<u8> {
    let comma = if shape.len() == 1 { "," } else { "" };
    let shape: Vec<_> = shape.iter().map(usize::to_string).collect();
    let shape = shape.join(", ");
    let text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({shape}{comma}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend(u16::try_from(text.len()).unwrap().to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(items.as_ref());
    bytes
}

fn floats(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// An NPZ file of these NPY files.
fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        zip.start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The matrix of [`sample`] as an NPY file.
fn sample_npy() -> Vec<u8> {
    npy("<f8", &[4, 2], floats(&[0.1, 0.9, 1e-7, 1.0 / 3.0, 0.1, 0.9, 1e-7, 1.0 / 3.0]))
}

/// The matrix of [`sample`] with labels, as an NPZ file.
fn sample_npz() -> Vec<u8> {
    npz(&[("label", npy("|S1", &[4], "abab")), ("probabilities", sample_npy())])
}
