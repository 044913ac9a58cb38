//! An error that the user can fix: the fact, and the cure.

use std::fmt;

/// An error that the user can fix. It is printed as an `error:` line and a `hint:` line, with an excerpt of the input
/// between them if there is one.
#[derive(Debug, Clone)]
pub struct UserError {
    what: String,
    excerpt: Option<[String; 2]>,
    hint: Option<String>,
    is_usage: bool,
}

impl UserError {
    /// States what is wrong, with file, row, column and value: lower case, no full stop.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), excerpt: None, hint: None, is_usage: false }
    }

    /// The same for a wrong command line: exit 2, as for errors of clap.
    pub fn usage(what: impl Into<String>) -> Self {
        Self { is_usage: true, ..Self::new(what) }
    }

    /// Adds the line with the error, and a line that marks the place.
    pub(crate) fn pointing_at(mut self, excerpt: [String; 2]) -> Self {
        self.excerpt = Some(excerpt);
        self
    }

    /// Adds the cure: the flag to use or the step to take.
    pub fn hint(mut self, cure: impl Into<String>) -> Self {
        self.hint = Some(cure.into());
        self
    }

    /// The line with the error and its mark, if there is one.
    pub(crate) fn excerpt(&self) -> Option<&[String; 2]> {
        self.excerpt.as_ref()
    }

    /// The cure, if there is one.
    pub(crate) fn cure(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether the command line is wrong, not the data.
    pub(crate) fn is_usage(&self) -> bool {
        self.is_usage
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for UserError {}
