//! JSON documents in a stream of bytes.

mod scan; // where a value ends

use crate::error::ReplyError;
use crate::source::Source;
use scan::Scan;

/// The largest document, in bytes.
pub const MAX_DOCUMENT: usize = 64 << 20;

/// One JSON document of the input; it need not be valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'a> {
    /// Its text, without white space around it.
    pub bytes: &'a [u8],
    /// Its number, from 1.
    pub number: usize,
    /// The line of the input at which it starts, from 1.
    pub line: usize,
}

/// Splits bytes into JSON documents: lines, objects over several lines, or the elements of one JSON array.
///
/// If the first line is a complete document, every line is one. A byte order mark, Windows line ends and blank lines are ignored.
/// A reply of Hugging Face may itself be an array: `[{"label": …, "score": …}]` is one document. Memory is bounded by
/// [`MAX_DOCUMENT`] and the largest chunk.
///
/// ```
/// use cwplugin_replies::{Documents, Source};
///
/// let mut documents = Documents::new(Source::Openai);
/// documents.push(b"[{\"a\": 1}, {\"b\"");
/// assert_eq!(documents.next()?.unwrap().bytes, b"{\"a\": 1}");
/// assert_eq!(documents.next()?, None); // more bytes are needed
/// documents.push(b":\n 2}]");
/// documents.finish();
/// assert_eq!(documents.next()?.unwrap().bytes, b"{\"b\":\n 2}");
/// assert_eq!(documents.next()?, None);
/// # Ok::<(), cwplugin_replies::ReplyError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Documents {
    source: Source,
    buffer: Vec<u8>,
    /// Bytes before are done with.
    start: usize,
    /// The scan of the value at `start`, which goes on when bytes are added.
    scan: Scan,
    mode: Mode,
    number: usize,
    /// The line at `start`.
    line: usize,
    /// Whether a byte order mark has been looked for.
    is_past_mark: bool,
    finished: bool,
    failed: bool,
}

/// What is expected at the start of the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The first document decides.
    Beginning,
    /// Every line is a document.
    Lines,
    /// Documents over several lines.
    Values,
    /// An element of the array, or its end if there are none before.
    Element { first: bool },
    /// A comma, or the end of the array.
    Comma,
    /// Nothing after the array.
    End,
}

impl Documents {
    /// No bytes yet; the source only matters for replies that are arrays.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            start: 0,
            scan: Scan::default(),
            mode: Mode::Beginning,
            number: 0,
            line: 1,
            is_past_mark: false,
            finished: false,
            failed: false,
        }
    }

    /// Adds bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// There are no more bytes.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// The next document; none if more bytes are needed, or if all are finished.
    ///
    /// # Errors
    ///
    /// A document longer than [`MAX_DOCUMENT`], or a broken array. Nothing follows after an error.
    #[allow(clippy::should_implement_trait)] // documents borrow the buffer, which an iterator cannot express
    pub fn next(&mut self) -> Result<Option<Document<'_>>, ReplyError> {
        if self.failed {
            return Ok(None);
        }
        match self.advance() {
            Ok(Some((from, to, line))) => {
                self.number += 1;
                Ok(Some(Document { bytes: self.buffer[from..to].trim_ascii(), number: self.number, line }))
            }
            Ok(None) => Ok(None),
            Err(error) => {
                self.failed = true;
                Err(error)
            }
        }
    }

    /// Start, end and line of the next document.
    fn advance(&mut self) -> Result<Option<(usize, usize, usize)>, ReplyError> {
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

#[cfg(test)]
mod tests;
