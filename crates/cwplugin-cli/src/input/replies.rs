//! Replies of a black box as a table: which classes they have, and how to read them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use cwplugin::data::{MAX_CLASSES, quoted};
use cwplugin_replies::{
    Classes, Missing, Reader, ReplyError, Source, VoteCounter, equal_in_any_case, fields, names_in,
};

use super::idle::Form;
use super::label_file::LabelFile;
use crate::args::{Data, From};
use crate::output::Screen;
use crate::table::{
    FoundDocument, OpenedFiles, ReplyFacts, ReplyOptions, ReplyReader, broken_document, first_document,
    for_each_document, is_read_once,
};
use crate::user_error::UserError;

/// The field of a vote with the answer.
const ANSWER: &str = "answer";

/// What input with `--from` is. Votes may be a table of counts.
pub(super) fn form(path: &Path, from: From, data: &Data) -> anyhow::Result<Form> {
    Ok(match from {
        From::Votes if has_answers(path, &answer_field(data), data)? => Form::Answers,
        From::Votes => Form::Counts,
        From::Source(_) => Form::Replies(from),
    })
}

/// How to read the replies, if the input is replies; `None` for a table.
pub(super) fn options(
    path: &Path,
    (form, data): (Form, &Data),
    model_classes: Option<&[String]>,
    joined: Option<&LabelFile>,
    screen: &Screen,
) -> anyhow::Result<Option<Arc<ReplyOptions>>> {
    let from = match form {
        Form::Table | Form::Counts => return Ok(None),
        Form::Answers => From::Votes,
        Form::Replies(from) => from,
    };
    let spellings = data.replies.all_spellings()?;
    let (names, first_pass) = match (&data.classes, model_classes) {
        (Some(names), _) => (names.clone(), None),
        (None, Some(names)) => (names.to_vec(), None),
        (None, None) if spellings.len() > 1 => {
            (spellings.iter().map(|(name, _)| name.clone()).collect(), None)
        }
        (None, None) => {
            let (names, files) = find_classes(path, from, data, joined, screen)?;
            (names, Some(files))
        }
    };
    if names.len() > MAX_CLASSES {
        let what =
            format!("{}: {} classes, at most {MAX_CLASSES} are supported", path.display(), names.len());
        return Err(UserError::new(what).hint("name fewer classes with --classes A,B,C").into());
    }
    let classes = Classes::new(names).and_then(|classes| classes.spellings(spellings));
    let classes = classes.map_err(|error| usage(&error))?;
    let id = data.id.first().map_or("id", String::as_str).to_owned();
    if id == data.label {
        return Err(UserError::usage(format!("--label {id}: field \"{id}\" is the id of a reply"))
            .hint("name another field with --label, or another id with --id")
            .into());
    }
    let reader = match from {
        From::Votes => ReplyReader::Answers { classes, field: answer_field(data) },
        From::Source(source) => ReplyReader::Vendor(Box::new(reader(source, classes, data, &id)?)),
    };
    let (skip_errors, label) = (data.replies.skip_errors, data.label.clone());
    let model = data.remembered.from.map(|_| data.remembered.model.clone());
    Ok(Some(Arc::new(ReplyOptions {
        reader,
        id,
        label,
        skip_errors,
        model,
        facts: ReplyFacts::default(),
        first_pass,
    })))
}

fn answer_field(data: &Data) -> String {
    data.replies.answer_at.as_ref().map_or_else(|| ANSWER.to_owned(), ToString::to_string)
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
fn has_answers(path: &Path, field: &str, data: &Data) -> anyhow::Result<bool> {
    if is_read_once(path) {
        return Ok(true); // a table of counts has a file
    }
    let Some(document) = first_document(path)? else { return Ok(false) };
    if value_of(&document, field).is_some() {
        return Ok(true);
    }
    if data.replies.answer_at.is_none() {
        return Ok(false);
    }
    let names = fields(std::str::from_utf8(&document)?).unwrap_or_default();
    let names = quoted(names.iter().map(|(name, _)| name));
    let what = format!("{}: row 1: there is no field \"{field}\"; the fields are {names}", path.display());
    Err(UserError::new(what).hint("name the field with the answer: --answer-at FIELD").into())
}

/// What a first pass finds.
#[derive(Default)]
struct Found {
    labels: BTreeSet<String>,
    /// The names in lists of scores.
    names: BTreeSet<String>,
    /// Numbers without names are among the replies.
    has_unnamed: bool,
}

/// The classes by a first pass: the names in lists of scores; for tokens, votes and independent scores the labels. Also the
/// files, which must not change until they are read again.
fn find_classes(
    path: &Path,
    from: From,
    data: &Data,
    joined: Option<&LabelFile>,
    screen: &Screen,
) -> anyhow::Result<(Vec<String>, OpenedFiles)> {
    let unknown = |what: &str| {
        UserError::new(format!("{}: the classes are not known: {what}", path.display()))
            .hint("name them with --classes A,B,C")
    };
    if is_read_once(path) {
        return Err(unknown("a stream is read only once").into());
    }
    let vendor = match from {
        From::Source(source) => source,
        From::Votes => Source::Openai,
    };
    let (Found { mut labels, names, has_unnamed }, files) = first_pass(path, from, vendor, data, screen)?;
    labels.extend(joined.into_iter().flat_map(LabelFile::texts).map(str::to_owned));
    if has_unnamed {
        return Err(
            unknown("the numbers of /classify have no names, and labels do not give their order").into()
        );
    }
    let are_independent =
        matches!(vendor, Source::GoogleNl | Source::Vision | Source::Rekognition | Source::Clarifai);
    let by_label = names.is_empty() || are_independent && !labels.is_empty();
    let found = if by_label { labels } else { names };
    if found.len() < 2 {
        refuse_broken(path, from, vendor, data)?;
        let what = match found.first() {
            Some(only) => format!("\"{only}\" is the only label"),
            None => format!("there are no labels, and replies of {} do not name the classes", from.name()),
        };
        return Err(unknown(&what).into());
    }
    if by_label {
        refuse_equal_in_any_case(path, &found)?;
    }
    Ok((found.into_iter().collect(), files))
}

fn first_pass(
    path: &Path,
    from: From,
    vendor: Source,
    data: &Data,
    screen: &Screen,
) -> anyhow::Result<(Found, OpenedFiles)> {
    let mut found = Found::default();
    let mut progress = screen.progress("finding classes");
    let (mut rows, mut shown) = (0, (0, None));
    let files =
        for_each_document(path, vendor, |FoundDocument { bytes: document, progress: read, .. }| {
            rows += 1;
            if shown != read {
                shown = read;
                progress.read(read, rows);
            }
            found.has_unnamed |= vendor == Source::Vllm && contains(document, b"\"probs\"");
            found.labels.extend(label(document, &data.label));
            // Tokens are not named after classes.
            if from != From::Votes && !vendor.has_tokens() {
                found
                    .names
                    .extend(names_in(vendor, data.replies.reply.as_ref(), document).unwrap_or_default());
            }
            Ok(())
        })?;
    Ok((found, files))
}

/// The error of the first document that is no reply at all, or of the first one if none has an answer: then the classes are the
/// smaller problem.
fn refuse_broken(path: &Path, from: From, vendor: Source, data: &Data) -> anyhow::Result<()> {
    let source = Some(vendor).filter(|_| from != From::Votes);
    let (mut is_any_read, mut first_error) = (false, None);
    for_each_document(path, vendor, |FoundDocument { file, number, bytes: document, .. }| {
        let read = match from {
            From::Source(_) => names_in(vendor, data.replies.reply.as_ref(), document).map(drop),
            From::Votes => VoteCounter::new(Classes::new(["a", "b"])?)
                .id_field(data.id.first().map_or("id", String::as_str))
                .label_field(&data.label)
                .answer_field(answer_field(data))
                .read(document),
        };
        let Err(error) = read else {
            is_any_read = true;
            return Ok(());
        };
        let broken = broken_document((file, number), &error, document, source);
        if matches!(error.kind(), "json" | "shape" | "no-field") {
            return Err(broken.into());
        }
        first_error.get_or_insert(broken);
        Ok(())
    })?;
    match first_error.filter(|_| !is_any_read) {
        Some(error) => Err(error.into()),
        None if is_any_read => Ok(()),
        None => Err(UserError::new(format!("{}: there is no reply", path.display()))
            .hint("check the program that wrote the file")
            .into()),
    }
}

/// Labels that differ only in case are one class with a typing error, more probably than two.
fn refuse_equal_in_any_case(path: &Path, labels: &BTreeSet<String>) -> Result<(), UserError> {
    let Some((one, other)) = equal_in_any_case(labels.iter().map(String::as_str)) else { return Ok(()) };
    let what = format!("{}: the labels \"{one}\" and \"{other}\" differ only in case", path.display());
    let names: BTreeSet<String> = labels.iter().map(|label| label.to_lowercase()).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(",");
    Err(UserError::new(what).hint(format!("name the classes: --classes {names} --ignore-case")))
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
    Some(label.trim().to_owned()).filter(|label| is_scalar && raw != "null" && !label.is_empty())
}
