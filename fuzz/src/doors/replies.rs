//! Replies of every source, as lines, arrays or objects over several lines: rows are probabilities, chunks and shortcuts change
//! nothing, and an error leaves no row.

use cwplugin_replies::{Classes, Documents, Reader, Rows, Source, names_in, recognise};
use serde_json::{Value, json};

use crate::Door;
use crate::bytes::Bytes;
use crate::corpus::{fixtures, joined};

pub(super) const DOOR: Door =
    Door { name: "replies", title: "replies of every source", longest: 8 << 10, check, seeds };

/// The folder of the fixtures.
pub(super) const REPLIES: &str = "replies";

const NAMES: [&[&str]; 4] = [
    &["ham", "spam"],
    &["negative", "neutral", "positive"],
    &["1", "10", "very good", "very bad"],
    &["no", "none", "正面"],
];

/// Input: the source, the options, where the bytes are cut, the bytes.
fn check(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (source, options, cut) = (bytes.pick(&Source::ALL), bytes.byte(), bytes.byte());
    let (reader, bytes) = (reader(source, options), bytes.rest());
    let whole = documents(source, &[bytes]);
    let cut = usize::from(cut) * bytes.len() / 256;
    assert_eq!(whole, documents(source, &[&bytes[..cut], &bytes[cut..]]));
    let mut rows = Rows::new();
    for document in whole.0.iter().take(8) {
        let before = rows.clone();
        match reader.read(document, &mut rows) {
            Ok(n) => assert_eq!(rows.len(), before.len() + n),
            Err(error) => {
                assert_eq!(rows, before, "an error leaves no row");
                drop((error.to_string(), error.cure(), error.kind()));
            }
        }
        #[cfg(fuzzing)]
        cwplugin_replies::fuzzing::shortcuts_agree(&reader, document);
        drop((names_in(source, None, document), recognise(document)));
    }
    for row in rows.iter() {
        let sum: f64 = row.probabilities.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9 && row.probabilities.iter().all(|p| *p >= 0.0), "{row:?}");
        assert!((0.0..=1.0).contains(&row.other), "{row:?}");
    }
}

/// All documents, and the error that ends them.
fn documents(source: Source, chunks: &[&[u8]]) -> (Vec<Vec<u8>>, Option<String>) {
    let mut documents = Documents::new(source);
    let mut found = Vec::new();
    let mut chunks = chunks.iter();
    let mut is_finished = false;
    loop {
        match documents.next() {
            Ok(Some(document)) => found.push(document.bytes.to_vec()),
            Ok(None) if is_finished => return (found, None),
            Ok(None) => {
                if let Some(chunk) = chunks.next() {
                    documents.push(chunk);
                } else {
                    documents.finish();
                    is_finished = true;
                }
            }
            Err(error) => return (found, Some(error.to_string())),
        }
    }
}

fn reader(source: Source, options: u8) -> Reader {
    let classes = Classes::new(NAMES[usize::from(options & 3)].iter().copied()).unwrap();
    let mut reader = Reader::new(source, classes);
    if options & 4 != 0 {
        reader = reader.reply_at("response".parse().unwrap());
    }
    if options & 8 != 0 && source.has_tokens() {
        reader = reader.answer_at("label".parse().unwrap()).unwrap();
    }
    let missing = ["spread", "floor:0.001", "refuse"][usize::from(options >> 4) % 3];
    reader.missing(missing.parse().unwrap())
}

/// The cases of the fixtures: the source, the options, the content of the file.
pub(super) fn cases() -> Vec<(String, Value, Vec<u8>)> {
    let files = fixtures(REPLIES);
    let content =
        |name: &str| files.iter().find(|(known, _)| known == name).map(|(_, content)| content.clone());
    let cases: Vec<Value> = serde_json::from_slice(&content("cases.json").unwrap()).unwrap();
    let case = |case: &Value| {
        let content =
            content(case["file"].as_str()?).filter(|content| std::str::from_utf8(content).is_ok())?;
        Some((case["from"].as_str()?.to_owned(), case["options"].clone(), content))
    };
    cases.iter().filter_map(case).collect()
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (from, options, content) in cases() {
        let Some(source) = Source::ALL.iter().position(|source| source.name() == from) else { continue };
        let classes = NAMES.iter().position(|names| options["classes"] == json!(names)).unwrap_or(2);
        let flag = |name: &str, bit: u8| if options[name].is_null() { 0 } else { bit };
        let head = [source as u8, classes as u8 | flag("reply", 4) | flag("answer_at", 8), 100];
        let lines = content.split(|byte| *byte == b'\n').take(2);
        let inputs = lines.chain([&content[..]]).filter(|input| input.len() < DOOR.longest - 3);
        seeds.extend(inputs.map(|input| joined(&head, input)));
    }
    seeds.sort();
    seeds.dedup();
    seeds
}
