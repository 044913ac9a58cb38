//! The start of a field's value in an answer that contains JSON, and the token at which it starts.

use crate::error::ReplyError;
use crate::path::FieldPath;
use crate::tokens::position::Position;
use crate::tokens::walk::Start;
use crate::value::cut;

/// Characters of an answer in a message.
const SHOWN: usize = 60;

/// The position whose token contains the first character of the field's value.
pub(crate) fn locate(positions: &[Position<'_>], field: &FieldPath) -> Result<Start, ReplyError> {
    let mut answer = Vec::new();
    let mut starts = Vec::with_capacity(positions.len());
    for position in positions {
        starts.push(answer.len());
        answer.extend_from_slice(&position.answer());
    }
    let missing = || ReplyError::NoAnswerField {
        field: field.to_string(),
        answer: cut(&String::from_utf8_lossy(&answer), SHOWN),
    };
    let value = value_start(&answer, field.parts()).ok_or_else(missing)?;
    // The last token that starts at or before the value; tokens without text lie before it.
    let position = starts.partition_point(|&start| start <= value).checked_sub(1).ok_or_else(missing)?;
    if value >= answer.len() {
        return Err(missing());
    }
    Ok(Start { position, structure: answer[starts[position]..value].to_vec() })
}

/// Offset of the value at the path, in the first object that has it; after the quote of a text.
fn value_start(text: &[u8], path: &[String]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'{', &text[from..]) {
        let mut scan = Scan { text, at: from + at };
        match scan.object(path) {
            Found::Value(start) => return Some(start),
            Found::Elsewhere => return None,
            Found::Absent => from = scan.at,
            // A brace in a sentence.
            Found::NotJson => from += at + 1,
        }
    }
    None
}

enum Found {
    /// Offset of the value.
    Value(usize),
    /// The value is no text, number, true or false, or the answer ends before it.
    Elsewhere,
    /// The object is complete and has no such field.
    Absent,
    NotJson,
}

/// A reader that accepts answers cut off in the middle.
struct Scan<'t> {
    text: &'t [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Reads the object that starts here, up to the field.
    fn object(&mut self, path: &[String]) -> Found {
        let Some((name, rest)) = path.split_first() else { return Found::Elsewhere };
        self.at += 1;
        loop {
            self.skip_space();
            match self.peek() {
                None => return Found::Elsewhere,
                Some(b'}') => {
                    self.at += 1;
                    return Found::Absent;
                }
                Some(b'"') => {}
                Some(_) => return Found::NotJson,
            }
            let start = self.at;
            if !self.skip_string() {
                return Found::Elsewhere;
            }
            let key = &self.text[start..self.at];
            self.skip_space();
            match self.peek() {
                None => return Found::Elsewhere,
                Some(b':') => self.at += 1,
                Some(_) => return Found::NotJson,
            }
            self.skip_space();
            if is_key(key, name) {
                match self.peek() {
                    Some(b'{') if !rest.is_empty() => match self.object(rest) {
                        Found::Absent => return Found::Elsewhere,
                        found => return found,
                    },
                    Some(b'"') if rest.is_empty() => return Found::Value(self.at + 1),
                    Some(b'-' | b'0'..=b'9' | b't' | b'f') if rest.is_empty() => {
                        return Found::Value(self.at);
                    }
                    _ => return Found::Elsewhere,
                }
            }
            if !self.skip_value() {
                return Found::Elsewhere;
            }
            self.skip_space();
            match self.peek() {
                None => return Found::Elsewhere,
                Some(b',') => self.at += 1,
                Some(b'}') => {}
                Some(_) => return Found::NotJson,
            }
        }
    }

    /// Whether the string that starts here ends.
    fn skip_string(&mut self) -> bool {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return true;
            }
        }
        false
    }

    /// Whether the value that starts here ends.
    fn skip_value(&mut self) -> bool {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    if !self.skip_string() {
                        return false;
                    }
                    if depth == 0 {
                        return true;
                    }
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' | b',' if depth == 0 => return true,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return true;
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        false
    }
}

/// Whether the quoted key is this name.
fn is_key(quoted: &[u8], name: &str) -> bool {
    if memchr::memchr(b'\\', quoted).is_some() {
        return serde_json::from_slice::<String>(quoted).is_ok_and(|key| key == name);
    }
    quoted.get(1..quoted.len().saturating_sub(1)) == Some(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::position::Alternative;

    fn found(tokens: &[&str], path: &str) -> Result<(usize, String), ReplyError> {
        let positions: Vec<Position<'_>> = tokens
            .iter()
            .map(|token| Position {
                chosen: Alternative { text: token.as_bytes().into(), ..Alternative::default() },
                ..Position::default()
            })
            .collect();
        let start = locate(&positions, &path.parse().unwrap())?;
        Ok((start.position, String::from_utf8(start.structure).unwrap()))
    }

    #[test]
    fn the_value_starts_after_its_quote() {
        assert_eq!(found(&["{\"", "label", "\":\"", "spam", "\"}"], "label"), Ok((3, String::new())));
        assert_eq!(found(&["{\"", "label", "\":", " \"sp", "am\"}"], "label"), Ok((3, " \"".into())));
        assert_eq!(found(&["{\"n\": ", "-", "1}"], "n"), Ok((1, String::new())));
        assert_eq!(found(&["{\"n\":ĠtrueĊ}"], "n"), Ok((0, "{\"n\": ".into())));
    }

    #[test]
    fn fences_sentences_and_other_fields_are_skipped() {
        let tokens = [
            "Given {x}: ```json\n",
            "{\"why\": \"{\\\"label\\\"",
            ": 1}\", \"a\": [{\"label\": 0}],",
            " \"label\":",
            "2}",
        ];
        assert_eq!(found(&tokens, "label"), Ok((4, String::new())));
        let tokens = ["{\"label\": {\"x\": 0, ", "\"na\\u006de\": \"", "b"];
        assert_eq!(found(&tokens, "label.name"), Ok((2, String::new())));
    }

    #[test]
    fn without_the_field_the_answer_is_quoted() {
        let error = ReplyError::NoAnswerField { field: "label".into(), answer: "{\"x\": 1} spam".into() };
        assert_eq!(found(&["{\"x\": 1}", " spam"], "label"), Err(error));
        for answer in [
            "",
            "{",
            "{\"label",
            "{\"label\": ",
            "{\"label\": null}",
            "{\"a\": {\"label\": 1}}",
            "{\"label\": \"",
        ] {
            assert!(found(&[answer], "label").is_err(), "{answer}");
        }
    }
}
