//! Replies of a black box: every reply becomes a row with the probabilities of the classes.

mod facts; // what the user should know about them
mod files; // the documents of a file, or of all files of a folder
mod errors; // errors with the file, the reply and the flags to use
mod parse; // from documents to rows
mod votes; // several answers for each row

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use cwplugin_replies::{Classes, Reader, ReplyError, Source as Vendor};

use super::identity::OpenedFiles;
use super::source::{Progress, Source};
use super::{Decode, Rows};
use crate::user_error::UserError;
pub(crate) use errors::broken_document;
use errors::{in_file, in_reply};
pub(crate) use facts::ReplyFacts;
pub(crate) use files::{FoundDocument, first_document, for_each_document};
use files::{OpenFile, no_reply};
pub(super) use files::{files, first_in};
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
    /// The model that says whose replies these are, if the user does not.
    pub(crate) model: Option<String>,
    pub(crate) facts: ReplyFacts,
    /// The files of a first pass, which found the classes.
    pub(crate) first_pass: Option<OpenedFiles>,
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

/// The documents of all files.
pub(super) struct Replies {
    options: Arc<ReplyOptions>,
    schema: SchemaRef,
    selected: Vec<usize>,
    files: VecDeque<PathBuf>,
    n_files: usize,
    /// Of all files.
    progress: Progress,
    current: Option<OpenFile>,
    /// What is wrong after the documents that were read: a list that does not end.
    failed: Option<UserError>,
    block_bytes: usize,
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
        let (current, n_files) = (Some(OpenFile::new(first, vendor)), others.len() + 1);
        Self {
            options,
            schema,
            selected,
            files: others,
            n_files,
            progress,
            current,
            failed: None,
            block_bytes: bytes,
        }
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
                // The only file may be empty after all; one of many would be a row less.
                if !file.has_documents && self.n_files > 1 {
                    let error = no_reply(&file.name);
                    if !self.options.skip_errors {
                        return Err(error.into());
                    }
                    self.options.facts.skip(1, "empty", &error);
                }
                self.current = None;
                continue;
            }
            file.has_documents = true;
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
