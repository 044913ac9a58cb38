//! Record batches to a file or to standard output.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};

use super::{Compression, Format, json};
use crate::user_error::UserError;

mod sink; // where the bytes go
mod json_values; // values of any type as JSON
mod delimited; // CSV and TSV
mod json_lines;
mod columnar; // Parquet and Arrow

use sink::Sink;

/// The encoder of a format.
trait Encode: Send {
    /// Writes the rows of a batch.
    fn write(&mut self, batch: &RecordBatch) -> Result<()>;

    /// Writes the rest and returns the sink.
    fn finish(self: Box<Self>) -> Result<Sink>;
}

/// A table that is being written.
///
/// The file is replaced when [`Writer::finish`] succeeds; until then the old one is unchanged.
pub(crate) struct Writer {
    encoder: Box<dyn Encode>,
    /// The schema for formats without JSON columns.
    plain: Option<SchemaRef>,
    name: String,
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Writer {
    /// Opens the output; `None` or `-` is standard output.
    ///
    /// # Errors
    ///
    /// A [`UserError`] if the file cannot be created, or the format cannot hold the table.
    pub(crate) fn create(path: Option<&Path>, format: Format, schema: SchemaRef) -> Result<Self> {
        let plain = (format != Format::Jsonl).then(|| json::plain_schema(&schema));
        let schema = plain.clone().unwrap_or(schema);
        if matches!(format, Format::Npy | Format::Npz) {
            let what = format!("{}: {} files cannot be written", sink::name(path), format.title());
            return Err(UserError::usage(what).hint("write csv, tsv, jsonl, parquet or arrow").into());
        }
        if format == Format::Jsonl {
            refuse_repeated(&sink::name(path), &schema)?;
        }
        if let Some(path) = path.filter(|path| Compression::of_name(path).is_some() && !format.is_text()) {
            let what =
                format!("{}: {} files cannot be compressed as a whole", path.display(), format.title());
            return Err(UserError::new(what).hint("remove .gz or .zst from the name").into());
        }
        let sink = Sink::create(path)?;
        let name = sink.name().to_owned();
        let encoder: Box<dyn Encode> = match format {
            Format::Csv => Box::new(delimited::Delimited::create(sink, b',', &schema)?),
            Format::Tsv => Box::new(delimited::Delimited::create(sink, b'\t', &schema)?),
            Format::Jsonl => Box::new(json_lines::JsonLines::create(sink)),
            Format::Parquet => Box::new(columnar::Parquet::create(sink, schema)?),
            _ => Box::new(columnar::Arrow::create(sink, &schema)?),
        };
        Ok(Self { encoder, plain, name })
    }

    /// Writes the rows of a batch; its schema is the one given to [`Writer::create`].
    ///
    /// # Errors
    ///
    /// A [`UserError`], or an `io::Error` of kind `BrokenPipe` if the reader closed the pipe.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match &self.plain {
            Some(plain) => self.encoder.write(&json::plain_batch(batch, plain)?),
            None => self.encoder.write(batch),
        }
    }

    /// Writes the rest and commits the file.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub(crate) fn finish(self) -> Result<()> {
        self.encoder.finish()?.finish()
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
