//! JSON text with stable bytes, laid out for people and diffs.

use serde::de::{DeserializeOwned, IgnoredAny};
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

/// What a document says it is, as it is written; `missing` if it does not.
pub(crate) struct Head {
    pub(crate) format: String,
    pub(crate) version: String,
}

impl Head {
    pub(crate) fn has_format(&self, format: &str) -> bool {
        serde_json::from_str::<String>(&self.format).is_ok_and(|found| found == format)
    }

    pub(crate) fn has_version(&self, version: u64) -> bool {
        self.version.parse() == Ok(version)
    }
}

/// The format and the version of a document. The rest is only skipped: a tree of an untrusted document takes up to thirty times the
/// memory of its text.
///
/// # Errors
///
/// If the text is not JSON.
pub(crate) fn head(text: &str) -> serde_json::Result<Head> {
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
    Ok(Head { format: written(raw.format), version: written(raw.version) })
}

/// A field as it is written, also if it is null.
fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Reads the fields of a document.
///
/// # Errors
///
/// What is wrong with a field.
pub(crate) fn fields<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| {
        let text = error.to_string();
        text.split(" at line ").next().unwrap_or(&text).to_string()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
