//! One entry of a zip archive as a stream that owns the file: those of the crate `zip` borrow the archive.

use std::io::{self, BufReader, Read, Seek as _, SeekFrom};

use flate2::read::DeflateDecoder;
use zip::result::{ZipError, ZipResult};
use zip::{CompressionMethod, ZipArchive};

use super::source::{Seekable, Stream};

/// The content of an entry; at its end, the checksum is checked.
pub(super) fn into_entry(mut archive: ZipArchive<BufReader<Seekable>>, index: usize) -> ZipResult<Stream> {
    let entry = archive.by_index(index)?; // fails for an entry that is encrypted
    let (method, length, checksum) = (entry.compression(), entry.compressed_size(), entry.crc32());
    let start = entry.data_start().ok_or(ZipError::FileNotFound)?;
    drop(entry);
    let mut file = archive.into_inner().into_inner();
    file.seek(SeekFrom::Start(start))?;
    let stored = file.take(length);
    let inner: Stream = match method {
        CompressionMethod::Stored => Box::new(stored),
        CompressionMethod::Deflated => Box::new(DeflateDecoder::new(stored)),
        _ => return Err(ZipError::UnsupportedArchive("Compression method not supported")),
    };
    Ok(Box::new(Checked { inner, checksum, found: crc32fast::Hasher::new() }))
}

/// A stream whose checksum is known.
struct Checked {
    inner: Stream,
    checksum: u32,
    found: crc32fast::Hasher,
}

impl Read for Checked {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buf)?;
        self.found.update(&buf[..count]);
        if count == 0 && !buf.is_empty() && self.found.clone().finalize() != self.checksum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "Invalid checksum"));
        }
        Ok(count)
    }
}
