//! Tests that see more than one format.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{DataType, Field, Schema};

use super::{Format, NPZ_ARRAY, ReadOptions, Reader, Writer};
use crate::refusal::Refusal;

mod matrix; // any format to any format
mod odd; // files that people really have
mod damage; // cut and changed files
mod output; // what a writer leaves behind

/// A file in a folder of its own.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
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
    let mut batches = Vec::new();
    while let Some(batch) = reader.next_batch()? {
        assert_eq!(batch.schema(), reader.schema());
        batches.push(batch);
    }
    Ok(batches)
}

fn read(path: &Path) -> anyhow::Result<Vec<RecordBatch>> {
    batches(&mut open(path)?)
}

/// Names and rows, every value as text and null as `∅`.
fn cells(batches: &[RecordBatch]) -> Vec<Vec<String>> {
    let options = FormatOptions::default().with_null("∅");
    let mut rows = vec![batches[0].schema().fields().iter().map(|field| field.name().clone()).collect()];
    for batch in batches {
        let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap());
        let columns: Vec<_> = columns.collect();
        rows.extend(
            (0..batch.num_rows())
                .map(|row| columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>()),
        );
    }
    rows
}

/// The refusal's words, with the folder taken out; there is always a cure.
fn refusal<T>(outcome: anyhow::Result<T>) -> String {
    let Err(err) = outcome else { panic!("was not refused") };
    let refusal = err.downcast_ref::<Refusal>().unwrap_or_else(|| panic!("{err:?} is no refusal"));
    assert!(refusal.cure().is_some(), "{refusal} has no cure");
    let text = refusal.to_string();
    assert!(!text.ends_with('.') && !text.contains('\n'), "{text}");
    match text.split_once(": ") {
        Some((path, rest)) => format!("{}: {rest}", Path::new(path).file_name().unwrap().display()),
        None => text,
    }
}

fn write(path: &Path, batches: &[RecordBatch]) -> anyhow::Result<()> {
    let mut writer = Writer::create(Some(path), None, Format::Csv, batches[0].schema())?;
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
