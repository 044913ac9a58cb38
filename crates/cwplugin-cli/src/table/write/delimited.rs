//! CSV and TSV: quotes only where they are needed, null as the empty field.

use std::fmt::Write as _;

use anyhow::Result;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{DataType, Schema};

use super::super::refuse;
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
        csv.write_record(header).map_err(|err| refuse_csv(&name, &err))?;
        Ok(Self { name, csv })
    }

    fn rows(&mut self, cells: &[Cells<'_>], rows: usize) -> Result<(), csv::Error> {
        let mut text = String::new();
        for row in 0..rows {
            for cell in cells {
                match cell {
                    Cells::Text(texts) if texts.is_null(row) => self.csv.write_field("")?,
                    Cells::Text(texts) => self.csv.write_field(texts.value(row))?,
                    Cells::Other(formatter) => {
                        text.clear();
                        // Writing to a string fails only if the value has no text form.
                        if write!(text, "{}", formatter.value(row)).is_err() {
                            text.clear();
                        }
                        self.csv.write_field(&text)?;
                    }
                }
            }
            self.csv.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }
}

/// The writer's error does not name its cause as its source; a broken pipe must be found there all the same.
fn refuse_csv(name: &str, err: &csv::Error) -> anyhow::Error {
    match err.kind() {
        csv::ErrorKind::Io(cause) => refuse::writing(name, cause),
        _ => refuse::writing(name, err),
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
        let cells = cells.collect::<Result<Vec<_>, _>>().map_err(|err| refuse::writing(&self.name, &err))?;
        self.rows(&cells, batch.num_rows()).map_err(|err| refuse_csv(&self.name, &err))
    }

    fn finish(self: Box<Self>) -> Result<Sink> {
        self.csv.into_inner().map_err(|err| refuse::writing(&self.name, err.error()))
    }
}
