//! JSON documents: text with stable bytes, laid out for people and diffs, and its strict reader.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher as _;

use serde::de::{DeserializeOwned, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// Objects nested deeper than this are written on one line.
const OPEN_LEVELS: usize = 2;

/// Characters of a format or a version that an error shows.
const SHOWN: usize = 80;

/// Writes one field per line. A list of numbers or names is one line; a list of records has one record per line.
pub(crate) fn write(value: &impl Serialize) -> String {
    // Documents hold only strings, finite numbers and lists of them, so serialisation cannot fail.
    let value = serde_json::to_value(value).unwrap_or(Value::Null);
    let mut text = String::new();
    write_value(&mut text, &value, 0);
    text.push('\n');
    text
}

fn write_value(text: &mut String, value: &Value, level: usize) {
    match value {
        Value::Object(fields) => {
            let items = fields.iter().map(|(key, value)| (Some(key), value));
            write_items(text, ['{', '}'], items, (level < OPEN_LEVELS).then_some(level));
        }
        Value::Array(items) => {
            let is_open = level <= OPEN_LEVELS && items.iter().any(Value::is_object);
            let items = items.iter().map(|value| (None, value));
            write_items(text, ['[', ']'], items, is_open.then_some(level));
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

/// Writes each item on its own line, indented for this level; all on one line if there is no level.
fn write_items<'a>(
    text: &mut String,
    [open, close]: [char; 2],
    items: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
    level: Option<usize>,
) {
    let new_line = |level: usize| format!("\n{}", "  ".repeat(level));
    let (separator, start) = match level {
        Some(level) => (",", new_line(level + 1)),
        None => (", ", String::new()),
    };
    text.push(open);
    for (i, (key, value)) in items.enumerate() {
        text.push_str(if i == 0 { "" } else { separator });
        text.push_str(&start);
        if let Some(key) = key {
            text.push_str(&Value::String(key.clone()).to_string());
            text.push_str(": ");
        }
        write_value(text, value, level.unwrap_or(OPEN_LEVELS) + 1);
    }
    text.push_str(&level.map(new_line).unwrap_or_default());
    text.push(close);
}

/// Serialises values through `Display` and `FromStr`: `#[serde(with = "text")]`.
pub(crate) mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(crate) fn serialize<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Why a text is not a document of a format.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The text is not JSON, an object has a field twice, or a field is missing or of the wrong type.
    Json(String),
    /// The value of `format`, of another document.
    Format(String),
    /// The value of `version`, which is not supported.
    Version(String),
}

/// Reads a document of this format and version. Unknown fields are ignored; a field that an object has twice is an error.
///
/// No tree of the document is made: of an untrusted one it takes up to thirty times the memory of the text.
pub(crate) fn read<T: DeserializeOwned>(text: &str, format: &str, version: u64) -> Result<T, ReadError> {
    let text = text.trim_start_matches('\u{feff}'); // some editors write a byte order mark
    let not_json = |error: serde_json::Error| ReadError::Json(error.to_string());
    refuse_repeated_fields(text).map_err(not_json)?;
    let head = Head::of(text).map_err(not_json)?;
    if serde_json::from_str::<String>(&head.format).ok().as_deref() != Some(format) {
        return Err(ReadError::Format(head.format));
    }
    if head.version.parse() != Ok(version) {
        return Err(ReadError::Version(head.version));
    }
    fields(text).map_err(ReadError::Json)
}

/// Reads the fields of a document; the error says what is wrong with one.
pub(crate) fn fields<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| {
        let text = error.to_string();
        text.split(" at line ").next().unwrap_or(&text).to_string()
    })
}

/// What a document says it is, as it is written; `missing` if it does not.
struct Head {
    format: String,
    version: String,
}

impl Head {
    fn of(text: &str) -> serde_json::Result<Self> {
        #[derive(Default, Deserialize)]
        struct Raw<'a> {
            #[serde(borrow, default, deserialize_with = "raw")]
            format: Option<&'a RawValue>,
            #[serde(borrow, default, deserialize_with = "raw")]
            version: Option<&'a RawValue>,
        }
        let raw = if text.trim_start().starts_with('{') {
            serde_json::from_str::<Raw<'_>>(text)?
        } else {
            serde_json::from_str::<IgnoredAny>(text).map(|_| Raw::default())?
        };
        let written =
            |field: Option<&RawValue>| field.map_or("missing", RawValue::get).chars().take(SHOWN).collect();
        Ok(Self { format: written(raw.format), version: written(raw.version) })
    }
}

/// A field as it is written, also if it is null.
fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Refuses JSON in which an object has a field twice: readers disagree about which of the two counts.
///
/// ```
/// let error = cwplugin::data::refuse_repeated_fields(r#"{"a": {"b": 1, "b": 2}}"#).unwrap_err();
/// assert_eq!(error.to_string(), "field \"b\" occurs twice (keep one) at line 1 column 18");
/// ```
///
/// # Errors
///
/// If a field occurs twice, or the text is not JSON.
pub fn refuse_repeated_fields(text: &str) -> serde_json::Result<()> {
    serde_json::from_str(text).map(|Unique| ())
}

/// Any JSON value in which no object has a field twice.
struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self, A::Error> {
        // Hashes with a random key: an object may have millions of fields, and two of them collide once in 2^64.
        let (state, mut seen) = (RandomState::new(), HashSet::new());
        while let Some(name) = fields.next_key::<String>()? {
            if !seen.insert(state.hash_one(&name)) {
                return Err(A::Error::custom(format_args!("field \"{name}\" occurs twice (keep one)")));
            }
            fields.next_value::<Self>()?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::refuse_repeated_fields;

    #[test]
    fn a_field_that_an_object_has_twice_is_an_error_wherever_the_object_is() {
        for text in
            [r#"{"a": 1, "a": 1}"#, r#"{"o": {"a": 1, "b": 2, "a": 3}}"#, r#"[[{"a": [], "\u0061": null}]]"#]
        {
            let error = refuse_repeated_fields(text).unwrap_err().to_string();
            assert!(error.starts_with("field \"a\" occurs twice (keep one) at line 1"), "{text}: {error}");
        }
    }

    #[test]
    fn other_documents_have_no_field_twice() {
        let text = r#"{"a": [1, -2, 2.5, 18446744073709551615, 1e99], "b": {"a": null}, "c": [{"a": "é"}, {"a": true}]}"#;
        refuse_repeated_fields(text).unwrap();
        assert!(refuse_repeated_fields("{").is_err());
    }

    #[test]
    fn fields_have_their_own_line_and_lists_of_numbers_share_one() {
        let value = json!({"a": [1, 2.5], "b": {"c": {"d": 1}, "e": [{"f": [1]}, {"f": []}], "g": []}});
        let text = super::write(&value);
        let expected = r#"{
  "a": [1, 2.5],
  "b": {
    "c": {"d": 1},
    "e": [
      {"f": [1]},
      {"f": []}
    ],
    "g": []
  }
}
"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
