//! The quick readers compared with the general parser, for tests and fuzz targets.

use crate::reader::Reader;
use crate::row::Rows;
use crate::tokens::{Alternative, read_list};
use crate::value::Json;
use crate::vendors::{labels_and_scores, labels_by_parser};

/// The rows of a document are the same without shortcuts.
///
/// # Panics
///
/// If they are not.
pub fn shortcuts_agree(reader: &Reader, document: &[u8]) {
    let (mut rows, mut expected) = (Rows::new(), Rows::new());
    let read = reader.read(document, &mut rows);
    assert_eq!(read, reader.read_generally(document, &mut expected));
    assert_eq!(rows, expected);
}

/// A list of alternatives that is read quickly is valid, and the same as that of the parser.
///
/// # Panics
///
/// If it is not.
pub fn alternatives_agree(list: &str) {
    if let Some(found) = read_list(list) {
        let expected = serde_json::from_str::<Vec<Alternative<'_>>>(list);
        assert_eq!(Some(found), expected.ok());
    }
}

/// A list of labels and scores that is read quickly is valid, and the same as that of the parser.
///
/// # Panics
///
/// If it is not.
pub fn scores_agree(list: &str) {
    if let Some(found) = labels_and_scores(list) {
        assert_eq!(Some(found), Json(list).items().and_then(labels_by_parser));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Classes, Source};

    const PIECES: [&str; 16] = [
        "[",
        "]",
        "{",
        "}",
        ",",
        "\"token\": ",
        "\"logprob\": ",
        "\"label\": ",
        "\"score\": ",
        "\"ham\"",
        "-1.5",
        "0.25",
        "null",
        "\"bytes\": [1]",
        "\"\\n\"",
        " ",
    ];

    proptest! {
        #[test]
        fn lists_of_pieces_are_read_alike(pieces in prop::collection::vec(0..PIECES.len(), 0..12)) {
            let list: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
            alternatives_agree(&list);
            scores_agree(&list);
            alternatives_agree(&format!("[{{{list}}}]"));
            scores_agree(&format!("[{{{list}}}]"));
        }

        #[test]
        fn replies_with_changes_are_read_alike(at in 0..400_usize, piece in 0..PIECES.len()) {
            let mut chat = r#"{"id": "a", "top_logprobs": 2, "choices": [{"message": {"content": "ham"}, "logprobs": {"content": [
                {"token": "ham", "logprob": -0.5, "top_logprobs": [{"token": "ham", "logprob": -0.5, "bytes": [104, 97, 109]},
                {"token": "spam", "logprob": -1.5}]}, {"token": ".", "logprob": 0, "top_logprobs": []}]}}]}"#.to_owned();
            let mut scores = r#"[{"label": "ham", "score": 0.25}, {"label": "spam", "score": 0.75}]"#.to_owned();
            for (source, json) in [(Source::Openai, &mut chat), (Source::Huggingface, &mut scores)] {
                let reader = Reader::new(source, Classes::new(["ham", "spam"]).unwrap());
                shortcuts_agree(&reader, json.as_bytes());
                json.insert_str(at % json.len(), PIECES[piece]);
                shortcuts_agree(&reader, json.as_bytes());
            }
        }
    }
}
