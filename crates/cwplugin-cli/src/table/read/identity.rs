//! Which files were read: a table that is read twice must be the same both times.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::user_error::UserError;

/// The regular files that a reader has opened so far, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenedFiles(Arc<Mutex<Vec<Identity>>>);

/// A file as it was at some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    path: PathBuf,
    /// Device, inode, length, and the time of the last change in seconds and nanoseconds.
    facts: [i128; 5],
}

impl Identity {
    #[cfg(unix)]
    fn of(path: &Path, file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let facts = [
            file.dev().into(),
            file.ino().into(),
            file.len().into(),
            file.mtime().into(),
            file.mtime_nsec().into(),
        ];
        Self { path: path.to_owned(), facts }
    }

    #[cfg(not(unix))]
    fn of(path: &Path, file: &Metadata) -> Self {
        let changed = file.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let nanoseconds = changed.map_or(0, |time| i128::try_from(time.as_nanos()).unwrap_or(0));
        Self { path: path.to_owned(), facts: [0, 0, file.len().into(), 0, nanoseconds] }
    }
}

impl OpenedFiles {
    pub(super) fn add(&self, path: &Path, file: &Metadata) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Identity::of(path, file));
    }

    fn list(&self) -> Vec<Identity> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Refuses files that are not those of the first reading any more; call it when all are read again.
    pub(crate) fn refuse_changed(&self, first: &Self) -> Result<(), UserError> {
        let (first, second) = (first.list(), self.list());
        let differs = |k: &usize| first.get(*k) != second.get(*k);
        if let Some(k) = (0..first.len().max(second.len())).find(differs) {
            let path = first.get(k).or(second.get(k)).map_or(Path::new(""), |file| &file.path);
            return Err(changed(&path.display().to_string()));
        }
        self.refuse_stale()
    }

    /// Refuses files that were changed, replaced or removed since they were opened.
    pub(crate) fn refuse_stale(&self) -> Result<(), UserError> {
        let is_as_read = |file: &Identity| {
            file.path.metadata().is_ok_and(|metadata| Identity::of(&file.path, &metadata) == *file)
        };
        match self.list().iter().find(|file| !is_as_read(file)) {
            Some(file) => Err(changed(&file.path.display().to_string())),
            None => Ok(()),
        }
    }
}

/// The error of a table that was not the same when it was read again.
pub(crate) fn changed(name: &str) -> UserError {
    UserError::new(format!("{name}: was changed while it was read, which takes two passes"))
        .hint("let the program that writes it finish and run the command again, or use a copy")
}
