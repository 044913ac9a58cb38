//! The session file: one writer at a time, and never a partial file.

use std::fs::File;
use std::path::{Path, PathBuf};

use cwplugin::Session;

use crate::atomic::write_file;
use crate::user_error::UserError;
use crate::whole_file::{DOCUMENT, read_text};

/// A session file that is locked until this is dropped.
#[derive(Debug)]
pub(super) struct SessionFile {
    /// `None` if the session is only in memory.
    path: Option<PathBuf>,
    pub(super) session: Session,
    /// The session as it was saved.
    saved: Session,
    /// Not a lock on the session file itself, which is replaced.
    _lock: Option<File>,
}

impl SessionFile {
    /// Waits for the lock and reads the file.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        read(path)?; // no lock file beside something else
        let lock = Some(lock_beside(path)?);
        let session = read(path)?;
        Ok(Self { path: Some(path.into()), saved: session.clone(), session, _lock: lock })
    }

    /// A session without a file.
    pub(super) fn in_memory(session: Session) -> Self {
        Self { path: None, saved: session.clone(), session, _lock: None }
    }

    /// Replaces the file if the session has changed; returns whether it has.
    pub(super) fn save(&mut self) -> anyhow::Result<bool> {
        let is_changed = self.session != self.saved;
        if is_changed {
            self.saved = self.session.clone();
            if let Some(path) = &self.path {
                write_file(path, self.session.to_json().as_bytes())?;
            }
        }
        Ok(is_changed)
    }
}

/// `session.json.lock`, which is empty and stays, so that a lock is never on a deleted file.
fn lock_beside(path: &Path) -> anyhow::Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock = PathBuf::from(name);
    let user_error = |error: std::io::Error| {
        UserError::new(format!("{}: cannot be locked ({error})", lock.display()))
            .hint("make the folder of the session writable")
    };
    let file = File::options().create(true).truncate(false).write(true).open(&lock).map_err(user_error)?;
    file.lock().map_err(user_error)?;
    Ok(file)
}

/// Reads a session.
pub(super) fn read(path: &Path) -> Result<Session, UserError> {
    const HINT: &str = "start a session with `cwplugin elicit start -o FILE`";
    let text = read_text(path, "a session", DOCUMENT, HINT)?;
    let user_error = |error| UserError::new(format!("{}: not a session: {error}", path.display())).hint(HINT);
    Session::from_json(&text).map_err(user_error)
}
