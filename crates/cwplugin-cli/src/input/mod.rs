//! A table becomes probabilities, labels and weights.

mod columns; // which column means what
mod values; // numbers and labels out of a column
mod refusals; // what the library found wrong, with the file's own names
mod metrics; // the metric that a name means

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cwplugin::{Model, Probabilities, Sample};

pub(crate) use columns::{Layout, quoted, refuse_listed_twice};
pub(crate) use metrics::{metric_by_name, metrics_by_names};

use crate::args::Data;
use crate::output::Progress;
use crate::refusal::Refusal;
use crate::table::{Format, ReadOptions, Reader};
use columns::Wanted;
use refusals::Origin;

/// Whether a command needs the true labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    Needed,
    Ignored,
}

/// Which columns a command passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    /// All of them: the input's table is written again.
    All,
    /// Only those that mean something here; the others are not even decoded.
    Meaningful,
}

/// The rows of a table, chunk by chunk.
#[derive(Debug)]
pub(crate) struct Input {
    reader: Reader,
    first: Option<RecordBatch>,
    schema: SchemaRef,
    layout: Layout,
    labels: Labels,
    data: Data,
    rows_read: usize,
}

/// Some rows: the table's own columns, and what they mean.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) batch: RecordBatch,
    pub(crate) sample: Sample,
}

impl Input {
    /// Opens a table and finds out which column means what; with a model, its classes are looked for.
    pub(crate) fn open(
        path: &Path,
        data: &Data,
        labels: Labels,
        columns: Columns,
        model: Option<(&Model, &Path)>,
    ) -> anyhow::Result<Self> {
        let label_file = Some(PathBuf::from(&data.label))
            .filter(|path| labels == Labels::Needed && Format::of_name(path) == Some(Format::Npy));
        let mut data = data.clone();
        let options = ReadOptions {
            format: data.format,
            delimiter: data.delimiter,
            label_file: label_file.clone(),
            ..ReadOptions::default()
        };
        if label_file.is_some() {
            data.label = "label".into();
        }
        let mut reader = Reader::open(path, &options)?;
        let wanted =
            Wanted { data: &data, labels, model, file: reader.name().to_string(), format: reader.format() };
        let schema = match reader.format() {
            Format::Csv | Format::Tsv => columns::trimmed(&reader.schema()),
            _ => reader.schema().as_ref().clone(),
        };
        let (layout, first) = if let Some(mut layout) = wanted.by_name(&schema)? {
            if columns == Columns::Meaningful {
                reader.select(&layout.select())?;
            }
            (layout, None)
        } else {
            // Only the numbers tell which columns are classes: look at some.
            let first = reader.next_batch()?;
            (wanted.by_content(&schema, first.as_ref())?, first)
        };
        let schema = reader.schema();
        Ok(Self { reader, first, schema, layout, labels, data, rows_read: 0 })
    }

    /// Class names in the order of the probabilities.
    pub(crate) fn classes(&self) -> &[String] {
        &self.layout.classes
    }

    /// For each class its column in [`Input::schema`].
    pub(crate) fn class_columns(&self) -> &[usize] {
        &self.layout.columns
    }

    /// What the user called the table.
    pub(crate) fn name(&self) -> &str {
        self.reader.name()
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(crate) fn format(&self) -> Format {
        self.reader.format()
    }

    /// The next rows, checked; a table without any row is refused.
    pub(crate) fn next_chunk(&mut self, progress: &mut Progress) -> anyhow::Result<Option<Chunk>> {
        let batch = match self.first.take() {
            Some(batch) => Some(batch),
            None => self.reader.next_batch()?,
        };
        let Some(batch) = batch else {
            if self.rows_read == 0 {
                let what = format!("{}: the table has no rows", self.name());
                return Err(Refusal::new(what)
                    .hint("a header alone is not enough: add rows below it")
                    .into());
            }
            return Ok(None);
        };
        let sample = self.sample(&batch)?;
        self.rows_read += batch.num_rows();
        progress.read(self.reader.progress(), self.rows_read);
        Ok(Some(Chunk { batch, sample }))
    }

    /// A column of the last chunk as numbers; it has been checked with the chunk.
    pub(crate) fn numbers(&self, batch: &RecordBatch, column: usize) -> anyhow::Result<Vec<f64>> {
        values::numbers(batch, column, &self.origin())
    }

    fn origin(&self) -> Origin<'_> {
        Origin {
            file: self.reader.name(),
            first_row: self.rows_read,
            layout: &self.layout,
            schema: &self.schema,
            scores: self.data.scores,
        }
    }

    fn sample(&self, batch: &RecordBatch) -> anyhow::Result<Sample> {
        let origin = self.origin();
        let matrix = values::matrix(batch, &origin)?;
        let m = self.layout.classes.len();
        let probabilities =
            Probabilities::from_scores(matrix, m, self.data.scores.into(), self.data.row_sums())
                .map_err(|error| origin.refuse(&error))?;
        let labels = match self.layout.label.filter(|_| self.labels == Labels::Needed) {
            Some(column) => values::labels(batch, column, &origin)?,
            None => vec![None; batch.num_rows()],
        };
        let sample = Sample::new(probabilities, labels).map_err(|error| origin.refuse(&error))?;
        match self.layout.weight {
            Some(column) => {
                let weights = values::numbers(batch, column, &origin)?;
                sample.with_weights(weights).map_err(|error| origin.refuse(&error).into())
            }
            None => Ok(sample),
        }
    }

    /// All rows as one sample; refuses a table in which no row has a label.
    pub(crate) fn read_sample(mut self, progress: &mut Progress) -> anyhow::Result<(Sample, Vec<String>)> {
        let (sample, _) = self.read_rows(usize::MAX, progress)?;
        if sample.n_labelled() == 0 {
            return Err(self.no_labelled_rows().into());
        }
        Ok((sample, self.layout.classes))
    }

    /// The rows up to about so many numbers, and whether those were all.
    pub(crate) fn read_rows(
        &mut self,
        most_numbers: usize,
        progress: &mut Progress,
    ) -> anyhow::Result<(Sample, bool)> {
        let m = self.layout.classes.len();
        let mut all = Probabilities::new(Vec::new(), m)?;
        let (mut labels, mut weights) = (Vec::new(), Vec::new());
        let mut is_end = false;
        while !is_end && all.n_rows().saturating_mul(m) < most_numbers {
            match self.next_chunk(progress)? {
                Some(Chunk { sample, .. }) => {
                    labels.extend_from_slice(sample.codes());
                    weights.extend_from_slice(sample.weights().unwrap_or_default());
                    all.append(sample.into_probabilities())?;
                }
                None => is_end = true,
            }
        }
        let sample = Sample::from_codes(all, labels)?;
        let is_weighted = self.layout.weight.is_some();
        Ok((if is_weighted { sample.with_weights(weights)? } else { sample }, is_end))
    }

    /// What is said of a table whose label column is empty from top to bottom.
    pub(crate) fn no_labelled_rows(&self) -> Refusal {
        let column = &self.data.label;
        Refusal::new(format!("{}: column \"{column}\": no row has a label and a weight above 0", self.name()))
            .hint("label some rows with a class name; an empty field means unlabelled")
    }
}
