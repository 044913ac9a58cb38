//! Files, and parts of files, that are in memory as a whole; everything else is read in parts.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::user_error::UserError;

/// Bytes of one file that are in memory at once, at most: what cannot be read in parts, such as a Parquet file from a pipe or one
/// that is compressed as a whole, the columns of an NPZ file, a batch of an Arrow file.
pub(crate) const HELD: u64 = 4 << 30;

/// The limit of a model, of statistics and of a session.
pub(crate) const DOCUMENT: u64 = 256 << 20;

/// The limit of a file that is written by hand.
pub(crate) const SMALL: u64 = 64 << 20;

/// All bytes of a stream; `None` if there are more than `limit`. The buffer grows with the data.
pub(crate) fn read_up_to(stream: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let n = stream.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|_| n as u64 <= limit))
}

/// Whether memory of this size can be had. A failed allocation ends the program, so large ones are tried first; what nobody writes to
/// takes no memory.
pub(crate) fn fits_into_memory(bytes: u64) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let is_had = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    std::hint::black_box(&room); // or the compiler would leave the allocation out
    is_had
}

/// Reads a file that should be `what`, e.g. `a model`. An error ends with `hint`.
pub(crate) fn read_bytes(path: &Path, what: &str, limit: u64, hint: &str) -> Result<Vec<u8>, UserError> {
    let error = |message: String| UserError::new(format!("{}: {message}", path.display())).hint(hint);
    // `/dev/zero` has no end.
    let read = File::open(path).and_then(|file| read_up_to(file, limit));
    match read.map_err(|error| (error.kind(), error)) {
        Ok(None) => Err(error(too_large(what, limit))),
        Ok(Some(bytes)) => Ok(bytes),
        Err((ErrorKind::NotFound, _)) => Err(error("no such file".into())),
        Err((ErrorKind::IsADirectory, _)) => Err(error(format!("is a folder, not {what}"))),
        Err((_, err)) => Err(error(format!("cannot be read ({err})"))),
    }
}

/// Why a file is not `what`.
pub(crate) fn too_large(what: &str, limit: u64) -> String {
    format!("not {what}: the file is larger than {} MiB", limit >> 20)
}

/// The same for a text, without a byte order mark; it must not be empty.
pub(crate) fn read_text(path: &Path, what: &str, limit: u64, hint: &str) -> Result<String, UserError> {
    let error = |message: String| UserError::new(format!("{}: {message}", path.display())).hint(hint);
    let bytes = read_bytes(path, what, limit, hint)?;
    let text = String::from_utf8(bytes).map_err(|_| error(format!("not {what}: the file is not text")))?;
    if text.trim().is_empty() {
        return Err(error(format!("is empty, not {what}")));
    }
    match text.strip_prefix('\u{feff}') {
        Some(without_mark) => Ok(without_mark.to_string()),
        None => Ok(text),
    }
}

/// The lines of a CSV text without a header; they may have different lengths.
pub(crate) fn csv_lines(text: &str) -> csv::Result<Vec<csv::StringRecord>> {
    let mut options = csv::ReaderBuilder::new();
    options.has_headers(false).flexible(true).trim(csv::Trim::All);
    options.from_reader(text.as_bytes()).into_records().collect()
}
