//! Replies of a black box: every reply becomes a row with the probabilities of the classes.

mod facts; // what the user should know about them
mod parse; // from documents to rows
mod votes; // several answers for each row

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use cwplugin_replies::{Classes, Documents, Reader, Recognised, ReplyError, Source as Vendor, recognise};

use super::sniff::BOM;
use super::source::{Progress, Source, Stream};
use super::{Decode, Rows, errors};
use crate::user_error::UserError;
pub(crate) use facts::ReplyFacts;
use parse::Parser;
pub(super) use votes::VoteTable;

/// The column with the number of votes of a row.
pub(crate) const VOTES: &str = "votes";

/// How to read replies.
#[derive(Debug)]
pub(crate) enum ReplyReader {
    /// Log-probabilities of tokens, or scores.
    Vendor(Box<Reader>),
    /// One answer per document, several documents per row.
    Answers { classes: Classes, field: String },
}

/// What to make of the replies.
#[derive(Debug)]
pub(crate) struct ReplyOptions {
    pub(crate) reader: ReplyReader,
    /// The field of the id, and the name of its column.
    pub(crate) id: String,
    /// The name of the column of labels.
    pub(crate) label: String,
    /// Replies without an answer are left out.
    pub(crate) skip_errors: bool,
    pub(crate) facts: ReplyFacts,
}

impl ReplyOptions {
    fn classes(&self) -> &Classes {
        match &self.reader {
            ReplyReader::Vendor(reader) => reader.classes(),
            ReplyReader::Answers { classes, .. } => classes,
        }
    }

    /// Notes and warnings, when all rows are read.
    pub(crate) fn remarks(&self) -> (Vec<String>, Vec<String>) {
        self.facts.remarks(self.classes().names())
    }

    /// Columns: the id, the label, one probability per class, `other` and, of votes, their number.
    fn schema(&self) -> SchemaRef {
        let number = |name: String| Field::new(name, DataType::Float64, false);
        let mut fields =
            vec![Field::new(&self.id, DataType::Utf8, true), Field::new(&self.label, DataType::Utf8, true)];
        fields.extend(self.classes().names().iter().map(|name| number(format!("p_{name}"))));
        fields.push(number("other".into()));
        if matches!(self.reader, ReplyReader::Answers { .. }) {
            fields.push(Field::new(VOTES, DataType::UInt64, false));
        }
        Arc::new(Schema::new(fields))
    }
}

/// The files of a folder, or the one file.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let name = path.display().to_string();
    let entries = std::fs::read_dir(path).map_err(|err| errors::reading(&name, err))?;
    let is_json = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_json).collect();
    files.sort();
    if files.is_empty() {
        let what = format!("{name}: the folder has no .json file");
        return Err(UserError::new(what).hint("name a folder of replies, or a file").into());
    }
    Ok(files)
}

/// The first document of a file, if it is JSON.
pub(crate) fn first_document(path: &Path) -> Result<Option<Vec<u8>>> {
    let files = files(path)?;
    let source = Source::open(files.first().map_or(path, |first| first))?;
    Ok(first_in(source.head()))
}

/// The first document in these bytes, if they are JSON.
pub(super) fn first_in(head: &[u8]) -> Option<Vec<u8>> {
    let text = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return None;
    }
    // A list of scores is one reply, a list of other replies is not.
    let mut documents = Documents::new(Vendor::Huggingface);
    documents.push(head);
    if let Ok(Some(document)) = documents.next() {
        return Some(document.bytes.to_vec());
    }
    // One document over several lines, or one line without an end.
    documents.finish();
    documents.next().ok()?.map(|document| document.bytes.to_vec())
}

/// Passes every document of a file, or of the files of a folder, to `each`.
pub(crate) fn for_each_document(path: &Path, vendor: Vendor, mut each: impl FnMut(&[u8])) -> Result<()> {
    for path in files(path)? {
        let mut file = OpenFile::new(Source::open(&path)?, vendor);
        let mut is_open = true;
        loop {
            match file.documents.next() {
                Ok(Some(document)) => each(document.bytes),
                Ok(None) if is_open => is_open = file.fill(1 << 20)?,
                Ok(None) | Err(_) => break, // an error is that of the second pass
            }
        }
    }
    Ok(())
}

/// The documents of all files.
pub(super) struct Replies {
    options: Arc<ReplyOptions>,
    schema: SchemaRef,
    selected: Vec<usize>,
    files: VecDeque<PathBuf>,
    /// Of all files.
    progress: Progress,
    current: Option<OpenFile>,
    /// What is wrong after the documents that were read: a list that does not end.
    failed: Option<UserError>,
    block_bytes: usize,
}

struct OpenFile {
    name: String,
    stream: Stream,
    documents: Documents,
}

impl OpenFile {
    fn new(source: Source, vendor: Vendor) -> Self {
        let name = source.name().to_owned();
        Self { name, stream: source.into_stream(), documents: Documents::new(vendor) }
    }

    /// Reads more bytes; false at the end.
    fn fill(&mut self, bytes: usize) -> Result<bool> {
        let read = self.documents.read_from(&mut self.stream, bytes);
        Ok(read.map_err(|err| errors::reading(&self.name, err))? > 0)
    }
}

impl Replies {
    /// Reads the replies of a file that is open already, then those of others.
    pub(super) fn open(
        first: Source,
        others: VecDeque<PathBuf>,
        progress: Progress,
        options: Arc<ReplyOptions>,
        bytes: usize,
    ) -> Self {
        let vendor = vendor(&options.reader);
        let schema = options.schema();
        let selected = (0..schema.fields().len()).collect();
        let current = Some(OpenFile::new(first, vendor));
        Self { options, schema, selected, files: others, progress, current, failed: None, block_bytes: bytes }
    }
}

/// Which replies may be arrays.
fn vendor(reader: &ReplyReader) -> Vendor {
    match reader {
        ReplyReader::Vendor(reader) => reader.source(),
        ReplyReader::Answers { .. } => Vendor::Openai,
    }
}

impl Decode for Replies {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        self.selected = columns.to_vec();
        Ok(())
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        if let Some(error) = self.failed.take() {
            return Err(error.into());
        }
        loop {
            let Some(file) = &mut self.current else {
                let Some(path) = self.files.pop_front() else { return Ok(None) };
                let source = Source::open_part(&path, &self.progress)?;
                self.current = Some(OpenFile::new(source, vendor(&self.options.reader)));
                continue;
            };
            let (mut block, mut spans): (_, Vec<(_, usize)>) =
                (Vec::with_capacity(self.block_bytes), Vec::new());
            let mut is_open = true;
            self.failed = loop {
                match file.documents.next() {
                    Ok(Some(document)) => {
                        let start = block.len();
                        block.extend_from_slice(document.bytes);
                        spans.push((start..block.len(), document.number));
                    }
                    Ok(None) if block.len() >= self.block_bytes || !is_open => break None,
                    Ok(None) => is_open = file.fill(self.block_bytes)?,
                    Err(error) => {
                        let row = spans.last().map_or(0, |(_, number)| *number) + 1;
                        let row = Some(row).filter(|_| matches!(error, ReplyError::TooLong { .. }));
                        break Some(in_file(&file.name, row, &error));
                    }
                }
            };
            if spans.is_empty() {
                if let Some(error) = self.failed.take() {
                    return Err(error.into());
                }
                self.current = None;
                continue;
            }
            let parser = Parser {
                name: file.name.clone(),
                options: Arc::clone(&self.options),
                schema: Arc::clone(&self.schema),
                selected: self.selected.clone(),
                spans,
            };
            return Ok(Some(Rows::Block(block, Arc::new(parser))));
        }
    }
}

/// An error about a reply, with the flags that would read it if it is one of another source, or inside of a field.
fn in_reply(name: &str, number: usize, error: &ReplyError, document: &[u8], reader: &Reader) -> UserError {
    let error_in_file = in_file(name, Some(number), error);
    match error {
        ReplyError::Json { .. } if !matches!(document.first(), Some(b'{' | b'[')) => {
            return error_in_file.hint("replies are JSON; for a table, omit --from");
        }
        ReplyError::Shape { .. } | ReplyError::NoField { .. } => {}
        _ => return error_in_file,
    }
    let Some(Recognised { source, reply_at }) = recognise(document) else {
        return error_in_file.hint(format!(
            "check --from {}; name the field of a wrapped reply with --reply FIELD",
            reader.source()
        ));
    };
    let at = reply_at.as_ref().map_or_else(String::new, |field| format!(" --reply {field}"));
    match reply_at {
        _ if source != reader.source() => {
            error_in_file.hint(format!("it looks like a reply of {source}: use --from {source}{at}"))
        }
        Some(field) => error_in_file.hint(format!("the reply is in field \"{field}\": use{at}")),
        None if matches!(error, ReplyError::NoField { .. }) => {
            error_in_file.hint("the line is the reply itself: omit --reply")
        }
        None => error_in_file,
    }
}

/// An error with the file and the number of the reply.
pub(super) fn in_file(name: &str, number: Option<usize>, error: &ReplyError) -> UserError {
    let row = number.map_or_else(String::new, |number| format!(" row {number}:"));
    let user_error = UserError::new(format!("{name}:{row} {error}"));
    match error.cure() {
        Some(cure) => user_error.hint(cure),
        None => user_error.hint("check the reply, or leave it out"),
    }
}
