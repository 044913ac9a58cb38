//! The documents of a file, or of all files of a folder.

use std::path::{Path, PathBuf};

use anyhow::Result;
use cwplugin_replies::{Documents, Source as Vendor};

use super::super::errors;
use super::super::identity::OpenedFiles;
use super::super::sniff::{self, BOM};
use super::super::source::{Progress, Source, Stream};
use crate::user_error::UserError;

/// Bytes that are read at once.
pub(super) const CHUNK: usize = 1 << 20;

/// Endings of the files of a folder that are replies.
const ENDINGS: [&str; 4] = [".json", ".json.gz", ".json.zst", ".json.zstd"];

/// The files of a folder, or the one file.
pub(in super::super) fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let name = path.display().to_string();
    let entries = std::fs::read_dir(path).map_err(|err| errors::reading(&name, err))?;
    let is_json = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
        ENDINGS.iter().any(|ending| name.ends_with(ending))
    };
    let entries = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let entries = entries.map_err(|err| errors::reading(&name, err))?;
    let (mut files, others): (Vec<PathBuf>, Vec<PathBuf>) = entries.into_iter().partition(is_json);
    files.sort();
    if files.is_empty() {
        let what = format!("{name}: the folder has no .json file");
        let lines = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "jsonl");
        return Err(UserError::new(what)
            .hint(match others.iter().find(lines) {
                Some(_) => format!("join JSON lines into one file: cat {name}/*.jsonl > replies.jsonl"),
                None => "name a folder of replies, or a file".to_owned(),
            })
            .into());
    }
    Ok(files)
}

/// The error of a file without a reply.
pub(super) fn no_reply(name: &str) -> UserError {
    UserError::new(format!("{name}: there is no reply")).hint("send the request again, or delete the file")
}

/// The first document of a file, if it is JSON.
pub(crate) fn first_document(path: &Path) -> Result<Option<Vec<u8>>> {
    let files = files(path)?;
    let source = Source::open(files.first().map_or(path, |first| first))?;
    Ok(first_in(source.head()))
}

/// The first document in these bytes, if they are JSON.
pub(in super::super) fn first_in(head: &[u8]) -> Option<Vec<u8>> {
    let text = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return None;
    }
    // A list of scores is one reply, a list of other replies is not.
    let mut documents = Documents::new(Vendor::Huggingface);
    documents.push(head);
    if let Ok(Some(document)) = documents.next() {
        return Some(document.bytes.to_vec());
    }
    // One document over several lines, or one line without an end.
    documents.finish();
    documents.next().ok()?.map(|document| document.bytes.to_vec())
}

/// A document of one of several files.
pub(crate) struct FoundDocument<'a> {
    pub(crate) file: &'a str,
    /// In its file, from 1.
    pub(crate) number: usize,
    pub(crate) bytes: &'a [u8],
    /// Bytes of all files that were read so far, and their total if it is known.
    pub(crate) progress: (u64, Option<u64>),
}

/// Passes every document of a file, or of the files of a folder, to `each`. What is not a document ends a file: the error is that
/// of a second pass. Returns the files that were read.
pub(crate) fn for_each_document(
    path: &Path,
    vendor: Vendor,
    mut each: impl FnMut(FoundDocument) -> Result<()>,
) -> Result<OpenedFiles> {
    let files = files(path)?;
    let progress = Progress::of_files(&files);
    let is_only = files.len() == 1;
    for path in files {
        let source = Source::open_part(&path, &progress)?;
        if is_only {
            sniff::check_head(&source)?;
        }
        let mut file = OpenFile::new(source, vendor);
        let mut is_open = true;
        loop {
            match file.documents.next() {
                Ok(Some(document)) => each(FoundDocument {
                    file: &file.name,
                    number: document.number,
                    bytes: document.bytes,
                    progress: progress.get(),
                })?,
                Ok(None) if is_open => is_open = file.fill(CHUNK)?,
                Ok(None) | Err(_) => break,
            }
        }
    }
    Ok(progress.files())
}

/// A file that is being read.
pub(super) struct OpenFile {
    pub(super) name: String,
    stream: Stream,
    pub(super) documents: Documents,
    /// Whether a document was found.
    pub(super) has_documents: bool,
}

impl OpenFile {
    pub(super) fn new(source: Source, vendor: Vendor) -> Self {
        let name = source.name().to_owned();
        Self { name, stream: source.into_stream(), documents: Documents::new(vendor), has_documents: false }
    }

    /// Reads more bytes; false at the end.
    pub(super) fn fill(&mut self, bytes: usize) -> Result<bool> {
        let read = self.documents.read_from(&mut self.stream, bytes);
        Ok(read.map_err(|err| errors::reading(&self.name, err))? > 0)
    }
}
