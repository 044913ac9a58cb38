//! The session file: one writer at a time, and never a partial file.

use std::fs::File;
use std::path::{Path, PathBuf};

use cwplugin::Session;

use crate::atomic::{self, AtomicFile, real_path};
use crate::user_error::UserError;
use crate::whole_file::{DOCUMENT, read_text};

/// A session file that is locked until this is dropped.
#[derive(Debug)]
pub(super) struct SessionFile {
    /// `None` if the session is only in memory.
    place: Option<Place>,
    pub(super) session: Session,
    /// The session as it was saved.
    saved: Session,
}

/// A locked session file.
#[derive(Debug)]
struct Place {
    /// As given, for messages.
    name: String,
    /// The file itself: the same for all names of it, and it stays the same if a link is changed meanwhile.
    path: PathBuf,
    /// Not a lock on the session file itself, which is replaced.
    _lock: File,
}

impl SessionFile {
    /// Starts a session in a new file.
    pub(super) fn create(path: &Path, session: &Session) -> anyhow::Result<()> {
        Self::refuse_existing(path)?; // no lock file beside something else
        let place = Place::lock(path)?;
        Self::refuse_existing(path)?; // somebody was faster
        place.write(session)
    }

    /// Refuses a file that exists.
    pub(super) fn refuse_existing(path: &Path) -> Result<(), UserError> {
        if !path.exists() {
            return Ok(());
        }
        let what = format!("-o {}: the file exists", path.display());
        Err(UserError::usage(what).hint("give the new session another name"))
    }

    /// Waits for the lock and reads the file.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        read(path)?; // no lock file beside something else
        let place = Place::lock(path)?;
        place.refuse_other_names()?;
        let session = read(&place.path)?;
        Ok(Self { place: Some(place), saved: session.clone(), session })
    }

    /// The same; starts the session if there is no file.
    pub(super) fn open_or_start(path: &Path, session: &Session) -> anyhow::Result<Self> {
        if !path.exists() {
            let place = Place::lock(path)?;
            if !place.path.exists() {
                place.write(session)?;
            }
        }
        Self::open(path)
    }

    /// A session without a file.
    pub(super) fn in_memory(session: Session) -> Self {
        Self { place: None, saved: session.clone(), session }
    }

    /// Replaces the file if the session has changed; returns whether it has.
    pub(super) fn save(&mut self) -> anyhow::Result<bool> {
        let is_changed = self.session != self.saved;
        match &self.place {
            Some(place) if is_changed => place.write(&self.session)?,
            Some(place) => place.sync()?, // who wrote it may have been killed before that
            None => {}
        }
        if is_changed {
            self.saved = self.session.clone();
        }
        Ok(is_changed)
    }
}

impl Place {
    /// Locks `session.json.lock`, which is empty and stays, so that a lock is never on a deleted file.
    fn lock(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let resolved = real_path(path);
        let resolved = resolved.map_err(|error| not_locked(&name, &error, "check that its folder exists"))?;
        let mut beside = resolved.as_os_str().to_owned();
        beside.push(".lock");
        let beside = PathBuf::from(beside);
        let file = File::options().create(true).truncate(false).write(true).open(&beside);
        let lock = file.and_then(|file| atomic::lock(&file).map(|()| file)).map_err(|error| {
            not_locked(&beside.display().to_string(), &error, "make the folder of the session writable")
        })?;
        Ok(Self { name, path: resolved, _lock: lock })
    }

    /// Refuses a file with hard links: a rename gives a new file to one of the names, so answers would be scattered.
    #[cfg(unix)]
    fn refuse_other_names(&self) -> Result<(), UserError> {
        use std::os::unix::fs::MetadataExt as _;
        match self.path.metadata().map(|file| file.nlink()) {
            Ok(names) if names > 1 => {
                let what = format!("{}: the file has {names} names (hard links)", self.name);
                Err(UserError::new(what).hint(format!(
                    "an answer would be saved under one of them only: copy it with `cp {0} new.json`, or use symbolic links",
                    self.name
                )))
            }
            _ => Ok(()),
        }
    }

    #[cfg(not(unix))]
    fn refuse_other_names(&self) -> Result<(), UserError> {
        Ok(())
    }

    fn write(&self, session: &Session) -> anyhow::Result<()> {
        AtomicFile::create_named(&self.path, &self.name)?.write_whole(session.to_json().as_bytes())
    }

    fn sync(&self) -> anyhow::Result<()> {
        atomic::sync(&self.path, &self.name)
    }
}

fn not_locked(name: &str, error: &std::io::Error, cure: &str) -> UserError {
    UserError::new(format!("{name}: cannot be locked ({error})")).hint(cure)
}

/// Reads a session.
pub(super) fn read(path: &Path) -> Result<Session, UserError> {
    const HINT: &str = "start a session with `cwplugin elicit start -o FILE`";
    let text = read_text(path, "a session", DOCUMENT, HINT)?;
    let user_error = |error| UserError::new(format!("{}: not a session: {error}", path.display())).hint(HINT);
    Session::from_json(&text).map_err(user_error)
}
