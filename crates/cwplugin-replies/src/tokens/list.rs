//! Lists of alternatives, read without the general parser: they are nearly all bytes of a reply.
//!
//! The list has been checked by the parser when it was skipped, so this only has to find the values. What it does not expect is
//! left to the parser; a test compares both.

use std::borrow::Cow;

use crate::tokens::position::{Alternative, bytes_of, is_odd, numbers_to_bytes};
use crate::value::{Number, Text};

/// The alternatives of a valid JSON list; none if it has something unusual.
pub(crate) fn read(list: &str) -> Option<Vec<Alternative<'_>>> {
    let mut scan = Scan { json: list, bytes: list.as_bytes(), at: 0 };
    let mut found = Vec::with_capacity(20);
    scan.expect(b'[')?;
    if scan.peek()? == b']' {
        return Some(found);
    }
    loop {
        found.push(scan.alternative()?);
        match scan.next()? {
            b',' => {}
            b']' => return Some(found),
            _ => return None,
        }
    }
}

struct Scan<'j> {
    json: &'j str,
    bytes: &'j [u8],
    at: usize,
}

impl<'j> Scan<'j> {
    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(*byte),
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    fn alternative(&mut self) -> Option<Alternative<'j>> {
        self.expect(b'{')?;
        let mut found = Alternative::default();
        let mut numbers = None;
        loop {
            self.expect(b'"')?;
            let key = self.plain_string()?;
            self.expect(b':')?;
            match key {
                b"token" | b"tok_str" => found.text = self.text()?,
                b"logprob" | b"logProbability" | b"log_probability" => found.value = self.number()?,
                b"prob" => (found.value, found.linear) = (self.number()?, true),
                b"bytes" => numbers = Some(self.numbers()?),
                b"id" | b"tokenId" | b"token_id" => drop(self.number()?),
                _ => return None,
            }
            match self.next()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        if let Some(numbers) = numbers
            && let Ok(token) = std::str::from_utf8(&found.text)
            && is_odd(token)
            && let Some(bytes) = numbers_to_bytes(numbers)
        {
            found.text = Cow::Owned(bytes);
        }
        Some(found)
    }

    /// A string without escapes, after its opening quote.
    fn plain_string(&mut self) -> Option<&'j [u8]> {
        let rest = &self.bytes[self.at..];
        // Keys and tokens are short: a simple loop is faster than a search with vector instructions.
        let n = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        if rest[n] == b'\\' {
            return None;
        }
        self.at += n + 1;
        Some(&rest[..n])
    }

    /// A string.
    fn text(&mut self) -> Option<Cow<'j, [u8]>> {
        self.expect(b'"')?;
        let start = self.at - 1;
        if let Some(text) = self.plain_string() {
            return Some(Cow::Borrowed(text));
        }
        loop {
            match self.bytes.get(self.at)? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        let Text(text) = serde_json::from_str(self.json.get(start..self.at)?).ok()?;
        Some(bytes_of(text, None))
    }

    /// A number; anything else is unusual.
    fn number(&mut self) -> Option<Number> {
        self.peek()?;
        let start = self.at;
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        self.at += self.bytes[start..].iter().position(|byte| !is_part(byte))?;
        let value: f64 = self.json.get(start..self.at)?.parse().ok()?;
        value.is_finite().then_some(Number::Value(value))
    }

    /// A list of numbers, or null.
    fn numbers(&mut self) -> Option<&'j str> {
        let start = match self.peek()? {
            b'[' => self.at,
            b'n' => {
                self.at += 4;
                return Some("null");
            }
            _ => return None,
        };
        let inside = &self.bytes[start + 1..];
        let n = inside.iter().position(|byte| matches!(byte, b']' | b'[' | b'"'))?;
        if inside[n] != b']' {
            return None;
        }
        self.at = start + n + 2;
        self.json.get(start..self.at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same list by the general parser.
    fn slow(list: &str) -> Vec<Alternative<'_>> {
        serde_json::from_str(list).unwrap()
    }

    #[test]
    fn escapes_bytes_and_white_space_are_read_as_by_the_parser() {
        for list in [
            "[]",
            "[ ]",
            r#"[{"token": "a\n\"b", "logprob": -1.5e-3, "bytes": [97, 10]}, {"bytes":null,"token":" x","logprob":-2}]"#,
            r#"[{"id": 7, "token": "\\xe6", "prob": 0.5, "bytes": [230]}]"#,
            "[\n{\"token\": \"▁é\",\n \"logProbability\": -1}\n]",
            r#"[{"tok_str": "\ud83d", "logprob": -1}]"#,
        ] {
            assert_eq!(read(list).unwrap(), slow(list), "{list}");
        }
    }

    #[test]
    fn the_unusual_is_left_to_the_parser() {
        for list in [
            r#"[{"token": "a", "logprob": null}]"#,
            r#"[{"token": "a", "logprob": "x"}]"#,
            r#"[{"t\u006fken": "a"}]"#,
            r#"[{"token": "a", "other": {"token": "b"}}]"#,
            r#"[{"token": "a", "bytes": [[1]]}]"#,
            r#"[{"token": null}]"#,
            "[{}]",
            "null",
            "{}",
        ] {
            assert_eq!(read(list), None, "{list}");
        }
    }

    proptest! {
        #[test]
        fn the_fast_way_agrees_with_the_parser(
            entries in prop::collection::vec((".{0,6}", -30.0_f64..0.0, prop::option::of(prop::collection::vec(0_u8.., 0..4)), 0..3_usize), 0..6),
        ) {
            let entry = |(token, log, bytes, order): &(String, f64, Option<Vec<u8>>, usize)| {
                let mut fields = [
                    format!("\"token\": {}", serde_json::to_string(token).unwrap()),
                    format!("\"logprob\":{log}"),
                    format!("\"bytes\" : {}", serde_json::to_string(bytes).unwrap()),
                ];
                fields.rotate_left(*order);
                format!("{{{}}}", fields.join(" ,"))
            };
            let list = format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(","));
            prop_assert_eq!(read(&list).unwrap(), slow(&list));
        }

        #[test]
        fn no_text_panics(list in "[\\[\\]{}\",:\\\\a-z0-9 .e+-]{0,40}") {
            drop(read(&list));
        }
    }
}
