//! Record batches become a file, or the bytes of standard output.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};

use super::{Compression, Format, json};
use crate::refusal::Refusal;

mod sink; // where the bytes go
mod delimited; // CSV and TSV
mod json_lines;
mod columnar; // Parquet and Arrow
mod numpy; // NPY and NPZ

use sink::Sink;

/// What every format does.
trait Encode: Send {
    /// Writes the rows of a batch, or keeps them for the end.
    fn write(&mut self, batch: &RecordBatch) -> Result<()>;

    /// Writes what is left and hands the sink back.
    fn finish(self: Box<Self>) -> Result<Sink>;
}

/// A table that is being written.
///
/// A file appears when [`Writer::finish`] succeeds; without it, the old file stays as it was.
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
    /// Opens the output, before any work: `None` or `-` is standard output.
    ///
    /// The format is the given one, else the one of the file's name, else `fallback`.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if the file cannot be written there, or the format cannot hold such a table.
    pub(crate) fn create(
        path: Option<&Path>,
        format: Option<Format>,
        fallback: Format,
        schema: SchemaRef,
    ) -> Result<Self> {
        let format = format.or_else(|| Format::of_name(path?)).unwrap_or(fallback);
        let plain = (format != Format::Jsonl).then(|| json::plain_schema(&schema));
        let schema = plain.clone().unwrap_or(schema);
        if matches!(format, Format::Jsonl | Format::Npz) {
            refuse_repeated(&sink::name(path), format, &schema)?;
        }
        if format == Format::Npy {
            numpy::refuse_several(&sink::name(path), &schema)?;
        }
        if let Some(path) = path.filter(|path| Compression::of_name(path).is_some() && !format.is_text()) {
            let what =
                format!("{}: {} files are not compressed from outside", path.display(), format.title());
            return Err(Refusal::new(what).hint("leave .gz or .zst off the name").into());
        }
        let sink = Sink::create(path)?;
        let name = sink.name().to_owned();
        let encoder: Box<dyn Encode> = match format {
            Format::Csv => Box::new(delimited::Delimited::create(sink, b',', &schema)?),
            Format::Tsv => Box::new(delimited::Delimited::create(sink, b'\t', &schema)?),
            Format::Jsonl => Box::new(json_lines::JsonLines::create(sink)),
            Format::Parquet => Box::new(columnar::Parquet::create(sink, schema)?),
            Format::Arrow => Box::new(columnar::Arrow::create(sink, &schema)?),
            Format::Npy | Format::Npz => Box::new(numpy::Numpy::create(sink, format, &schema)),
        };
        Ok(Self { encoder, plain, name })
    }

    /// Writes the rows of a batch; its schema is the one given to [`Writer::create`].
    ///
    /// # Errors
    ///
    /// A [`Refusal`], or an `io::Error` of kind `BrokenPipe` if nobody reads any more.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match &self.plain {
            Some(plain) => self.encoder.write(&json::plain_batch(batch, plain)?),
            None => self.encoder.write(batch),
        }
    }

    /// Writes what is left and puts the file in its place.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub(crate) fn finish(self) -> Result<()> {
        self.encoder.finish()?.finish()
    }
}

fn refuse_repeated(name: &str, format: Format, schema: &Schema) -> Result<()> {
    let mut seen = HashSet::new();
    match schema.fields().iter().find(|field| !seen.insert(field.name())) {
        Some(field) => Err(Refusal::new(format!(
            "{name}: two columns are named \"{}\", which {} does not allow",
            field.name(),
            format.title()
        ))
        .hint("rename one of them, or write another format, such as csv")
        .into()),
        None => Ok(()),
    }
}
