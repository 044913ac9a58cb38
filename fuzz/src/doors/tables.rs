//! Tables in every format: read or refused with an error for the user; compressed, the same rows are read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write as _;

use cwplugin::Sample;
use cwplugin_cli::{GivenOptions, UserError};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::bytes::Bytes;
use crate::corpus::{fixtures, joined};
use crate::files::file;
use crate::{Door, rows};

pub(super) const DOOR: Door =
    Door { name: "tables", title: "tables in every format", longest: 16 << 10, check, seeds };

/// The last has no extension: its format is detected.
const NAMES: [&str; 8] = ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.arrow", "t.npy", "t.npz", "t"];

const OPTIONS: [&[&str]; 16] = [
    &[],
    &["--normalize"],
    &["--scores", "logits"],
    &["--scores", "logprobs"],
    &["--scores", "percentages"],
    &["--classes", "ham,spam"],
    &["--classes", "a,b,c", "--ignore-case"],
    &["--prefix", "p_"],
    &["--positive", "spam"],
    &["--weight", "w"],
    &["--decimal", ","],
    &["--delimiter", ";"],
    &["--label-index", "0"],
    &["--label-index", "1", "--normalize"],
    &["--id", "id,text"],
    &["--from", "votes"],
];

/// Input: the extension, the options, the compression, the bytes.
fn check(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (name, options, compression) = (bytes.pick(&NAMES), bytes.pick(&OPTIONS), bytes.byte() % 3);
    let content = bytes.rest();
    let read = read(name, options, content);
    let packed = match compression {
        0 => return,
        1 => gzip(content),
        _ => zstd::bulk::compress(content, 1).unwrap(),
    };
    let is_packed = [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd"].iter().any(|magic| content.starts_with(magic))
        || content.get(1..4) == Some(b"\x2a\x4d\x18");
    // What is compressed twice is refused.
    if let Some((sample, classes)) = read.filter(|_| !is_packed) {
        let again = self::read(name, options, &packed);
        assert!(
            again.is_some_and(|again| again == (sample, classes)),
            "{name} is another table if compressed"
        );
    }
}

/// A table, checked; `None` if it is refused.
pub(super) fn read(name: &str, options: &'static [&str], content: &[u8]) -> Option<(Sample, Vec<String>)> {
    thread_local! {
        // Parsing takes longer than reading a small table.
        static PARSED: RefCell<HashMap<&'static [&'static str], GivenOptions>> = RefCell::default();
    }
    let parse = || GivenOptions::parse(options.iter().chain(&["--quiet", "--threads", "1"])).unwrap();
    let given = PARSED.with_borrow_mut(|parsed| parsed.entry(options).or_insert_with(parse).clone());
    outcome(given.read(&file(name, content), None))
}

/// A sample, checked; `None` if it is refused.
pub(super) fn outcome(read: anyhow::Result<(Sample, Vec<String>)>) -> Option<(Sample, Vec<String>)> {
    match read {
        Ok((sample, classes)) => {
            rows::check(&sample, &classes);
            Some((sample, classes))
        }
        Err(error) => {
            check_error(&error);
            None
        }
    }
}

/// An error names the file or the option, and the cure.
pub(super) fn check_error(error: &anyhow::Error) {
    let is_for_users =
        error.downcast_ref::<UserError>().is_some() || error.downcast_ref::<cwplugin::Error>().is_some();
    assert!(is_for_users && !error.to_string().is_empty(), "{error:?}");
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn seeds() -> Vec<Vec<u8>> {
    let of = |(name, content): (String, Vec<u8>)| {
        let extension = NAMES.iter().position(|known| name.ends_with(known.trim_start_matches('t')));
        joined(&[extension.unwrap_or(7) as u8, 0, content.len() as u8 % 3], &content)
    };
    let small = fixtures("formats").into_iter().filter(|(_, content)| content.len() <= DOOR.longest - 3);
    let mut seeds: Vec<Vec<u8>> = small.map(of).collect();
    let texts: [(u8, u8, &str); 11] = [
        (0, 0, "label,p_ham,p_spam\nham,0.9,0.1\nspam,0.3,0.7\n,0.5,0.5\n"),
        (0, 8, "label,spam\nham,0.1\nspam,0.7\n"),
        (0, 15, "label,ham,spam\nham,3,1\nspam,0,5\n"),
        (0, 11, "label;p_ham;p_spam\nham;0,9;0,1\nspam;0,3;0,7\n"),
        (0, 4, "label,ham,spam\nham,90,10\nspam,30.5,69.5\n"),
        (0, 9, "label,ham,spam,w\nham,0.9,0.1,2\nspam,0.3,0.7,0.5\n"),
        (0, 12, "label,a,b,c\n0,0.9,0.1,0\n2,0.3,0.3,0.4\n"),
        (0, 2, "label,ham,spam\nham,2.5,-1\nspam,-0.5,1e3\n"),
        (1, 0, "label\tp_ham\tp_spam\n\"ham\"\t0.9\t0.1\nspam\t3e-1\t7e-1\n"),
        (
            2,
            0,
            "{\"label\": \"ham\", \"p_ham\": 0.9, \"p_spam\": 0.1}\n{\"label\": null, \"p_ham\": 0.2, \"p_spam\": 0.8}\n",
        ),
        (7, 3, "\u{feff}label,ham,spam\r\n\"h\"\"am\",-0.1,-2.35\r\n"),
    ];
    seeds.extend(texts.map(|(name, options, text)| joined(&[name, options, 0], text.as_bytes())));
    seeds
}
