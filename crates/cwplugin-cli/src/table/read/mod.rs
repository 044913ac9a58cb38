//! From a file to a stream of record batches.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::{Format, errors};
use crate::user_error::UserError;
use crate::whole_file::{DOCUMENT, read_up_to, too_large};

mod identity; // which files were read
mod source; // bytes of a file or a stream, decompressed and counted
mod sniff; // detects the format
mod guard; // turns panics of decoders into errors
mod blocks; // text in blocks of whole rows
mod part; // some rows, which any thread can decode
mod delimited; // CSV and TSV
mod json_lines;
mod replies; // replies of a black box
mod parquet;
mod arrow;
mod arrays; // NumPy arrays as a table
mod npy;
mod entry; // of a zip archive
mod npz;

pub(crate) use identity::{OpenedFiles, changed};
pub(crate) use part::{Decoded, Part};
use part::{Rows, Shape};
pub(crate) use replies::{
    FoundDocument, ReplyFacts, ReplyOptions, ReplyReader, VOTES, broken_document, first_document,
    for_each_document,
};
use replies::{Replies, VoteTable};
use source::{Progress, Source};

/// Cells in a batch: several batches are in memory at once, so those of a wide table have fewer rows.
const BATCH_CELLS: usize = 1 << 18;

/// Columns of a table, at most: every column takes some kilobytes, whatever is in it.
const MAX_COLUMNS: usize = 1 << 16;

/// Refuses a table with more columns, which is damaged or an attack.
fn check_columns(name: &str, columns: usize) -> Result<()> {
    if columns <= MAX_COLUMNS {
        return Ok(());
    }
    let what = format!("{name}: the table has more than {MAX_COLUMNS} columns");
    Err(UserError::new(what)
        .hint("write one row per sample and one column per class; leave other columns out")
        .into())
}

/// Gets the bytes that were read so far, their total if it is known, and the rows.
pub(crate) type Watch<'a> = &'a mut dyn FnMut((u64, Option<u64>), usize);

/// How to read a table.
#[derive(Debug, Clone)]
pub(crate) struct ReadOptions {
    /// The format, if it is given.
    pub(crate) format: Option<Format>,
    /// The delimiter of a CSV or TSV file, if it is given.
    pub(crate) delimiter: Option<u8>,
    /// Rows in a batch of a binary format, at most; also the rows of a JSON file that define its columns.
    pub(crate) batch_rows: usize,
    /// Bytes of a text format in a batch, approximately.
    pub(crate) block_bytes: usize,
    /// A one-dimensional NPY file with the labels of an NPY file: its column `label`.
    pub(crate) label_file: Option<PathBuf>,
    /// The file holds replies, not a table.
    pub(crate) replies: Option<Arc<ReplyOptions>>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            delimiter: None,
            batch_rows: 8192,
            block_bytes: 256 << 10,
            label_file: None,
            replies: None,
        }
    }
}

/// A file that is either a document or a table.
pub(crate) enum DocumentOrTable {
    /// One JSON object: the file's name and its text.
    Document(String, String),
    Table(Box<Reader>),
}

impl DocumentOrTable {
    /// Opens a file, or standard input if `path` is `-`; only the content decides.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let source = Source::open(path)?;
        if !sniff::is_document(source.head()) {
            return Ok(Self::Table(Box::new(Reader::of_source(source, &ReadOptions::default())?)));
        }
        let name = source.name().to_owned();
        let bytes = read_up_to(source.into_stream(), DOCUMENT).map_err(|err| errors::reading(&name, err))?;
        let Some(bytes) = bytes else {
            let what = format!("{name}: {}", too_large("a document", DOCUMENT));
            return Err(UserError::new(what)
                .hint("a document is one JSON object; a table has one per line")
                .into());
        };
        let text = String::from_utf8(bytes).map_err(|_| {
            UserError::new(format!("{name}: bytes are not UTF-8")).hint("save the file as UTF-8")
        })?;
        Ok(Self::Document(name, text))
    }
}

/// The decoder of a format; columns are those of the file, numbered from 0.
trait Decode: Send {
    /// All columns of the file.
    fn schema(&self) -> SchemaRef;

    /// Selects these columns, ascending and unique; called before the first batch, if at all.
    fn select(&mut self, columns: &[usize]) -> Result<()>;

    /// The number of all rows, if it is known.
    fn n_rows(&self) -> Option<usize> {
        None
    }

    /// Whether the file may have lost its end, once all rows are read; for formats whose writers may leave out the end.
    fn is_cut(&self) -> Arc<AtomicBool> {
        Arc::default()
    }

    /// The next rows of the selected columns.
    fn next_rows(&mut self) -> Result<Option<Rows>>;
}

/// A table that is being read.
pub(crate) struct Reader {
    progress: Progress,
    decoder: Box<dyn Decode>,
    /// The selected columns of the file, in the caller's order.
    columns: Vec<usize>,
    shape: Arc<Shape>,
    batch_rows: usize,
    /// The rest of a batch that was too large: an Arrow file has its own batch sizes.
    rest: Option<RecordBatch>,
    /// Rows that were peeked at.
    peeked: Option<Part>,
}

impl Reader {
    /// Opens a file, or standard input if `path` is `-`, and reads its schema.
    pub(crate) fn open(path: &Path, options: &ReadOptions) -> Result<Self> {
        Self::open_watched(path, options, &mut |_, _| ())
    }

    /// The same; `watch` is called if it takes time: votes are read completely.
    pub(crate) fn open_watched(path: &Path, options: &ReadOptions, watch: Watch<'_>) -> Result<Self> {
        match &options.replies {
            Some(replies) => Self::of_replies(path, replies, options, watch),
            None => Self::of_source(Source::open(path)?, options),
        }
    }

    /// Replies, in one file or in all files of a folder.
    fn of_replies(
        path: &Path,
        replies: &Arc<ReplyOptions>,
        options: &ReadOptions,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let mut files = VecDeque::from(replies::files(path)?);
        let progress = Progress::of_files(files.make_contiguous());
        let first = files.pop_front().unwrap_or_else(|| path.to_owned());
        let source = Source::open_part(&first, &progress)?;
        if files.is_empty() {
            sniff::check_head(&source)?;
        }
        let decoder: Box<dyn Decode> = match &replies.reader {
            ReplyReader::Vendor(_) => {
                let replies = Arc::clone(replies);
                Box::new(Replies::open(source, files, progress.clone(), replies, options.block_bytes))
            }
            ReplyReader::Answers { .. } => {
                Box::new(VoteTable::read(source, files, &progress, replies, watch)?)
            }
        };
        Ok(Self::of_decoder(path.display().to_string(), Format::Jsonl, progress, decoder, options))
    }

    fn of_decoder(
        name: String,
        format: Format,
        progress: Progress,
        decoder: Box<dyn Decode>,
        options: &ReadOptions,
    ) -> Self {
        let schema = decoder.schema();
        let columns = (0..schema.fields().len()).collect();
        let shape = Arc::new(Shape { name, format, schema, places: None });
        let batch_rows = options.batch_rows;
        Self { progress, decoder, columns, shape, batch_rows, rest: None, peeked: None }
    }

    fn of_source(source: Source, options: &ReadOptions) -> Result<Self> {
        let format = sniff::format(&source, options)?;
        let (name, progress) = (source.name().to_owned(), source.progress());
        if options.label_file.is_some() && format != Format::Npy {
            return Err(UserError::new(format!("{name}: a label file is supported for NPY files only"))
                .hint("put the labels into a column of the table")
                .into());
        }
        let decoder: Box<dyn Decode> = match format {
            Format::Csv | Format::Tsv => Box::new(delimited::Delimited::open(source, format, options)?),
            Format::Jsonl => Box::new(json_lines::JsonLines::open(source, options)?),
            Format::Parquet => Box::new(parquet::Parquet::open(source, options)?),
            Format::Arrow => arrow::open(source)?,
            Format::Npy => Box::new(npy::open(source, options)?),
            Format::Npz => Box::new(npz::open(source, options)?),
        };
        check_columns(&name, decoder.schema().fields().len())?;
        Ok(Self::of_decoder(name, format, progress, decoder, options))
    }

    /// The file's name as given, or `<stdin>`.
    pub(crate) fn name(&self) -> &str {
        &self.shape.name
    }

    /// The format, given or detected.
    pub(crate) fn format(&self) -> Format {
        self.shape.format
    }

    /// The columns of the next batches.
    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.shape.schema)
    }

    /// The files that were opened so far.
    pub(crate) fn files(&self) -> OpenedFiles {
        self.progress.files()
    }

    /// The number of rows that the file claims, if it does.
    pub(crate) fn n_rows(&self) -> Option<usize> {
        self.decoder.n_rows()
    }

    /// Whether the file may have lost its end, once all rows are read.
    pub(crate) fn is_cut(&self) -> Arc<AtomicBool> {
        self.decoder.is_cut()
    }

    /// Keeps only these columns of [`Reader::schema`], in this order; call it before the first batch.
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

    /// The next rows, not decoded yet, or `None` at the end.
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

    /// The first rows, up to one that cannot be read; they are returned again later. `None` if there are none.
    pub(crate) fn peek(&mut self) -> Result<Option<RecordBatch>> {
        while let Some(part) = self.next_part()? {
            let (part, Decoded { batch, error }) = part.decoded()?;
            if batch.num_rows() > 0 {
                self.peeked = Some(part);
                return Ok(Some(batch));
            }
            error.map_or(Ok(()), Err)?;
        }
        Ok(None)
    }

    /// Bytes of the file that were read so far, and their total if it is known.
    #[cfg(test)]
    pub(crate) fn progress(&self) -> (u64, Option<u64>) {
        self.progress.get()
    }
}

/// Rows in a batch of a table with this many columns.
fn rows_of_width(rows: usize, columns: usize) -> usize {
    rows.min(BATCH_CELLS / columns.max(1)).max(1)
}
