//! Where a line or a JSON value ends; a scan goes on where it stopped when bytes are added.

use super::words::Open;

/// Bytes of a short string.
const SHORT: usize = 16;

/// The state of a scan from the start of a value.
#[derive(Debug, Clone, Default)]
pub(super) struct Scan {
    /// Bytes scanned.
    at: usize,
    open: Open,
    /// Whether the value is a number or a word.
    is_bare: bool,
}

impl Scan {
    /// Offset of the end of the line.
    pub(super) fn line_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let found = memchr::memchr(b'\n', &bytes[self.at..]).map(|n| self.at + n);
        self.at = bytes.len();
        found
    }

    /// Length of the JSON value at the start of the bytes, which have no white space there; none if it is not complete.
    ///
    /// Anything but an object, a list or a text ends before white space, a comma or a closing bracket.
    pub(super) fn value_end(&mut self, bytes: &[u8]) -> Option<usize> {
        if self.is_bare {
            return self.bare_end(bytes);
        }
        while self.at < bytes.len() {
            if self.open.depth > 0 {
                self.at += self.open.skip_words(&bytes[self.at..]);
            }
            if self.open.in_string {
                match string_stop(&bytes[self.at..]) {
                    None => {
                        self.at = bytes.len();
                        return None;
                    }
                    Some(n) if bytes[self.at + n] == b'"' => {
                        self.at += n + 1;
                        self.open.in_string = false;
                        if self.open.depth == 0 {
                            return Some(self.at);
                        }
                    }
                    // The character after the backslash has to be there, too.
                    Some(n) if self.at + n + 1 == bytes.len() => {
                        self.at += n;
                        return None;
                    }
                    Some(n) => self.at += n + 2,
                }
                continue;
            }
            if self.open.depth > 0 {
                self.at += next_structure(&bytes[self.at..]);
            }
            match bytes.get(self.at)? {
                b'"' => self.open.in_string = true,
                b'{' | b'[' => self.open.depth += 1,
                b'}' | b']' if self.open.depth > 1 => self.open.depth -= 1,
                b'}' | b']' if self.open.depth == 1 => return Some(self.at + 1),
                _ if self.open.depth == 0 => return self.bare_end(bytes),
                _ => {}
            }
            self.at += 1;
        }
        None
    }

    /// The end of a number or a word.
    fn bare_end(&mut self, bytes: &[u8]) -> Option<usize> {
        self.is_bare = true;
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}');
        // At least one byte, so that the input is used up.
        let from = self.at.max(1);
        let found = bytes.get(from..)?.iter().position(ends).map(|n| from + n);
        self.at = bytes.len();
        found
    }
}

/// Offset of the next quote or backslash.
fn string_stop(bytes: &[u8]) -> Option<usize> {
    // Most strings are keys and tokens, for which a search with vector instructions takes longer to start.
    let short = bytes.len().min(SHORT);
    match bytes[..short].iter().position(|byte| matches!(byte, b'"' | b'\\')) {
        Some(n) => Some(n),
        None => memchr::memchr2(b'"', b'\\', &bytes[short..]).map(|n| short + n),
    }
}

/// Quotes, braces and brackets.
const IS_STRUCTURE: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"\"{}[]";
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
};

/// Bytes before the next quote, brace or bracket.
fn next_structure(bytes: &[u8]) -> usize {
    // Structure is dense: a simple loop is faster than a search with vector instructions.
    bytes.iter().position(|byte| IS_STRUCTURE[usize::from(*byte)]).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_at_their_bracket_in_pieces_too() {
        for (text, n) in [
            (r#"{"a": "}\"", "b": [1, {}]} x"#, 26),
            (r#"[[], "]"],"#, 9),
            ("\"a\\\\\" \"", 5),
            ("12, 3", 2),
            ("0.12,-0.5,0.33]", 4),
            ("true]", 4),
            ("} ", 1),
        ] {
            let bytes = text.as_bytes();
            assert_eq!(Scan::default().value_end(bytes), Some(n), "{text}");
            let mut scan = Scan::default();
            let pieces = (1..=bytes.len()).find_map(|end| scan.value_end(&bytes[..end]));
            assert_eq!(pieces, Some(n), "{text}");
        }
    }

    #[test]
    fn incomplete_values_have_no_end() {
        for text in ["{", "{\"a\": \"}", "[\"\\", "12", "\"a\\\"", ""] {
            assert_eq!(Scan::default().value_end(text.as_bytes()), None, "{text}");
        }
    }
}
