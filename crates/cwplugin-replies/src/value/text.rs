//! Texts.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

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
