//! Several sampled answers per text instead of probabilities.

use std::collections::HashMap;

use crate::classes::Classes;
use crate::document_error::explained;
use crate::error::ReplyError;
use crate::reader::text;
use crate::value::{Object, Scalar, cut};

/// Characters shown of an answer that matches no class.
const SHOWN: usize = 40;

/// Votes that every class gets in addition, so that a class without votes is improbable, not impossible.
pub const PRIOR_VOTES: f64 = 0.5;

/// Numbers that are not the votes of a row.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CountError {
    /// Not a whole number, or below 0.
    #[error("{value} is not a number of votes")]
    NotACount {
        /// The class.
        class: usize,
        /// The number.
        value: f64,
    },
    /// All counts are 0.
    #[error("no class has a vote")]
    NoVotes,
}

/// Turns the votes of a row into probabilities, and returns how many there are: `(count + ½) / (votes + ½ · classes)`.
///
/// # Errors
///
/// A number that is not a count, or no votes at all.
///
/// ```
/// let mut row = [2.0, 10.0, 0.0];
/// assert_eq!(cwplugin_replies::smooth(&mut row)?, 12);
/// assert_eq!(row, [2.5 / 13.5, 10.5 / 13.5, 0.5 / 13.5]);
/// # Ok::<(), cwplugin_replies::CountError>(())
/// ```
#[allow(clippy::cast_sign_loss)] // counts are not negative
pub fn smooth(counts: &mut [f64]) -> Result<u64, CountError> {
    let is_count = |count: f64| (0.0..MOST_VOTES).contains(&count) && count.fract() < f64::EPSILON;
    if let Some(class) = counts.iter().position(|count| !is_count(*count)) {
        return Err(CountError::NotACount { class, value: counts[class] });
    }
    let total: f64 = counts.iter().sum();
    if total < 1.0 {
        return Err(CountError::NoVotes);
    }
    let divisor = total + PRIOR_VOTES * counts.len() as f64;
    for count in counts {
        *count = (*count + PRIOR_VOTES) / divisor;
    }
    Ok(total as u64)
}

/// Counts are whole numbers that a double holds exactly.
const MOST_VOTES: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;

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
    /// The first of them.
    pub first_other: Option<String>,
}

impl Votes {
    /// The answers that are classes.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The probabilities of the classes, smoothed; `None` if no answer is a class.
    pub fn probabilities(&self) -> Option<Vec<f64>> {
        let mut row: Vec<f64> = self.counts.iter().map(|&count| count as f64).collect();
        smooth(&mut row).ok().map(|_| row)
    }

    /// The error that no answer is a class.
    pub fn no_class(&self, classes: &Classes) -> ReplyError {
        let seen = self.first_other.iter().cloned().collect();
        ReplyError::NoClass { field: String::new(), seen, classes: classes.spelled() }
    }

    /// The share of the answers that match no class.
    pub fn share_of_other(&self) -> f64 {
        self.other as f64 / (self.other + self.total()) as f64
    }
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
            self.votes.push(Votes { id: id.to_owned(), label: None, counts, other: 0, first_other: None });
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
        if let Some(class) = self.classes.of_answer(answer) {
            votes.counts[class] += 1;
        } else {
            votes.other += 1;
            votes.first_other.get_or_insert_with(|| cut(answer, SHOWN));
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
    fn only_counts_are_votes() {
        for (row, error) in [
            ([1.0, 0.3], CountError::NotACount { class: 1, value: 0.3 }),
            ([-1.0, 2.0], CountError::NotACount { class: 0, value: -1.0 }),
            ([f64::INFINITY, 2.0], CountError::NotACount { class: 0, value: f64::INFINITY }),
            ([0.0, -0.0], CountError::NoVotes),
        ] {
            assert_eq!(smooth(&mut row.clone()), Err(error), "{row:?}");
        }
        assert!(matches!(smooth(&mut [f64::NAN, 1.0]), Err(CountError::NotACount { class: 0, .. })));
        assert_eq!(smooth(&mut [9e15, 1.0]), Ok(9_000_000_000_000_001));
    }

    #[test]
    fn answers_and_counts_give_the_same_probabilities() {
        let mut counter = counter();
        for answer in ["yes", "no", "no", "?"] {
            counter.add("a", None, answer).unwrap();
        }
        let votes = &counter.votes()[0];
        let mut row = [1.0, 2.0];
        assert_eq!(smooth(&mut row), Ok(votes.total()));
        assert_eq!(votes.probabilities().as_deref(), Some(&row[..]));
        assert_eq!((row, votes.share_of_other()), ([1.5 / 4.0, 2.5 / 4.0], 0.25));
    }

    #[test]
    fn answers_that_are_no_class_are_named_with_a_class_that_they_may_mean() {
        let mut counter = counter();
        for answer in ["hardly", "maybe"] {
            counter.add("a", None, answer).unwrap();
        }
        let error = counter.votes()[0].no_class(&Classes::new(["yes", "no"]).unwrap());
        assert_eq!(error.to_string(), "no class among the answers: \"hardly\"");
        assert_eq!(error.assignment(), Some(("yes".into(), vec!["yes".into(), "hardly".into()])));
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
