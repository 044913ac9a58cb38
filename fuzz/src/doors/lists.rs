//! Lists of alternatives and of scores: the quick readers and the general parser agree.

use serde_json::Value;

use super::replies::cases;
use crate::Door;

pub(super) const DOOR: Door =
    Door { name: "lists", title: "lists inside replies", longest: 4 << 10, check, seeds };

#[cfg(fuzzing)]
fn check(input: &[u8]) {
    if let Ok(list) = std::str::from_utf8(input) {
        cwplugin_replies::fuzzing::alternatives_agree(list);
        cwplugin_replies::fuzzing::scores_agree(list);
    }
}

/// Without libFuzzer, the tests of `cwplugin-replies` compare the quick readers, which are private.
#[cfg(not(fuzzing))]
fn check(_: &[u8]) {}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (.., content) in cases() {
        for line in content.split(|byte| *byte == b'\n') {
            if let Ok(document) = serde_json::from_slice::<Value>(line) {
                collect(&document, &mut seeds);
            }
        }
    }
    seeds.sort();
    seeds.dedup();
    seeds
}

/// All lists of objects inside a JSON value.
fn collect(value: &Value, found: &mut Vec<Vec<u8>>) {
    match value {
        Value::Array(items) => {
            if items.iter().all(Value::is_object) && !items.is_empty() {
                found.push(value.to_string().into_bytes());
            }
            for item in items {
                collect(item, found);
            }
        }
        Value::Object(fields) => {
            for field in fields.values() {
                collect(field, found);
            }
        }
        _ => {}
    }
}
