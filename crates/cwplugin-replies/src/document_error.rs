//! What is wrong with a document, in words; only computed after an error.

use serde_json::error::Category;

use crate::error::ReplyError;
use crate::path::{path_at, string_end};
use crate::value::{Json, cut};

/// Characters of a service's error message that are shown.
const SHOWN: usize = 300;

/// The parser's error about a document from `origin`, with the path of the field.
pub(crate) fn explained(json: &str, error: &serde_json::Error, origin: &'static str) -> ReplyError {
    let field = path_at(json, offset(json, error));
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason).to_owned();
    if error.classify() == Category::Data {
        return ReplyError::Shape { origin, field, problem: reason };
    }
    ReplyError::Json { field, line: error.line(), column: error.column(), reason }
}

/// Offset of the error in the document.
fn offset(json: &str, error: &serde_json::Error) -> usize {
    let line_start = match error.line() {
        0 | 1 => 0,
        line => memchr::memchr_iter(b'\n', json.as_bytes()).nth(line - 2).map_or(0, |at| at + 1),
    };
    line_start + error.column()
}

/// The message of an error object.
pub(crate) fn vendor_message(Json(error): Json<'_>) -> String {
    let text = match serde_json::from_str(error) {
        Ok(serde_json::Value::String(text)) => Some(text),
        Ok(serde_json::Value::Object(object)) => {
            ["message", "Message", "ErrorMessage", "msg", "description", "code", "Code"]
                .iter()
                .find_map(|key| Some(object.get(*key)?.as_str()?.to_owned()))
        }
        _ => None,
    };
    cut(text.as_deref().unwrap_or(error), SHOWN)
}

/// The error with its field inside the field `outer`.
pub(crate) fn within(mut error: ReplyError, outer: &str) -> ReplyError {
    use ReplyError as E;
    if let E::Refusal { field, .. }
    | E::EmptyAnswer { field }
    | E::NothingListed { field }
    | E::NoLogprobs { field, .. }
    | E::Json { field, .. }
    | E::NoClass { field, .. }
    | E::ZeroClasses { field }
    | E::BadNumber { field, .. }
    | E::SumAboveOne { field, .. }
    | E::MissingClasses { field, .. }
    | E::Shape { field, .. }
    | E::Streamed { field }
    | E::RepeatedName { field, .. }
    | E::WrongCount { field, .. }
    | E::OtherOrder { field, .. } = &mut error
    {
        let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
        *field = format!("{outer}{dot}{field}");
    }
    error
}

/// The document with texts in the place of `NaN` and `Infinity`, so that the reader can name the field, and the smallest
/// number in the place of `-Infinity`: the logarithm of a probability that is not known. None if there are no constants.
pub(crate) fn without_constants(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut changed = String::new();
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (constant, instead) = match rest[0] {
            b'"' => {
                at = string_end(bytes, at) + 1;
                continue;
            }
            b'N' if rest.starts_with(b"NaN") => ("NaN", "\"NaN\""),
            b'I' if rest.starts_with(b"Infinity") => ("Infinity", "\"Infinity\""),
            b'-' if rest.starts_with(b"-Infinity") => ("-Infinity", "-1e308"),
            _ => {
                at += 1;
                continue;
            }
        };
        changed.push_str(json.get(copied..at)?);
        changed.push_str(instead);
        at += constant.len();
        copied = at;
    }
    if copied == 0 {
        return None;
    }
    changed.push_str(json.get(copied..)?);
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_parser_name_the_field() {
        let read = |json: &str| {
            let error =
                serde_json::from_str::<std::collections::HashMap<String, Vec<u32>>>(json).unwrap_err();
            explained(json, &error, "azure")
        };
        assert_eq!(
            read("{\"a\": [1],\n \"b\": [2, \"x\"]}").to_string(),
            "not a reply of azure: invalid type: string \"x\", expected u32, at b[1]"
        );
        assert_eq!(
            read("{\"a\": [1,").to_string(),
            "not valid JSON, at a[1]: EOF while parsing a value (line 1 of the document, column 9)"
        );
    }

    #[test]
    fn messages_of_services_are_found() {
        let message = |json: &str| vendor_message(Json(json));
        assert_eq!(message(r#"{"code": 429, "message": "slow down"}"#), "slow down");
        assert_eq!(message(r#""loading""#), "loading");
        assert_eq!(message(r#"{"code": 5}"#), r#"{"code": 5}"#);
    }

    #[test]
    fn fields_are_named_from_the_top() {
        let error = |field: &str| ReplyError::NothingListed { field: field.into() };
        assert_eq!(within(error("Classes"), "a.b"), error("a.b.Classes"));
        assert_eq!(within(error("[0]"), "a"), error("a[0]"));
        assert_eq!(within(error(""), "a"), error("a"));
    }

    #[test]
    fn constants_outside_of_texts_are_replaced() {
        let json = r#"{"NaN": [NaN, -Infinity, Infinity], "b": "\"NaN"}"#;
        let changed = r#"{"NaN": ["NaN", -1e308, "Infinity"], "b": "\"NaN"}"#;
        assert_eq!(without_constants(json).unwrap(), changed);
        assert_eq!(without_constants(r#"{"a": "NaN", "b": -1}"#), None);
        assert_eq!(without_constants("\"NaN\\"), None);
    }
}
