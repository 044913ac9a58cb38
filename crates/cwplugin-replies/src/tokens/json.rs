//! Positions and alternatives from JSON, under the names that servers give their fields.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::tokens::position::{Alternative, Position, Positions, Top, bytes_of};
use crate::value::{Number, Text};

/// The fields of positions and of alternatives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Entry<'a> {
    #[serde(borrow, alias = "tok_str", alias = "content")]
    token: Text<'a>,
    #[serde(alias = "logProbability", alias = "log_probability")]
    logprob: Number,
    prob: Number,
    bytes: Option<&'a RawValue>,
    #[serde(alias = "top_probs", alias = "probs")]
    top_logprobs: Option<&'a RawValue>,
}

impl<'a> From<Entry<'a>> for Alternative<'a> {
    fn from(entry: Entry<'a>) -> Self {
        let linear = entry.prob != Number::Absent;
        let value = if linear { entry.prob } else { entry.logprob };
        Self { text: bytes_of(entry.token.0, entry.bytes.map(RawValue::get)), value, linear }
    }
}

impl<'a> From<Entry<'a>> for Position<'a> {
    fn from(entry: Entry<'a>) -> Self {
        let (bytes, top) = (entry.bytes, entry.top_logprobs);
        Self { bytes, top: top.map_or(Top::Absent, Top::List), chosen: entry.into() }
    }
}

impl<'a> From<Option<Vec<Position<'a>>>> for Positions<'a> {
    fn from(positions: Option<Vec<Position<'a>>>) -> Self {
        Self(positions.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_characters_are_taken_from_the_bytes() {
        let text = |json| serde_json::from_str::<Alternative<'_>>(json).unwrap().text.into_owned();
        assert_eq!(text(r#"{"token": "\\xe6\\xad", "logprob": -1, "bytes": [230, 173]}"#), [230, 173]);
        assert_eq!(text(r#"{"token": "\ufffd", "logprob": -1, "bytes": null}"#), "\u{fffd}".as_bytes());
    }
}
