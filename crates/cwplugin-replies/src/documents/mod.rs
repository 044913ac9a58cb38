//! JSON documents in a stream of bytes.

mod words; // brackets and strings, eight bytes at a time
mod scan; // where a value ends
mod advance; // the next document

use std::io::{self, Read};

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
        self.forget();
        self.buffer.extend_from_slice(bytes);
    }

    /// Adds up to `n` bytes of a reader, and returns how many; at its end, there are no more bytes.
    ///
    /// # Errors
    ///
    /// Those of the reader; bytes that were read before are added.
    pub fn read_from(&mut self, reader: impl Read, n: usize) -> io::Result<usize> {
        self.forget();
        let read = reader.take(n as u64).read_to_end(&mut self.buffer)?;
        if read == 0 {
            self.finish();
        }
        Ok(read)
    }

    /// Removes the bytes that are done with.
    fn forget(&mut self) {
        self.buffer.drain(..self.start);
        self.start = 0;
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
}

#[cfg(test)]
mod tests;
