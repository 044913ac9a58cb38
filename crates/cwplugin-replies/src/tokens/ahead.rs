//! The first list of alternatives, read ahead of its document.
//!
//! The parser would check this list byte by byte only to skip it, and then it would be read. Most of a reply is this list, so it
//! is read first, and the parser gets the document with a number in its place: half the work. If anything is unusual, or the rest
//! is refused, the parser gets the whole document.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::value::RawValue;

use crate::cursor::Cursor;
use crate::tokens::list::alternatives;
use crate::tokens::position::{Alternative, Position};

/// The key of the list in chat completions, responses, vLLM, Ollama and llama.cpp.
static KEY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"top_logprobs\""));

/// Keys that are tried: a reply may name the number of alternatives in a field of the same name.
const TRIED: usize = 2;

/// A document without its first list of alternatives.
#[derive(Debug)]
pub(crate) struct Ahead<'a> {
    /// The document with a number in the place of the list: valid JSON if and only if the document is. A quote that is not escaped,
    /// with a letter after it, starts a string, so the key is one, and the list its value.
    pub(crate) rest: String,
    /// Offset of that number.
    at: usize,
    list: Vec<Alternative<'a>>,
}

impl<'a> Ahead<'a> {
    /// Reads the first list; none if there is none, or if it has something unusual.
    pub(crate) fn read(json: &'a str) -> Option<Self> {
        KEY.find_iter(json.as_bytes()).take(TRIED).find_map(|key| Self::at_key(json, key))
    }

    fn at_key(json: &'a str, key: usize) -> Option<Self> {
        if key.checked_sub(1).is_some_and(|before| json.as_bytes()[before] == b'\\') {
            return None;
        }
        let mut cursor = Cursor::new(json, key + KEY.needle().len());
        cursor.expect(b':')?;
        cursor.peek()?;
        let at = cursor.at();
        let list = alternatives(&mut cursor)?;
        let (before, after) = (json.get(..at)?, json.get(cursor.at()..)?);
        let mut rest = String::with_capacity(before.len() + 1 + after.len());
        rest.push_str(before);
        rest.push('0');
        rest.push_str(after);
        Some(Self { rest, at, list })
    }

    /// The list, if this value of the rest is in its place.
    fn list(&self, value: &RawValue) -> Option<&[Alternative<'a>]> {
        let place = self.rest.get(self.at..)?;
        std::ptr::eq(value.get().as_ptr(), place.as_ptr()).then_some(&self.list)
    }
}

/// The positions of an answer, and perhaps the alternatives of one of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer<'p, 'a> {
    pub(crate) positions: &'p [Position<'a>],
    pub(crate) ahead: Option<&'p Ahead<'a>>,
}

impl<'p, 'a> Answer<'p, 'a> {
    /// The alternatives at a position.
    pub(crate) fn alternatives(self, i: usize) -> Result<Cow<'p, [Alternative<'a>]>, serde_json::Error> {
        let top = &self.positions[i].top;
        match top.raw().zip(self.ahead).and_then(|(raw, ahead)| ahead.list(raw)) {
            Some(list) => Ok(Cow::Borrowed(list)),
            None => top.read().map(Cow::Owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_list_becomes_a_number() {
        let json = r#"{"a": [{"token": "b", "top_logprobs" : [{"token": "b", "logprob": -1}]}], "top_logprobs": []}"#;
        let ahead = Ahead::read(json).unwrap();
        assert_eq!(ahead.rest, r#"{"a": [{"token": "b", "top_logprobs" : 0}], "top_logprobs": []}"#);
        assert_eq!(ahead.list.len(), 1);
        let number = r#"{"top_logprobs": 2, "a": {"top_logprobs": [{"token": "b", "logprob": -1}]}}"#;
        assert_eq!(Ahead::read(number).unwrap().rest, r#"{"top_logprobs": 2, "a": {"top_logprobs": 0}}"#);
    }

    #[test]
    fn other_documents_are_left_alone() {
        for json in [
            r#"{"a": 1}"#,
            r#"{"top_logprobs": null}"#,
            r#"{"top_logprobs": [{"token": null}]}"#,
            r#"{"top_logprobs": [{"token": "a"}"#,
            r#"{"top_logprobs"#,
            r#""top_logprobs""#,
            r#"{"a \"top_logprobs": [{"token": "a"}]}"#,
            r#"{"a": "\"top_logprobs\": [{\"token\": 1}]"}"#,
        ] {
            assert!(Ahead::read(json).is_none(), "{json}");
        }
    }
}
