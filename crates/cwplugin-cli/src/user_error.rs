//! An error that the user can fix: the fact, and the cure.

use std::fmt;

/// `1 row`, `2 rows`, `2 replies`.
pub fn count_of(n: impl TryInto<u64>, thing: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    match thing.strip_suffix("ly") {
        _ if n == 1 => format!("1 {thing}"),
        Some(stem) => format!("{n} {stem}lies"),
        None => format!("{n} {thing}s"),
    }
}

/// An error that the user can fix. It is printed as an `error:` line and a `hint:` line, with an excerpt of the input
/// between them if there is one.
#[derive(Debug, Clone)]
pub struct UserError {
    what: String,
    /// The line with the error, and a line that marks the place.
    pub(crate) excerpt: Option<[String; 2]>,
    /// The flag to use or the step to take.
    pub(crate) cure: Option<String>,
    /// Whether the command line is wrong, not the data.
    pub(crate) is_usage: bool,
}

impl UserError {
    /// States what is wrong, with file, row, column and value: lower case, no full stop.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), excerpt: None, cure: None, is_usage: false }
    }

    /// The same for a wrong command line: exit 2, as for errors of clap.
    pub fn usage(what: impl Into<String>) -> Self {
        Self { is_usage: true, ..Self::new(what) }
    }

    /// Adds the cure: the flag to use or the step to take.
    pub fn hint(self, cure: impl Into<String>) -> Self {
        Self { cure: Some(cure.into()), ..self }
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for UserError {}
