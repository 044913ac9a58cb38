//! Dotted paths of fields, and the path at an offset of a document.

use std::fmt;
use std::str::FromStr;

use crate::error::ReplyError;

/// Field names separated by dots, such as `response.body`; a number is the position in a list.
///
/// ```
/// use cwplugin_replies::FieldPath;
///
/// assert_eq!("response.body".parse::<FieldPath>()?.parts(), ["response", "body"]);
/// assert!("response..body".parse::<FieldPath>().is_err());
/// # Ok::<(), cwplugin_replies::ReplyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FieldPath(Vec<String>);

impl FieldPath {
    /// The names; at least one.
    pub fn parts(&self) -> &[String] {
        &self.0
    }
}

impl FromStr for FieldPath {
    type Err = ReplyError;

    fn from_str(path: &str) -> Result<Self, ReplyError> {
        let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
        if parts.iter().any(String::is_empty) {
            return Err(ReplyError::BadPath { path: path.to_owned() });
        }
        Ok(Self(parts))
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

/// An open object or list.
enum Frame {
    Object { key: String, expects_key: bool },
    List { index: usize },
}

/// Path of the value that ends at `offset` or contains it, such as `choices[0].message`; for messages only.
pub(crate) fn path_at(json: &str, offset: usize) -> String {
    let bytes = json.as_bytes();
    let mut frames: Vec<Frame> = Vec::new();
    let mut at = 0;
    while at < offset.min(bytes.len()) {
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                if let Some(Frame::Object { key, expects_key }) = frames.last_mut()
                    && *expects_key
                {
                    (*key, *expects_key) = (json.get(at + 1..end).unwrap_or_default().to_owned(), false);
                }
                at = end;
            }
            b'{' => frames.push(Frame::Object { key: String::new(), expects_key: true }),
            b'[' => frames.push(Frame::List { index: 0 }),
            b'}' | b']' if at + 1 < offset => drop(frames.pop()),
            b',' => match frames.last_mut() {
                Some(Frame::Object { expects_key, .. }) => *expects_key = true,
                Some(Frame::List { index }) => *index += 1,
                None => {}
            },
            _ => {}
        }
        at += 1;
    }
    let mut path = String::new();
    for frame in &frames {
        match frame {
            Frame::Object { key, .. } if key.is_empty() => {}
            Frame::Object { key, .. } => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            Frame::List { index } => path.extend(["[", &index.to_string(), "]"]),
        }
    }
    path
}

/// Offset of the quote that ends the string which starts at `at`, or of the end.
pub(crate) fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    end.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_no_empty_parts() {
        for path in ["", ".", "a.", ".a", "a..b"] {
            assert_eq!(path.parse::<FieldPath>(), Err(ReplyError::BadPath { path: path.into() }));
        }
        assert_eq!("a.0.b".parse::<FieldPath>().unwrap().to_string(), "a.0.b");
    }

    #[test]
    fn the_path_at_an_offset_names_keys_and_positions() {
        let json = r#"{"a": 1, "b\"": [{"c": [0, 1]}, {"d": x}]}"#;
        let at = |text: &str| path_at(json, json.find(text).unwrap());
        assert_eq!(at("1,"), "a");
        assert_eq!(at("1]"), "b\\\"[0].c[1]");
        assert_eq!(at("x"), "b\\\"[1].d");
        assert_eq!(
            (path_at(json, 0), path_at("", 9), path_at("{\"a", 9)),
            (String::new(), String::new(), "a".into())
        );
    }
}
