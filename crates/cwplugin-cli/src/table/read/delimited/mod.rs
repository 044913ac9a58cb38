//! CSV and TSV: every column is text, unchanged.

mod fields; // splits rows into fields

use std::sync::Arc;

use anyhow::Result;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::super::Format;
use super::blocks::{Blocks, ROW_BYTES};
use super::part::{Decoded, Parse};
use super::sniff::BOM;
use super::source::Source;
use super::{Decode, ReadOptions, Rows, check_columns};
use crate::user_error::UserError;
use fields::FirstRow;

/// The longest header.
const HEADER_BYTES: usize = 16 << 20;

/// A CSV or TSV file after its header.
pub(super) struct Delimited {
    blocks: Blocks,
    parser: Arc<Parser>,
}

impl Delimited {
    pub(super) fn open(source: Source, format: Format, options: &ReadOptions) -> Result<Self> {
        let delimiter = options.delimiter.unwrap_or_else(|| match format {
            Format::Tsv => b'\t',
            _ => delimiter(source.head()),
        });
        let (name, mut blocks) = (source.name().to_owned(), Blocks::open(source, options)?);
        let names = names(&name, read_header(&name, &mut blocks, delimiter)?)?;
        let fields: Vec<_> = names.into_iter().map(|name| Field::new(name, DataType::Utf8, false)).collect();
        let selected = (0..fields.len()).collect();
        let schema = Arc::new(Schema::new(fields));
        Ok(Self { blocks, parser: Arc::new(Parser { name, delimiter, schema, selected }) })
    }
}

impl Decode for Delimited {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.parser.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        let selected = columns.to_vec();
        self.parser = Arc::new(Parser { selected, ..Parser::clone(&self.parser) });
        Ok(())
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        let delimiter = self.parser.delimiter;
        let block = self.blocks.next(ROW_BYTES, |bytes| fields::rows_end(bytes, delimiter))?;
        let parser = Arc::clone(&self.parser);
        Ok(block.map(|block| Rows::Block(block, parser)))
    }
}

/// Parses rows.
#[derive(Clone)]
struct Parser {
    name: String,
    delimiter: u8,
    schema: SchemaRef,
    selected: Vec<usize>,
}

/// The texts of one column, concatenated, and their ends.
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<i32>,
    /// The start of the text that is being added.
    begin: usize,
}

impl Texts {
    fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), ends: vec![0], begin: 0 }
    }

    fn end_text(&mut self) -> Result<()> {
        self.begin = self.bytes.len();
        self.ends.push(i32::try_from(self.begin)?);
        Ok(())
    }

    /// The column, without an unfinished text.
    fn finish(mut self) -> Result<ArrayRef> {
        self.bytes.truncate(self.begin);
        let ends = OffsetBuffer::new(self.ends.into());
        Ok(Arc::new(StringArray::try_new(ends, Buffer::from_vec(self.bytes), None)?))
    }
}

impl Parse for Parser {
    fn parse(&self, block: &[u8], first_row: usize) -> Result<Decoded> {
        // Checked once; a file that is not UTF-8 may still be valid in the selected columns.
        let is_utf8 = std::str::from_utf8(block).is_ok();
        let width = self.schema.fields().len();
        let mut places = vec![None; width];
        for (place, &column) in self.selected.iter().enumerate() {
            places[column] = Some(place);
        }
        let room = block.len() / width;
        let mut texts: Vec<_> = self.selected.iter().map(|_| Texts::with_capacity(room)).collect();
        let (mut rows, mut at) = (0, 0);
        let error = loop {
            let FirstRow { fields: found, end, is_open } =
                fields::first_row(&block[at..], self.delimiter, |column, piece| {
                    if let Some(&Some(place)) = places.get(column) {
                        texts[place].bytes.extend_from_slice(piece);
                    }
                });
            at += end;
            if found == 0 {
                break None;
            }
            if is_open {
                break Some(open_error(&self.name, &format!("row {}", first_row + rows + 1)));
            }
            if found != width {
                break Some(self.ragged_error(first_row + rows + 1, found));
            }
            let is_bad = |texts: &Texts| std::str::from_utf8(&texts.bytes[texts.begin..]).is_err();
            if !is_utf8 && let Some(place) = texts.iter().position(is_bad) {
                let column = self.schema.field(self.selected[place]).name();
                let place = format!("row {}, column \"{column}\"", first_row + rows + 1);
                break Some(utf8_error(&self.name, &place));
            }
            for texts in &mut texts {
                texts.end_text()?;
            }
            rows += 1;
        };
        let columns = texts.into_iter().map(Texts::finish).collect::<Result<_>>()?;
        let schema = Arc::new(self.schema.project(&self.selected)?);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(schema, columns, &options)?;
        Ok(Decoded { batch, error: error.map(Into::into) })
    }
}

/// A quote that is not closed swallows all rows after it.
fn open_error(name: &str, place: &str) -> UserError {
    UserError::new(format!("{name}: {place}: a quote is not closed"))
        .hint("close it; double a quote that is a part of a quoted field")
}

impl Parser {
    fn ragged_error(&self, row: usize, found: usize) -> UserError {
        let fields = if found == 1 { "field" } else { "fields" };
        let expected = self.schema.fields().len();
        UserError::new(format!("{}: row {row} has {found} {fields}, the header has {expected}", self.name))
            .hint("quote fields that contain the delimiter, also decimal commas, and look for an unclosed quote")
    }
}

fn utf8_error(name: &str, place: &str) -> UserError {
    UserError::new(format!("{name}: {place}: bytes are not UTF-8"))
        .hint("save the file as UTF-8, e.g. with `iconv -f LATIN1 -t UTF-8`")
}

/// The fields of the first row; the rest stays in the blocks.
fn read_header(name: &str, blocks: &mut Blocks, delimiter: u8) -> Result<Vec<Vec<u8>>> {
    let mut header = Vec::new();
    while header.is_empty() {
        let rows_end = |bytes: &[u8]| fields::rows_end(bytes, delimiter);
        let Some(mut block) = blocks.next(HEADER_BYTES, rows_end)? else { break };
        check_columns(name, fields::first_row(&block, delimiter, |_, _| ()).fields)?;
        let FirstRow { end, is_open, .. } = fields::first_row(&block, delimiter, |column, piece| {
            header.resize(header.len().max(column + 1), Vec::new());
            header[column].extend_from_slice(piece);
        });
        if is_open {
            return Err(open_error(name, "header").into());
        }
        blocks.put_back(block.split_off(end));
    }
    Ok(header)
}

/// A comma; if the header has none outside quotes, a semicolon or a tab.
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

fn names(name: &str, header: Vec<Vec<u8>>) -> Result<Vec<String>> {
    if header.is_empty() {
        return Err(UserError::new(format!("{name}: is empty"))
            .hint("a table needs a header line and rows")
            .into());
    }
    let text = |(column, field): (usize, Vec<u8>)| {
        let place = format!("header, column {}", column + 1);
        String::from_utf8(field).map_err(|_| utf8_error(name, &place))
    };
    let names = header.into_iter().enumerate().map(text).collect::<Result<Vec<_>, _>>()?;
    let is_fraction = |name: &String| is_number(name) && name.contains(['.', ',']);
    let is_data = names.iter().all(|name| is_number(name)) && !is_count(&names);
    if is_data || names.len() > 2 && names.iter().filter(|name| is_fraction(name)).count() + 1 == names.len()
    {
        let line = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if names.len() > 3 { ", …" } else { "" };
        return Err(UserError::new(format!("{name}: first line looks like data ({line}{more})"))
            .hint("add a header line with the column names")
            .into());
    }
    Ok(names)
}

/// Whether a text is a number; `nan` or `inf` may be a name.
fn is_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.trim().parse::<f64>().is_ok()
}

/// The names 0, 1, 2, … that pandas gives to unnamed columns. Two columns are ambiguous: `0,1` may be a row of
/// probabilities.
fn is_count(names: &[String]) -> bool {
    names.len() > 2 && names.iter().enumerate().all(|(column, name)| *name == column.to_string())
}
