//! Values of a reply as they are written: what is wrong with one is known only where it is used.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

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

/// A valid JSON value that has not been read; the default is null.
#[derive(Debug, Clone, Copy, PartialEq, serde::Deserialize)]
#[serde(from = "&RawValue")]
pub(crate) struct Json<'a>(pub(crate) &'a str);

impl Default for Json<'_> {
    fn default() -> Self {
        Self("null")
    }
}

impl<'a> From<&'a RawValue> for Json<'a> {
    fn from(raw: &'a RawValue) -> Self {
        Self(raw.get())
    }
}

impl<'a> Json<'a> {
    pub(crate) fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// The elements of a list.
    pub(crate) fn items(self) -> Option<Vec<Json<'a>>> {
        serde_json::from_str(self.0).ok()
    }

    /// The fields of an object.
    pub(crate) fn object(self) -> Option<Object<'a>> {
        serde_json::from_str(self.0).ok()
    }

    pub(crate) fn text(self) -> Option<Cow<'a, str>> {
        serde_json::from_str::<Text<'a>>(self.0).ok().map(|Text(text)| text)
    }

    pub(crate) fn number(self) -> Number {
        let other = |text: &str| Number::Other(text.into());
        match self.0.as_bytes().first() {
            Some(b'n') => Number::Null,
            Some(b'[') => other("a list"),
            Some(b'{') => other("an object"),
            // Constants that Python writes have been put into quotes.
            Some(b'"') => match self.text().unwrap_or_default().as_ref() {
                text @ ("NaN" | "Infinity") => other(text),
                text => other(&quoted(text)),
            },
            _ => match self.0.parse() {
                Ok(value) if f64::is_finite(value) => Number::Value(value),
                _ => other(&cut(self.0, SHOWN)),
            },
        }
    }

    pub(crate) fn scalar(self) -> Scalar<'a> {
        match self.0.as_bytes().first() {
            Some(b'n') => Scalar::Null,
            Some(b'[') => Scalar::Other("a list"),
            Some(b'{') => Scalar::Other("an object"),
            Some(b'"') => Scalar::Text(self.text().unwrap_or_default()),
            Some(b't' | b'f') => Scalar::Text(self.0.into()),
            _ if self.0.contains(['.', 'e', 'E']) => Scalar::Fraction(self.0),
            _ => Scalar::Text(self.0.into()),
        }
    }

    /// Whether it is a text or a list of parts, and not empty.
    pub(crate) fn presence(self) -> Presence {
        match self.0 {
            "null" => Presence::Null,
            "\"\"" | "[]" => Presence::Empty,
            _ => Presence::Present,
        }
    }
}

/// The fields of an object, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Object<'a>(pub(crate) Vec<(Cow<'a, str>, Json<'a>)>);

impl<'a> Object<'a> {
    /// The value of a field, unless it is null.
    pub(crate) fn get(&self, name: &str) -> Option<Json<'a>> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| *value).filter(|value| !value.is_null())
    }
}

/// The fields of a JSON object in order, with the values as they are written.
///
/// # Errors
///
/// The text is not an object, or not valid JSON.
///
/// ```
/// let fields = cwplugin_replies::fields(r#"{"id": 7, "label": "spam"}"#)?;
/// assert_eq!(fields, [("id".into(), "7"), ("label".into(), "\"spam\"")]);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn fields(json: &str) -> Result<Vec<(Cow<'_, str>, &str)>, serde_json::Error> {
    let Object(fields) = serde_json::from_str(json)?;
    Ok(fields.into_iter().map(|(key, Json(value))| (key, value)).collect())
}

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

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Json::deserialize(deserializer)?.number())
    }
}

/// A label or an id: a text, a whole number, true or false, as text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Scalar<'a> {
    #[default]
    Absent,
    Null,
    Text(Cow<'a, str>),
    Fraction(&'a str),
    /// A list or an object, in words.
    Other(&'static str),
}

impl Scalar<'_> {
    /// The text of an id.
    pub(crate) fn id(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Fraction(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a field that the caller named, if it is there; an error for other values.
    pub(crate) fn label(&self, field: &str) -> Result<Option<&str>, crate::ReplyError> {
        let value = match self {
            Self::Absent | Self::Null => return Ok(None),
            Self::Text(text) => return Ok(Some(text)),
            Self::Fraction(text) | Self::Other(text) => (*text).to_owned(),
        };
        Err(crate::ReplyError::BadScalar { field: field.to_owned(), value })
    }
}

/// Whether there is an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Presence {
    #[default]
    Absent,
    Null,
    Empty,
    Present,
}

impl<'de> Deserialize<'de> for Presence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Json::deserialize(deserializer)?.presence())
    }
}

/// A text: borrowed where it has no escapes; half a surrogate pair becomes a replacement character.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Text<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As bytes, because a text with half a surrogate pair is an error otherwise: tokens may end there.
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Text<'de>, E> {
        Ok(Text(String::from_utf8_lossy(bytes)))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(String::from_utf8_lossy(bytes).into_owned())))
    }

    // The keys of objects are texts.
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some((Text(key), value)) = map.next_entry()? {
            fields.push((key, value));
        }
        Ok(Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_what_is_written() {
        let number = |json| Json(json).number().shown();
        for (json, shown) in [("-0.25", "-0.25"), ("3", "3"), ("null", "null"), ("\"NaN\"", "NaN")] {
            assert_eq!(number(json), shown);
        }
        for (json, shown) in [("\"x\"", "\"x\""), ("[1]", "a list"), ("{}", "an object"), ("1e999", "1e999")]
        {
            assert_eq!(number(json), shown);
        }
        let id = |json| Json(json).scalar().id().map(str::to_owned);
        for (json, text) in [("\"a\\n\"", "a\n"), ("7", "7"), ("-7", "-7"), ("true", "true"), ("1.0", "1.0")]
        {
            assert_eq!(id(json).unwrap(), text);
        }
        assert_eq!((id("null"), id("[1]"), id("{}")), (None, None, None));
        assert!(Json("1.5").scalar().label("x").is_err() && Json("null").scalar().label("x").is_ok());
        assert!(Json(r#""a\ud83d""#).text().unwrap().starts_with("a\u{fffd}")); // half a surrogate pair
    }
}
