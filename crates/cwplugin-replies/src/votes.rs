//! Several sampled answers per text instead of probabilities.

use std::collections::HashMap;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::classes::Classes;
use crate::document_error::explained_plain;
use crate::error::ReplyError;
use crate::value::{Scalar, Text};

/// The answers with one id.
#[derive(Debug, Clone, PartialEq)]
pub struct Votes {
    /// The id.
    pub id: String,
    /// The label, if one is given.
    pub label: Option<String>,
    /// Answers per class.
    pub counts: Vec<u64>,
    /// Answers that are no class.
    pub other: u64,
}

/// Counts answers by id.
///
/// An answer is a class if it is one of its spellings, perhaps with quotes or punctuation around it; null is no class.
///
/// ```
/// use cwplugin_replies::{Classes, VoteCounter};
///
/// let mut counter = VoteCounter::new(Classes::new(["ham", "spam"])?);
/// for answer in ["spam", "Spam.", "ham", "I cannot say"] {
///     counter.add("r1", None, answer)?;
/// }
/// let votes = &counter.votes()[0];
/// assert_eq!((votes.id.as_str(), votes.counts.as_slice(), votes.other), ("r1", &[1, 2][..], 1));
/// # Ok::<(), cwplugin_replies::ReplyError>(())
/// ```
#[derive(Debug, Clone)]
pub struct VoteCounter {
    classes: Classes,
    id_field: String,
    label_field: String,
    answer_field: String,
    votes: Vec<Votes>,
    by_id: HashMap<String, usize>,
}

impl VoteCounter {
    /// No votes yet; the fields are `id`, `label` and `answer`.
    pub fn new(classes: Classes) -> Self {
        let [id_field, label_field, answer_field] = ["id", "label", "answer"].map(str::to_owned);
        Self { classes, id_field, label_field, answer_field, votes: Vec::new(), by_id: HashMap::new() }
    }

    /// The field with the id.
    pub fn id_field(mut self, name: impl Into<String>) -> Self {
        self.id_field = name.into();
        self
    }

    /// The field with the label.
    pub fn label_field(mut self, name: impl Into<String>) -> Self {
        self.label_field = name.into();
        self
    }

    /// The field with the answer.
    pub fn answer_field(mut self, name: impl Into<String>) -> Self {
        self.answer_field = name.into();
        self
    }

    /// The class of an answer, if it is one.
    pub fn class_of(&self, answer: &str) -> Option<usize> {
        self.classes.of_answer(answer)
    }

    /// Counts the answer of one document such as `{"id": "r1", "answer": "spam"}`.
    ///
    /// # Errors
    ///
    /// Not JSON, a field that is missing or no text, or another label than before.
    pub fn read(&mut self, document: &[u8]) -> Result<(), ReplyError> {
        let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
        let json = std::str::from_utf8(document)
            .map_err(|error| ReplyError::NotUtf8 { offset: error.valid_up_to() })?;
        let fields = [&self.id_field, &self.label_field, &self.answer_field];
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let read = Fields(fields.map(String::as_str)).deserialize(&mut deserializer);
        let read = read.and_then(|values| deserializer.end().map(|()| values));
        let [id, label, answer] = read.map_err(|error| explained_plain(json, &error, "votes"))?;
        let text = |value: &Scalar<'_>, field: &String| match value {
            Scalar::Absent => Err(ReplyError::NoField { field: field.clone() }),
            Scalar::Text(text) => Ok(Some(text.to_string())),
            Scalar::Null => Ok(None),
            Scalar::Other(value) => {
                Err(ReplyError::BadScalar { field: field.clone(), value: value.to_string() })
            }
        };
        let id_text = text(&id, &self.id_field)?;
        let id = id_text.ok_or_else(|| ReplyError::NoField { field: self.id_field.clone() })?;
        let label = if label == Scalar::Absent { None } else { text(&label, &self.label_field)? };
        let answer = text(&answer, &self.answer_field)?;
        self.add(&id, label.as_deref(), answer.as_deref().unwrap_or_default())
    }

    /// Counts one answer.
    ///
    /// # Errors
    ///
    /// [`ReplyError::TwoLabels`] if the id had another label before.
    pub fn add(&mut self, id: &str, label: Option<&str>, answer: &str) -> Result<(), ReplyError> {
        if !self.by_id.contains_key(id) {
            self.by_id.insert(id.to_owned(), self.votes.len());
            let counts = vec![0; self.classes.len()];
            self.votes.push(Votes { id: id.to_owned(), label: None, counts, other: 0 });
        }
        let votes = &mut self.votes[self.by_id[id]];
        match (votes.label.as_deref(), label) {
            (Some(first), Some(second)) if first != second => {
                let [id, first, second] = [id, first, second].map(str::to_owned);
                return Err(ReplyError::TwoLabels { id, first, second });
            }
            (None, Some(label)) => votes.label = Some(label.to_owned()),
            _ => {}
        }
        match self.classes.of_answer(answer) {
            Some(class) => votes.counts[class] += 1,
            None => votes.other += 1,
        }
        Ok(())
    }

    /// The votes of every id, in the order of their first answers.
    pub fn votes(&self) -> &[Votes] {
        &self.votes
    }

    /// The votes of every id, in the order of their first answers.
    pub fn into_votes(self) -> Vec<Votes> {
        self.votes
    }
}

/// The values of three fields.
struct Fields<'f>([&'f str; 3]);

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = [Scalar<'de>; 3];

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = [Scalar<'de>; 3];

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "an object with the fields {:?} and {:?}", self.0[0], self.0[2])
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = <[Scalar<'de>; 3]>::default();
        while let Some(Text(key)) = map.next_key()? {
            match self.0.iter().position(|name| *name == key) {
                Some(i) => found[i] = map.next_value()?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter() -> VoteCounter {
        VoteCounter::new(Classes::new(["yes", "no"]).unwrap()).answer_field("text")
    }

    #[test]
    fn answers_are_counted_by_id_in_any_order() {
        let mut counter = counter();
        for line in [
            r#"{"id": 7, "text": "Yes"}"#,
            r#"{"id": "b", "label": "no", "text": "\"no\""}"#,
            r#"{"id": "7", "label": "yes", "text": "ye"}"#,
            r#"{"id": "b", "text": null, "x": [1]}"#,
        ] {
            counter.read(line.as_bytes()).unwrap();
        }
        let votes = counter.into_votes();
        assert_eq!(
            (votes[0].counts.as_slice(), votes[0].other, votes[0].label.as_deref()),
            (&[1, 0][..], 1, Some("yes"))
        );
        assert_eq!((votes[1].id.as_str(), votes[1].counts.as_slice(), votes[1].other), ("b", &[0, 1][..], 1));
    }

    #[test]
    fn bad_lines_are_named_and_not_counted() {
        let mut counter = counter();
        let mut kind = |line: &str| counter.read(line.as_bytes()).unwrap_err().kind();
        assert_eq!(kind(r#"{"id": 7}"#), "no-field");
        assert_eq!(kind(r#"{"text": "yes"}"#), "no-field");
        assert_eq!(kind(r#"{"id": 7, "text": ["yes"]}"#), "shape");
        assert_eq!(kind(r#"{"id": 7, "text": "yes""#), "json");
        assert_eq!(kind("[]"), "shape");
        assert!(counter.votes().is_empty());
        counter.add("a", Some("yes"), "no").unwrap();
        assert_eq!(counter.add("a", Some("no"), "no").unwrap_err().kind(), "shape");
    }
}
