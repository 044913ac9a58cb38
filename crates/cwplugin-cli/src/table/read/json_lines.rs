//! JSON lines: every column is the raw JSON text of its values.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;

use anyhow::Result;
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Schema, SchemaRef};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::json;
use super::sniff::BOM;
use super::source::{Source, Stream};
use super::{BATCH_BYTES, Decode, ReadOptions, refuse};
use crate::refusal::Refusal;

/// Arrow counts the bytes of a column in 31 bits, and one object may be a column's only one.
const MAX_LINE: u64 = 1 << 30;

/// A file of one object a line. Its columns are the keys of the rows that make up the first batch.
pub(super) struct JsonLines {
    lines: Lines,
    schema: SchemaRef,
    /// The column of each key.
    columns: HashMap<String, usize>,
    selected: Vec<usize>,
    batch_rows: usize,
    /// Read when the file was opened, with all columns.
    first: Option<RecordBatch>,
}

impl JsonLines {
    pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Self> {
        let name = source.name().to_owned();
        let stream = BufReader::with_capacity(256 << 10, source.into_stream());
        let lines = Lines { name, stream, text: Vec::new(), row: 0 };
        let mut file = Self {
            lines,
            schema: Arc::new(Schema::empty()),
            columns: HashMap::new(),
            selected: Vec::new(),
            batch_rows: options.batch_rows.max(1),
            first: None,
        };
        file.first = file.read_first()?;
        if file.first.is_none() {
            return Err(Refusal::new(format!("{}: is empty", file.lines.name))
                .hint("it needs one JSON object a line")
                .into());
        }
        Ok(file)
    }

    /// The first batch, which decides what the columns are.
    fn read_first(&mut self) -> Result<Option<RecordBatch>> {
        let (mut names, mut builders) = (Vec::new(), Vec::<StringBuilder>::new());
        let (mut rows, mut bytes) = (0, 0);
        while rows < self.batch_rows && bytes < BATCH_BYTES {
            let Some(object) = self.lines.next_object()? else { break };
            for (key, value) in object.0 {
                bytes += value.map_or(0, str::len);
                let column = match self.columns.entry(key) {
                    Entry::Occupied(entry) => *entry.get(),
                    Entry::Vacant(entry) => {
                        names.push(entry.key().clone());
                        let mut builder = StringBuilder::new();
                        builder.append_nulls(rows);
                        builders.push(builder);
                        *entry.insert(names.len() - 1)
                    }
                };
                builders[column].append_option(value);
            }
            rows += 1;
            pad(&mut builders, rows);
        }
        let fields: Vec<_> = names.into_iter().map(json::field).collect();
        self.selected = (0..fields.len()).collect();
        self.schema = Arc::new(Schema::new(fields));
        finish(&self.schema, &mut builders, rows)
    }
}

impl Decode for JsonLines {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        columns.clone_into(&mut self.selected);
        Ok(())
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first.project(&self.selected)?));
        }
        let mut places = vec![None; self.schema.fields().len()];
        for (place, &column) in self.selected.iter().enumerate() {
            places[column] = Some(place);
        }
        let mut builders: Vec<_> = self.selected.iter().map(|_| StringBuilder::new()).collect();
        let (mut rows, mut bytes) = (0, 0);
        while rows < self.batch_rows && bytes < BATCH_BYTES {
            let Some(object) = self.lines.next_object()? else { break };
            for (key, value) in object.0 {
                let Some(&column) = self.columns.get(&key) else {
                    return Err(Refusal::new(format!(
                        "{}: row {}: key \"{key}\" is in none of the first rows",
                        self.lines.name, self.lines.row
                    ))
                    .hint(format!("put \"{key}\" into the first row too; null will do"))
                    .into());
                };
                if let Some(place) = places[column] {
                    bytes += value.map_or(0, str::len);
                    builders[place].append_option(value);
                }
            }
            rows += 1;
            pad(&mut builders, rows);
        }
        finish(&Arc::new(self.schema.project(&self.selected)?), &mut builders, rows)
    }
}

/// Keys that the last row did not have are null there.
fn pad(builders: &mut [StringBuilder], rows: usize) {
    use arrow_array::builder::ArrayBuilder;
    for builder in builders.iter_mut().filter(|builder| builder.len() < rows) {
        builder.append_null();
    }
}

fn finish(schema: &SchemaRef, builders: &mut [StringBuilder], rows: usize) -> Result<Option<RecordBatch>> {
    if rows == 0 {
        return Ok(None);
    }
    let columns = builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(Some(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?))
}

/// The lines of the file, blank ones skipped.
struct Lines {
    name: String,
    stream: BufReader<Stream>,
    text: Vec<u8>,
    row: usize,
}

impl Lines {
    fn next_object(&mut self) -> Result<Option<Object<'_>>> {
        loop {
            self.text.clear();
            let count = self.stream.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut self.text);
            let count = count.map_err(|err| refuse::reading(&self.name, err))?;
            if count == 0 {
                return Ok(None);
            }
            if count as u64 > MAX_LINE {
                return Err(Refusal::new(format!(
                    "{}: row {} is larger than 1 GiB",
                    self.name,
                    self.row + 1
                ))
                .hint("put one object on each line, for instance with `jq -c '.[]'`")
                .into());
            }
            if self.row == 0 && self.text.starts_with(BOM) {
                self.text.drain(..BOM.len());
            }
            if !self.text.trim_ascii().is_empty() {
                break;
            }
        }
        self.row += 1;
        self.parse().map(Some)
    }

    fn parse(&self) -> Result<Object<'_>> {
        let (name, row) = (&self.name, self.row);
        let refuse = |what: String| Refusal::new(format!("{name}: row {row}{what}"));
        let line = self.text.trim_ascii();
        let Ok(line) = std::str::from_utf8(line) else {
            return Err(refuse(": bytes are not UTF-8".into()).hint("save the file as UTF-8").into());
        };
        match line.as_bytes() {
            [b'{', ..] => {}
            [b'[', ..] => {
                return Err(refuse(": is an array, not an object".into())
                    .hint("put one object on each line, for instance with `jq -c '.[]'`")
                    .into());
            }
            _ => {
                return Err(refuse(": is not a JSON object".into())
                    .hint("put one object on each line, such as {\"label\": \"a\", \"p_a\": 0.7}")
                    .into());
            }
        }
        let object: Object<'_> = serde_json::from_str(line).map_err(|err| {
            // serde_json ends its message with the place, and the line is always 1 here.
            let text = err.to_string();
            let text = text.split(" at line ").next().unwrap_or_default();
            refuse(format!(", column {}: {text}", err.column()))
                .hint("write each object on one line, as valid JSON; NaN and Infinity are written null")
        })?;
        if let Some(key) = object.repeated_key() {
            return Err(refuse(format!(": key \"{key}\" is there twice"))
                .hint("give each value its own key")
                .into());
        }
        Ok(object)
    }
}

/// The keys and raw values of one line, in order; null and a missing key are the same.
struct Object<'a>(Vec<(String, Option<&'a str>)>);

impl Object<'_> {
    fn repeated_key(&self) -> Option<&str> {
        let mut keys: Vec<_> = self.0.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        keys.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
            pairs.push((key, Some(value.get()).filter(|value| *value != "null")));
        }
        Ok(Object(pairs))
    }
}
