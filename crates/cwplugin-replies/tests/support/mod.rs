//! The cases of `testdata/replies`, written by `testdata/make_replies.py`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cwplugin_replies::{Classes, Documents, Reader, ReplyError, Rows, Source, VoteCounter, Votes};
use serde::Deserialize;

/// One case: a file, how it is read, and what is expected.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) from: String,
    pub(crate) options: Options,
    pub(crate) expected: Expected,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Options {
    pub(crate) classes: Vec<String>,
    class: Option<BTreeMap<String, Vec<String>>>,
    pub(crate) reply: Option<String>,
    answer_at: Option<String>,
    missing: Option<String>,
    label: Option<String>,
    id: Option<String>,
    answer: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Expected {
    Rows(Vec<ExpectedRow>),
    Error { row: Option<usize>, kind: String },
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ExpectedRow {
    pub(crate) id: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) probabilities: Option<Vec<f64>>,
    pub(crate) counts: Option<Vec<u64>>,
    pub(crate) other: f64,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/replies")
}

/// All cases that need no decompression, which is the program's task.
pub(crate) fn cases() -> Vec<Case> {
    let text = fs::read_to_string(folder().join("cases.json")).unwrap();
    let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
    let is_plain = |case: &Case| !matches!(case.file.rsplit('.').next(), Some("gz" | "zst"));
    cases.into_iter().filter(is_plain).collect()
}

impl Case {
    /// The bytes of its files.
    pub(crate) fn inputs(&self) -> Vec<Vec<u8>> {
        let path = folder().join(&self.file);
        if path.is_dir() {
            let mut paths: Vec<PathBuf> =
                fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            return paths.iter().map(|path| fs::read(path).unwrap()).collect();
        }
        vec![fs::read(path).unwrap()]
    }

    fn classes(&self) -> Result<Classes, ReplyError> {
        Classes::new(self.options.classes.iter())?.spellings(self.options.class.iter().flatten())
    }

    /// The source; none for votes.
    pub(crate) fn source(&self) -> Option<Source> {
        (self.from != "votes").then(|| self.from.parse().unwrap())
    }

    pub(crate) fn reader(&self) -> Result<Reader, ReplyError> {
        let options = &self.options;
        let mut reader = Reader::new(self.from.parse()?, self.classes()?);
        if let Some(missing) = &options.missing {
            reader = reader.missing(missing.parse()?);
        }
        if let Some(path) = &options.reply {
            reader = reader.reply_at(path.parse()?);
        }
        if let Some(path) = &options.answer_at {
            reader = reader.answer_at(path.parse()?)?;
        }
        if let Some(name) = options.label.as_ref().filter(|name| *name != "label") {
            reader = reader.label_field(name);
        }
        if let Some(name) = options.id.as_ref().filter(|name| *name != "id") {
            reader = reader.id_field(name);
        }
        Ok(reader)
    }

    pub(crate) fn counter(&self) -> Result<VoteCounter, ReplyError> {
        let options = &self.options;
        let mut counter = VoteCounter::new(self.classes()?);
        if let Some(name) = &options.label {
            counter = counter.label_field(name);
        }
        if let Some(name) = &options.id {
            counter = counter.id_field(name);
        }
        if let Some(name) = &options.answer {
            counter = counter.answer_field(name);
        }
        Ok(counter)
    }

    /// The documents of all files.
    pub(crate) fn documents(&self) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        for input in self.inputs() {
            let mut documents = Documents::new(self.source().unwrap_or(Source::Openai));
            documents.push(&input);
            documents.finish();
            while let Ok(Some(document)) = documents.next() {
                found.push(document.bytes.to_vec());
            }
        }
        found
    }

    /// All rows, or the error with the number of its document.
    pub(crate) fn rows(&self) -> Result<Rows, (Option<usize>, ReplyError)> {
        let reader = self.reader().map_err(|error| (None, error))?;
        let mut rows = Rows::new();
        for (i, document) in self.documents().iter().enumerate() {
            reader.read(document, &mut rows).map_err(|error| (Some(i + 1), error))?;
        }
        Ok(rows)
    }

    /// All votes, or the error with the number of its document.
    pub(crate) fn votes(&self) -> Result<Vec<Votes>, (Option<usize>, ReplyError)> {
        let mut counter = self.counter().map_err(|error| (None, error))?;
        for (i, document) in self.documents().iter().enumerate() {
            counter.read(document).map_err(|error| (Some(i + 1), error))?;
        }
        Ok(counter.into_votes())
    }
}
