//! JSON documents: text with stable bytes, laid out for people and diffs, and its strict reader.

use std::fmt;

use serde::de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// Objects nested deeper than this are written on one line.
const OPEN_LEVELS: usize = 2;

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

/// Why a text is not a document of a format.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The text is not JSON, an object has a field twice, or a field is missing or of the wrong type.
    Json(serde_json::Error),
    /// The value of `format`, of another document.
    Format(String),
    /// The value of `version`, which is not supported.
    Version(String),
}

/// Reads a document of this format and version. Unknown fields are ignored; a field that an object has twice is an error,
/// because JSON readers disagree about which of the two counts.
pub(crate) fn read<T: DeserializeOwned>(text: &str, format: &str, version: u64) -> Result<T, ReadError> {
    let text = text.trim_start_matches('\u{feff}'); // some editors write a byte order mark
    let UniqueJson(value) = serde_json::from_str(text).map_err(ReadError::Json)?;
    let shown = |field: &str| value.get(field).map_or_else(|| "missing".into(), ToString::to_string);
    if value.get("format").and_then(Value::as_str) != Some(format) {
        return Err(ReadError::Format(shown("format")));
    }
    if value.get("version").and_then(Value::as_u64) != Some(version) {
        return Err(ReadError::Version(shown("version")));
    }
    serde_json::from_value(value).map_err(ReadError::Json)
}

/// A JSON value in which no object has a field twice.
///
/// ```
/// use cwplugin::data::UniqueJson;
///
/// let error = serde_json::from_str::<UniqueJson>(r#"{"a": {"b": 1, "b": 2}}"#).unwrap_err();
/// assert_eq!(error.to_string(), "field \"b\" occurs twice (keep one) at line 1 column 17");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UniqueJson(pub Value);

impl<'de> Deserialize<'de> for UniqueJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(UniqueJson(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!("field \"{name}\" occurs twice (keep one)")));
            }
            let UniqueJson(value) = fields.next_value()?;
            object.insert(name, value);
        }
        Ok(object.into())
    }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::UniqueJson;

    #[test]
    fn a_field_that_an_object_has_twice_is_an_error_wherever_the_object_is() {
        for text in
            [r#"{"a": 1, "a": 1}"#, r#"{"o": {"a": 1, "b": 2, "a": 3}}"#, r#"[[{"a": [], "\u0061": null}]]"#]
        {
            let error = serde_json::from_str::<UniqueJson>(text).unwrap_err().to_string();
            assert!(error.starts_with("field \"a\" occurs twice (keep one) at line 1"), "{text}: {error}");
        }
    }

    #[test]
    fn other_documents_are_read_as_they_are() {
        let text = r#"{"a": [1, -2, 2.5, 0.1, 18446744073709551615], "b": {"a": null}, "c": [{"a": "é"}, {"a": true}]}"#;
        let UniqueJson(read) = serde_json::from_str(text).unwrap();
        assert_eq!(read, serde_json::from_str::<Value>(text).unwrap());
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
