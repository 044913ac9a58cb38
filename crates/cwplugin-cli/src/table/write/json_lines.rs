//! JSON lines: one object per line, keys in the order of the columns.

use std::io::Write as _;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::super::errors;
use super::json_values::{Values, object, quoted};
use super::{Encode, Sink};

pub(super) struct JsonLines {
    sink: Sink,
    lines: String,
}

impl JsonLines {
    pub(super) fn create(sink: Sink) -> Self {
        Self { sink, lines: String::new() }
    }

    fn rows(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let fields = batch.schema_ref().fields().iter();
        let columns = fields
            .zip(batch.columns())
            .map(|(field, column)| Ok((quoted(field.name()), Values::new(field, column)?)));
        let columns = columns.collect::<Result<Vec<_>, ArrowError>>()?;
        self.lines.clear();
        for row in 0..batch.num_rows() {
            object(&columns, row, &mut self.lines)?;
            self.lines.push('\n');
        }
        Ok(())
    }
}

impl Encode for JsonLines {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.rows(batch).map_err(|err| errors::writing(self.sink.name(), &err))?;
        self.sink.write_all(self.lines.as_bytes()).map_err(|err| errors::writing(self.sink.name(), &err))
    }

    fn finish(self: Box<Self>) -> Result<Sink> {
        Ok(self.sink)
    }
}
