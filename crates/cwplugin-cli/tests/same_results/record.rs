//! Compares the results of a group of cases with the record, or records them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, Write as _};

use super::values::Parts;
use crate::support::testdata;

/// Names the file to record in, instead of comparing.
const RECORD: &str = "CWPLUGIN_RECORD";
/// Names a file for the values themselves, as JSON, whether they are recorded or compared.
const FULL_RECORD: &str = "CWPLUGIN_FULL_RECORD";

/// A failing test prints so many differences, and so much of each.
const SHOWN_DIFFERENCES: usize = 12;
const SHOWN_CHARACTERS: usize = 800;

/// The cases of one test.
pub(super) struct Group {
    name: &'static str,
    cases: BTreeMap<String, Case>,
}

struct Case {
    /// The commands that led here, one a line.
    commands: String,
    parts: Parts,
}

impl Group {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, cases: BTreeMap::new() }
    }

    /// Adds a case; its name is one word, and no other case of the group has it.
    pub(super) fn add(&mut self, name: &str, commands: &str, parts: Parts) {
        assert!(!name.contains(char::is_whitespace), "{name:?} is not one word");
        let name = format!("{}/{name}", self.name);
        let known = self.cases.insert(name.clone(), Case { commands: commands.into(), parts });
        assert!(known.is_none(), "two cases are called {name}");
    }

    /// Whether this run records.
    pub(super) fn is_recording() -> bool {
        std::env::var_os(RECORD).is_some()
    }

    /// Compares every part with the record, or records them.
    pub(super) fn finish(self) {
        if let Ok(path) = std::env::var(FULL_RECORD) {
            self.write_in_full(&path);
        }
        if let Ok(path) = std::env::var(RECORD) {
            return self.write(&path);
        }
        let record = fs::read_to_string(testdata("same-results.txt")).unwrap();
        let differences = self.differences(&record);
        let n = differences.len();
        let shown = differences[..n.min(SHOWN_DIFFERENCES)].join("\n");
        assert!(n == 0, "differences from testdata/same-results.txt: {n}, among them\n\n{shown}");
    }

    fn differences(&self, record: &str) -> Vec<String> {
        let mut recorded: BTreeMap<&str, BTreeMap<&str, &str>> = self
            .lines_of_group(record)
            .map(|line| {
                let (name, parts) = line.split_once(' ').unwrap();
                (name, parts.split(' ').map(|part| part.split_once('=').unwrap()).collect())
            })
            .collect();
        let mut differences = Vec::new();
        for (name, case) in &self.cases {
            let Some(mut recorded) = recorded.remove(name.as_str()) else {
                differences.push(format!("{name}: not recorded"));
                continue;
            };
            for (part, text) in &case.parts {
                if recorded.remove(part.as_str()) != Some(&hash(text)) {
                    differences.push(case.difference(name, part, &clipped(text)));
                }
            }
            differences.extend(recorded.keys().map(|part| case.difference(name, part, "no value")));
        }
        differences
            .extend(recorded.keys().map(|name| format!("{name}: recorded, but there is no such case")));
        differences
    }

    fn lines_of_group<'a>(&self, record: &'a str) -> impl Iterator<Item = &'a str> {
        let start = format!("{}/", self.name);
        record.lines().filter(move |line| line.starts_with(&start))
    }

    /// Replaces the group's lines. Every test is a process of its own, so the file is locked meanwhile.
    fn write(&self, path: &str) {
        rewrite(path, |record| {
            let of_group: Vec<&str> = self.lines_of_group(record).collect();
            let others = record.lines().filter(|line| !of_group.contains(line)).map(String::from);
            let line = |(name, case): (&String, &Case)| {
                let parts = case.parts.iter().map(|(part, text)| format!(" {part}={}", hash(text)));
                name.clone() + &parts.collect::<String>()
            };
            let mut lines: Vec<String> = others.chain(self.cases.iter().map(line)).collect();
            lines.sort();
            lines.join("\n") + "\n"
        });
    }

    fn write_in_full(&self, path: &str) {
        rewrite(path, |record| {
            let mut record: BTreeMap<String, serde_json::Value> =
                if record.is_empty() { BTreeMap::new() } else { serde_json::from_str(record).unwrap() };
            let start = format!("{}/", self.name);
            record.retain(|name, _| !name.starts_with(&start));
            for (name, case) in &self.cases {
                let parts: serde_json::Map<String, serde_json::Value> =
                    case.parts.iter().map(|(part, text)| (part.clone(), text.as_str().into())).collect();
                let lines: Vec<&str> = case.commands.lines().collect();
                record.insert(name.clone(), serde_json::json!({"commands": lines, "parts": parts}));
            }
            serde_json::to_string_pretty(&record).unwrap() + "\n"
        });
    }
}

impl Case {
    fn difference(&self, name: &str, part: &str, present: &str) -> String {
        let mut text = format!("{name}: {part}\n");
        for command in self.commands.lines() {
            let _ = writeln!(text, "  $ {command}");
        }
        text + "  now: " + present + "\n"
    }
}

fn rewrite(path: &str, new: impl FnOnce(&str) -> String) {
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path).unwrap();
    file.lock().unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    let text = new(&text);
    file.rewind().unwrap();
    file.set_len(0).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn clipped(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARACTERS).collect();
    if shown.len() < text.len() {
        shown += "…";
    }
    shown
}

/// FNV-1a of 64 bits, in eleven digits of base 64.
fn hash(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    (0..11).map(|digit| char::from(DIGITS[(hash >> (6 * digit)) as usize & 63])).collect()
}
