//! Why a reply is refused, with the field and the value.

use crate::source::Ask;

/// Why a reply, or the configuration of a reader, is refused; [`ReplyError::cure`] says what to do about it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // of fields: the messages say what they are
pub enum ReplyError {
    /// The document is not JSON.
    #[error("not valid JSON{}: {reason} (line {line} of the document, column {column})", at(.field))]
    Json { field: String, line: usize, column: usize, reason: String },
    /// The document is not UTF-8.
    #[error("not UTF-8: invalid byte at offset {offset} of the document")]
    NotUtf8 { offset: usize },
    /// A document is too long to be one reply.
    #[error("the reply has more than {} MiB", .limit >> 20)]
    TooLong { limit: usize },
    /// The input ends inside a list of replies, or continues after it.
    #[error("line {line}: the list of replies is not valid JSON: expected {expected}")]
    BrokenList { line: usize, expected: &'static str },
    /// The service replied with an error.
    #[error("the service replied with an error: {message}")]
    Vendor { message: String },
    /// The model refused to answer, or a filter removed the answer.
    #[error("no answer: {field} is {value}")]
    Refusal { field: String, value: String },
    /// The answer is empty.
    #[error("the answer is empty: {field}")]
    EmptyAnswer { field: String },
    /// The list of scores or alternatives is empty.
    #[error("nothing is listed{}", within(.field))]
    NothingListed { field: String },
    /// The reply has no log-probabilities.
    #[error("no log-probabilities in {field}")]
    NoLogprobs { field: String, ask: Ask },
    /// No alternative or name is a class; the classes have their spellings.
    #[error("no class among the answers{}: {}", within(.field), quoted(.seen))]
    NoClass { field: String, seen: Vec<String>, classes: Vec<(String, Vec<String>)> },
    /// The classes are listed, all with 0.
    #[error("every class has probability 0{}", within(.field))]
    ZeroClasses { field: String },
    /// A log-probability or score is not a number in its range.
    #[error("{field} is {value}, not {expected}")]
    BadNumber { field: String, value: String, expected: &'static str },
    /// The probabilities listed for one token add up to more than 1.
    #[error("the probabilities in {field} sum to {}, more than 1", rounded(*.sum))]
    SumAboveOne { field: String, sum: f64 },
    /// Classes are not listed, and the caller refuses such rows.
    #[error("classes not listed{}: {}", within(.field), quoted(.classes))]
    MissingClasses { field: String, classes: Vec<String> },
    /// One of several parts of a reply, which were sent one after the other.
    #[error("a part of a streamed reply: {field}")]
    Streamed { field: String },
    /// A field that the caller named does not exist.
    #[error("there is no field {field}")]
    NoField { field: String },
    /// The answer has no such JSON field.
    #[error("the answer has no field {field:?} with a text, number, true or false: {answer:?}")]
    NoAnswerField { field: String, answer: String },
    /// The document does not have the fields of such a reply.
    #[error("not a reply of {origin}: {problem}{}", at(.field))]
    Shape { origin: &'static str, field: String, problem: String },
    /// A name occurs twice in one list of scores.
    #[error("{name:?} occurs twice{}", within(.field))]
    RepeatedName { field: String, name: String },
    /// The scores have no names, and there are not as many as classes.
    #[error("{field} has {found} numbers for {expected} classes")]
    WrongCount { field: String, found: usize, expected: usize },
    /// The scores have no names, and the reply's label contradicts the order of the classes.
    #[error("{field} is {label:?}, but the largest number belongs to class {class:?}")]
    OtherOrder { field: String, label: String, class: String },
    /// A label or an id is neither text nor a whole number, true, false or null.
    #[error("{field} is {value}, not a text or a whole number")]
    BadScalar { field: String, value: String },
    /// One reply has several rows, but only one label.
    #[error("field {field}: one label for {rows} rows")]
    OneLabel { field: String, rows: usize },
    /// Answers with one id have two labels.
    #[error("id {id:?} has the labels {first:?} and {second:?}")]
    TwoLabels { id: String, first: String, second: String },
    /// There are fewer than two classes.
    #[error("{found} classes are given; at least 2 are needed")]
    TooFewClasses { found: usize },
    /// A class occurs twice.
    #[error("class {class:?} is given twice")]
    RepeatedClass { class: String },
    /// Spellings are given for a name that is not a class.
    #[error("unknown class {class:?}; the classes are {}", quoted(.classes))]
    UnknownClass { class: String, classes: Vec<String> },
    /// A class has no spelling, or a blank one.
    #[error("class {class:?} has an empty spelling")]
    EmptySpelling { class: String },
    /// Two classes have the same spelling.
    #[error("classes {first:?} and {second:?} have the same spelling {spelling:?}")]
    SharedSpelling { spelling: String, first: String, second: String },
    /// Only answers made of tokens can be JSON.
    #[error("replies of {origin} have no answer text to look for the field {field:?}")]
    NoAnswerText { origin: &'static str, field: String },
    /// Not a way to treat missing classes.
    #[error("{text:?} is not a treatment of missing classes")]
    BadMissing { text: String },
    /// Not the name of a source.
    #[error("unknown source {name:?}")]
    UnknownSource { name: String },
    /// A dotted path with an empty part.
    #[error("{path:?} is not a path of field names")]
    BadPath { path: String },
}

impl ReplyError {
    /// The cause in one word: `json`, `vendor`, `refusal`, `empty`, `no-logprobs`, `no-class`, `number`, `missing`, `no-field`,
    /// `shape` or `configuration`; to count errors by cause.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Json { .. } | Self::NotUtf8 { .. } | Self::TooLong { .. } | Self::BrokenList { .. } => {
                "json"
            }
            Self::Vendor { .. } => "vendor",
            Self::Refusal { .. } => "refusal",
            Self::EmptyAnswer { .. } | Self::NothingListed { .. } => "empty",
            Self::NoLogprobs { .. } => "no-logprobs",
            Self::NoClass { .. } | Self::ZeroClasses { .. } => "no-class",
            Self::BadNumber { .. } | Self::SumAboveOne { .. } => "number",
            Self::MissingClasses { .. } => "missing",
            Self::NoField { .. } | Self::NoAnswerField { .. } => "no-field",
            Self::Shape { .. }
            | Self::Streamed { .. }
            | Self::RepeatedName { .. }
            | Self::WrongCount { .. }
            | Self::OtherOrder { .. }
            | Self::BadScalar { .. }
            | Self::OneLabel { .. }
            | Self::TwoLabels { .. } => "shape",
            Self::TooFewClasses { .. }
            | Self::RepeatedClass { .. }
            | Self::UnknownClass { .. }
            | Self::EmptySpelling { .. }
            | Self::SharedSpelling { .. }
            | Self::NoAnswerText { .. }
            | Self::BadMissing { .. }
            | Self::UnknownSource { .. }
            | Self::BadPath { .. } => "configuration",
        }
    }

    /// What to do about it, if that is known.
    pub fn cure(&self) -> Option<String> {
        Some(crate::cure::of(self))
    }

    /// If no answer is a class: the class that an answer most probably means, and all texts that would then mean it.
    pub fn assignment(&self) -> Option<(String, Vec<String>)> {
        match self {
            Self::NoClass { seen, classes, .. } => crate::cure::assignment(seen, classes),
            _ => None,
        }
    }
}

/// `, at FIELD`, or nothing at the top of the document.
fn at(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!(", at {field}") }
}

/// ` in FIELD`, or nothing at the top of the document.
fn within(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!(" in {field}") }
}

/// A sum in a message, without the noise of its last digits.
fn rounded(sum: f64) -> f64 {
    (sum * 1e4).round() / 1e4
}

/// Names in a message.
const SHOWN: usize = 12;

/// The names, quoted and separated by commas; a long list is cut.
pub(crate) fn quoted(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_lower_case_without_a_full_stop_and_name_field_and_value() {
        let error = ReplyError::BadNumber {
            field: "choices[0].logprobs.content[0].logprob".into(),
            value: "0.5".into(),
            expected: "a number of at most 0",
        };
        assert_eq!(
            error.to_string(),
            "choices[0].logprobs.content[0].logprob is 0.5, not a number of at most 0"
        );
        let error =
            ReplyError::Shape { origin: "azure", field: String::new(), problem: "no documents".into() };
        assert_eq!(error.to_string(), "not a reply of azure: no documents");
    }

    #[test]
    fn long_lists_of_names_are_cut() {
        let names: Vec<String> = (0..15).map(|k| format!("c{k}")).collect();
        assert!(quoted(&names).ends_with("\"c11\" and 3 more"));
    }
}
