//! Several sampled answers per text instead of probabilities.

use std::collections::HashMap;

use crate::classes::Classes;
use crate::document_error::explained;
use crate::error::ReplyError;
use crate::reader::text;
use crate::value::{Object, Scalar};

/// The answers with one id.
#[derive(Debug, Clone, PartialEq)]
pub struct Votes {
    /// The id.
    pub id: String,
    /// The label, if one is given.
    pub label: Option<String>,
    /// Answers per class.
    pub counts: Vec<u64>,
    /// Answers that match no class.
    pub other: u64,
}

/// Counts answers by id.
///
/// An answer is a class if it is one of its spellings, perhaps with quotes or punctuation around it; null matches no class.
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
        let json = text(document)?;
        let object: Object<'_> =
            serde_json::from_str(json).map_err(|error| explained(json, &error, "votes"))?;
        let scalar = |field: &str| {
            let found = object.0.iter().rev().find(|(key, _)| key == field);
            found.map_or(Scalar::Absent, |(_, value)| value.scalar())
        };
        let (id, label, answer) =
            (scalar(&self.id_field), scalar(&self.label_field), scalar(&self.answer_field));
        let missing = |field: &String| ReplyError::NoField { field: field.clone() };
        let id = id.label(&self.id_field)?.ok_or_else(|| missing(&self.id_field))?;
        let label = label.label(&self.label_field)?;
        if answer == Scalar::Absent {
            return Err(missing(&self.answer_field));
        }
        let answer = answer.label(&self.answer_field)?.unwrap_or_default();
        self.add(id, label, answer)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn counter() -> VoteCounter {
        VoteCounter::new(Classes::new(["yes", "no"]).unwrap()).answer_field("text")
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
