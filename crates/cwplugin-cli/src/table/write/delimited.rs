//! CSV and TSV: quotes only where needed; null is an empty field.

use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use memchr::memchr3;

use super::super::text::{Show, show};
use super::super::texts;
use super::json_values::Values;

/// The line of the column names.
pub(super) fn header(schema: &Schema, delimiter: u8) -> Vec<u8> {
    let mut line = Vec::new();
    for (column, field) in schema.fields().iter().enumerate() {
        separate(&mut line, column, delimiter);
        push(&mut line, field.name().as_bytes(), delimiter);
    }
    end(&mut line, 0);
    line
}

/// The rows of a batch.
pub(super) fn lines(batch: &RecordBatch, delimiter: u8) -> Result<Vec<u8>, ArrowError> {
    let fields = batch.schema_ref().fields().iter().zip(batch.columns());
    let cells = fields.map(|(field, column)| Cells::new(field, column, delimiter));
    let cells = cells.collect::<Result<Vec<_>, _>>()?;
    let (mut lines, mut text) = (Vec::new(), String::new());
    for row in 0..batch.num_rows() {
        let start = lines.len();
        for (column, cell) in cells.iter().enumerate() {
            separate(&mut lines, column, delimiter);
            match cell {
                Cells::Text { texts, .. } if texts.is_null(row) => {}
                Cells::Text { texts, is_plain: true } => lines.extend_from_slice(texts.value(row).as_bytes()),
                Cells::Text { texts, .. } => push(&mut lines, texts.value(row).as_bytes(), delimiter),
                Cells::Other(column, _) if column.is_null(row) => {}
                Cells::Other(_, write) => {
                    text.clear();
                    write(row, &mut text)?; // a date out of range has no text
                    push(&mut lines, text.as_bytes(), delimiter);
                }
            }
        }
        end(&mut lines, start);
    }
    Ok(lines)
}

fn separate(lines: &mut Vec<u8>, column: usize, delimiter: u8) {
    if column > 0 {
        lines.push(delimiter);
    }
}

/// Ends the line that begins at `start`: one without a byte would be skipped by readers.
fn end(lines: &mut Vec<u8>, start: usize) {
    lines.extend_from_slice(if lines.len() == start { b"\"\"\n" } else { b"\n" });
}

/// Appends a field, in quotes if it needs them.
fn push(lines: &mut Vec<u8>, field: &[u8], delimiter: u8) {
    if is_plain(field, delimiter) {
        lines.extend_from_slice(field);
        return;
    }
    lines.push(b'"');
    for &byte in field {
        if byte == b'"' {
            lines.push(byte);
        }
        lines.push(byte);
    }
    lines.push(b'"');
}

/// Whether no field of this text needs quotes.
fn is_plain(text: &[u8], delimiter: u8) -> bool {
    memchr3(delimiter, b'"', b'\n', text).is_none() && memchr::memchr(b'\r', text).is_none()
}

/// The cells of one column, as text.
enum Cells<'a> {
    /// Plain if no text needs quotes.
    Text {
        texts: StringArray,
        is_plain: bool,
    },
    Other(&'a dyn Array, Show<'a>),
}

impl<'a> Cells<'a> {
    /// Lists, structs and maps are written as JSON, other values as their text.
    fn new(field: &Field, column: &'a dyn Array, delimiter: u8) -> Result<Self, ArrowError> {
        let kind = column.data_type();
        if kind.is_string() || matches!(kind, DataType::Dictionary(..)) {
            let texts = texts(column)?;
            let offsets = texts.value_offsets();
            let [start, end] = [offsets.first(), offsets.last()]
                .map(|offset| offset.and_then(|&offset| usize::try_from(offset).ok()).unwrap_or_default());
            let is_plain = is_plain(&texts.value_data()[start..end], delimiter);
            return Ok(Self::Text { texts, is_plain });
        }
        if kind.is_nested() {
            let values = Values::new(field, column)?;
            return Ok(Self::Other(column, Box::new(move |row, out| values.write(row, out))));
        }
        Ok(Self::Other(column, show(column)?))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::ArrayRef;
    use proptest::prelude::*;

    use super::*;

    /// The same by the crate csv.
    fn plain(rows: &[Vec<Option<String>>], delimiter: u8) -> Vec<u8> {
        let mut csv = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        for row in rows {
            csv.write_record(row.iter().map(|cell| cell.as_deref().unwrap_or_default())).unwrap();
        }
        csv.into_inner().unwrap()
    }

    proptest! {
        #[test]
        fn lines_are_those_of_the_crate_csv(
            rows in (1..4_usize).prop_flat_map(|columns| {
                prop::collection::vec(prop::collection::vec(prop::option::of("[a,;\t\"\r\n é]{0,3}"), columns), 1..6)
            }),
            is_tab: bool,
        ) {
            let delimiter = if is_tab { b'\t' } else { b',' };
            let column = |k: usize| Arc::new(rows.iter().map(|row| row[k].clone()).collect::<StringArray>()) as ArrayRef;
            let columns = (0..rows[0].len()).map(|k| (k.to_string(), column(k), true));
            let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
            prop_assert_eq!(lines(&batch, delimiter).unwrap(), plain(&rows, delimiter));
            let names: Vec<Field> = rows[0].iter().map(|name| Field::new(name.clone().unwrap_or_default(), DataType::Utf8, true)).collect();
            prop_assert_eq!(header(&Schema::new(names), delimiter), plain(&rows[..1], delimiter));
        }
    }
}
