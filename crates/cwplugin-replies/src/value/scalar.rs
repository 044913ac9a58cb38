//! Labels and ids.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
