//! The output: a file or standard output, compressed or not.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use anyhow::Result;
use flate2::write::GzEncoder;
use zstd::stream::write::Encoder as ZstdEncoder;

use super::super::{Compression, errors, is_stream};
use crate::atomic::AtomicFile;
use crate::closed;

const BUFFER: usize = 256 << 10;

/// The name of the output, for messages.
pub(super) fn name(path: Option<&Path>) -> String {
    match path {
        Some(path) if !is_stream(path) => path.display().to_string(),
        _ => "<stdout>".to_owned(),
    }
}

/// A buffered output.
pub(super) struct Sink {
    name: String,
    out: Out,
}

enum Out {
    Plain(BufWriter<Target>),
    Gzip(GzEncoder<BufWriter<Target>>),
    Zstd(ZstdEncoder<'static, BufWriter<Target>>),
}

/// Not the lock of standard output, which cannot be sent to another thread. The buffer is large, so the lock is taken
/// rarely.
enum Target {
    Stdout(Stdout),
    File(AtomicFile),
}

impl Sink {
    /// Opens a file, or standard output for `None` and `-`; compressed by its extension.
    pub(super) fn create(path: Option<&Path>) -> Result<Self> {
        let name = name(path);
        let (target, compression) = match path {
            Some(path) if !is_stream(path) => {
                (Target::File(AtomicFile::create(path)?), Compression::of_name(path))
            }
            _ => {
                closed::refuse_closed_stdout()?;
                (Target::Stdout(io::stdout()), None)
            }
        };
        let buffer = BufWriter::with_capacity(BUFFER, target);
        let out = match compression {
            None => Out::Plain(buffer),
            Some(Compression::Gzip) => Out::Gzip(GzEncoder::new(buffer, flate2::Compression::default())),
            Some(Compression::Zstd) => {
                Out::Zstd(ZstdEncoder::new(buffer, 0).map_err(|err| errors::writing(&name, &err))?)
            }
        };
        Ok(Self { name, out })
    }

    /// The file's name as given, or `<stdout>`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Flushes the buffers and commits the file.
    pub(super) fn finish(self) -> Result<()> {
        let refuse = |err: io::Error| errors::writing(&self.name, &err);
        let buffer = match self.out {
            Out::Plain(buffer) => buffer,
            Out::Gzip(encoder) => encoder.finish().map_err(refuse)?,
            Out::Zstd(encoder) => encoder.finish().map_err(refuse)?,
        };
        match buffer.into_inner().map_err(|err| refuse(err.into_error()))? {
            Target::Stdout(mut stdout) => stdout.flush().map_err(refuse),
            Target::File(file) => file.commit(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::Plain(out) => out.write(buf),
            Out::Gzip(out) => out.write(buf),
            Out::Zstd(out) => out.write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Plain(out) => out.flush(),
            Out::Gzip(out) => out.flush(),
            Out::Zstd(out) => out.flush(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(buf),
            Self::File(file) => file.write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::File(file) => file.flush(),
        }
    }
}
