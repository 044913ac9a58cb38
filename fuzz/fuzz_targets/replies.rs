//! Replies of every source, as lines, arrays or objects over several lines: nothing panics, rows are probabilities, chunks and
//! shortcuts change nothing.
//!
//! Input: the source, the options, where the bytes are cut, the bytes.

#![no_main]

use cwplugin_replies::{Classes, Documents, Reader, Rows, Source, fuzzing, names_in, recognise};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [source, options, cut, bytes @ ..] = data else { return };
    let source = Source::ALL[usize::from(*source) % Source::ALL.len()];
    let reader = reader(source, *options);
    let whole = documents(source, &[bytes]);
    let cut = usize::from(*cut) * bytes.len() / 256;
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
        fuzzing::shortcuts_agree(&reader, document);
        drop((names_in(source, None, document), recognise(document)));
    }
    for row in rows.iter() {
        let sum: f64 = row.probabilities.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9 && row.probabilities.iter().all(|p| *p >= 0.0), "{row:?}");
        assert!((0.0..=1.0).contains(&row.other), "{row:?}");
    }
});

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
            Ok(None) => match chunks.next() {
                Some(chunk) => documents.push(chunk),
                None => {
                    documents.finish();
                    is_finished = true;
                }
            },
            Err(error) => return (found, Some(error.to_string())),
        }
    }
}

fn reader(source: Source, options: u8) -> Reader {
    let names: [&[&str]; 4] = [
        &["ham", "spam"],
        &["negative", "neutral", "positive"],
        &["1", "10", "very good", "very bad"],
        &["no", "none", "正面"],
    ];
    let classes = Classes::new(names[usize::from(options & 3)].iter().copied()).unwrap();
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
