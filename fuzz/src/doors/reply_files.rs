//! Files of replies as the program reads them: classes and labels are found, rows are checked samples.

use super::replies::REPLIES;
use super::tables;
use crate::Door;
use crate::bytes::Bytes;
use crate::corpus::{fixtures, joined};

pub(super) const DOOR: Door =
    Door { name: "reply_files", title: "files of replies", longest: 16 << 10, check, seeds };

const FROM: [&str; 15] = [
    "openai",
    "completions",
    "vllm",
    "gemini",
    "ollama",
    "llama-cpp",
    "huggingface",
    "comprehend",
    "azure",
    "google-nl",
    "vision",
    "rekognition",
    "clarifai",
    "cohere",
    "votes",
];

const OPTIONS: [&[&str]; 8] = [
    &[],
    &["--classes", "ham,spam"],
    &["--classes", "negative,neutral,positive", "--skip-errors"],
    &["--classes", "ham,spam", "--class", "ham=no,0", "--missing", "floor:0.01"],
    &["--skip-errors", "--missing", "spread"],
    &["--reply", "response.body", "--classes", "ham,spam"],
    &["--answer-at", "label", "--classes", "ham,spam", "--missing", "refuse"],
    &["--label", "truth", "--id", "key", "--ignore-case"],
];

/// Input: the source, the options, the bytes of the file.
fn check(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (from, options) = (bytes.below(FROM.len()), bytes.below(OPTIONS.len()));
    let words = WORDS.with(|words| words[from * OPTIONS.len() + options]);
    drop(tables::read("r.jsonl", words, bytes.rest()));
}

thread_local! {
    /// Every source with all options.
    static WORDS: Vec<&'static [&'static str]> = FROM
        .into_iter()
        .flat_map(|from| OPTIONS.map(|options| &*[&["--from", from], options].concat().leak()))
        .collect();
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (name, content) in fixtures(REPLIES) {
        let from = FROM.iter().position(|from| name.starts_with(from)).unwrap_or(0);
        if content.len() < DOOR.longest - 2 {
            for options in [0, 1 + content.len() % (OPTIONS.len() - 1)] {
                seeds.push(joined(&[from as u8, options as u8], &content));
            }
        }
    }
    seeds
}
