//! Values of a reply as they are found: what is wrong with one is known only where it is used.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A number, or what is written in its place.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Number {
    #[default]
    Absent,
    Null,
    Value(f64),
    /// Another value, as text for a message.
    Other(Box<str>),
}

impl Number {
    /// The value in a message.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Absent => "absent".into(),
            Self::Null => "null".into(),
            Self::Value(value) => value.to_string(),
            Self::Other(text) => text.to_string(),
        }
    }
}

/// A text, number, true or false, as text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Scalar<'a> {
    #[default]
    Absent,
    Null,
    Text(Cow<'a, str>),
    /// A number with a fraction, a list or an object.
    Other(Box<str>),
}

impl Scalar<'_> {
    /// The text of an id: any value but an object or a list.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Other(text) if !text.starts_with(['a', '[', '{']) => Some(text),
            _ => None,
        }
    }
}

/// Whether there is a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Presence {
    #[default]
    Absent,
    Null,
    Empty,
    Present,
}

/// A text: borrowed where it has no escapes; half a surrogate pair becomes a replacement character.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Text<'a>(pub(crate) Cow<'a, str>);

/// Longest text of an unexpected value in a message.
const SHOWN: usize = 60;

/// The text in quotes, cut.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", cut(text, SHOWN))
}

/// The first `n` characters, and an ellipsis if there are more.
pub(crate) fn cut(text: &str, n: usize) -> String {
    match text.char_indices().nth(n) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
        Ok(Number::Value(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
        Ok(Number::Value(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
        Ok(Number::Value(value as f64))
    }

    fn visit_unit<E>(self) -> Result<Number, E> {
        Ok(Number::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Number, E> {
        Ok(Number::Other(value.to_string().into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Number, E> {
        // Constants that Python writes have been put into quotes.
        let is_constant = matches!(text, "NaN" | "Infinity");
        Ok(Number::Other(if is_constant { text.into() } else { quoted(text).into() }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Number, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Number::Other("a list".into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Number, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Number::Other("an object".into()))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Owned(value.to_string())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Owned(value.to_string())))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Text(Cow::Borrowed(if value { "true" } else { "false" })))
    }

    fn visit_unit<E>(self) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Null)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Scalar<'de>, E> {
        Ok(Scalar::Other(format!("{value:?}").into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other("a list".into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other("an object".into()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct PresenceVisitor;

impl<'de> Visitor<'de> for PresenceVisitor {
    type Value = Presence;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_unit<E>(self) -> Result<Presence, E> {
        Ok(Presence::Null)
    }

    fn visit_bytes<E>(self, text: &[u8]) -> Result<Presence, E> {
        Ok(if text.is_empty() { Presence::Empty } else { Presence::Present })
    }

    fn visit_none<E>(self) -> Result<Presence, E> {
        Ok(Presence::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Presence, D::Error> {
        deserializer.deserialize_bytes(self)
    }

    /// The parts of a text.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Presence, A::Error> {
        let mut found = Presence::Empty;
        while seq.next_element::<IgnoredAny>()?.is_some() {
            found = Presence::Present;
        }
        Ok(found)
    }
}

impl<'de> Deserialize<'de> for Presence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(PresenceVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Text<'de>, E> {
        Ok(Text(String::from_utf8_lossy(bytes)))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(String::from_utf8_lossy(bytes).into_owned())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As bytes, because a text with half a surrogate pair is an error otherwise: tokens may end there.
        deserializer.deserialize_bytes(TextVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_what_is_written_in_their_place() {
        let shown = |json: &str| serde_json::from_str::<Number>(json).unwrap().shown();
        assert_eq!(shown("-0.25"), "-0.25");
        assert_eq!(shown("3"), "3");
        assert_eq!(shown("null"), "null");
        assert_eq!((shown("\"NaN\""), shown("\"x\"")), ("NaN".into(), "\"x\"".into()));
        assert_eq!(shown("[1, [2]]"), "a list");
        assert_eq!(shown("{\"a\": {}}"), "an object");
    }

    #[test]
    fn scalars_become_text() {
        let text = |json: &str| serde_json::from_str::<Scalar<'_>>(json).unwrap().text().map(str::to_owned);
        assert_eq!(text("\"a\\n\"").unwrap(), "a\n");
        assert_eq!(text("7").unwrap(), "7");
        assert_eq!(text("-7").unwrap(), "-7");
        assert_eq!(text("true").unwrap(), "true");
        assert_eq!(text("1.0").unwrap(), "1.0");
        assert_eq!((text("null"), text("[1]"), text("{}")), (None, None, None));
    }

    #[test]
    fn texts_are_present_empty_or_null() {
        let read = |json: &str| serde_json::from_str::<Presence>(json).unwrap();
        assert_eq!(
            (read("null"), read("\"\""), read("\"a\\n\"")),
            (Presence::Null, Presence::Empty, Presence::Present)
        );
        assert_eq!((read("[]"), read("[{}]")), (Presence::Empty, Presence::Present));
        assert!(serde_json::from_str::<Presence>("{}").is_err());
    }

    #[test]
    fn half_a_surrogate_pair_is_read() {
        let text: Text<'_> = serde_json::from_str(r#""a\ud83d""#).unwrap();
        assert!(text.0.starts_with("a\u{fffd}"));
        assert!(serde_json::from_str::<Text<'_>>("7").is_err());
    }
}
