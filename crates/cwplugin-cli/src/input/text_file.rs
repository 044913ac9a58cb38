//! Files that are read as a whole.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use crate::user_error::UserError;

/// The limit of a file that is written by hand.
pub(super) const SMALL: u64 = 64 << 20;

/// Reads a file that should be `what`, e.g. `a model`; a file of `limit` bytes is too large. An error ends with `hint`.
pub(crate) fn read_bytes(path: &Path, what: &str, limit: u64, hint: &str) -> Result<Vec<u8>, UserError> {
    let error = |message: String| UserError::new(format!("{}: {message}", path.display())).hint(hint);
    let mut bytes = Vec::new();
    // `/dev/zero` has no end.
    let read = File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    match read.map_err(|error| (error.kind(), error)) {
        Ok(n) if n as u64 == limit => Err(error(format!("not {what}: the file is too large"))),
        Ok(_) => Ok(bytes),
        Err((ErrorKind::NotFound, _)) => Err(error("no such file".into())),
        Err((ErrorKind::IsADirectory, _)) => Err(error(format!("is a folder, not {what}"))),
        Err((_, err)) => Err(error(format!("cannot be read ({err})"))),
    }
}

/// The same for a text, without a byte order mark; it must not be empty.
pub(crate) fn read_text(path: &Path, what: &str, limit: u64, hint: &str) -> Result<String, UserError> {
    let error = |message: String| UserError::new(format!("{}: {message}", path.display())).hint(hint);
    let bytes = read_bytes(path, what, limit, hint)?;
    let text = String::from_utf8(bytes).map_err(|_| error(format!("not {what}: the file is not text")))?;
    if text.trim().is_empty() {
        return Err(error(format!("is empty, not {what}")));
    }
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), String::from))
}

/// The lines of a CSV text without a header; they may have different lengths.
pub(super) fn csv_lines(text: &str) -> csv::Result<Vec<csv::StringRecord>> {
    let mut options = csv::ReaderBuilder::new();
    options.has_headers(false).flexible(true).trim(csv::Trim::All);
    options.from_reader(text.as_bytes()).into_records().collect()
}
