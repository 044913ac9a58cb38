//! A part of a table becomes a chunk: the same on any thread.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cwplugin::{Probabilities, Sample};

use super::features::FeatureColumns;
use super::labels::Names;
use super::refusals::Origin;
use super::{Chunk, Layout, values};
use crate::args::Data;
use crate::refusal::Refusal;
use crate::table::{Decoded, Part};

/// What the columns of a table mean, and what to make of them.
#[derive(Debug)]
pub(crate) struct Conversion {
    pub(super) file: String,
    pub(super) schema: SchemaRef,
    pub(super) layout: Layout,
    /// The names of the classes.
    pub(super) class_names: Arc<[String]>,
    /// For the labels, if they are wanted.
    pub(super) names: Option<Names>,
    pub(super) features: Option<FeatureColumns>,
    pub(super) data: Data,
}

impl Conversion {
    /// The rows of a part, checked; `first_row` rows of the table come before them. What is refused is the first row
    /// that is wrong in any way, wherever the parts begin and end.
    pub(super) fn chunk(&self, part: &Part, first_row: usize) -> anyhow::Result<Chunk> {
        let Decoded { batch, refusal } = part.decode(first_row)?;
        let sample = match self.sample(&batch, first_row) {
            Ok(sample) => sample,
            Err(error) => return Err(self.first_refusal(&batch, first_row).unwrap_or(error)),
        };
        refusal.map_or(Ok(Chunk { batch, sample }), Err)
    }

    /// The columns are checked one by one: the first row that fails is found by halving.
    fn first_refusal(&self, batch: &RecordBatch, first_row: usize) -> Option<anyhow::Error> {
        let (mut start, mut rows) = (0, batch.num_rows());
        let refusal =
            |start: usize, rows: usize| self.sample(&batch.slice(start, rows), first_row + start).err();
        while rows > 1 {
            let half = rows / 2;
            if refusal(start, half).is_some() {
                rows = half;
            } else {
                (start, rows) = (start + half, rows - half);
            }
        }
        refusal(start, rows)
    }

    fn sample(&self, batch: &RecordBatch, first_row: usize) -> anyhow::Result<Sample> {
        let origin = self.origin(first_row);
        let matrix = values::matrix(batch, &origin)?;
        let m = self.layout.classes.len();
        let probabilities =
            Probabilities::from_scores(matrix, m, self.data.scores.into(), self.data.row_sums())
                .map_err(|error| origin.refuse(&error))?;
        let labels = match self.layout.label.zip(self.names.as_ref()) {
            Some((column, names)) => values::labels(batch, column, names, &origin)?,
            None => vec![None; batch.num_rows()],
        };
        let sample = Sample::new(probabilities, labels).map_err(|error| origin.refuse(&error))?;
        let sample = sample.with_classes(Arc::clone(&self.class_names))?;
        let sample = match self.layout.weight {
            Some(column) => {
                let weights = values::numbers(batch, column, &origin)?.into_owned();
                sample.with_weights(weights).map_err(|error| origin.refuse(&error))?
            }
            None => sample,
        };
        match &self.features {
            Some(features) => Ok(sample.with_features(features.of_batch(batch, &origin)?)?),
            None => Ok(sample),
        }
    }

    /// Whether rows can only be converted by who knows how many come before them.
    pub(super) fn needs_row_numbers(&self) -> bool {
        self.features.as_ref().is_some_and(FeatureColumns::has_files)
    }

    /// Refuses files beside the table that have more rows than it.
    pub(super) fn check_rows(&self, rows: usize) -> Result<(), Refusal> {
        self.features.as_ref().map_or(Ok(()), |features| features.check_rows(&self.file, rows))
    }

    /// A column of a chunk as numbers; it has been checked with the chunk.
    pub(crate) fn numbers(&self, chunk: &Chunk, column: usize) -> anyhow::Result<Vec<f64>> {
        Ok(values::numbers(&chunk.batch, column, &self.origin(0))?.into_owned())
    }

    /// What is said of a table whose label column is empty from top to bottom.
    pub(crate) fn no_labelled_rows(&self) -> Refusal {
        let (file, column) = (&self.file, &self.data.label);
        Refusal::new(format!("{file}: column \"{column}\": no row has a label and a weight above 0"))
            .hint("label some rows with a class name; an empty field means unlabelled")
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
