//! The session on the disk: one writer at a time, and never half a file.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use cwplugin::Session;

use crate::atomic::write_file;
use crate::commands::read_text;
use crate::refusal::Refusal;

/// A thousand rows of a thousand classes are smaller.
const MAX_SESSION_BYTES: u64 = 64 << 20;

/// A session that nobody else changes until this is dropped.
#[derive(Debug)]
pub(super) struct SessionFile {
    path: PathBuf,
    pub(super) session: Session,
    /// The file itself is replaced, so a lock on it would guard the old one.
    _lock: File,
}

impl SessionFile {
    /// Waits until nobody else writes, and reads.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        read(path)?; // no lock beside a file that is none
        let lock = lock_beside(path)?;
        Ok(Self { path: path.to_path_buf(), session: read(path)?, _lock: lock })
    }

    /// Replaces the file, whole.
    pub(super) fn save(&self) -> anyhow::Result<()> {
        write_file(&self.path, self.session.to_json().as_bytes())
    }
}

/// `session.json.lock`, empty; it stays, so that nobody ever holds a lock on a file that is gone.
fn lock_beside(path: &Path) -> anyhow::Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock = PathBuf::from(name);
    let refuse = |error: std::io::Error| {
        Refusal::new(format!("{}: cannot be locked ({error})", lock.display()))
            .hint("the folder of a session must be writable")
    };
    let file = File::options().create(true).truncate(false).write(true).open(&lock).map_err(refuse)?;
    file.lock().map_err(refuse)?;
    Ok(file)
}

/// Reads a session.
pub(super) fn read(path: &Path) -> anyhow::Result<Session> {
    const BEGIN: &str = "`cwplugin elicit start -o FILE` begins a session";
    let name = path.display();
    let text = read_text(path, MAX_SESSION_BYTES).map_err(|error| {
        let what = match error.kind() {
            ErrorKind::NotFound => "no such file".to_string(),
            ErrorKind::IsADirectory => "is a folder, not a session".to_string(),
            ErrorKind::InvalidData => "not a session: the file is not text".to_string(),
            ErrorKind::FileTooLarge => "not a session: it is too large for one".to_string(),
            _ => format!("cannot be read ({error})"),
        };
        Refusal::new(format!("{name}: {what}")).hint(BEGIN)
    })?;
    let session = Session::from_json(text.trim_start_matches('\u{feff}'));
    session.map_err(|error| Refusal::new(format!("{name}: not a session: {error}")).hint(BEGIN).into())
}
