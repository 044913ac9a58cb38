//! Where a file is: the one path behind all names of it, and its folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// How many links to follow before it is a loop, as on Linux.
const MAX_LINKS: usize = 40;

/// The absolute path of a file, existing or not, without symbolic links: the same for all names of the file but hard links.
///
/// # Errors
///
/// If its folder does not exist, or a link cannot be read.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    let target = follow_links(path)?;
    let name = target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    Ok(folder(&target).canonicalize()?.join(name))
}

/// The file that `path` finally points to, existing or not: a rename onto a link would replace the link.
pub(super) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder(&target).join(next), // an absolute `next` replaces the folder
            // No link, or nothing at all.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::NotFound | io::ErrorKind::Unsupported
                ) =>
            {
                return Ok(target);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

pub(super) fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Makes a rename in the folder survive a power failure, where the system supports it.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Not on this file system, or a folder that may be written and not read.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        outcome => outcome,
    }
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Locks a file, waiting for others; a signal does not end the wait.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    uninterrupted(|| file.lock())
}

/// Calls again after an interruption.
pub(super) fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}
