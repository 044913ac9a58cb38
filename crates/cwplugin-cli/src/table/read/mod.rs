//! A file becomes a stream of record batches.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::{Format, refuse};
use crate::refusal::Refusal;

mod source; // bytes: a file or a stream, decompressed and counted
mod sniff; // which format they are in
mod guard; // other people's panics become errors
mod blocks; // text in pieces of whole rows
mod part; // some rows, to be decoded by any thread
mod delimited; // CSV and TSV
mod json_lines;
mod parquet;
mod arrow;
mod npy;
mod npz;

pub(crate) use part::{Decoded, Part};
use part::{Rows, Shape};
use source::{Progress, Source};

/// Several batches are in memory at once: those of a wide table have fewer rows.
const BATCH_CELLS: usize = 1 << 18;

/// How to read a table.
#[derive(Debug, Clone)]
pub(crate) struct ReadOptions {
    /// The format, if the name and the content are not to decide.
    pub(crate) format: Option<Format>,
    /// What separates the fields of a CSV or TSV file, if not a comma or a tab.
    pub(crate) delimiter: Option<u8>,
    /// The most rows in a batch of a binary format, and those of a JSON file that decide what its columns are.
    pub(crate) batch_rows: usize,
    /// About so much of a text format is one batch.
    pub(crate) block_bytes: usize,
    /// A one-dimensional NPY file beside the NPY file that is read: its column `label`.
    pub(crate) label_file: Option<PathBuf>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { format: None, delimiter: None, batch_rows: 8192, block_bytes: 256 << 10, label_file: None }
    }
}

/// What a file holds, if it may be either.
pub(crate) enum DocumentOrTable {
    /// One JSON object: the file's name and its text.
    Document(String, String),
    Table(Box<Reader>),
}

impl DocumentOrTable {
    /// Opens a file, or standard input if `path` is `-`; the content decides, not the name.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let source = Source::open(path)?;
        if !sniff::is_document(source.head()) {
            return Ok(Self::Table(Box::new(Reader::of_source(source, &ReadOptions::default())?)));
        }
        let (name, mut text) = (source.name().to_owned(), String::new());
        source.into_stream().read_to_string(&mut text).map_err(|err| refuse::reading(&name, err))?;
        Ok(Self::Document(name, text))
    }
}

/// What every format does; the columns are those of the file, numbered from 0.
trait Decode: Send {
    /// All columns of the file.
    fn schema(&self) -> SchemaRef;

    /// Decode only these columns, ascending and each once; called before the first batch, if at all.
    fn select(&mut self, columns: &[usize]) -> Result<()>;

    /// The next rows of the selected columns.
    fn next_rows(&mut self) -> Result<Option<Rows>>;
}

/// A table that is being read.
pub(crate) struct Reader {
    progress: Progress,
    decoder: Box<dyn Decode>,
    /// The chosen columns of the file, in the caller's order.
    columns: Vec<usize>,
    shape: Arc<Shape>,
    batch_rows: usize,
    /// What is left of a batch that was larger than asked for: an Arrow file has its own sizes.
    rest: Option<RecordBatch>,
    /// Rows that were looked at before their time.
    peeked: Option<Part>,
    #[cfg(test)]
    rows_read: usize,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("name", &self.shape.name)
            .field("format", &self.shape.format)
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
        Self::of_source(Source::open(path)?, options)
    }

    fn of_source(source: Source, options: &ReadOptions) -> Result<Self> {
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
        let shape = Arc::new(Shape { name, format, schema, places: None });
        let batch_rows = options.batch_rows;
        Ok(Self {
            progress,
            decoder,
            columns,
            shape,
            batch_rows,
            rest: None,
            peeked: None,
            #[cfg(test)]
            rows_read: 0,
        })
    }

    /// The file's name as the user gave it, or `<stdin>`.
    pub(crate) fn name(&self) -> &str {
        &self.shape.name
    }

    /// The format that was given or found.
    pub(crate) fn format(&self) -> Format {
        self.shape.format
    }

    /// The columns of the batches to come.
    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.shape.schema)
    }

    /// Keeps only these columns of [`Reader::schema`], in this order; call it before the first batch.
    ///
    /// # Errors
    ///
    /// If a column does not exist, or the file cannot be read again from its start.
    pub(crate) fn select(&mut self, columns: &[usize]) -> Result<()> {
        let schema = Arc::new(self.shape.schema.project(columns)?);
        self.columns = columns.iter().map(|&column| self.columns[column]).collect();
        let mut wanted = self.columns.clone();
        wanted.sort_unstable();
        wanted.dedup();
        self.decoder.select(&wanted)?;
        let place = |column| wanted.partition_point(|&other| other < column);
        let places = Some(self.columns.iter().map(|&column| place(column)).collect());
        let Shape { ref name, format, .. } = *self.shape;
        self.shape = Arc::new(Shape { name: name.clone(), format, schema, places });
        Ok(())
    }

    /// The next rows, yet to be decoded, or `None` after the last.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that names the file.
    pub(crate) fn next_part(&mut self) -> Result<Option<Part>> {
        if let Some(peeked) = self.peeked.take() {
            return Ok(Some(peeked));
        }
        let rows = match self.rest.take() {
            Some(rest) => Some(Rows::Batch(rest)),
            None => self.decoder.next_rows()?,
        };
        let Some(mut rows) = rows else { return Ok(None) };
        if let Rows::Batch(batch) = &mut rows {
            let wanted = rows_of_width(self.batch_rows, batch.num_columns());
            if let Some(left) = batch.num_rows().checked_sub(wanted).filter(|&left| left > 0) {
                self.rest = Some(batch.slice(wanted, left)); // no copy
                *batch = batch.slice(0, wanted);
            }
        }
        Ok(Some(Part { rows, shape: Arc::clone(&self.shape), progress: self.progress.get() }))
    }

    /// A look at the first rows, which come again; `None` if there are none.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that names the file and, for text formats, the row.
    pub(crate) fn peek(&mut self) -> Result<Option<RecordBatch>> {
        while let Some(part) = self.next_part()? {
            let Decoded { batch, refusal } = part.decode(0)?;
            if batch.num_rows() > 0 || refusal.is_some() {
                self.peeked = Some(part);
                return refusal.map_or(Ok(Some(batch)), Err);
            }
        }
        Ok(None)
    }

    /// The next rows, or `None` after the last.
    #[cfg(test)]
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let Some(part) = self.next_part()? else { return Ok(None) };
        let Decoded { batch, refusal } = part.decode(self.rows_read)?;
        self.rows_read += batch.num_rows();
        refusal.map_or(Ok(Some(batch)), Err)
    }

    /// Bytes of the underlying file that were read so far, and how many there are, if that is known.
    #[cfg(test)]
    pub(crate) fn progress(&self) -> (u64, Option<u64>) {
        self.progress.get()
    }
}

/// How many of `rows` rows fit a batch of a table with so many columns.
fn rows_of_width(rows: usize, columns: usize) -> usize {
    rows.min(BATCH_CELLS / columns.max(1)).max(1)
}
