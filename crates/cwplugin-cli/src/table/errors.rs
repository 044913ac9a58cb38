//! Errors of files that cannot be read or written.

use std::error::Error;
use std::io;

use crate::user_error::UserError;

/// A failed read of the file itself; a user error from a lower layer passes through.
pub(super) fn reading(name: &str, err: io::Error) -> anyhow::Error {
    match err.downcast::<UserError>() {
        Ok(error) => error.into(),
        Err(err) if err.kind() == io::ErrorKind::OutOfMemory => {
            UserError::new(format!("{name}: does not fit into memory"))
                .hint("raise the limit of the process (`ulimit -v`), or use a machine with more memory")
                .into()
        }
        Err(err) => UserError::new(format!("{name}: cannot be read ({})", line(&err)))
            .hint("check that the file is complete and that its disk or network is available")
            .into(),
    }
}

/// Content that a decoder rejected: truncated or corrupted.
pub(super) fn damaged(name: &str, format: &str, err: &dyn Error) -> anyhow::Error {
    if let Some(error) = user_error_inside(err) {
        return error.into();
    }
    damaged_because(name, format, &line(err))
}

/// As [`damaged`], with a reason.
pub(super) fn damaged_because(name: &str, format: &str, reason: &str) -> anyhow::Error {
    UserError::new(format!("{name}: not a valid {format} file ({reason})"))
        .hint("write or copy the file again: it is truncated or corrupted")
        .into()
}

/// A failed write. A broken pipe stays an [`io::Error`], which is not reported.
pub(super) fn writing(name: &str, err: &(dyn Error + 'static)) -> anyhow::Error {
    let of_system = chain(Some(err)).find_map(|cause| cause.downcast_ref::<io::Error>());
    let (reason, cure) = match of_system {
        Some(err) if err.kind() == io::ErrorKind::BrokenPipe => return io::Error::from(err.kind()).into(),
        Some(err) => (line(err), "check the free space there, or write to another folder"),
        None => (line(err), "write another format, such as csv or jsonl"),
    };
    UserError::new(format!("{name}: cannot be written ({reason})")).hint(cure).into()
}

/// The user error that a decoder wrapped: its message is better.
fn user_error_inside(err: &dyn Error) -> Option<UserError> {
    chain(err.source())
        .find_map(|cause| cause.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref().cloned())
}

/// An error and its causes.
fn chain<'a>(err: Option<&'a (dyn Error + 'static)>) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(err, |&err| err.source())
}

/// The first line of a message, without the prefixes of Arrow and Parquet.
fn line(err: &dyn Error) -> String {
    let text = err.to_string();
    let mut line = text.lines().next().unwrap_or_default().trim_end_matches('.');
    for prefix in [
        "Parser error: ",
        "Parquet argument error: ",
        "Parquet error: ",
        "Ipc error: ",
        "External: ",
        "EOF: ",
    ] {
        line = line.strip_prefix(prefix).unwrap_or(line);
    }
    line.to_owned()
}
