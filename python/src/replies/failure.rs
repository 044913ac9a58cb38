//! A document that cannot be read, and where it is.

use cwplugin_replies::ReplyError;

/// Where a document is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Among all documents, from 0.
    pub(super) index: usize,
    /// Number of the file, if there are files.
    pub(super) file: Option<usize>,
    /// In its file, from 1.
    pub(super) number: usize,
    /// Line of the file, from 1.
    pub(super) line: usize,
}

/// A document that is not a reply, or has no rows.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) place: Option<Place>,
    pub(super) error: ReplyError,
}

impl From<ReplyError> for Failure {
    fn from(error: ReplyError) -> Self {
        Self { place: None, error }
    }
}

impl Failure {
    /// Whether a reply is at fault, and not a damaged file or a parameter.
    pub(super) fn is_reply(&self) -> bool {
        !matches!(self.error.kind(), "json" | "configuration")
    }
}
