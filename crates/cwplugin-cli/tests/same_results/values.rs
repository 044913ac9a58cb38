//! Values found in a JSON document by path, and their canonical text.

use std::collections::BTreeSet;

use serde_json::Value;

use super::extract::{NOT_RECORDED, RENAMED};

/// The parts of a case: name and canonical text of its values.
pub(super) type Parts = Vec<(String, String)>;

/// The values at the path, in order. A missing end of a path is null, so that lists of the same fields stay aligned; a
/// missing list has no elements.
pub(super) fn at<'a>(document: &'a Value, path: &str) -> Vec<&'a Value> {
    path.split('.').fold(vec![document], |found, step| {
        let inner = |value: &'a Value| match (step, value) {
            ("*", Value::Array(list)) => list.iter().collect(),
            ("*", Value::Object(fields)) => fields.values().collect(),
            ("*", _) => Vec::new(),
            (_, Value::Array(list)) => {
                vec![step.parse().ok().and_then(|i: usize| list.get(i)).unwrap_or(&Value::Null)]
            }
            _ => vec![value.get(step).unwrap_or(&Value::Null)],
        };
        found.into_iter().flat_map(inner).collect()
    })
}

/// The parts of a document that have a value; the table is one of extract.rs.
pub(super) fn parts(document: &Value, table: &str) -> Parts {
    let mut parts = Parts::new();
    for [part, field, path] in fields(table) {
        let (path, condition) = path.split_once('@').unwrap_or((path, path));
        if at(document, condition).iter().all(|value| value.is_null()) {
            continue;
        }
        let values = at(document, path);
        if values.iter().any(|value| !value.is_null()) {
            let values: Vec<String> = values.into_iter().map(canonical).collect();
            let text = format!("{field}: {}; ", values.join(" "));
            match parts.last_mut() {
                Some((last, texts)) if last == part => *texts += &text,
                _ => parts.push((part.into(), text)),
            }
        }
    }
    parts
}

/// Part, field and path of every line.
fn fields(table: &str) -> impl Iterator<Item = [&str; 3]> {
    table.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.try_into().unwrap_or_else(|_| panic!("extract.rs: {line:?}"))
    })
}

/// A number to the last bit, however it is written; a word as it was recorded.
fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => self::number(number.as_f64().unwrap()),
        Value::String(word) => {
            let renamed = RENAMED.iter().find(|(present, _)| present == word);
            renamed.map_or(word.as_str(), |(_, recorded)| recorded).to_string()
        }
        Value::Null => "-".into(),
        Value::Bool(bool) => bool.to_string(),
        Value::Array(_) | Value::Object(_) => panic!("a path of extract.rs ends too early, at {value}"),
    }
}

/// The shortest text that reads back to the same number.
pub(super) fn number(number: f64) -> String {
    format!("{number:?}")
}

/// Numbers and words of the document that no field of the table and no line of [`NOT_RECORDED`] leads to.
pub(super) fn unrecorded(document: &Value, table: &str) -> Vec<String> {
    let fields = fields(table).map(|[.., path]| path.split('@').next().unwrap_or(path));
    let paths: Vec<&str> = fields.chain(NOT_RECORDED.iter().copied()).collect();
    let mut found = BTreeSet::new();
    leaves(document, &mut Vec::new(), &mut |leaf| {
        if !paths.iter().any(|path| leads_to(path, leaf)) {
            found.insert(leaf.join("."));
        }
    });
    found.into_iter().collect()
}

fn leaves(value: &Value, path: &mut Vec<String>, see: &mut dyn FnMut(&[String])) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Array(list) => list.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Null => return,
        _ => return see(path),
    };
    for (name, value) in inner {
        path.push(name);
        leaves(value, path, see);
        path.pop();
    }
}

fn leads_to(path: &str, leaf: &[String]) -> bool {
    let steps: Vec<&str> = path.split('.').collect();
    steps.len() == leaf.len() && steps.iter().zip(leaf).all(|(step, name)| *step == "*" || step == name)
}
