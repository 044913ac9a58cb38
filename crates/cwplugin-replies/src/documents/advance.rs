//! The next document in the buffer.

use super::scan::Scan;
use super::{Documents, MAX_DOCUMENT, Mode};
use crate::error::ReplyError;
use crate::source::Source;

impl Documents {
    /// Start, end and line of the next document.
    pub(super) fn advance(&mut self) -> Result<Option<(usize, usize, usize)>, ReplyError> {
        loop {
            if self.mode == Mode::Lines {
                return self.line_document();
            }
            if !self.skip_space() {
                return self.end_of_bytes();
            }
            let first = self.buffer[self.start];
            match self.mode {
                Mode::Lines | Mode::Values => return self.value_document(),
                Mode::Beginning if first == b'[' => match self.is_list_of_replies() {
                    None => return self.check_length(),
                    Some(true) => {
                        self.consume(1);
                        self.mode = Mode::Element { first: true };
                    }
                    Some(false) => match self.first_is_a_line() {
                        None => return self.check_length(),
                        Some(is_line) => self.mode = if is_line { Mode::Lines } else { Mode::Values },
                    },
                },
                Mode::Beginning => match self.first_is_a_line() {
                    None => return self.check_length(),
                    Some(is_line) => self.mode = if is_line { Mode::Lines } else { Mode::Values },
                },
                Mode::Element { first: true } if first == b']' => self.end_list(),
                Mode::Element { .. } if matches!(first, b',' | b']' | b'}') => {
                    return Err(self.broken("a reply"));
                }
                Mode::Element { .. } => {
                    let found = self.value_document()?;
                    if found.is_some() {
                        self.mode = Mode::Comma;
                    }
                    return Ok(found);
                }
                Mode::Comma if first == b',' => {
                    self.consume(1);
                    self.mode = Mode::Element { first: false };
                }
                Mode::Comma if first == b']' => self.end_list(),
                Mode::Comma => return Err(self.broken("a comma or the end of the list")),
                Mode::End => return Err(self.broken("the end of the input")),
            }
        }
    }

    /// All bytes are used up: an error if a list is open at the end.
    fn end_of_bytes(&self) -> Result<Option<(usize, usize, usize)>, ReplyError> {
        match self.mode {
            Mode::Element { .. } if self.finished => Err(self.broken("a reply")),
            Mode::Comma if self.finished => Err(self.broken("a comma or the end of the list")),
            _ => Ok(None),
        }
    }

    fn broken(&self, expected: &'static str) -> ReplyError {
        ReplyError::BrokenList { line: self.line, expected }
    }

    /// Skips white space and a byte order mark; whether bytes follow.
    fn skip_space(&mut self) -> bool {
        if !self.is_past_mark {
            let rest = &self.buffer[self.start..];
            if !self.finished && b"\xef\xbb".starts_with(rest) {
                return false;
            }
            if rest.starts_with(b"\xef\xbb\xbf") {
                self.start += 3;
            }
            self.is_past_mark = true;
        }
        let rest = &self.buffer[self.start..];
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if space > 0 {
            self.consume(space);
        }
        self.start < self.buffer.len()
    }

    /// Passes over `n` bytes; a new value starts after them.
    fn consume(&mut self, n: usize) {
        let passed = &self.buffer[self.start..self.start + n];
        self.line += memchr::memchr_iter(b'\n', passed).count();
        self.start += n;
        self.scan = Scan::default();
    }

    fn end_list(&mut self) {
        self.consume(1);
        // Lists of texts may follow each other, one per line.
        self.mode = if self.source == Source::Huggingface { Mode::Beginning } else { Mode::End };
    }

    /// An error if the document that is not complete yet is too long.
    fn check_length(&self) -> Result<Option<(usize, usize, usize)>, ReplyError> {
        if self.buffer.len() - self.start > MAX_DOCUMENT {
            return Err(ReplyError::TooLong { limit: MAX_DOCUMENT });
        }
        Ok(None)
    }

    /// The document of `n` bytes at the start.
    fn take(&mut self, n: usize) -> Result<Option<(usize, usize, usize)>, ReplyError> {
        if n > MAX_DOCUMENT {
            return Err(ReplyError::TooLong { limit: MAX_DOCUMENT });
        }
        let (from, line) = (self.start, self.line);
        self.consume(n);
        Ok(Some((from, from + n, line)))
    }

    /// The next line that is not blank.
    fn line_document(&mut self) -> Result<Option<(usize, usize, usize)>, ReplyError> {
        loop {
            let rest = &self.buffer[self.start..];
            let (n, next) = match self.scan.line_end(rest) {
                Some(n) => (n, n + 1),
                None if self.finished && !rest.is_empty() => (rest.len(), rest.len()),
                None => return self.check_length(),
            };
            let (from, line) = (self.start, self.line);
            let is_blank = rest[..n].trim_ascii().is_empty();
            self.start += next;
            self.line += 1;
            self.scan = Scan::default();
            if n > MAX_DOCUMENT {
                return Err(ReplyError::TooLong { limit: MAX_DOCUMENT });
            }
            if !is_blank {
                return Ok(Some((from, from + n, line)));
            }
        }
    }

    /// The value at the start; at the end of the input, what there is of it.
    fn value_document(&mut self) -> Result<Option<(usize, usize, usize)>, ReplyError> {
        let rest = &self.buffer[self.start..];
        let found = self.scan.value_end(rest);
        match found {
            Some(n) => self.take(n),
            None if self.finished => {
                let n = self.buffer.len() - self.start;
                let found = self.take(n);
                self.mode = Mode::End;
                self.failed |= found.is_err();
                found
            }
            None => self.check_length(),
        }
    }

    /// Whether the first line is a complete document; none if the line is not complete.
    fn first_is_a_line(&mut self) -> Option<bool> {
        let rest = &self.buffer[self.start..];
        let n = match self.scan.line_end(rest) {
            Some(n) => n,
            None if self.finished => rest.len(),
            None => return None,
        };
        let line = &rest[..n];
        let is_open = matches!(line.first(), Some(b'{' | b'[')) && Scan::default().value_end(line).is_none();
        self.scan = Scan::default();
        Some(!is_open)
    }

    /// Whether the elements of the array at the start are replies; none if the first element is not complete.
    fn is_list_of_replies(&self) -> Option<bool> {
        if self.source != Source::Huggingface {
            return Some(true);
        }
        let rest = &self.buffer[self.start + 1..];
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let element = &rest[space..];
        match element.first() {
            None if self.finished => Some(false),
            None => None,
            // An empty list is a reply without scores.
            Some(b']') => Some(false),
            Some(b'{') => match Scan::default().value_end(element) {
                Some(n) => Some(!is_score(&element[..n])),
                None if self.finished => Some(false),
                None => None,
            },
            Some(_) => Some(true),
        }
    }
}

/// Whether the document is a label with its score.
fn is_score(document: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Keys {
        #[serde(rename = "label")]
        _label: serde::de::IgnoredAny,
        #[serde(rename = "score")]
        _score: serde::de::IgnoredAny,
    }
    serde_json::from_slice::<Keys>(document).is_ok()
}
