//! Lists of alternatives, read without the general parser: they are nearly all bytes of a reply.

use std::borrow::Cow;

use crate::cursor::Cursor;
use crate::tokens::position::{Alternative, bytes_of};
use crate::value::Number;

/// Alternatives in most lists.
const USUAL: usize = 20;

/// The alternatives of a JSON list; none if it has something unusual.
pub(crate) fn read(list: &str) -> Option<Vec<Alternative<'_>>> {
    let mut cursor = Cursor::new(list, 0);
    let found = alternatives(&mut cursor)?;
    cursor.end()?;
    Some(found)
}

/// The alternatives of the list at the cursor; none if it has something unusual.
pub(crate) fn alternatives<'j>(cursor: &mut Cursor<'j>) -> Option<Vec<Alternative<'j>>> {
    cursor.list(USUAL, alternative)
}

fn alternative<'j>(cursor: &mut Cursor<'j>) -> Option<Alternative<'j>> {
    let (mut text, mut value, mut numbers) = (None, None, None);
    let mut linear = false;
    // A field that occurs twice is unusual.
    cursor.object(|cursor, key| {
        let is_first = match key {
            b"token" | b"tok_str" => text.replace(cursor.text()?).is_none(),
            b"logprob" | b"logProbability" | b"log_probability" => value.replace(cursor.number()?).is_none(),
            b"prob" => {
                linear = true;
                value.replace(cursor.number()?).is_none()
            }
            b"bytes" => numbers.replace(cursor.whole_numbers()?).is_none(),
            b"id" | b"tokenId" | b"token_id" => cursor.number_text().is_some(),
            _ => false,
        };
        is_first.then_some(())
    })?;
    let text = bytes_of(text.unwrap_or(Cow::Borrowed("")), numbers);
    Some(Alternative { text, value: value.map_or(Number::Absent, Number::Value), linear })
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
            r#"[{"token": "a", "token": "b"}]"#,
            r#"[{"token": "a", "prob": 0.5, "logprob": -1}]"#,
            r#"[{"token": "a"}] x"#,
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
