//! Replies or a table: as the user says, else as the model says, unless the file is plainly something else.

use std::path::Path;

use cwplugin_replies::{Classes, FieldPath, Reader as ReplyReader, Rows, Source, recognise};
use serde_json::Value;

use super::columns::PREFIXES;
use crate::args::{Data, From};
use crate::table::{Format, ReadOptions, Reader, first_document, is_read_once};

/// Objects around a reply, at most.
const WRAPPED: usize = 3;

/// Settles whether the input is replies, and where they are; `notes` gets what is unlike the fit of the model.
pub(super) fn settle(
    path: &Path,
    data: &mut Data,
    classes: Option<&[String]>,
    notes: &mut Vec<String>,
) -> anyhow::Result<()> {
    let Some(classes) = classes else { return Ok(()) }; // no model
    let stored = data.remembered.clone();
    if let Some(from) = stored.from {
        if matches!(from, From::Source(_)) && is_table(path, data, classes) {
            let what =
                format!("is a table of probabilities, though {} was fitted on replies of", stored.model);
            notes.push(format!("{what} {}", from.name()));
            data.replies.spellings.clear();
            data.replies.class_map = None;
            data.remembered.from = None;
            return Ok(());
        }
        data.replies.from = Some(from);
    }
    let Some(from) = data.replies.from else { return Ok(()) };
    let document = if is_read_once(path) { None } else { first_document(path)? };
    match from {
        From::Votes => {
            let has = |field: &FieldPath| document.as_deref().is_none_or(|text| has_field(text, field));
            // The field of an answer has a usual name.
            data.replies.answer_at = data.replies.answer_at.take().or(stored.answer_at.filter(has));
        }
        From::Source(source) => {
            data.replies.answer_at = data.replies.answer_at.take().or(stored.answer_at);
            if let Some(field) = stored.reply {
                let moved = document.as_deref().and_then(|text| place(text, source, classes, &field));
                let what = match &moved {
                    None => None,
                    Some(Place::Document) => Some("the line is the reply itself".to_owned()),
                    Some(Place::Field(moved)) => Some(format!("the reply is in field \"{moved}\"")),
                };
                let unlike = |what| format!("{what}, not in \"{field}\" as in the fit of {}", stored.model);
                notes.extend(what.map(unlike));
                data.replies.reply = match moved {
                    None => Some(field),
                    Some(Place::Document) => None,
                    Some(Place::Field(moved)) => Some(moved),
                };
            }
        }
    }
    Ok(())
}

/// Whether the file is a table with columns for the classes.
fn is_table(path: &Path, data: &Data, classes: &[String]) -> bool {
    if is_read_once(path) || path.is_dir() {
        return false;
    }
    let options = ReadOptions {
        format: data.format,
        delimiter: data.delimiter,
        batch_rows: 1,
        ..ReadOptions::default()
    };
    let Ok(reader) = Reader::open(path, &options) else { return false };
    let (schema, format) = (reader.schema(), reader.format());
    let prefixes = || PREFIXES.into_iter().chain(data.prefix.as_deref()).chain([""]);
    let has = |class: &String| {
        prefixes().any(|prefix| {
            schema.fields().iter().any(|field| *field.name().trim() == format!("{prefix}{class}"))
        })
    };
    match format {
        Format::Jsonl => classes.iter().all(has),
        Format::Csv | Format::Tsv => classes.iter().any(has),
        _ => true,
    }
}

fn has_field(document: &[u8], field: &FieldPath) -> bool {
    serde_json::from_slice(document).is_ok_and(|document: Value| at(&document, field).is_some())
}

fn at<'v>(document: &'v Value, field: &FieldPath) -> Option<&'v Value> {
    field.parts().iter().try_fold(document, |value, part| match value {
        Value::Array(list) => list.get(part.parse::<usize>().ok()?),
        _ => value.get(part),
    })
}

/// Where a reply is.
enum Place {
    /// The document is the reply.
    Document,
    Field(FieldPath),
}

/// Where the reply is, if it is not in `field`.
fn place(document: &[u8], source: Source, classes: &[String], field: &FieldPath) -> Option<Place> {
    let value: Value = serde_json::from_slice(document).ok()?;
    if at(&value, field).is_some() {
        return None;
    }
    let classes = Classes::new(classes.iter().map(String::as_str)).ok()?;
    let can_be_read = |place: &Place| {
        let reader = ReplyReader::new(source, classes.clone());
        let reader = match place {
            Place::Document => reader,
            Place::Field(place) => reader.reply_at(place.clone()),
        };
        // An answer that matches no class is a reply nevertheless; an error of the service may stand anywhere.
        match reader.read(document, &mut Rows::new()) {
            Ok(_) => true,
            Err(error) => !matches!(error.kind(), "shape" | "no-field" | "json" | "vendor"),
        }
    };
    let mut places = vec![Place::Document];
    fields(&value, "", WRAPPED, &mut places);
    places.into_iter().find(can_be_read).or_else(|| {
        let found = recognise(document).filter(|found| found.source == source)?;
        found.reply_at.map_or(Some(Place::Document), |place| place.parse().ok().map(Place::Field))
    })
}

/// The paths of all objects and lists in an object.
fn fields(value: &Value, path: &str, depth: usize, found: &mut Vec<Place>) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        if value.is_object() || value.is_array() {
            found.extend(path.parse().ok().map(Place::Field));
            if depth > 1 {
                fields(value, &path, depth - 1, found);
            }
        }
    }
}
