//! Replies of a black box as a table: which classes they have, and how to read them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use cwplugin_replies::{Classes, Missing, Reader, ReplyError, Source, fields, names_in};

use super::label_file::LabelFile;
use crate::args::{Data, From};
use crate::table::{ReplyFacts, ReplyOptions, ReplyReader, first_document, for_each_document, is_stream};
use crate::user_error::UserError;

/// The field of a vote with the answer.
const ANSWER: &str = "answer";

/// How to read the replies, if the input is replies; `None` for a table.
pub(super) fn options(
    path: &Path,
    data: &Data,
    model_classes: Option<&[String]>,
    joined: Option<&LabelFile>,
) -> anyhow::Result<Option<Arc<ReplyOptions>>> {
    let Some(from) = data.replies.from else { return Ok(None) };
    let field = data.replies.answer_at.as_ref().map_or_else(|| ANSWER.to_owned(), ToString::to_string);
    if from == From::Votes && !has_answers(path, &field)? {
        return Ok(None); // a table of counts
    }
    let spellings = data.replies.all_spellings()?;
    let names = match (&data.classes, model_classes) {
        (Some(names), _) => names.clone(),
        (None, Some(names)) => names.to_vec(),
        (None, None) if spellings.len() > 1 => spellings.iter().map(|(name, _)| name.clone()).collect(),
        (None, None) => find_classes(path, from, data, joined)?,
    };
    let classes = Classes::new(names).and_then(|classes| classes.spellings(spellings));
    let classes = classes.map_err(|error| usage(&error))?;
    let id = data.id.first().map_or("id", String::as_str).to_owned();
    if id == data.label {
        return Err(UserError::usage(format!("--label {id}: field \"{id}\" is the id of a reply"))
            .hint("name another field with --label, or another id with --id")
            .into());
    }
    let reader = match from {
        From::Votes => ReplyReader::Answers { classes, field },
        From::Source(source) => ReplyReader::Vendor(Box::new(reader(source, classes, data, &id)?)),
    };
    let (skip_errors, label) = (data.replies.skip_errors, data.label.clone());
    Ok(Some(Arc::new(ReplyOptions { reader, id, label, skip_errors, facts: ReplyFacts::default() })))
}

fn reader(source: Source, classes: Classes, data: &Data, id: &str) -> Result<Reader, UserError> {
    let mut reader = Reader::new(source, classes).label_field(&data.label);
    reader = reader.missing(data.replies.missing.unwrap_or(Missing::Spread));
    if !data.id.is_empty() {
        reader = reader.id_field(id);
    }
    if let Some(path) = &data.replies.reply {
        reader = reader.reply_at(path.clone());
    }
    match &data.replies.answer_at {
        Some(path) => reader.answer_at(path.clone()).map_err(|error| usage(&error)),
        None => Ok(reader),
    }
}

fn usage(error: &ReplyError) -> UserError {
    UserError::usage(error.to_string())
        .hint(error.cure().unwrap_or_else(|| "check --classes and --class".into()))
}

/// Whether votes are answers, one per document, and not a table of counts.
fn has_answers(path: &Path, field: &str) -> anyhow::Result<bool> {
    if is_stream(path) {
        return Ok(true); // a table of counts has a file
    }
    let Some(document) = first_document(path)? else { return Ok(false) };
    Ok(value_of(&document, field).is_some())
}

/// The classes by a first pass: the names in lists of scores; for tokens, votes and independent scores the labels.
fn find_classes(
    path: &Path,
    from: From,
    data: &Data,
    joined: Option<&LabelFile>,
) -> anyhow::Result<Vec<String>> {
    let unknown = |what: &str| {
        UserError::new(format!("{}: the classes are not known: {what}", path.display()))
            .hint("name them with --classes A,B,C")
    };
    if is_stream(path) {
        return Err(unknown("a stream is read only once").into());
    }
    let mut labels: BTreeSet<String> =
        joined.into_iter().flat_map(LabelFile::texts).map(str::to_owned).collect();
    let mut names = BTreeSet::new();
    let vendor = match from {
        From::Source(source) => source,
        From::Votes => Source::Openai,
    };
    let mut has_unnamed = false;
    for_each_document(path, vendor, |document| {
        has_unnamed |= vendor == Source::Vllm && contains(document, b"\"probs\"");
        labels.extend(label(document, &data.label));
        // Tokens are not named after classes.
        if from != From::Votes && !vendor.has_tokens() {
            names.extend(names_in(vendor, data.replies.reply.as_ref(), document).unwrap_or_default());
        }
    })?;
    if has_unnamed {
        return Err(
            unknown("the numbers of /classify have no names, and labels do not give their order").into()
        );
    }
    let are_independent =
        matches!(vendor, Source::GoogleNl | Source::Vision | Source::Rekognition | Source::Clarifai);
    let found = if names.is_empty() || are_independent && !labels.is_empty() { labels } else { names };
    if found.len() < 2 {
        let what = match found.first() {
            Some(only) => format!("\"{only}\" is the only label"),
            None => format!("there are no labels, and replies of {} do not name the classes", from.name()),
        };
        return Err(unknown(&what).into());
    }
    Ok(found.into_iter().collect())
}

fn contains(document: &[u8], text: &[u8]) -> bool {
    memchr::memmem::find(document, text).is_some()
}

/// The value of a field as it is written, if the document is an object; the last one counts, as for the reader.
fn value_of<'d>(document: &'d [u8], field: &str) -> Option<&'d str> {
    let json = std::str::from_utf8(document).ok()?;
    let (_, value) = fields(json).ok()?.into_iter().rev().find(|(key, _)| key == field)?;
    Some(value)
}

/// The label beside a reply.
fn label(document: &[u8], field: &str) -> Option<String> {
    let raw = value_of(document, field)?;
    let label = serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned());
    let is_scalar = !matches!(raw.as_bytes().first(), Some(b'{' | b'['));
    Some(label).filter(|label| is_scalar && raw != "null" && !label.trim().is_empty())
}
