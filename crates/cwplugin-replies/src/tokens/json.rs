//! Positions and alternatives from JSON, under the names that servers give their fields.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::tokens::position::{Alternative, Position, Positions, Top, bytes_of, is_odd};
use crate::value::{Number, Text};

/// The fields of positions and alternatives, by the names that servers give them.
#[derive(serde::Deserialize)]
#[serde(field_identifier)]
enum Key {
    #[serde(rename = "token", alias = "tok_str", alias = "content")]
    Token,
    #[serde(rename = "logprob", alias = "logProbability", alias = "log_probability")]
    LogProbability,
    #[serde(rename = "prob")]
    Probability,
    #[serde(rename = "bytes")]
    Bytes,
    #[serde(rename = "top_logprobs", alias = "top_probs", alias = "probs")]
    Top,
    #[serde(other)]
    Other,
}

struct AlternativeVisitor;

impl<'de> Visitor<'de> for AlternativeVisitor {
    type Value = Alternative<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a token and its log-probability")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Alternative::default();
        let mut token: Option<Text<'de>> = None;
        let mut bytes: Option<&RawValue> = None;
        while let Some(key) = map.next_key()? {
            match key {
                Key::Token => token = Some(map.next_value()?),
                Key::LogProbability => found.value = map.next_value()?,
                Key::Probability => (found.value, found.linear) = (map.next_value()?, true),
                // The numbers are skipped if the token, which comes first, is known not to need them.
                Key::Bytes if token.as_ref().is_none_or(|token| is_odd(&token.0)) => {
                    bytes = map.next_value()?;
                }
                Key::Bytes | Key::Top | Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        found.text = bytes_of(token.unwrap_or_default().0, bytes.map(RawValue::get));
        Ok(found)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Alternative<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AlternativeVisitor)
    }
}

struct PositionVisitor;

impl<'de> Visitor<'de> for PositionVisitor {
    type Value = Position<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a token and its log-probability")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Position::default();
        let mut token = Text::default();
        while let Some(key) = map.next_key()? {
            match key {
                Key::Token => token = map.next_value()?,
                Key::LogProbability => found.chosen.value = map.next_value()?,
                Key::Probability => (found.chosen.value, found.chosen.linear) = (map.next_value()?, true),
                Key::Bytes => found.bytes = map.next_value()?,
                Key::Top => found.top = Top::List(map.next_value()?),
                Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        found.chosen.text = bytes_of(token.0, found.bytes.map(RawValue::get));
        Ok(found)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Position<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PositionVisitor)
    }
}

struct PositionsVisitor;

impl<'de> Visitor<'de> for PositionsVisitor {
    type Value = Positions<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of tokens with log-probabilities")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Positions::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut positions = Vec::new();
        while let Some(position) = seq.next_element()? {
            positions.push(position);
        }
        Ok(Positions(positions))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Positions<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PositionsVisitor)
    }
}

/// Alternatives as an object from token to log-probability.
#[derive(Default)]
pub(super) struct ByToken<'a>(pub(super) Vec<Alternative<'a>>);

struct ByTokenVisitor;

impl<'de> Visitor<'de> for ByTokenVisitor {
    type Value = ByToken<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object from tokens to log-probabilities")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some((token, value)) = map.next_entry::<Text<'_>, Number>()? {
            found.push(Alternative { text: bytes_of(token.0, None), value, linear: false });
        }
        Ok(ByToken(found))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for ByToken<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ByTokenVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_under_all_names() {
        let json = r#"[{"token": " a", "logprob": -0.5, "bytes": [32, 97], "top_logprobs": [{"token": "b", "logprob": -1}]},
            {"id": 7, "content": "c", "probs": [{"tok_str": "d", "prob": 0.25}]}]"#;
        let Positions(positions) = serde_json::from_str(json).unwrap();
        assert_eq!(positions[0].answer().as_ref(), b" a");
        assert_eq!(positions[0].chosen.value, Number::Value(-0.5));
        assert_eq!(positions[0].top.read().unwrap()[0].text.as_ref(), b"b");
        let later = positions[1].top.read().unwrap();
        assert_eq!((later[0].text.as_ref(), later[0].linear), (&b"d"[..], true));
        assert_eq!(later[0].value, Number::Value(0.25));
        assert_eq!(positions[1].chosen.value, Number::Absent);
    }

    #[test]
    fn parts_of_characters_are_taken_from_the_bytes() {
        let json = r#"{"token": "\\xe6\\xad", "logprob": -1, "bytes": [230, 173]}"#;
        assert_eq!(serde_json::from_str::<Alternative<'_>>(json).unwrap().text.as_ref(), [230, 173]);
        let json = r#"{"token": "\ufffd", "logprob": -1, "bytes": null}"#;
        assert_eq!(
            serde_json::from_str::<Alternative<'_>>(json).unwrap().text.as_ref(),
            "\u{fffd}".as_bytes()
        );
    }
}
