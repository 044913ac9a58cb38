//! Some rows that have been read: any thread can turn them into a batch.

use std::sync::Arc;

use anyhow::Result;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;

use super::super::{Format, refuse};

/// Takes blocks of text apart.
pub(super) trait Parse: Send + Sync {
    /// The rows of a block; `first_row` rows of the file come before it, for the sake of messages.
    fn parse(&self, block: &[u8], first_row: usize) -> Result<Decoded>;
}

/// Rows, and why there are no more of them, if a row could not be read.
pub(crate) struct Decoded {
    pub(crate) batch: RecordBatch,
    pub(crate) refusal: Option<anyhow::Error>,
}

/// Rows as a decoder hands them out.
pub(super) enum Rows {
    /// Binary formats are decoded where they are read: their decoders remember what came before.
    Batch(RecordBatch),
    /// Text is cheap to read and costly to take apart.
    Block(Vec<u8>, Arc<dyn Parse>),
}

/// What every batch of a table is to look like.
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) schema: SchemaRef,
    /// Where each column is in the decoder's batches; `None` if those are right as they are.
    pub(super) places: Option<Vec<usize>>,
}

/// Some rows of a table, in their order.
pub(crate) struct Part {
    pub(super) rows: Rows,
    pub(super) shape: Arc<Shape>,
    pub(super) progress: (u64, Option<u64>),
}

impl Part {
    /// The rows as a batch, up to the first that cannot be read. Only a refusal needs to know that there are `first_row` rows before it: whoever does not
    /// know decodes the part again as soon as it is known.
    ///
    /// # Errors
    ///
    /// If the columns are not what the schema says.
    pub(crate) fn decode(&self, first_row: usize) -> Result<Decoded> {
        let Decoded { batch, refusal } = match &self.rows {
            Rows::Batch(batch) => Decoded { batch: batch.clone(), refusal: None },
            Rows::Block(block, parser) => parser.parse(block, first_row)?,
        };
        let Shape { name, format, schema, places } = &*self.shape;
        let columns = match places {
            Some(places) => places.iter().map(|&place| Arc::clone(batch.column(place))).collect(),
            None => batch.columns().to_vec(),
        };
        // Under our schema: a Parquet reader leaves the metadata of the whole file out of its batches.
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options);
        let batch = batch.map_err(|err| refuse::damaged(name, format.title(), &err))?;
        Ok(Decoded { batch, refusal })
    }

    /// Bytes of the file that were read up to here, and how many there are, if that is known.
    pub(crate) fn progress(&self) -> (u64, Option<u64>) {
        self.progress
    }
}
