//! One position of an answer: the token that was chosen, and its alternatives.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::spelling::clean;
use crate::tokens::list;
use crate::value::{Number, Text};

/// An alternative at a position.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Alternative<'a> {
    /// Not always UTF-8: a token may end inside a character.
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) value: Number,
    /// Whether the value is a probability and not its logarithm.
    pub(crate) linear: bool,
}

/// The alternatives, read when they are needed: only one position of a long answer matters.
#[derive(Debug, Clone, Default)]
pub(crate) enum Top<'a> {
    #[default]
    Absent,
    /// A list of objects.
    List(&'a RawValue),
    /// An object from token to log-probability.
    Map(&'a RawValue),
}

impl<'a> Top<'a> {
    /// Reads the alternatives.
    pub(crate) fn read(&self) -> Result<Vec<Alternative<'a>>, serde_json::Error> {
        match self {
            Self::Absent => Ok(Vec::new()),
            Self::List(raw) => match list::read(raw.get()) {
                Some(list) => Ok(list),
                None => Ok(serde_json::from_str::<Option<Vec<_>>>(raw.get())?.unwrap_or_default()),
            },
            Self::Map(raw) => {
                Ok(serde_json::from_str::<Option<ByToken<'_>>>(raw.get())?.unwrap_or_default().0)
            }
        }
    }
}

/// A position.
#[derive(Debug, Clone, Default)]
pub(crate) struct Position<'a> {
    /// The token that was chosen.
    pub(crate) chosen: Alternative<'a>,
    /// Its bytes as a list of numbers, if they are given.
    pub(crate) bytes: Option<&'a RawValue>,
    pub(crate) top: Top<'a>,
}

impl Position<'_> {
    /// The text that the token adds to the answer.
    pub(crate) fn answer(&self) -> Cow<'_, [u8]> {
        match self.bytes.map(RawValue::get).and_then(numbers_to_bytes) {
            Some(bytes) => Cow::Owned(bytes),
            None => cleaned(&self.chosen.text),
        }
    }
}

/// All positions of an answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Positions<'a>(pub(crate) Vec<Position<'a>>);

/// Where numbers are found, for messages: `#` is the number of the position, then that of the alternative.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    /// Name of the source.
    pub(crate) origin: &'static str,
    pub(crate) alternative: Cow<'static, str>,
    pub(crate) chosen: Cow<'static, str>,
}

impl Fields {
    pub(crate) fn alternative(&self, position: usize, alternative: &str) -> String {
        self.alternative.replacen('#', &position.to_string(), 1).replacen('#', alternative, 1)
    }

    pub(crate) fn chosen(&self, position: usize) -> String {
        self.chosen.replacen('#', &position.to_string(), 1)
    }

    /// The list of alternatives at a position.
    pub(crate) fn list(&self, position: usize) -> String {
        let path = self.alternative.replacen('#', &position.to_string(), 1);
        let end = path.find('#').unwrap_or(path.len());
        path[..end].trim_end_matches(['[', '.']).to_owned()
    }
}

/// The bytes without the marks of vocabularies.
pub(crate) fn cleaned(bytes: &[u8]) -> Cow<'_, [u8]> {
    // The marks are not ASCII.
    if bytes.iter().all(u8::is_ascii) {
        return Cow::Borrowed(bytes);
    }
    match std::str::from_utf8(bytes).map(clean) {
        Ok(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
        _ => Cow::Borrowed(bytes),
    }
}

/// The bytes of a token. They are given as numbers too, which only matter for a part of a character: its text is then an
/// escape (`\xe6`) or a replacement character.
pub(crate) fn bytes_of<'a>(token: Cow<'a, str>, numbers: Option<&str>) -> Cow<'a, [u8]> {
    if let Some(numbers) = numbers
        && is_odd(&token)
        && let Some(bytes) = numbers_to_bytes(numbers)
    {
        return Cow::Owned(bytes);
    }
    match token {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Whether the text of a token may differ from its bytes.
pub(crate) fn is_odd(token: &str) -> bool {
    token.bytes().any(|byte| byte == b'\\' || !byte.is_ascii())
        && (token.contains("\\x") || token.contains('\u{fffd}'))
}

pub(crate) fn numbers_to_bytes(numbers: &str) -> Option<Vec<u8>> {
    serde_json::from_str::<Option<Vec<u8>>>(numbers).ok().flatten()
}

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
                    bytes = map.next_value()?
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
struct ByToken<'a>(Vec<Alternative<'a>>);

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

    #[test]
    fn fields_name_position_and_alternative() {
        let fields =
            Fields { origin: "x", alternative: "a[#].top[#].logprob".into(), chosen: "a[#].logprob".into() };
        assert_eq!(fields.alternative(3, "5"), "a[3].top[5].logprob");
        assert_eq!((fields.chosen(2), fields.list(1)), ("a[2].logprob".into(), "a[1].top".into()));
        let fields = Fields { origin: "x", alternative: "top[#].#".into(), chosen: String::new().into() };
        assert_eq!((fields.alternative(0, " a"), fields.list(0)), ("top[0]. a".into(), "top[0]".into()));
    }
}
