//! How raw input became the probabilities of a fit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::data::Scores;

/// How raw input became the probabilities that a model was fitted on, so that nobody has to repeat it when predicting.
///
/// The library does not read raw input: the program and the Python package store and apply these options. A table of
/// probabilities has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct InputOptions {
    /// The source of the replies, such as `openai`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Spellings of a class in the replies, if they differ from its name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub spellings: BTreeMap<String, Vec<String>>,
    /// Where the reply is in a line, such as `response.body`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// The field of a JSON answer that holds the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_at: Option<String>,
    /// What a class gets that a row does not list: `spread`, `floor:X` or `refuse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The scale of the numbers, if they are not probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
    /// Rows are divided by their sum.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub normalize: bool,
    /// One column has the probability of this class, the second of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positive: Option<String>,
    /// The decimal mark of the numbers, if it is a comma.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
}

impl InputOptions {
    /// Whether the input was a table of probabilities.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}
