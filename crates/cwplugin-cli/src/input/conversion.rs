//! Converts some rows of a table, on any thread.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cwplugin::{Probabilities, Sample};

use super::errors::Origin;
use super::features::FeatureColumns;
use super::labels::Names;
use super::{Chunk, Layout, values};
use crate::args::Data;
use crate::table::{Decoded, Part};
use crate::user_error::UserError;

/// The meaning of the columns, and how to convert them.
#[derive(Debug)]
pub(crate) struct Conversion {
    pub(super) file: String,
    pub(crate) schema: SchemaRef,
    pub(crate) layout: Layout,
    /// The class names.
    pub(super) class_names: Arc<[String]>,
    /// To look labels up, if they are needed.
    pub(super) names: Option<Names>,
    pub(super) features: Option<FeatureColumns>,
    pub(super) data: Data,
}

impl Conversion {
    /// The rows of a part, checked; `first_row` rows of the table come before them. The error is that of the first bad row,
    /// wherever the parts begin and end.
    pub(super) fn chunk(&self, part: &Part, first_row: usize) -> anyhow::Result<Chunk> {
        let Decoded { batch, error } = part.decode(first_row)?;
        let sample = match self.sample(&batch, first_row) {
            Ok(sample) => sample,
            Err(error) => return Err(self.first_error(&batch, first_row).unwrap_or(error)),
        };
        error.map_or(Ok(Chunk { batch, sample }), Err)
    }

    /// The first bad row, by bisection: the columns are checked one by one.
    fn first_error(&self, batch: &RecordBatch, first_row: usize) -> Option<anyhow::Error> {
        let (mut start, mut rows) = (0, batch.num_rows());
        let error =
            |start: usize, rows: usize| self.sample(&batch.slice(start, rows), first_row + start).err();
        while rows > 1 {
            let half = rows / 2;
            if error(start, half).is_some() {
                rows = half;
            } else {
                (start, rows) = (start + half, rows - half);
            }
        }
        error(start, rows)
    }

    fn sample(&self, batch: &RecordBatch, first_row: usize) -> anyhow::Result<Sample> {
        let origin = self.origin(first_row);
        let matrix = values::matrix(batch, &origin)?;
        let m = self.layout.classes.len();
        let probabilities = Probabilities::from_scores(matrix, m, self.data.scores, self.data.row_sums())
            .map_err(|error| origin.user_error(&error))?;
        let labels = match self.layout.label.zip(self.names.as_ref()) {
            Some((column, names)) => values::labels(batch, column, names, &origin)?,
            None => vec![None; batch.num_rows()],
        };
        let sample = Sample::new(probabilities, labels).map_err(|error| origin.user_error(&error))?;
        let sample = sample.with_classes(Arc::clone(&self.class_names))?;
        let sample = match self.layout.weight {
            Some(column) => {
                let weights = values::numbers(batch, column, &origin)?.into_owned();
                sample.with_weights(weights).map_err(|error| origin.user_error(&error))?
            }
            None => sample,
        };
        match &self.features {
            Some(features) => Ok(sample.with_features(features.of_batch(batch, &origin)?)?),
            None => Ok(sample),
        }
    }

    /// A column of a chunk as numbers; the chunk was checked before.
    pub(crate) fn numbers(&self, chunk: &Chunk, column: usize) -> anyhow::Result<Vec<f64>> {
        Ok(values::numbers(&chunk.batch, column, &self.origin(0))?.into_owned())
    }

    /// The error of a table without labels.
    pub(crate) fn no_labelled_rows(&self) -> UserError {
        let (file, column) = (&self.file, &self.data.label);
        UserError::new(format!("{file}: column \"{column}\": no row has a label and a weight above 0"))
            .hint("label some rows with a class name; rows with an empty label are unlabelled")
    }

    fn origin(&self, first_row: usize) -> Origin<'_> {
        Origin {
            file: &self.file,
            first_row,
            layout: &self.layout,
            schema: &self.schema,
            scores: self.data.scores,
        }
    }
}
