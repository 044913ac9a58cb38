//! Throughput on one thread: `cargo bench -p cwplugin-replies`.
//!
//! Chat completions of about 2 kB with 20 alternatives, as lines, as one array and indented, and a list of scores, each compared with
//! plain passes over the same bytes.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)] // a program that prints figures

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use cwplugin_replies::{Classes, Documents, Reader, Rows, Source};
use serde::de::IgnoredAny;

/// Few enough for the cache and for one slice of the scheduler.
const REPLIES: usize = 1_000;
/// The best of so many runs is shown, unless `RUNS` is set: few are enough to count instructions.
const RUNS: usize = 300;
/// Bytes per chunk, as a file is read.
const CHUNK: usize = 256 << 10;

fn chat(i: usize) -> String {
    let words = [
        "positive",
        " positive",
        "Positive",
        "negative",
        " negative",
        "neutral",
        " Neutral",
        "pos",
        "The",
        "I",
        "\\n",
        " ",
        "Mixed",
        "ne",
        "very",
        " good",
        "bad",
        "This",
        "Sent",
        "Answer",
    ];
    let mut alternatives = String::new();
    for (j, word) in words.iter().enumerate() {
        let log = -0.6 - 0.87 * j as f64 - (i % 97) as f64 * 0.001_234_567;
        let bytes: Vec<String> = word.bytes().map(|byte| byte.to_string()).collect();
        let comma = if j > 0 { "," } else { "" };
        write!(alternatives, r#"{comma}{{"token":"{word}","logprob":{log},"bytes":[{}]}}"#, bytes.join(","))
            .unwrap();
    }
    let log = -0.6 - (i % 97) as f64 * 0.001_234_567;
    format!(
        r#"{{"id":"chatcmpl-{i:08}","object":"chat.completion","created":1762070000,"model":"gpt-4o-mini-2024-07-18","choices":[{{"index":0,"message":{{"role":"assistant","content":"positive","refusal":null,"annotations":[]}},"logprobs":{{"content":[{{"token":"positive","logprob":{log},"bytes":[112,111,115,105,116,105,118,101],"top_logprobs":[{alternatives}]}}],"refusal":null}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":81,"completion_tokens":1,"total_tokens":82,"prompt_tokens_details":{{"cached_tokens":0,"audio_tokens":0}},"completion_tokens_details":{{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}}},"service_tier":"default","system_fingerprint":"fp_0123456789"}}"#
    )
}

fn scores(i: usize) -> String {
    let p = 0.3 + (i % 97) as f64 * 0.001_234_567;
    format!(
        r#"[{{"label":"POSITIVE","score":{p}}},{{"label":"NEGATIVE","score":{}}},{{"label":"NEUTRAL","score":0.01}}]"#,
        0.99 - p
    )
}

/// The best run, in MB/s.
fn measure(name: &str, bytes: usize, mut run: impl FnMut() -> usize) {
    // `cargo bench … -- NAME` runs only what contains the name.
    if std::env::args().skip(1).any(|wanted| !wanted.starts_with('-') && !name.contains(&wanted)) {
        return;
    }
    let runs = std::env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:<44} {:>8.0} MB/s", bytes as f64 / best / 1e6);
}

#[inline(never)] // so that a profiler can count it alone
fn read(source: Source, input: &[u8]) -> usize {
    let reader = Reader::new(source, Classes::new(["negative", "neutral", "positive"]).unwrap());
    let mut documents = Documents::new(source);
    let mut rows = Rows::new();
    let mut total = 0;
    let mut chunks = input.chunks(CHUNK);
    loop {
        while let Some(document) = documents.next().unwrap() {
            total += reader.read(document.bytes, &mut rows).unwrap();
        }
        rows.clear();
        match chunks.next() {
            Some(chunk) => documents.push(chunk),
            None if total == REPLIES => return total,
            None => documents.finish(),
        }
    }
}

fn split(source: Source, input: &[u8]) -> usize {
    let mut documents = Documents::new(source);
    documents.push(input);
    documents.finish();
    let mut n = 0;
    while documents.next().unwrap().is_some() {
        n += 1;
    }
    n
}

fn main() {
    let replies: Vec<String> = (0..REPLIES).map(chat).collect();
    let lines = replies.join("\n").into_bytes();
    let array = format!("[{}]", replies.join(",\n")).into_bytes();
    let pretty: Vec<String> = replies
        .iter()
        .map(|reply| {
            serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(reply).unwrap()).unwrap()
        })
        .collect();
    let pretty = pretty.join("\n").into_bytes();
    println!("{} replies of {} bytes", REPLIES, replies[0].len());
    let n = lines.len();
    measure("newlines, memchr", n, || memchr::memchr_iter(b'\n', &lines).count());
    measure("UTF-8 check", n, || std::str::from_utf8(&lines).unwrap().len());
    measure("serde_json, all ignored", n, || {
        for line in lines.split(|byte| *byte == b'\n') {
            black_box(serde_json::from_slice::<IgnoredAny>(line).unwrap());
        }
        n
    });
    measure("serde_json::Value", n, || {
        for line in lines.split(|byte| *byte == b'\n') {
            black_box(serde_json::from_slice::<serde_json::Value>(line).unwrap());
        }
        n
    });
    measure("openai, lines: split", n, || split(Source::Openai, &lines));
    measure("openai, array: split", array.len(), || split(Source::Openai, &array));
    measure("openai, indented: split", pretty.len(), || split(Source::Openai, &pretty));
    measure("openai, lines: rows", n, || read(Source::Openai, &lines));
    measure("openai, array: rows", array.len(), || read(Source::Openai, &array));
    measure("openai, indented: rows", pretty.len(), || read(Source::Openai, &pretty));
    let lists = (0..REPLIES).map(scores).collect::<Vec<_>>().join("\n").into_bytes();
    measure("huggingface, lines: rows", lists.len(), || read(Source::Huggingface, &lists));
}
