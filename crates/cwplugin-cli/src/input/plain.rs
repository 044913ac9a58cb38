//! Tables that are read without options, for `crates/lab`.

use std::hint::black_box;
use std::path::Path;

use cwplugin::Sample;

use super::{Input, Needs, column_texts};
use crate::args::Data;
use crate::output::Screen;
use crate::table::{Decoded, ReadOptions, Reader};
use crate::user_error::UserError;

/// All rows of a table, and the names of the classes.
///
/// # Errors
///
/// If the table cannot be read, or no row has a label.
pub fn read_labelled(path: &Path, screen: &Screen) -> anyhow::Result<(Sample, Vec<String>)> {
    Input::open(path, &Data::plain(), Needs::LABELLED, screen)?.read_sample(&mut screen.progress("reading"))
}

/// Decodes a table, to measure the time; returns the number of rows.
///
/// # Errors
///
/// If the table cannot be read.
pub fn decode_labelled(path: &Path, screen: &Screen) -> anyhow::Result<usize> {
    let mut samples = Input::open(path, &Data::plain(), Needs::LABELLED, screen)?.samples()?;
    let mut progress = screen.progress("reading");
    let mut rows = 0;
    while let Some(sample) = samples.next(&mut progress)? {
        rows += black_box(&sample).n_rows();
    }
    Ok(rows)
}

/// Reads these columns of a table as text. `each` gets the number of the row, from 0, and its trimmed cells; a missing value is
/// empty. `hint` is for a missing column.
///
/// # Errors
///
/// If the table cannot be read or lacks a column, or if `each` fails.
pub fn for_each_row(
    path: &Path,
    columns: &[&str],
    hint: &str,
    each: impl FnMut(usize, &[&str]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let reader = Reader::open(path, &ReadOptions::default())?;
    let (file, schema) = (reader.name().to_string(), reader.schema());
    let find = |name: &&str| {
        let missing = |_| UserError::new(format!("{file}: no column \"{name}\"")).hint(hint);
        schema.index_of(name).map_err(missing)
    };
    for_each_text(reader, &columns.iter().map(find).collect::<Result<Vec<_>, _>>()?, each)
}

/// The same for columns by number.
pub(super) fn for_each_text(
    mut reader: Reader,
    columns: &[usize],
    mut each: impl FnMut(usize, &[&str]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    reader.select(columns)?;
    let mut first = 0;
    while let Some(part) = reader.next_part()? {
        let Decoded { batch, error } = part.decode(first)?;
        let texts = (0..columns.len()).map(|column| column_texts(&batch, column));
        let texts = texts.collect::<anyhow::Result<Vec<_>>>()?;
        for row in 0..batch.num_rows() {
            let cells: Vec<&str> = texts.iter().map(|texts| texts[row].as_str()).collect();
            each(first + row, &cells)?;
        }
        error.map_or(Ok(()), Err)?;
        first += batch.num_rows();
    }
    Ok(())
}
