use proptest::prelude::*;

use super::*;

fn split(source: Source, input: &[u8], chunk: usize) -> (Vec<(String, usize, usize)>, Option<ReplyError>) {
    let mut documents = Documents::new(source);
    let mut found = Vec::new();
    let mut chunks = input.chunks(chunk.max(1));
    let mut finished = false;
    loop {
        match documents.next() {
            Ok(Some(document)) => {
                let text = String::from_utf8_lossy(document.bytes).into_owned();
                found.push((text, document.number, document.line));
            }
            Ok(None) if finished => return (found, None),
            Ok(None) => {
                if let Some(chunk) = chunks.next() {
                    documents.push(chunk);
                } else {
                    documents.finish();
                    finished = true;
                }
            }
            Err(error) => return (found, Some(error)),
        }
    }
}

fn texts(source: Source, input: &str) -> Vec<String> {
    let (found, error) = split(source, input.as_bytes(), 7);
    assert_eq!(error, None, "{input}");
    found.into_iter().map(|(text, ..)| text).collect()
}

#[test]
fn lines_arrays_and_long_objects_are_documents() {
    let expected = ["{\"a\": 1}", "{\"b\": [2, {}]}"];
    for input in [
        "{\"a\": 1}\n{\"b\": [2, {}]}\n",
        "\u{feff}{\"a\": 1}\r\n\r\n{\"b\": [2, {}]}",
        " [ {\"a\": 1},\n{\"b\": [2, {}]} ]\n",
        "\u{feff}[{\"a\": 1},{\"b\": [2, {}]}]",
    ] {
        assert_eq!(texts(Source::Openai, input), expected, "{input}");
    }
    let long = "{\n\"a\":\n1}\n\n{\"b\":\n2}\n";
    let (found, _) = split(Source::Openai, long.as_bytes(), 1);
    assert_eq!(found, [("{\n\"a\":\n1}".to_owned(), 1, 1), ("{\"b\":\n2}".to_owned(), 2, 5)]);
}

#[test]
fn numbers_and_lines_are_counted() {
    let (found, _) = split(Source::Openai, b"\n{}\n\n[1]\n{\n", 3);
    assert_eq!(found, [("{}".to_owned(), 1, 2), ("[1]".to_owned(), 2, 4), ("{".to_owned(), 3, 5)]);
    let (found, _) = split(Source::Openai, b"[\n{},\n\n{\n}]", 3);
    assert_eq!(found, [("{}".to_owned(), 1, 2), ("{\n}".to_owned(), 2, 4)]);
}

#[test]
fn replies_of_hugging_face_may_be_arrays() {
    let reply = r#"[{"label": "a", "score": 1}]"#;
    assert_eq!(texts(Source::Huggingface, reply), [reply]);
    assert_eq!(texts(Source::Huggingface, &format!("{reply}\n{reply}\n[[]]")), [reply, reply, "[[]]"]);
    assert_eq!(texts(Source::Huggingface, &format!("[{reply},\n{reply}]\n[{reply}]")), [reply, reply, reply]);
    let long = "[\n {\"label\": \"a\",\n \"score\": 1}\n]";
    assert_eq!(texts(Source::Huggingface, &format!("{long}\n{reply}")), [long, reply]);
    let wrapped = r#"{"label": "a", "response": []}"#;
    assert_eq!(texts(Source::Huggingface, &format!("[{wrapped}, {wrapped}]")), [wrapped, wrapped]);
    assert_eq!(texts(Source::Huggingface, "[]\n"), ["[]"]);
    assert!(texts(Source::Openai, "[]\n").is_empty());
}

#[test]
fn broken_arrays_are_errors_after_their_replies() {
    let broken = |input: &str| split(Source::Openai, input.as_bytes(), 2);
    let error = |line, expected| Some(ReplyError::BrokenList { line, expected });
    assert_eq!(broken("[{}\n").1, error(2, "a comma or the end of the list"));
    assert_eq!(broken("[{},").1, error(1, "a reply"));
    assert_eq!(broken("[{} {}]").1, error(1, "a comma or the end of the list"));
    assert_eq!(broken("[{}, ]").1, error(1, "a reply"));
    assert_eq!(broken("[{}]\n{}").1, error(2, "the end of the input"));
    // A truncated reply is a document: the reader says what is wrong with it.
    assert_eq!(broken("[{}, {\"a\": ").0.last().unwrap().0, "{\"a\":");
}

#[test]
fn one_document_is_limited() {
    let mut documents = Documents::new(Source::Openai);
    documents.push(b"{\"a\": \"");
    let chunk = vec![b'x'; 16 << 20];
    for _ in 0..4 {
        assert_eq!(documents.next(), Ok(None));
        documents.push(&chunk);
    }
    assert_eq!(documents.next(), Err(ReplyError::TooLong { limit: MAX_DOCUMENT }));
    assert_eq!(documents.next(), Ok(None));
}

proptest! {
    #[test]
    fn chunks_of_any_size_give_the_same_documents(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "{", "}", "[", "]", ",", "\"", "\\", "\n", "\r\n", " ", ":", "{}", "{\"a\": 1}\n", "\"}\"", "12", "\u{feff}", "é",
                "[{\"label\": \"a\", \"score\": 1}]", "{\"label\": \"a\", \"score\": 1}",
            ]),
            0..20,
        ),
        chunk in 1_usize..12,
        source in prop::sample::select(vec![Source::Openai, Source::Huggingface]),
    ) {
        let input = parts.concat();
        let whole = split(source, input.as_bytes(), input.len());
        prop_assert_eq!(&whole, &split(source, input.as_bytes(), chunk));
        // Nothing but white space, list structure and a byte order mark is lost.
        if whole.1.is_none() {
            let kept: usize = whole.0.iter().map(|(text, ..)| text.len()).sum();
            prop_assert!(kept <= input.len());
        }
    }
}
