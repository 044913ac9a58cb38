//! CSV and TSV: every column is text, exactly as it stands in the file.

use std::io::{self, Read};
use std::sync::Arc;

use anyhow::Result;
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use csv::ByteRecord;

use super::super::Format;
use super::sniff::BOM;
use super::source::{Source, Stream};
use super::{BATCH_BYTES, Decode, ReadOptions, refuse};
use crate::refusal::Refusal;

/// A header line that is longer is no header.
const HEADER_BYTES: usize = 16 << 20;

/// A row that is longer is a quote that is never closed, or an attack: it is kept in memory whole.
const ROW_BYTES: usize = 256 << 20;

/// Lets only so many bytes through until it is told to go on.
struct Leash {
    stream: Stream,
    left: usize,
    name: String,
}

impl Read for Leash {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let what = format!("{}: a line is longer than {} MiB", self.name, ROW_BYTES >> 20);
            let refusal = Refusal::new(what).hint("look for a quote that is never closed");
            return Err(io::Error::other(refusal));
        }
        let read = self.stream.read(buffer)?;
        self.left = self.left.saturating_sub(read);
        Ok(read)
    }
}

/// A CSV or TSV file behind its header.
pub(super) struct Delimited {
    name: String,
    csv: csv::Reader<Leash>,
    schema: SchemaRef,
    selected: Vec<usize>,
    record: ByteRecord,
    row: usize,
    batch_rows: usize,
}

impl Delimited {
    pub(super) fn open(source: Source, format: Format, options: &ReadOptions) -> Result<Self> {
        let name = source.name().to_owned();
        let delimiter = options.delimiter.unwrap_or_else(|| match format {
            Format::Tsv => b'\t',
            _ => delimiter(source.head()),
        });
        // `flexible`, since the counts of a ragged row belong into our own message.
        let mut builder = csv::ReaderBuilder::new();
        builder.delimiter(delimiter).flexible(true).buffer_capacity(256 << 10);
        let leash = Leash { stream: source.into_stream(), left: HEADER_BYTES, name: name.clone() };
        let mut csv = builder.from_reader(leash);
        let header = csv.byte_headers().map_err(|err| refuse_csv(&name, err))?;
        let names = names(&name, header)?;
        let fields: Vec<_> = names.into_iter().map(|name| Field::new(name, DataType::Utf8, false)).collect();
        let selected = (0..fields.len()).collect();
        let schema = Arc::new(Schema::new(fields));
        let batch_rows = options.batch_rows.max(1);
        Ok(Self { name, csv, schema, selected, record: ByteRecord::new(), row: 0, batch_rows })
    }

    /// Reads one row into `record`; `false` at the end.
    fn read(&mut self) -> Result<bool> {
        self.csv.get_mut().left = ROW_BYTES;
        if !self.csv.read_byte_record(&mut self.record).map_err(|err| refuse_csv(&self.name, err))? {
            return Ok(false);
        }
        self.row += 1;
        let (found, expected) = (self.record.len(), self.schema.fields().len());
        if found != expected {
            let fields = if found == 1 { "field" } else { "fields" };
            return Err(Refusal::new(format!(
                "{}: row {} has {found} {fields}, the header has {expected}",
                self.name, self.row
            ))
            .hint("put fields that hold the delimiter in quotes, and look for a quote that is never closed")
            .into());
        }
        Ok(true)
    }

    fn refuse_field(&self, column: usize, what: &str) -> Refusal {
        Refusal::new(format!(
            "{}: row {}, column \"{}\": {what}",
            self.name,
            self.row,
            self.schema.field(column).name()
        ))
    }
}

impl Decode for Delimited {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        columns.clone_into(&mut self.selected);
        Ok(())
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let mut columns: Vec<_> = self.selected.iter().map(|_| StringBuilder::new()).collect();
        let (mut rows, mut bytes) = (0, 0);
        while rows < self.batch_rows && bytes < BATCH_BYTES && self.read()? {
            for (&column, builder) in self.selected.iter().zip(&mut columns) {
                let field = self.record.get(column).unwrap_or_default();
                let Ok(text) = std::str::from_utf8(field) else {
                    return Err(self
                        .refuse_field(column, "bytes are not UTF-8")
                        .hint("save the file as UTF-8, for instance with `iconv -f LATIN1 -t UTF-8`")
                        .into());
                };
                bytes += text.len();
                builder.append_value(text);
            }
            rows += 1;
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns = columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
        let schema = Arc::new(self.schema.project(&self.selected)?);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(Some(RecordBatch::try_new_with_options(schema, columns, &options)?))
    }
}

/// A comma, unless the header has none outside quotes and has a semicolon or a tab.
fn delimiter(head: &[u8]) -> u8 {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    let (mut quoted, mut semicolon, mut tab) = (false, false, false);
    for &byte in head.trim_ascii_start() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b',' => return b',',
            b';' => semicolon = true,
            b'\t' => tab = true,
            b'\n' | b'\r' => break,
            _ => {}
        }
    }
    match (semicolon, tab) {
        (true, _) => b';',
        (false, true) => b'\t',
        (false, false) => b',',
    }
}

fn names(name: &str, header: &ByteRecord) -> Result<Vec<String>> {
    if header.is_empty() {
        return Err(Refusal::new(format!("{name}: is empty")).hint("it needs a header line and rows").into());
    }
    let mut names = Vec::with_capacity(header.len());
    for (column, field) in header.iter().enumerate() {
        let Ok(text) = std::str::from_utf8(field) else {
            return Err(Refusal::new(format!("{name}: header, column {}: bytes are not UTF-8", column + 1))
                .hint("save the file as UTF-8, for instance with `iconv -f LATIN1 -t UTF-8`")
                .into());
        };
        names.push(text.to_owned());
    }
    if names.iter().all(|name| is_number(name)) && !is_count(&names) {
        let line = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if names.len() > 3 { ", …" } else { "" };
        return Err(Refusal::new(format!("{name}: first line looks like data ({line}{more})"))
            .hint("add a header line with the names of the columns")
            .into());
    }
    Ok(names)
}

/// A number as data has it; `nan` or `inf` alone may well be a name.
fn is_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.trim().parse::<f64>().is_ok()
}

/// The names 0, 1, 2, … that pandas and our own NPY reader give to unnamed columns. Two columns are too few to
/// tell: `0,1` is what a sure classifier's first row looks like.
fn is_count(names: &[String]) -> bool {
    names.len() > 2 && names.iter().enumerate().all(|(column, name)| *name == column.to_string())
}

fn refuse_csv(name: &str, err: csv::Error) -> anyhow::Error {
    let text = err.to_string();
    match err.into_kind() {
        csv::ErrorKind::Io(err) => refuse::reading(name, err),
        _ => Refusal::new(format!("{name}: cannot be read ({text})")).hint("check the file").into(),
    }
}
