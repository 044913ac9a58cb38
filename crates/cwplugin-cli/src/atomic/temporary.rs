//! Temporary files: locked while they are written, removed on every way out.
//!
//! Errors and signals remove them. A killed process cannot, but the system releases its locks: the next run that writes the
//! same file removes every temporary file of it that nobody has locked.

use std::collections::hash_map::RandomState;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::place::{folder, uninterrupted};

/// Names that are tried before giving up; one in 2^64 is taken.
const ATTEMPTS: usize = 16;

/// Temporary files that a signal must remove, since no destructor runs then. Held while one of them appears or is renamed.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files; the program must end next. No file is created or renamed after that.
pub(crate) fn remove_unfinished() {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        let _ = fs::remove_file(path);
    }
    mem::forget(unfinished); // never unlocked
}

/// A file beside its target: a rename works only within one file system. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Temporary {
    file: File,
    /// Empty when it was renamed.
    path: PathBuf,
}

impl Temporary {
    /// Creates one, with the permissions of any new file, and removes those that killed runs have left.
    pub(super) fn beside(target: &Path) -> io::Result<Self> {
        let prefix = prefix(target);
        sweep(folder(target), &prefix);
        for _ in 0..ATTEMPTS {
            let random = RandomState::new().build_hasher().finish();
            let path = folder(target).join(format!("{prefix}{random:016x}{SUFFIX}"));
            if let Some(temporary) = Self::create(path)? {
                return Ok(temporary);
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// `None` if the name is taken, or if another run took the file for a left one before it was locked.
    fn create(path: PathBuf) -> io::Result<Option<Self>> {
        let mut unfinished = unfinished();
        let file = match File::options().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            Err(error) => return Err(error),
        };
        unfinished.push(path.clone());
        drop(unfinished);
        let temporary = Self { file, path };
        // Without a lock, as on some network drives, the file is removed by nobody, or the rename fails with a message.
        let is_taken = matches!(try_lock(&temporary.file), Err(TryLockError::WouldBlock));
        Ok((!is_taken && temporary.is_at_its_path()).then_some(temporary))
    }

    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    pub(super) fn as_file(&self) -> &File {
        &self.file
    }

    /// Renames it over the target, in the same folder.
    pub(super) fn rename(mut self, target: &Path) -> io::Result<()> {
        let mut unfinished = unfinished();
        uninterrupted(|| fs::rename(&self.path, target))?;
        let path = mem::take(&mut self.path);
        unfinished.retain(|other| *other != path);
        Ok(())
    }

    #[cfg(unix)]
    fn is_at_its_path(&self) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let identity = |file: fs::Metadata| (file.dev(), file.ino());
        let (own, there) = (self.file.metadata(), fs::symlink_metadata(&self.path));
        own.is_ok_and(|own| there.is_ok_and(|there| identity(own) == identity(there)))
    }

    #[cfg(not(unix))]
    fn is_at_its_path(&self) -> bool {
        self.path.exists()
    }
}

impl Drop for Temporary {
    /// The file is closed, and so unlocked, only after this.
    fn drop(&mut self) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        let mut unfinished = unfinished();
        let _ = fs::remove_file(&self.path);
        unfinished.retain(|other| *other != self.path);
    }
}

const SUFFIX: &str = ".tmp";

/// The beginning of the names for one target, whose own name may be too long for it.
fn prefix(target: &Path) -> String {
    let name = target.file_name().map_or(&[][..], OsStr::as_encoded_bytes);
    format!(".cwplugin-{:08x}-", crc32fast::hash(name))
}

/// Removes the temporary files of a target that no process has locked. Errors are of no concern to the run.
fn sweep(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(SUFFIX));
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = File::options().read(true).write(true).open(entry.path()) else { continue };
        if try_lock(&file).is_ok() {
            let _ = fs::remove_file(entry.path()); // its name is never used again
        }
    }
}

fn try_lock(file: &File) -> Result<(), TryLockError> {
    loop {
        match file.try_lock() {
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}
