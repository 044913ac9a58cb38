//! The bytes of a file or a stream, decompressed and counted.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use bytes::Bytes;

use super::super::{Compression, is_stream};
use super::errors;
use super::identity::OpenedFiles;
use crate::user_error::UserError;
use crate::whole_file::{HELD, read_up_to};

/// Bytes that are read ahead to detect the format and the delimiter.
const HEAD: u64 = 64 << 10;

/// How to get a file that is read in parts.
const PLAIN_FILE: &str = "write a pipe to a file, and decompress a file that is compressed as a whole; CSV, TSV and JSON lines are \
                          read in parts from anywhere";

/// A stream of bytes.
pub(super) type Stream = Box<dyn Read + Send>;

/// An open file with its first bytes.
pub(super) struct Source {
    name: String,
    path: PathBuf,
    head: Vec<u8>,
    body: Body,
    progress: Progress,
}

enum Body {
    /// A plain regular file, at its start.
    File(File),
    /// The bytes after the head.
    Rest(Stream),
}

impl Source {
    /// Opens a file, or standard input if `path` is `-`.
    pub(super) fn open(path: &Path) -> Result<Self> {
        Self::open_part(path, &Progress::default())
    }

    /// Opens one of several files, which are counted together.
    pub(super) fn open_part(path: &Path, counted: &Progress) -> Result<Self> {
        if is_stream(path) {
            let progress = Progress { total: None, ..counted.clone() };
            let stream = Box::new(Counted { inner: io::stdin(), progress: progress.clone() });
            return Self::stream("<stdin>".to_owned(), path, stream, progress);
        }
        let name = path.display().to_string();
        let mut file = File::open(path).map_err(|err| open_error(&name, err))?;
        let metadata = file.metadata().map_err(|err| open_error(&name, err))?;
        if metadata.is_dir() {
            return Err(UserError::new(format!("{name}: is a folder")).hint("name a file in it").into());
        }
        let total = metadata.is_file().then_some(metadata.len());
        let progress = Progress { total, ..counted.clone() };
        if total.is_some() {
            counted.files.add(path, &metadata);
            let head = read_head(&name, &mut file)?;
            file.rewind().map_err(|err| errors::reading(&name, err))?;
            if Compression::of_content(&head).is_none() {
                return Ok(Self { name, path: path.to_owned(), head, body: Body::File(file), progress });
            }
        }
        let stream = Box::new(Counted { inner: file, progress: progress.clone() });
        Self::stream(name, path, stream, progress)
    }

    fn stream(name: String, path: &Path, mut rest: Stream, progress: Progress) -> Result<Self> {
        let mut head = read_head(&name, &mut rest)?;
        if let Some(compression) = Compression::of_content(&head) {
            rest = decompress(&name, compression, Box::new(Cursor::new(head).chain(rest)))?;
            head = read_head(&name, &mut rest)?;
        }
        Ok(Self { name, path: path.to_owned(), head, body: Body::Rest(rest), progress })
    }

    /// The file's name as given, or `<stdin>`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The path as given.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The first bytes, decompressed.
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// The length of an uncompressed regular file.
    pub(super) fn plain_length(&self) -> Option<u64> {
        self.progress.total.filter(|_| matches!(self.body, Body::File(_)))
    }

    /// The counter of this source.
    pub(super) fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// All bytes from the first.
    pub(super) fn into_stream(self) -> Stream {
        match self.body {
            Body::File(file) => Box::new(Counted { inner: file, progress: self.progress }),
            Body::Rest(rest) => Box::new(Cursor::new(self.head).chain(rest)),
        }
    }

    /// All bytes in any order; a stream is read into memory, up to [`HELD`] bytes.
    pub(super) fn into_seekable(self) -> Result<Seekable> {
        match self.body {
            Body::File(file) => Ok(Seekable::File(file)),
            Body::Rest(rest) => {
                let all = read_up_to(Cursor::new(self.head).chain(rest), HELD);
                let all = all.map_err(|err| errors::reading(&self.name, err))?;
                let Some(all) = all else {
                    let what = format!(
                        "{}: is larger than {} GiB, and this format is read in parts only from a plain file",
                        self.name,
                        HELD >> 30
                    );
                    return Err(UserError::new(what).hint(PLAIN_FILE).into());
                };
                Ok(Seekable::Memory(Cursor::new(all.into())))
            }
        }
    }
}

/// Bytes that can be read in any order.
pub(super) enum Seekable {
    File(File),
    Memory(Cursor<Bytes>),
}

impl Read for Seekable {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buf),
            Self::Memory(memory) => memory.read(buf),
        }
    }
}

impl Seek for Seekable {
    fn seek(&mut self, pos: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(pos),
            Self::Memory(memory) => memory.seek(pos),
        }
    }
}

/// How much was read, shared with the progress bar.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    read: Arc<AtomicU64>,
    total: Option<u64>,
    files: OpenedFiles,
}

impl Progress {
    /// Of several files.
    pub(super) fn of_files(files: &[PathBuf]) -> Self {
        let length = |path: &PathBuf| path.metadata().ok().filter(Metadata::is_file).map(|file| file.len());
        Self { total: files.iter().map(length).sum(), ..Self::default() }
    }

    /// The files that were opened so far.
    pub(super) fn files(&self) -> OpenedFiles {
        self.files.clone()
    }

    pub(super) fn get(&self) -> (u64, Option<u64>) {
        (self.read.load(Ordering::Relaxed), self.total)
    }

    /// For decoders that seek: `done` of `all` parts were read.
    pub(super) fn set(&self, done: u64, all: u64) {
        if let Some(total) = self.total {
            let read = u128::from(total) * u128::from(done.min(all)) / u128::from(all.max(1));
            self.read.store(u64::try_from(read).unwrap_or(total), Ordering::Relaxed);
        }
    }
}

/// Counts the bytes that are read.
struct Counted<R> {
    inner: R,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buf)?;
        self.progress.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A decompressor whose errors are user errors, so that parsers pass them through.
struct Decompressed {
    name: String,
    inner: Stream,
}

impl Read for Decompressed {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buf).map_err(|err| {
            let error = match err.kind() {
                io::ErrorKind::Interrupted => return err,
                io::ErrorKind::UnexpectedEof => {
                    UserError::new(format!("{}: the compressed data ends too early", self.name))
                }
                _ => UserError::new(format!("{}: the compressed data is damaged ({err})", self.name)),
            };
            io::Error::new(io::ErrorKind::InvalidData, error.hint("write or copy the file again"))
        })
    }
}

fn decompress(name: &str, compression: Compression, stream: Stream) -> Result<Stream> {
    let inner: Stream = match compression {
        // A gzip file may have several members.
        Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(stream)),
        Compression::Zstd => {
            let decoder = zstd::stream::read::Decoder::new(stream);
            Box::new(decoder.map_err(|err| errors::reading(name, err))?)
        }
    };
    Ok(Box::new(Decompressed { name: name.to_owned(), inner }))
}

fn read_head(name: &str, stream: &mut impl Read) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    stream.take(HEAD).read_to_end(&mut head).map_err(|err| errors::reading(name, err))?;
    Ok(head)
}

fn open_error(name: &str, err: io::Error) -> anyhow::Error {
    match err.kind() {
        io::ErrorKind::NotFound => UserError::new(format!("{name}: no such file"))
            .hint("check the path; `-` reads standard input")
            .into(),
        io::ErrorKind::PermissionDenied => UserError::new(format!("{name}: no permission to read it"))
            .hint(format!("change the file's permissions, for instance `chmod u+r {name}`"))
            .into(),
        _ => errors::reading(name, err),
    }
}
