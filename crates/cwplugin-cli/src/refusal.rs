//! What the program says when it will not go on: the fact, and the cure.

use std::fmt;

/// A refusal that its reader can act on; `main` prints it as an `error:` line and a `hint:` line, with an excerpt
/// between them if there is one.
#[derive(Debug)]
pub struct Refusal {
    what: String,
    excerpt: Option<[String; 2]>,
    hint: Option<String>,
    is_usage: bool,
}

impl Refusal {
    /// States what is wrong: file, row, column and value, lower case, no full stop.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), excerpt: None, hint: None, is_usage: false }
    }

    /// The same for a wrong flag: exit 2, as for an argument that clap refuses.
    pub fn usage(what: impl Into<String>) -> Self {
        Self { is_usage: true, ..Self::new(what) }
    }

    /// Adds the line that is at fault and the mark below it.
    pub(crate) fn pointing_at(mut self, excerpt: [String; 2]) -> Self {
        self.excerpt = Some(excerpt);
        self
    }

    /// Adds the cure, naming the flag or the step to take.
    pub fn hint(mut self, cure: impl Into<String>) -> Self {
        self.hint = Some(cure.into());
        self
    }

    /// The line that is at fault and the mark below it, if there is one.
    pub(crate) fn excerpt(&self) -> Option<&[String; 2]> {
        self.excerpt.as_ref()
    }

    /// The cure, if there is one.
    pub(crate) fn cure(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether the command line is at fault, not the data.
    pub(crate) fn is_usage(&self) -> bool {
        self.is_usage
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Refusal {}
