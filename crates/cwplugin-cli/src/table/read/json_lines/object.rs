//! Parses one line of JSON.

use std::borrow::Cow;

use anyhow::Result;
use cwplugin_replies::fields;

use crate::user_error::UserError;

/// Up to this many keys, repeated ones are found by comparing all pairs.
const FEW: usize = 16;

/// The object of a line that is not blank.
pub(super) fn parse_line<'a>(name: &str, row: usize, line: &'a [u8]) -> Result<Object<'a>> {
    let refuse = |what: &str| UserError::new(format!("{name}: row {row}{what}"));
    let line = std::str::from_utf8(line)
        .map_err(|_| refuse(": bytes are not UTF-8").hint("save the file as UTF-8"))?;
    if line.starts_with('[') {
        let cure = "write one object per line, e.g. with `jq -c '.[]'`";
        return Err(refuse(": is an array, not an object").hint(cure).into());
    }
    if !line.starts_with('{') {
        let cure = "write one object per line, such as {\"label\": \"a\", \"p_a\": 0.7}";
        return Err(refuse(": is not a JSON object").hint(cure).into());
    }
    let present = |(key, value)| (key, Some(value).filter(|value| *value != "null"));
    let object = fields(line).map(|fields| Object(fields.into_iter().map(present).collect()));
    let object = object.map_err(|err| {
        // serde_json appends the place; the line is always 1.
        let text = err.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        refuse(&format!(", column {}: {text}", err.column()))
            .hint("write each object on one line, as valid JSON; NaN and Infinity must be null")
    })?;
    if let Some(key) = object.repeated_key() {
        return Err(refuse(&format!(": key \"{key}\" occurs twice")).hint("use each key once").into());
    }
    Ok(object)
}

/// The keys and raw values of one line, in order; null is like a missing key.
pub(super) struct Object<'a>(pub(super) Vec<(Cow<'a, str>, Option<&'a str>)>);

impl Object<'_> {
    fn repeated_key(&self) -> Option<&str> {
        // Most objects have few keys, and then no list is allocated.
        if self.0.len() <= FEW {
            let mut keys = self.0.iter().enumerate();
            return keys
                .find(|(i, (key, _))| self.0[..*i].iter().any(|(other, _)| other == key))
                .map(|(_, (key, _))| &**key);
        }
        let mut keys: Vec<&str> = self.0.iter().map(|(key, _)| &**key).collect();
        keys.sort_unstable();
        keys.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    }
}
