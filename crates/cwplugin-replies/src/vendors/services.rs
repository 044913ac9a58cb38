//! Services that reply with lists of scores: one table of their fields, one way to read them.

use super::Reply;
use crate::cursor::Cursor;
use crate::document_error::vendor_message;
use crate::error::ReplyError;
use crate::output::Output;
use crate::scores::{Entries, Relation, Repeats, Score, Scores};
use crate::source::Source;
use crate::value::{Json, Number, Object};

/// Scores in most lists.
const USUAL: usize = 4;

/// The fields of a service.
struct Service {
    /// Fields around the texts; a list has one text per element.
    around: &'static [&'static str],
    /// Where the scores of a text are; the first one that is not empty counts.
    shapes: &'static [Shape],
    /// Lists of texts that failed: without them, rows would be missing unnoticed.
    failures: &'static str,
    /// The field that says why there are no scores.
    excuse: &'static str,
}

/// A list of scores.
#[derive(Clone, Copy)]
struct Shape {
    at: &'static str,
    entries: Entries,
    relation: Relation,
    repeats: Repeats,
    /// The score of certainty.
    one: f64,
}

const fn distribution(at: &'static str, entries: Entries) -> Shape {
    Shape { at, entries, relation: Relation::Distribution, repeats: Repeats::Refuse, one: 1.0 }
}

const fn independent(at: &'static str, entries: Entries) -> Shape {
    Shape { relation: Relation::Independent, ..distribution(at, entries) }
}

const NAME_SCORE: Entries = Entries::List("Name", "Score");
const PERCENT: Entries = Entries::List("Name", "Confidence");
const CATEGORY: Entries = Entries::List("category", "confidenceScore");
const CONFIDENCE: Entries = Entries::List("name", "confidence");
const ANNOTATION: Entries = Entries::List("description", "score");
const LABEL_SCORE: Shape =
    Shape { relation: Relation::BySum, ..distribution("", Entries::List("label", "score")) };

const SERVICE: Service = Service { around: &[], shapes: &[], failures: "", excuse: "" };
const HUGGINGFACE: Service = Service {
    shapes: &[Shape { at: "scores", entries: Entries::Beside("labels"), ..LABEL_SCORE }],
    ..SERVICE
};
const COMPREHEND: Service = Service {
    around: &["ResultList"],
    shapes: &[
        distribution("SentimentScore", Entries::Numbers),
        Shape { repeats: Repeats::Mean, ..distribution("Classes", NAME_SCORE) },
        Shape { repeats: Repeats::Mean, ..independent("Labels", NAME_SCORE) },
    ],
    failures: "ErrorList",
    excuse: "message",
};
const AZURE: Service = Service {
    around: &["tasks", "items", "results", "documents"],
    shapes: &[
        distribution("confidenceScores", Entries::Numbers),
        distribution("confidence_scores", Entries::Numbers),
        distribution("class", CATEGORY),
        distribution("classifications", Entries::List("category", "confidence_score")),
    ],
    failures: "errors",
    ..SERVICE
};
const GOOGLE_NL: Service = Service {
    shapes: &[
        independent("categories", CONFIDENCE),
        independent("moderationCategories", CONFIDENCE),
        independent("moderation_categories", CONFIDENCE),
    ],
    ..SERVICE
};
const VISION: Service = Service {
    around: &["responses"],
    shapes: &[independent("labelAnnotations", ANNOTATION), independent("label_annotations", ANNOTATION)],
    ..SERVICE
};
const REKOGNITION: Service = Service {
    shapes: &[
        Shape { one: 100.0, ..independent("Labels", PERCENT) },
        Shape { one: 100.0, ..independent("CustomLabels", PERCENT) },
    ],
    excuse: "message",
    ..SERVICE
};
const CLARIFAI: Service = Service {
    around: &["outputs"],
    shapes: &[independent("data.concepts", Entries::List("name", "value"))],
    excuse: "status",
    ..SERVICE
};
const COHERE: Service = Service {
    around: &["classifications"],
    shapes: &[distribution("labels", Entries::Objects("confidence"))],
    excuse: "message",
    ..SERVICE
};

impl Reply<'_> {
    /// Adds the rows of a service.
    pub(super) fn scores(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let service = match output.source {
            Source::Comprehend => &COMPREHEND,
            Source::Azure => &AZURE,
            Source::GoogleNl => &GOOGLE_NL,
            Source::Vision => &VISION,
            Source::Rekognition => &REKOGNITION,
            Source::Clarifai => &CLARIFAI,
            Source::Cohere => &COHERE,
            _ => &HUGGINGFACE,
        };
        let Some(items) = self.list else { return service.texts(&self.fields, "", output) };
        let is_score = |first: &Json<'_>| {
            label_and_score(&mut Cursor::new(first.0, 0)).is_some()
                || first.object().is_some_and(|first| first.get("label").is_some())
        };
        if items.first().is_none_or(is_score) {
            return row(LABEL_SCORE, labels(items), String::new(), None, output);
        }
        for (i, item) in items.iter().enumerate() {
            let path = format!("[{i}]");
            match item.items() {
                Some(inner) => row(LABEL_SCORE, labels(inner), path, None, output)?,
                None => service.texts(&item.object().unwrap_or_default(), &path, output)?,
            }
        }
        Ok(())
    }
}

/// The labels and scores of one text.
fn labels(items: Vec<Json<'_>>) -> Option<Vec<Score<'_>>> {
    let usual = |Json(item)| label_and_score(&mut Cursor::new(item, 0));
    let score = |item| usual(item).or_else(|| named(item, "label", "score", Number::Absent));
    items.into_iter().map(score).collect()
}

/// The same by the general parser.
#[cfg(any(test, fuzzing))]
pub(crate) fn labels_by_parser(items: Vec<Json<'_>>) -> Option<Vec<Score<'_>>> {
    items.into_iter().map(|item| named(item, "label", "score", Number::Absent)).collect()
}

/// The labels and scores of a document that is one list of them; none if it has something unusual.
pub(crate) fn labels_and_scores(json: &str) -> Option<Vec<Score<'_>>> {
    let mut cursor = Cursor::new(json, 0);
    let found = cursor.list(USUAL, label_and_score)?;
    cursor.end()?;
    Some(found)
}

/// A label and its score, and nothing else.
fn label_and_score<'j>(cursor: &mut Cursor<'j>) -> Option<Score<'j>> {
    let (mut name, mut value) = (None, None);
    cursor.object(|cursor, key| {
        let is_first = match key {
            b"label" => name.replace(cursor.text()?).is_none(),
            b"score" => value.replace(cursor.number()?).is_none(),
            _ => false,
        };
        is_first.then_some(())
    })?;
    Some(Score { name: name?, value: Number::Value(value?) })
}

/// Adds the row of a list of labels and scores.
pub(crate) fn add_list(list: Vec<Score<'_>>, output: &mut Output<'_>) -> Result<(), ReplyError> {
    row(LABEL_SCORE, Some(list), String::new(), None, output)
}

impl Service {
    /// Adds the row of a text, or those of the texts in the fields around.
    fn texts(&self, fields: &Object<'_>, path: &str, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let failed = fields.get(self.failures).and_then(|list| list.items()?.first().copied());
        if let Some(failed) = failed.or_else(|| fields.get("error")) {
            let inner = failed.object().and_then(|failed| failed.get("error"));
            return Err(ReplyError::Vendor { message: vendor_message(inner.unwrap_or(failed)) });
        }
        let around = self.around.iter().find_map(|name| Some((name, fields.get(name)?)));
        let Some((name, value)) = around else { return self.text(fields, path, output) };
        let path = joined(path, name);
        let Some(items) = value.items() else {
            return self.texts(&value.object().unwrap_or_default(), &path, output);
        };
        if items.is_empty() {
            return Err(ReplyError::NothingListed { field: path });
        }
        for (i, item) in items.into_iter().enumerate() {
            self.texts(&item.object().unwrap_or_default(), &format!("{path}[{i}]"), output)?;
        }
        Ok(())
    }

    fn text(&self, fields: &Object<'_>, path: &str, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let found = |shape: &Shape| {
            let (first, rest) = shape.at.split_once('.').unwrap_or((shape.at, ""));
            let value = fields.get(first)?;
            if rest.is_empty() { Some(value) } else { value.object()?.get(rest) }
        };
        let listed: Vec<_> = self.shapes.iter().filter_map(|shape| Some((shape, found(shape)?))).collect();
        let filled = listed.iter().find(|(_, value)| !matches!(value.0, "[]" | "{}"));
        if let Some((shape, value)) = filled.or(listed.first()) {
            let id = fields.get("id").map(Json::scalar);
            let id = id.as_ref().and_then(|id| id.id()).filter(|_| !path.is_empty());
            let list = list(shape.entries, *value, fields, output.source);
            return row(**shape, list, joined(path, shape.at), id, output);
        }
        if let Some(excuse) = fields.get(self.excuse) {
            return Err(ReplyError::Vendor { message: vendor_message(excuse) });
        }
        let names: Vec<&str> = self.around.iter().copied().chain(self.shapes.iter().map(|s| s.at)).collect();
        Err(output.shape(path, &format!("expected one of the fields {}", names.join(", "))))
    }
}

/// The path of a field.
fn joined(path: &str, name: &str) -> String {
    let dot = if path.is_empty() || name.is_empty() { "" } else { "." };
    format!("{path}{dot}{name}")
}

/// Adds the row of a list of scores.
fn row(
    shape: Shape,
    list: Option<Vec<Score<'_>>>,
    field: String,
    id: Option<&str>,
    output: &mut Output<'_>,
) -> Result<(), ReplyError> {
    let Some(list) = list else {
        return Err(output.shape(&field, "expected names and scores"));
    };
    let Shape { entries, relation, repeats, one, .. } = shape;
    output.scores(id, &Scores { list, field, entries, relation, repeats, one })
}

/// The name and the number of an element of a list.
fn named<'a>(item: Json<'a>, name: &str, field: &str, absent: Number) -> Option<Score<'a>> {
    let item = item.object()?;
    Some(Score { name: item.get(name)?.text()?, value: number(&item, field, absent) })
}

fn number(object: &Object<'_>, name: &str, absent: Number) -> Number {
    object.0.iter().find(|(key, _)| key == name).map_or(absent, |(_, value)| value.number())
}

/// The names and numbers, with `fields` beside them; none if they are not written so.
fn list<'a>(
    entries: Entries,
    value: Json<'a>,
    fields: &Object<'a>,
    source: Source,
) -> Option<Vec<Score<'a>>> {
    // Google leaves out fields that are 0.
    let is_google = matches!(source, Source::GoogleNl | Source::Vision);
    let absent = || if is_google { Number::Value(0.0) } else { Number::Absent };
    let score = |name, value| Some(Score { name, value });
    match entries {
        Entries::Numbers => {
            value.object()?.0.into_iter().map(|(name, value)| score(name, value.number())).collect()
        }
        Entries::Objects(field) => {
            let list = value.object()?.0.into_iter();
            list.map(|(name, value)| score(name, number(&value.object()?, field, absent()))).collect()
        }
        Entries::List(name, field) => {
            value.items()?.into_iter().map(|item| named(item, name, field, absent())).collect()
        }
        Entries::Beside(names) => {
            let (names, values) = (fields.get(names)?.items()?, value.items()?);
            if names.len() != values.len() {
                return None;
            }
            names.iter().zip(values).map(|(name, value)| score(name.text()?, value.number())).collect()
        }
    }
}
