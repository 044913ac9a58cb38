//! From documents to rows, on any thread.

use std::ops::Range;
use std::sync::Arc;

use anyhow::Result;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchOptions, StringArray};
use arrow_schema::SchemaRef;
use cwplugin_replies::Rows as ReplyRows;

use super::super::part::{Decoded, Parse};
use super::{ReplyOptions, ReplyReader, in_reply};

/// Parses the documents of one block.
pub(super) struct Parser {
    pub(super) name: String,
    pub(super) options: Arc<ReplyOptions>,
    pub(super) schema: SchemaRef,
    pub(super) selected: Vec<usize>,
    /// The bytes and the number of every document.
    pub(super) spans: Vec<(Range<usize>, usize)>,
}

impl Parse for Parser {
    fn parse(&self, block: &[u8], _: usize) -> Result<Decoded> {
        let ReplyReader::Vendor(reader) = &self.options.reader else {
            return self.batch(&ReplyRows::new(), None);
        };
        let mut rows = ReplyRows::new();
        for (span, number) in &self.spans {
            let document = &block[span.clone()];
            let Err(error) = reader.read(document, &mut rows) else { continue };
            if self.options.skip_errors && !matches!(error.kind(), "json" | "configuration") {
                self.options.facts.skip(*number, error.kind(), &error);
                continue;
            }
            let model = self.options.model.as_deref();
            let error = in_reply((&self.name, *number), &error, document, reader.source(), model);
            return self.batch(&rows, Some(error.into()));
        }
        self.batch(&rows, None)
    }
}

impl Parser {
    fn batch(&self, rows: &ReplyRows, error: Option<anyhow::Error>) -> Result<Decoded> {
        self.options.facts.add(rows);
        let m = self.options.classes().len();
        let column = |column: &usize| -> ArrayRef {
            match *column {
                0 => Arc::new(rows.iter().map(|row| row.id).collect::<StringArray>()),
                1 => Arc::new(rows.iter().map(|row| row.label).collect::<StringArray>()),
                column if column == m + 2 => {
                    Arc::new(rows.iter().map(|row| row.other).collect::<Float64Array>())
                }
                column => {
                    let probabilities = rows.probabilities().iter().skip(column - 2).step_by(m);
                    Arc::new(probabilities.copied().collect::<Float64Array>())
                }
            }
        };
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let schema = Arc::new(self.schema.project(&self.selected)?);
        let columns = self.selected.iter().map(column).collect();
        let batch = RecordBatch::try_new_with_options(schema, columns, &options)?;
        Ok(Decoded { batch, error })
    }
}
