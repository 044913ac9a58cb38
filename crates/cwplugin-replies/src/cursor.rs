//! Strict JSON, byte by byte, for the lists that are nearly all bytes of replies.
//!
//! Every function returns none if the text is not valid JSON or has something unusual: it is then left to the general parser, so
//! only the usual has to be read here. Tests and a fuzz target compare both.

use std::borrow::Cow;

use crate::value::Text;

/// A place in a JSON text.
pub(crate) struct Cursor<'j> {
    json: &'j str,
    at: usize,
}

impl<'j> Cursor<'j> {
    pub(crate) fn new(json: &'j str, at: usize) -> Self {
        Self { json, at }
    }

    /// Offset of the next byte.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next byte that is not white space.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.json.as_bytes().get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(*byte),
            }
        }
    }

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Passes over this byte.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// Nothing but white space follows.
    pub(crate) fn end(&mut self) -> Option<()> {
        self.peek().is_none().then_some(())
    }

    /// A list of about `n` elements, which `element` reads.
    #[inline]
    pub(crate) fn list<T>(
        &mut self,
        n: usize,
        mut element: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.expect(b'[')?;
        let mut found = Vec::with_capacity(n);
        if self.peek()? == b']' {
            self.at += 1;
            return Some(found);
        }
        loop {
            found.push(element(self)?);
            match self.next()? {
                b',' => {}
                b']' => return Some(found),
                _ => return None,
            }
        }
    }

    /// An object with fields, of which `field` reads every value.
    #[inline]
    pub(crate) fn object(&mut self, mut field: impl FnMut(&mut Self, &'j [u8]) -> Option<()>) -> Option<()> {
        self.expect(b'{')?;
        loop {
            self.expect(b'"')?;
            let key = self.plain_string()?;
            self.expect(b':')?;
            field(self, key)?;
            match self.next()? {
                b',' => {}
                b'}' => return Some(()),
                _ => return None,
            }
        }
    }

    /// A string without escapes, after its opening quote.
    #[inline]
    fn plain_string(&mut self) -> Option<&'j [u8]> {
        let rest = &self.json.as_bytes()[self.at..];
        // Keys and tokens are short: a simple loop is faster than a search with vector instructions.
        let n = rest.iter().position(|byte| STOPS[usize::from(*byte)])?;
        if rest[n] != b'"' {
            return None;
        }
        self.at += n + 1;
        Some(&rest[..n])
    }

    /// A string, without its escapes.
    #[inline]
    pub(crate) fn text(&mut self) -> Option<Cow<'j, str>> {
        self.expect(b'"')?;
        let start = self.at;
        if self.plain_string().is_some() {
            return Some(Cow::Borrowed(self.json.get(start..self.at - 1)?));
        }
        loop {
            match self.json.as_bytes().get(self.at)? {
                b'"' => break,
                b'\\' => self.at += 2,
                0..b' ' => return None,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        let Text(text) = serde_json::from_str(self.json.get(start - 1..self.at)?).ok()?;
        Some(text)
    }

    /// A number that is finite.
    #[inline]
    pub(crate) fn number(&mut self) -> Option<f64> {
        let text = self.number_text()?;
        text.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// A number as it is written.
    #[inline]
    pub(crate) fn number_text(&mut self) -> Option<&'j str> {
        self.peek()?;
        let start = self.at;
        let bytes = self.json.as_bytes();
        if bytes[self.at] == b'-' {
            self.at += 1;
        }
        match bytes.get(self.at)? {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits()?,
            _ => return None,
        }
        if bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.json.get(start..self.at)
    }

    /// One digit or more.
    #[inline]
    fn digits(&mut self) -> Option<()> {
        let rest = self.json.as_bytes().get(self.at..)?;
        let n = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        self.at += n;
        (n > 0).then_some(())
    }

    /// A list of whole numbers as it is written, or null.
    #[inline]
    pub(crate) fn whole_numbers(&mut self) -> Option<&'j str> {
        let start = match self.peek()? {
            b'[' => self.at,
            b'n' => {
                let null = self.json.get(self.at..self.at + 4).filter(|word| *word == "null");
                self.at += 4;
                return null;
            }
            _ => return None,
        };
        self.at += 1;
        if self.peek()? == b']' {
            self.at += 1;
            return self.json.get(start..self.at);
        }
        loop {
            match self.next()? {
                b'0' => {}
                b'1'..=b'9' => {
                    let rest = &self.json.as_bytes()[self.at..];
                    self.at += rest.iter().position(|byte| !byte.is_ascii_digit())?;
                }
                _ => return None,
            }
            match self.next()? {
                b',' => {}
                b']' => return self.json.get(start..self.at),
                _ => return None,
            }
        }
    }
}

/// Bytes that end a string, or are not plain: quotes, backslashes, control characters.
const STOPS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte < 0x20 || byte == b'"' as usize || byte == b'\\' as usize;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_those_of_json() {
        for (json, value) in [("-0.5", -0.5), ("0", 0.0), ("10e-1 ", 1.0), (" 7,", 7.0), ("1E+2", 100.0)] {
            assert_eq!(Cursor::new(json, 0).number(), Some(value), "{json}");
        }
        for json in ["", "-", "+1", ".5", "1.", "1e", "1e999", "NaN", "\"1\"", "null"] {
            assert_eq!(Cursor::new(json, 0).number(), None, "{json}");
        }
        assert_eq!(Cursor::new("01", 0).number_text(), Some("0")); // what follows is then refused
    }

    #[test]
    fn lists_of_whole_numbers_are_those_of_json() {
        for json in ["[]", "[ ]", "[0]", "[1, 20 ,3]", "null"] {
            assert_eq!(Cursor::new(json, 0).whole_numbers(), Some(json));
        }
        for json in ["[", "[01]", "[1,]", "[,1]", "[1 2]", "[-1]", "[1.5]", "nul", "[[]]"] {
            assert_eq!(Cursor::new(json, 0).whole_numbers(), None, "{json}");
        }
    }

    #[test]
    fn texts_with_control_characters_or_without_an_end_are_refused() {
        let text = |json| Cursor::new(json, 0).text();
        assert_eq!(text("\"a\\n\u{e9}\"").unwrap(), "a\n\u{e9}");
        for json in ["\"a", "\"a\n\"", "\"\\n\n\"", "\"\\x\"", "\"\\", "a"] {
            assert_eq!(text(json), None, "{json}");
        }
    }

    proptest! {
        /// What is read is valid JSON, and nothing panics.
        #[test]
        fn what_is_read_is_valid(json in "[\\[\\]{}\",:\\\\a-z0-9 .eE+-]{0,12}") {
            // The grammar alone: 1E310 is valid, but no number of serde_json.
            let valid = |end: usize| serde_json::from_str::<serde::de::IgnoredAny>(&json[..end]).is_ok();
            let mut cursor = Cursor::new(&json, 0);
            prop_assert!(cursor.number_text().is_none() || valid(cursor.at()));
            let mut cursor = Cursor::new(&json, 0);
            prop_assert!(cursor.whole_numbers().is_none() || valid(cursor.at()));
            let mut cursor = Cursor::new(&json, 0);
            prop_assert!(cursor.text().is_none() || valid(cursor.at()));
        }
    }
}
