//! Record batches to a file or to standard output.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};

use super::{Compression, Format, errors, json};
use crate::user_error::UserError;

mod sink; // where the bytes go
mod json_values; // values of any type as JSON
mod delimited; // CSV and TSV
mod json_lines;
mod columnar; // Parquet and Arrow

use sink::Sink;

/// The encoder of a binary format.
trait Encode: Send {
    /// Writes the rows of a batch.
    fn write(&mut self, batch: &RecordBatch) -> Result<()>;

    /// Writes the rest and returns the sink.
    fn finish(self: Box<Self>) -> Result<Sink>;
}

/// How the rows of a table are written.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    format: Format,
    schema: SchemaRef,
    /// The schema for formats without JSON columns.
    plain: Option<SchemaRef>,
    name: String,
}

/// Rows as they are written.
pub(crate) enum Encoded {
    /// Text is made from every batch alone, so any thread can do it.
    Text(Vec<u8>),
    /// The encoders of binary formats have a state.
    Batch(RecordBatch),
}

/// A table that is being written.
///
/// The file is replaced when [`Writer::finish`] succeeds; until then the old one is unchanged.
pub(crate) struct Writer {
    form: Form,
    output: Output,
}

enum Output {
    Text(Box<Sink>),
    Binary(Box<dyn Encode>),
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("form", &self.form).finish_non_exhaustive()
    }
}

impl Form {
    /// The form of a table with this schema; `None` or `-` is standard output.
    ///
    /// # Errors
    ///
    /// A [`UserError`] if the format cannot hold the table.
    pub(crate) fn new(path: Option<&Path>, format: Format, schema: SchemaRef) -> Result<Self> {
        let name = sink::name(path);
        let plain = (format != Format::Jsonl).then(|| json::plain_schema(&schema));
        let schema = plain.clone().unwrap_or(schema);
        if matches!(format, Format::Npy | Format::Npz) {
            let what = format!("{name}: {} files cannot be written", format.title());
            return Err(UserError::usage(what).hint("write csv, tsv, jsonl, parquet or arrow").into());
        }
        if format == Format::Jsonl {
            refuse_repeated(&name, &schema)?;
        }
        if path.is_some_and(|path| Compression::of_name(path).is_some() && !format.is_text()) {
            let what = format!("{name}: {} files cannot be compressed as a whole", format.title());
            return Err(UserError::new(what).hint("remove .gz or .zst from the name").into());
        }
        Ok(Self { format, schema, plain, name })
    }

    /// Rows of the table, for [`Writer::write_encoded`].
    ///
    /// # Errors
    ///
    /// A [`UserError`] if a value has no text.
    pub(crate) fn encode(&self, batch: &RecordBatch) -> Result<Encoded> {
        let plain = self.plain.as_ref().map(|plain| json::plain_batch(batch, plain)).transpose()?;
        let batch = plain.as_ref().unwrap_or(batch);
        let text = match self.format {
            Format::Csv => delimited::lines(batch, b','),
            Format::Tsv => delimited::lines(batch, b'\t'),
            Format::Jsonl => json_lines::lines(batch),
            _ => return Ok(Encoded::Batch(batch.clone())),
        };
        Ok(Encoded::Text(text.map_err(|err| errors::writing(&self.name, &err))?))
    }

    /// Opens the output.
    ///
    /// # Errors
    ///
    /// A [`UserError`] if the file cannot be created.
    pub(crate) fn create(self, path: Option<&Path>) -> Result<Writer> {
        let mut sink = Sink::create(path)?;
        let output = match self.format {
            Format::Parquet => {
                Output::Binary(Box::new(columnar::Parquet::create(sink, self.schema.clone())?))
            }
            Format::Arrow => Output::Binary(Box::new(columnar::Arrow::create(sink, &self.schema)?)),
            _ => {
                let header = match self.format {
                    Format::Csv => delimited::header(&self.schema, b','),
                    Format::Tsv => delimited::header(&self.schema, b'\t'),
                    _ => Vec::new(),
                };
                sink.write_all(&header).map_err(|err| errors::writing(&self.name, &err))?;
                Output::Text(Box::new(sink))
            }
        };
        Ok(Writer { form: self, output })
    }
}

impl Writer {
    /// Opens the output; `None` or `-` is standard output.
    ///
    /// # Errors
    ///
    /// A [`UserError`] if the file cannot be created, or the format cannot hold the table.
    pub(crate) fn create(path: Option<&Path>, format: Format, schema: SchemaRef) -> Result<Self> {
        Form::new(path, format, schema)?.create(path)
    }

    /// Writes the rows of a batch; its schema is the one given to [`Writer::create`].
    ///
    /// # Errors
    ///
    /// A [`UserError`], or an `io::Error` of kind `BrokenPipe` if the reader closed the pipe.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write_encoded(&self.form.encode(batch)?)
    }

    /// The same for rows that [`Form::encode`] has made.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub(crate) fn write_encoded(&mut self, rows: &Encoded) -> Result<()> {
        match (&mut self.output, rows) {
            (Output::Binary(encoder), Encoded::Batch(batch)) => encoder.write(batch),
            (Output::Text(sink), Encoded::Text(text)) => {
                sink.write_all(text).map_err(|err| errors::writing(&self.form.name, &err))
            }
            _ => anyhow::bail!("{}: the rows were encoded for another format", self.form.name),
        }
    }

    /// Writes the rest and commits the file.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub(crate) fn finish(self) -> Result<()> {
        match self.output {
            Output::Text(sink) => sink.finish(),
            Output::Binary(encoder) => encoder.finish()?.finish(),
        }
    }
}

fn refuse_repeated(name: &str, schema: &Schema) -> Result<()> {
    let mut seen = HashSet::new();
    match schema.fields().iter().find(|field| !seen.insert(field.name())) {
        Some(field) => Err(UserError::new(format!(
            "{name}: two columns are named \"{}\", which JSON lines do not allow",
            field.name()
        ))
        .hint("rename one of them, or write another format, such as csv")
        .into()),
        None => Ok(()),
    }
}
