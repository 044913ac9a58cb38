//! A file becomes a stream of record batches.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;

use super::{Format, refuse};
use crate::refusal::Refusal;

mod source; // bytes: a file or a stream, decompressed and counted
mod sniff; // which format they are in
mod guard; // other people's panics become errors
mod delimited; // CSV and TSV
mod json_lines;
mod parquet;
mod arrow;
mod npy;
mod npz;

use source::{Progress, Source};

/// The most text that one batch holds, so that long fields cannot fill the memory.
const BATCH_BYTES: usize = 64 << 20;

/// How to read a table.
#[derive(Debug, Clone)]
pub(crate) struct ReadOptions {
    /// The format, if the name and the content are not to decide.
    pub(crate) format: Option<Format>,
    /// What separates the fields of a CSV or TSV file, if not a comma or a tab.
    pub(crate) delimiter: Option<u8>,
    /// The most rows in a batch; Arrow files keep the batches that they have.
    pub(crate) batch_rows: usize,
    /// A one-dimensional NPY file beside the NPY file that is read: its column `label`.
    pub(crate) label_file: Option<PathBuf>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { format: None, delimiter: None, batch_rows: 8192, label_file: None }
    }
}

/// What every format does; the columns are those of the file, numbered from 0.
trait Decode: Send {
    /// All columns of the file.
    fn schema(&self) -> SchemaRef;

    /// Decode only these columns, ascending and each once; called before the first batch, if at all.
    fn select(&mut self, columns: &[usize]) -> Result<()>;

    /// The next rows of the selected columns.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>>;
}

/// A table that is being read.
pub(crate) struct Reader {
    name: String,
    format: Format,
    progress: Progress,
    decoder: Box<dyn Decode>,
    /// The chosen columns of the file, in the caller's order.
    columns: Vec<usize>,
    schema: SchemaRef,
    /// Where each chosen column is in the decoder's batches; `None` if those are right as they are.
    places: Option<Vec<usize>>,
    batch_rows: usize,
    /// What is left of a batch that was larger than asked for: an Arrow file has its own sizes.
    rest: Option<RecordBatch>,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("name", &self.name)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

impl Reader {
    /// Opens a file, or standard input if `path` is `-`, and reads as far as the schema needs.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if there is no such file, or if it is empty, damaged or not what it is called.
    pub(crate) fn open(path: &Path, options: &ReadOptions) -> Result<Self> {
        let source = Source::open(path)?;
        let format = sniff::format(&source, options)?;
        let (name, progress) = (source.name().to_owned(), source.progress());
        if options.label_file.is_some() && format != Format::Npy {
            return Err(Refusal::new(format!("{name}: a label file goes with an NPY file only"))
                .hint("put the labels into a column of the table")
                .into());
        }
        let decoder: Box<dyn Decode> = match format {
            Format::Csv | Format::Tsv => Box::new(delimited::Delimited::open(source, format, options)?),
            Format::Jsonl => Box::new(json_lines::JsonLines::open(source, options)?),
            Format::Parquet => Box::new(parquet::Parquet::open(source, options)?),
            Format::Arrow => arrow::open(source)?,
            Format::Npy => Box::new(npy::Npy::open(source, options)?),
            Format::Npz => Box::new(npz::Npz::open(source, options)?),
        };
        let schema = decoder.schema();
        let columns = (0..schema.fields().len()).collect();
        let batch_rows = options.batch_rows;
        Ok(Self { name, format, progress, decoder, columns, schema, places: None, batch_rows, rest: None })
    }

    /// The file's name as the user gave it, or `<stdin>`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The format that was given or found.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// The columns of the batches to come.
    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Keeps only these columns of [`Reader::schema`], in this order; call it before the first batch.
    ///
    /// # Errors
    ///
    /// If a column does not exist, or the file cannot be read again from its start.
    pub(crate) fn select(&mut self, columns: &[usize]) -> Result<()> {
        self.schema = Arc::new(self.schema.project(columns)?);
        self.columns = columns.iter().map(|&column| self.columns[column]).collect();
        let mut wanted = self.columns.clone();
        wanted.sort_unstable();
        wanted.dedup();
        self.decoder.select(&wanted)?;
        let place = |column| wanted.partition_point(|&other| other < column);
        self.places = Some(self.columns.iter().map(|&column| place(column)).collect());
        Ok(())
    }

    /// The next rows, or `None` after the last.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that names the file and, for text formats, the row.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let next = match self.rest.take() {
            Some(rest) => Some(rest),
            None => self.decoder.next_batch()?,
        };
        let Some(mut batch) = next else { return Ok(None) };
        if let Some(left) = batch.num_rows().checked_sub(self.batch_rows).filter(|&left| left > 0) {
            self.rest = Some(batch.slice(self.batch_rows, left)); // no copy
            batch = batch.slice(0, self.batch_rows);
        }
        let columns = match &self.places {
            Some(places) => places.iter().map(|&place| Arc::clone(batch.column(place))).collect(),
            None => batch.columns().to_vec(),
        };
        // Under our schema: a Parquet reader leaves the metadata of the whole file out of its batches.
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(self.schema(), columns, &options);
        batch.map(Some).map_err(|err| refuse::damaged(&self.name, self.format.title(), &err))
    }

    /// Bytes of the underlying file that were read so far, and how many there are, if that is known.
    pub(crate) fn progress(&self) -> (u64, Option<u64>) {
        self.progress.get()
    }
}
