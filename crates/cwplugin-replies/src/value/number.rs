//! Numbers.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::value::quoted;

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
}
