//! CSV and TSV: quotes only where needed; null is an empty field.

use anyhow::Result;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{DataType, Schema};

use super::super::errors;
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
        for row in 0..rows {
            for cell in cells {
                match cell {
                    Cells::Text(texts) if texts.is_null(row) => self.csv.write_field("").map_err(refuse)?,
                    Cells::Text(texts) => self.csv.write_field(texts.value(row)).map_err(refuse)?,
                    Cells::Other(formatter) => {
                        // A date out of range has no text form.
                        let text = formatter.value(row).try_to_string();
                        let text = text.map_err(|err| errors::writing(&name, &err))?;
                        self.csv.write_field(&text).map_err(refuse)?;
                    }
                }
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
    Text(&'a StringArray),
    Other(ArrayFormatter<'a>),
}

impl Encode for Delimited {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let options = FormatOptions::default();
        let cells = batch.columns().iter().map(|column| match column.data_type() {
            DataType::Utf8 => Ok(Cells::Text(column.as_string())),
            _ => ArrayFormatter::try_new(column.as_ref(), &options).map(Cells::Other),
        });
        let cells = cells.collect::<Result<Vec<_>, _>>().map_err(|err| errors::writing(&self.name, &err))?;
        self.rows(&cells, batch.num_rows())
    }

    fn finish(self: Box<Self>) -> Result<Sink> {
        self.csv.into_inner().map_err(|err| errors::writing(&self.name, err.error()))
    }
}
