//! What is wrong with a document, in words; only computed after an error.

use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::error::ReplyError;
use crate::path::path_at;
use crate::source::Source;
use crate::value::cut;

/// Characters of a service's error message that are shown.
const SHOWN: usize = 300;

/// The parser's error, with the path of the field.
pub(crate) fn explained(json: &str, error: &serde_json::Error, source: Source) -> ReplyError {
    explained_plain(json, error, source.name())
}

/// The parser's error about a document from `origin`.
pub(crate) fn explained_plain(json: &str, error: &serde_json::Error, origin: &'static str) -> ReplyError {
    let field = path_at(json, offset(json, error));
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason).to_owned();
    if error.classify() == Category::Data {
        return ReplyError::Shape { origin, field, problem: reason };
    }
    if reason == "number out of range" {
        return ReplyError::BadNumber { field, value: "out of range".into(), expected: "a number" };
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
pub(crate) fn vendor_message(error: &RawValue) -> String {
    let text = match serde_json::from_str(error.get()) {
        Ok(serde_json::Value::String(text)) => Some(text),
        Ok(serde_json::Value::Object(object)) => {
            ["message", "Message", "ErrorMessage", "msg", "description", "code", "Code"]
                .iter()
                .find_map(|key| Some(object.get(*key)?.as_str()?.to_owned()))
        }
        _ => None,
    };
    cut(text.as_deref().unwrap_or(error.get()), SHOWN)
}

/// The error with its field inside the field `outer`.
pub(crate) fn within(mut error: ReplyError, outer: &str) -> ReplyError {
    use ReplyError as E;
    if let E::Refusal { field, .. }
    | E::EmptyAnswer { field }
    | E::NothingListed { field }
    | E::NoLogprobs { field, .. }
    | E::NoClass { field, .. }
    | E::BadNumber { field, .. }
    | E::SumAboveOne { field, .. }
    | E::MissingClasses { field, .. }
    | E::Shape { field, .. }
    | E::RepeatedName { field, .. }
    | E::WrongCount { field, .. }
    | E::OtherOrder { field, .. } = &mut error
    {
        let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
        *field = format!("{outer}{dot}{field}");
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_parser_name_the_field() {
        let read = |json: &str| {
            let error =
                serde_json::from_str::<std::collections::HashMap<String, Vec<u32>>>(json).unwrap_err();
            explained(json, &error, Source::Azure)
        };
        assert_eq!(
            read("{\"a\": [1],\n \"b\": [2, \"x\"]}").to_string(),
            "not a reply of azure: invalid type: string \"x\", expected u32, at b[1]"
        );
        assert_eq!(
            read("{\"a\": [1,").to_string(),
            "not valid JSON, at a[1]: EOF while parsing a value (line 1 of the document, column 9)"
        );
        assert_eq!(read("{\"a\": [1e999]}").kind(), "number");
    }

    #[test]
    fn messages_of_services_are_found() {
        let message = |json: &str| vendor_message(&RawValue::from_string(json.into()).unwrap());
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
}
