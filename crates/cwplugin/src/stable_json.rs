//! JSON text with stable bytes, laid out for people and diffs.

use serde::Serialize;
use serde_json::Value;

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
        Value::Object(fields) if level < OPEN_LEVELS => {
            let items = fields.iter().map(|(key, value)| (Some(key), value));
            write_open(text, ['{', '}'], items, level);
        }
        Value::Array(items) if level < OPEN_LEVELS + 1 && items.iter().any(Value::is_object) => {
            write_open(text, ['[', ']'], items.iter().map(|value| (None, value)), level);
        }
        Value::Object(fields) => {
            let items = fields.iter().map(|(key, value)| (Some(key), value));
            write_inline(text, ['{', '}'], items);
        }
        Value::Array(items) => write_inline(text, ['[', ']'], items.iter().map(|value| (None, value))),
        scalar => text.push_str(&scalar.to_string()),
    }
}

fn write_open<'a>(
    text: &mut String,
    brackets: [char; 2],
    items: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
    level: usize,
) {
    text.push(brackets[0]);
    for (i, (key, value)) in items.enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(level + 1));
        write_key(text, key);
        write_value(text, value, level + 1);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(level));
    text.push(brackets[1]);
}

fn write_inline<'a>(
    text: &mut String,
    brackets: [char; 2],
    items: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
) {
    text.push(brackets[0]);
    for (i, (key, value)) in items.enumerate() {
        text.push_str(if i == 0 { "" } else { ", " });
        write_key(text, key);
        write_value(text, value, OPEN_LEVELS + 1);
    }
    text.push(brackets[1]);
}

fn write_key(text: &mut String, key: Option<&String>) {
    if let Some(key) = key {
        text.push_str(&Value::String(key.clone()).to_string());
        text.push_str(": ");
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
