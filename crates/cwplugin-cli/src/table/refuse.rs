//! What is said about files that cannot be read or written.

use std::error::Error;
use std::io;

use crate::refusal::Refusal;

/// A failed read of the file itself; a refusal raised further down passes through.
pub(super) fn reading(name: &str, err: io::Error) -> anyhow::Error {
    match err.downcast::<Refusal>() {
        Ok(refusal) => refusal.into(),
        Err(err) => Refusal::new(format!("{name}: cannot be read ({})", line(&err)))
            .hint("check that the file is whole and that its disk or network answers")
            .into(),
    }
}

/// Content that a decoder did not accept: cut short, or changed on the way.
pub(super) fn damaged(name: &str, format: &str, err: &dyn Error) -> anyhow::Error {
    if let Some(refusal) = refusal_inside(err) {
        return refusal.into();
    }
    damaged_because(name, format, &line(err))
}

/// As [`damaged`], with the reason in words.
pub(super) fn damaged_because(name: &str, format: &str, reason: &str) -> anyhow::Error {
    Refusal::new(format!("{name}: not a complete {format} file ({reason})"))
        .hint("write or copy the file again; it was cut short or changed on the way")
        .into()
}

/// A failed write. A broken pipe stays an [`io::Error`], since `main` takes it for success.
pub(super) fn writing(name: &str, err: &(dyn Error + 'static)) -> anyhow::Error {
    let mut cause = Some(err);
    while let Some(err) = cause {
        if let Some(err) = err.downcast_ref::<io::Error>() {
            if err.kind() == io::ErrorKind::BrokenPipe {
                return io::Error::from(io::ErrorKind::BrokenPipe).into();
            }
            return Refusal::new(format!("{name}: cannot be written ({})", line(err)))
                .hint("check the free space there, or choose another place")
                .into();
        }
        cause = err.source();
    }
    Refusal::new(format!("{name}: cannot be written ({})", line(err)))
        .hint("choose another output format, such as csv or jsonl")
        .into()
}

/// Decoders wrap the errors of the reader below them; what that one said is better.
fn refusal_inside(err: &dyn Error) -> Option<Refusal> {
    let mut cause = err.source();
    while let Some(err) = cause {
        let inner = err.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(refusal) = inner.and_then(|inner| inner.downcast_ref::<Refusal>()) {
            let copy = Refusal::new(refusal.to_string());
            return Some(match refusal.cure() {
                Some(cure) => copy.hint(cure),
                None => copy,
            });
        }
        cause = err.source();
    }
    None
}

/// The first line of a message, without what Arrow and Parquet put before it: others' errors may run on.
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
