//! CSV and TSV: quotes only where needed; null is an empty field.

use anyhow::Result;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::super::text::{Show, show};
use super::super::{errors, texts};
use super::json_values::Values;
use super::{Encode, Sink};

pub(super) struct Delimited {
    name: String,
    csv: csv::Writer<Sink>,
}

impl Delimited {
    pub(super) fn create(sink: Sink, delimiter: u8, schema: &Schema) -> Result<Self> {
        let name = sink.name().to_owned();
        let mut csv = csv::WriterBuilder::new().delimiter(delimiter).from_writer(sink);
        let header = schema.fields().iter().map(|field| field.name());
        csv.write_record(header).map_err(|err| csv_error(&name, &err))?;
        Ok(Self { name, csv })
    }

    fn rows(&mut self, cells: &[Cells<'_>], rows: usize) -> Result<()> {
        let name = self.name.clone();
        let refuse = |err: csv::Error| csv_error(&name, &err);
        let mut text = String::new();
        for row in 0..rows {
            for cell in cells {
                let field = match cell {
                    Cells::Text(texts) if texts.is_null(row) => "",
                    Cells::Text(texts) => texts.value(row),
                    Cells::Other(column, write) => {
                        text.clear();
                        if !column.is_null(row) {
                            // A date out of range has no text.
                            write(row, &mut text).map_err(|err| errors::writing(&name, &err))?;
                        }
                        &text
                    }
                };
                self.csv.write_field(field).map_err(refuse)?;
            }
            self.csv.write_record(None::<&[u8]>).map_err(refuse)?;
        }
        Ok(())
    }
}

/// The writer's error does not expose its I/O error as its source, but a broken pipe must be found.
fn csv_error(name: &str, err: &csv::Error) -> anyhow::Error {
    match err.kind() {
        csv::ErrorKind::Io(cause) => errors::writing(name, cause),
        _ => errors::writing(name, err),
    }
}

/// The cells of one column, as text.
enum Cells<'a> {
    Text(StringArray),
    Other(&'a dyn Array, Show<'a>),
}

impl<'a> Cells<'a> {
    /// Lists, structs and maps are written as JSON, other values as their text.
    fn new(field: &Field, column: &'a dyn Array) -> Result<Self, ArrowError> {
        let kind = column.data_type();
        if kind.is_string() || matches!(kind, DataType::Dictionary(..)) {
            return Ok(Self::Text(texts(column)?));
        }
        if kind.is_nested() {
            let values = Values::new(field, column)?;
            return Ok(Self::Other(column, Box::new(move |row, out| values.write(row, out))));
        }
        Ok(Self::Other(column, show(column)?))
    }
}

impl Encode for Delimited {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let fields = batch.schema_ref().fields().iter().zip(batch.columns());
        let cells = fields.map(|(field, column)| Cells::new(field, column));
        let cells = cells.collect::<Result<Vec<_>, _>>().map_err(|err| errors::writing(&self.name, &err))?;
        self.rows(&cells, batch.num_rows())
    }

    fn finish(self: Box<Self>) -> Result<Sink> {
        self.csv.into_inner().map_err(|err| errors::writing(&self.name, err.error()))
    }
}
