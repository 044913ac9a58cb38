//! JSON lines: every column holds raw JSON.

mod object; // parses one line

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use anyhow::Result;
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Schema, SchemaRef};
use memchr::{memchr, memchr_iter, memrchr};

use super::super::json;
use super::blocks::{Blocks, ROW_BYTES};
use super::part::{Decoded, Parse};
use super::source::Source;
use super::{Decode, ReadOptions, Rows, check_columns};
use crate::user_error::UserError;
use object::parse_line;

/// Bytes of text in the first batch, at most.
const BATCH_BYTES: usize = 64 << 20;

/// Cells in the first batch, at most, missing ones included.
const FIRST_CELLS: usize = 1 << 26;

/// The same for every later batch; several are in memory at once.
const CELLS: usize = 1 << 22;

/// A file with one object per line. Its columns are the keys of the rows in the first batch.
pub(super) struct JsonLines {
    blocks: Blocks,
    parser: Arc<Parser>,
    /// The first batch, with all columns.
    first: Option<RecordBatch>,
}

impl JsonLines {
    pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Self> {
        let (name, mut blocks) = (source.name().to_owned(), Blocks::open(source, options)?);
        let (parser, first) = Parser::from_first_rows(&name, &mut blocks, options.batch_rows.max(1))?;
        if first.is_none() {
            return Err(UserError::new(format!("{name}: is empty"))
                .hint("a table needs one JSON object per line")
                .into());
        }
        Ok(Self { blocks, parser: Arc::new(parser), first })
    }
}

impl Decode for JsonLines {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.parser.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        let selected = columns.to_vec();
        self.parser = Arc::new(Parser { selected, ..Parser::clone(&self.parser) });
        Ok(())
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        if let Some(first) = self.first.take() {
            return Ok(Some(Rows::Batch(first.project(&self.parser.selected)?)));
        }
        let parser = Arc::clone(&self.parser);
        Ok(next_lines(&mut self.blocks, parser.schema.fields().len())?
            .map(|block| Rows::Block(block, parser)))
    }
}

/// The next lines; fewer of a wide table, whose lines may be much shorter than its rows: a missing key has no bytes.
fn next_lines(blocks: &mut Blocks, columns: usize) -> Result<Option<Vec<u8>>> {
    let block = blocks.next(ROW_BYTES, |bytes| memrchr(b'\n', bytes).map(|last| last + 1))?;
    let Some(mut block) = block else { return Ok(None) };
    let lines = (CELLS / columns.max(1)).max(1);
    if let Some(last) = memchr_iter(b'\n', &block).nth(lines - 1) {
        blocks.put_back(block.split_off(last + 1));
    }
    Ok(Some(block))
}

/// Parses lines.
#[derive(Clone)]
struct Parser {
    name: String,
    schema: SchemaRef,
    /// The column of each key.
    columns: HashMap<String, usize>,
    selected: Vec<usize>,
}

impl Parser {
    /// Reads the first batch, which defines the columns.
    fn from_first_rows(
        name: &str,
        blocks: &mut Blocks,
        batch_rows: usize,
    ) -> Result<(Self, Option<RecordBatch>)> {
        let (mut names, mut builders) = (Vec::new(), Vec::<StringBuilder>::new());
        let mut columns = HashMap::new();
        let (mut rows, mut bytes) = (0, 0);
        let is_enough = |rows: usize, columns: usize, bytes: usize| {
            rows >= batch_rows || rows.saturating_mul(columns) >= FIRST_CELLS || bytes >= BATCH_BYTES
        };
        while !is_enough(rows, names.len(), bytes) {
            let Some(mut block) = next_lines(blocks, 1)? else { break };
            let mut lines = Lines { block: &block, at: 0 };
            while !is_enough(rows, names.len(), bytes) {
                let Some(line) = lines.next() else { break };
                let object = parse_line(name, rows + 1, line)?.0;
                check_columns(name, object.len())?;
                for (key, value) in object {
                    bytes += value.map_or(0, str::len);
                    let column = match columns.entry(key.into_owned()) {
                        Entry::Occupied(entry) => *entry.get(),
                        Entry::Vacant(entry) => {
                            names.push(entry.key().clone());
                            let mut builder = StringBuilder::with_capacity(0, 0);
                            builder.append_nulls(rows);
                            builders.push(builder);
                            *entry.insert(names.len() - 1)
                        }
                    };
                    builders[column].append_option(value);
                }
                check_columns(name, names.len())?;
                rows += 1;
                pad(&mut builders, rows);
            }
            let end = lines.at;
            blocks.put_back(block.split_off(end));
        }
        let fields: Vec<_> = names.into_iter().map(json::field).collect();
        let selected = (0..fields.len()).collect();
        let schema = Arc::new(Schema::new(fields));
        let first = if rows > 0 { Some(finish(&schema, &mut builders, rows)?) } else { None };
        Ok((Self { name: name.to_owned(), schema, columns, selected }, first))
    }

    /// Passes the values of a line to `take`, each with its column.
    fn values<'a>(
        &self,
        line: &'a [u8],
        row: usize,
        mut take: impl FnMut(usize, Option<&'a str>),
    ) -> Result<()> {
        let object = parse_line(&self.name, row, line)?.0;
        let column = |place: usize, key: &str| {
            // Usually the keys are in the order of the first row.
            let is_there = self.schema.fields().get(place).is_some_and(|field| field.name() == key);
            if is_there { Some(place) } else { self.columns.get(key).copied() }
        };
        let mut keys = object.iter().enumerate();
        if let Some((_, (key, _))) = keys.find(|(place, (key, _))| column(*place, key).is_none()) {
            let what = format!("{}: row {row}: key \"{key}\" is missing in the first rows", self.name);
            let cure = format!("add \"{key}\" to the first row, e.g. as null");
            return Err(UserError::new(what).hint(cure).into());
        }
        for (place, (key, value)) in object.into_iter().enumerate() {
            if let Some(column) = column(place, &key) {
                take(column, value);
            }
        }
        Ok(())
    }
}

impl Parse for Parser {
    fn parse(&self, block: &[u8], first_row: usize) -> Result<Decoded> {
        let mut places = vec![None; self.schema.fields().len()];
        for (place, &column) in self.selected.iter().enumerate() {
            places[column] = Some(place);
        }
        let mut builders: Vec<_> = self.selected.iter().map(|_| StringBuilder::with_capacity(0, 0)).collect();
        let (mut rows, mut error) = (0, None);
        for line in (Lines { block, at: 0 }) {
            let take = |column: usize, value| {
                if let Some(place) = places[column] {
                    builders[place].append_option(value);
                }
            };
            if let Err(err) = self.values(line, first_row + rows + 1, take) {
                error = Some(err);
                break;
            }
            rows += 1;
            pad(&mut builders, rows);
        }
        let batch = finish(&Arc::new(self.schema.project(&self.selected)?), &mut builders, rows)?;
        Ok(Decoded { batch, error })
    }
}

/// Keys that are missing in the last row are null.
fn pad(builders: &mut [StringBuilder], rows: usize) {
    use arrow_array::builder::ArrayBuilder;
    for builder in builders.iter_mut().filter(|builder| builder.len() < rows) {
        builder.append_null();
    }
}

fn finish(schema: &SchemaRef, builders: &mut [StringBuilder], rows: usize) -> Result<RecordBatch> {
    let columns = builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}

/// The lines of a block without blank ones.
struct Lines<'a> {
    block: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        while self.at < self.block.len() {
            let rest = &self.block[self.at..];
            let line = memchr(b'\n', rest).map_or(rest, |end| &rest[..=end]);
            self.at += line.len();
            if !line.trim_ascii().is_empty() {
                return Some(line.trim_ascii());
            }
        }
        None
    }
}
