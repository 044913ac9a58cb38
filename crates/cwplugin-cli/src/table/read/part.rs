//! Some rows of a file, which any thread can decode.

use std::sync::Arc;

use anyhow::Result;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;

use super::super::{Format, errors};

/// Parses blocks of text.
pub(super) trait Parse: Send + Sync {
    /// The rows of a block; `first_row` rows of the file come before it, for messages.
    fn parse(&self, block: &[u8], first_row: usize) -> Result<Decoded>;
}

/// Rows, and the error of the row after them, if it could not be read.
pub(crate) struct Decoded {
    pub(crate) batch: RecordBatch,
    pub(crate) error: Option<anyhow::Error>,
}

/// Rows as a decoder returns them.
pub(super) enum Rows {
    /// Binary formats are decoded while they are read: their decoders have a state.
    Batch(RecordBatch),
    /// Text is cheap to read and expensive to parse.
    Block(Vec<u8>, Arc<dyn Parse>),
}

/// The shape of every batch of a table.
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) schema: SchemaRef,
    /// The place of each column in the decoder's batches; `None` if the order is the same.
    pub(super) places: Option<Vec<usize>>,
}

/// Some rows of a table, in their order.
pub(crate) struct Part {
    pub(super) rows: Rows,
    pub(super) shape: Arc<Shape>,
    /// Bytes of the file that were read up to here, and their total if it is known.
    pub(crate) progress: (u64, Option<u64>),
}

impl Part {
    /// The rows as a batch, and the part such that they are not parsed again.
    pub(super) fn decoded(self) -> Result<(Self, Decoded)> {
        let Rows::Block(block, parser) = &self.rows else {
            let decoded = self.decode(0)?;
            return Ok((self, decoded));
        };
        let parsed = parser.parse(block, 0)?;
        if parsed.error.is_some() {
            let decoded = self.decode(0)?;
            return Ok((self, decoded));
        }
        let part = Self { rows: Rows::Batch(parsed.batch), ..self };
        let decoded = part.decode(0)?;
        Ok((part, decoded))
    }

    /// The rows as a batch, up to the first that cannot be read. `first_row` is the number of rows before it, for the error
    /// message.
    pub(crate) fn decode(&self, first_row: usize) -> Result<Decoded> {
        let Decoded { batch, error } = match &self.rows {
            Rows::Batch(batch) => Decoded { batch: batch.clone(), error: None },
            Rows::Block(block, parser) => parser.parse(block, first_row)?,
        };
        let Shape { name, format, schema, places } = &*self.shape;
        let columns = match places {
            Some(places) => places.iter().map(|&place| Arc::clone(batch.column(place))).collect(),
            None => batch.columns().to_vec(),
        };
        // With our schema: a Parquet reader omits the file's metadata from its batches.
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options);
        let batch = batch.map_err(|err| errors::damaged(name, format.title(), &err))?;
        Ok(Decoded { batch, error })
    }
}
