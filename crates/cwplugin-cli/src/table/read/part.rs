//! Some rows of a file, which any thread can decode.

use std::sync::Arc;

use anyhow::Result;
use arrow_array::{Array as _, ArrayRef, NullArray, RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, FieldRef, Schema, SchemaRef};

use super::super::{Format, errors};
use super::arrays::MatrixRows;

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
    /// A matrix is already in the order that a sample has.
    Matrix(MatrixRows),
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
        let schema = &self.shape.schema;
        let (columns, rows, error) = match &self.rows {
            Rows::Matrix(matrix) => {
                let columns = (0..schema.fields().len()).map(|column| matrix.column(self.place(column)));
                let columns = columns.collect::<Result<Vec<_>, _>>().map_err(|what| self.damaged(&what))?;
                (columns, matrix.n_rows(), None)
            }
            Rows::Batch(batch) => (self.placed(batch), batch.num_rows(), None),
            Rows::Block(block, parser) => {
                let Decoded { batch, error } = parser.parse(block, first_row)?;
                (self.placed(&batch), batch.num_rows(), error)
            }
        };
        // With our schema: a Parquet reader omits the file's metadata from its batches.
        Ok(Decoded { batch: self.batch(Arc::clone(schema), columns, rows)?, error })
    }

    /// The numbers of these columns, row by row, and a batch without them: they have the type `Null` there. `None` if they
    /// are not columns of a matrix.
    pub(crate) fn decode_matrix(&self, columns: &[usize]) -> Result<Option<(Vec<f64>, RecordBatch)>> {
        let Rows::Matrix(matrix) = &self.rows else { return Ok(None) };
        let places: Vec<usize> = columns.iter().map(|&column| self.place(column)).collect();
        let Some(numbers) = matrix.numbers(&places) else { return Ok(None) };
        let nulls: ArrayRef = Arc::new(NullArray::new(matrix.n_rows()));
        let mut beside: Vec<Option<ArrayRef>> = vec![None; self.shape.schema.fields().len()];
        for &column in columns {
            beside[column] = Some(Arc::clone(&nulls));
        }
        let field = |(field, column): (&FieldRef, &Option<ArrayRef>)| match column {
            Some(nulls) => Arc::new(Field::new(field.name(), nulls.data_type().clone(), true)),
            None => Arc::clone(field),
        };
        let fields: Vec<FieldRef> = self.shape.schema.fields().iter().zip(&beside).map(field).collect();
        let column = |(column, nulls): (usize, Option<ArrayRef>)| match nulls {
            Some(nulls) => Ok(nulls),
            None => matrix.column(self.place(column)),
        };
        let beside = beside.into_iter().enumerate().map(column).collect::<Result<Vec<_>, _>>();
        let beside = beside.map_err(|what| self.damaged(&what))?;
        let batch = self.batch(Arc::new(Schema::new(fields)), beside, matrix.n_rows())?;
        Ok(Some((numbers, batch)))
    }

    /// The place of a column in the decoder's batches.
    fn place(&self, column: usize) -> usize {
        self.shape.places.as_ref().map_or(column, |places| places[column])
    }

    fn placed(&self, batch: &RecordBatch) -> Vec<ArrayRef> {
        match &self.shape.places {
            Some(places) => places.iter().map(|&place| Arc::clone(batch.column(place))).collect(),
            None => batch.columns().to_vec(),
        }
    }

    fn damaged(&self, what: &str) -> anyhow::Error {
        errors::damaged_because(&self.shape.name, self.shape.format.title(), what)
    }

    fn batch(&self, schema: SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(schema, columns, &options);
        batch.map_err(|err| errors::damaged(&self.shape.name, self.shape.format.title(), &err))
    }
}
