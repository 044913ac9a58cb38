//! Files that are written completely or not at all.
//!
//! The data goes into a temporary file beside the target; [`AtomicFile::commit`] syncs it and renames it over the target.
//! Until then the old file is unchanged.

mod place; // the path behind links, and its folder
mod temporary; // the file beside the target

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::user_error::UserError;
use place::{folder, follow_links, sync_folder};
pub(crate) use place::{lock, real_path};
use temporary::Temporary;
pub(crate) use temporary::remove_unfinished;

const CURE: &str = "check the free space and the permissions there, or write to another folder";

/// A file under construction; dropping it without [`AtomicFile::commit`] leaves no trace. An interrupted program removes it
/// too. Only a killed one leaves a hidden `.cwplugin-….tmp`, never a partial target; the next run that writes the same file
/// removes that.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    name: String,
    place: Place,
}

/// Writes a file, completely or not at all.
///
/// # Errors
///
/// If the folder is missing, or there is no permission or no space; an old file is then unchanged.
pub fn write_file(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    AtomicFile::create(path)?.write_whole(content)
}

/// Waits until a file that another run may have written is on the disk; messages call it `name`.
pub(crate) fn sync(path: &Path, name: &str) -> anyhow::Result<()> {
    let synced = File::open(path).and_then(|file| file.sync_all()).and_then(|()| sync_folder(folder(path)));
    synced.map_err(|err| sync_error(name, &err).into())
}

#[derive(Debug)]
enum Place {
    /// Renamed over the target at the end.
    Beside { file: Temporary, target: PathBuf },
    /// The target is not a regular file (`/dev/null`, a FIFO), so it cannot be replaced.
    Direct(File),
}

impl AtomicFile {
    /// Opens a temporary file beside `path`, so that a bad path fails before any work: a folder, a write-protected file, a
    /// missing folder.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        Self::create_named(path, &path.display().to_string())
    }

    /// The same; messages call the file `name`.
    pub(crate) fn create_named(path: &Path, name: &str) -> anyhow::Result<Self> {
        let name = name.to_owned();
        let old = match fs::metadata(path) {
            Ok(old) => Some(old),
            Err(err) if err.kind() == io::ErrorKind::NotFound => None,
            Err(err) => return Err(create_error(&name, path, &err).into()),
        };
        if let Some(old) = &old {
            if old.is_dir() {
                let error = UserError::new(format!("{name}: is a folder"));
                return Err(error.hint("name a file in it, such as out.csv").into());
            }
            if !old.is_file() {
                let file = File::options().write(true).open(path);
                let file = file.map_err(|err| create_error(&name, path, &err))?;
                return Ok(Self { name, place: Place::Direct(file) });
            }
            // A rename does not need write permission on the old file, but a protected file must not be replaced.
            if old.permissions().readonly() {
                let error = UserError::new(format!("{name}: is write-protected"));
                let cure = format!("write to another file, or allow it with `chmod u+w {name}`");
                return Err(error.hint(cure).into());
            }
        }
        // Only now: `/dev/fd/3` is a link too, and the link of a pipe is not a path.
        let target = follow_links(path).map_err(|err| create_error(&name, path, &err))?;
        let file = Temporary::beside(&target).map_err(|err| create_error(&name, &target, &err))?;
        if let Some(old) = old {
            let outcome = file.as_file().set_permissions(old.permissions());
            outcome.map_err(|err| create_error(&name, &target, &err))?;
        }
        Ok(Self { name, place: Place::Beside { file, target } })
    }

    /// Syncs the file and renames it over the target. If that fails, the old file is unchanged.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        let error = |err| write_error(&self.name, &err);
        match self.place {
            Place::Direct(mut file) => file.flush().map_err(error)?,
            Place::Beside { file, target } => {
                file.as_file().sync_all().map_err(error)?;
                file.rename(&target).map_err(error)?;
                sync_folder(folder(&target)).map_err(|err| sync_error(&self.name, &err))?;
            }
        }
        Ok(())
    }

    /// Writes the content and commits the file.
    pub(crate) fn write_whole(mut self, content: &[u8]) -> anyhow::Result<()> {
        self.write_all(content).map_err(|err| write_error(&self.name, &err))?;
        self.commit()
    }

    fn file(&mut self) -> &mut File {
        match &mut self.place {
            Place::Beside { file, .. } => file.file(),
            Place::Direct(file) => file,
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.file().write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, pos: SeekFrom) -> io::Result<u64> {
        self.file().seek(pos)
    }
}

fn write_error(name: &str, err: &io::Error) -> UserError {
    UserError::new(format!("{name}: cannot be written ({err})")).hint(CURE)
}

/// The file is in its place, and a power failure could undo that.
fn sync_error(name: &str, err: &io::Error) -> UserError {
    UserError::new(format!("{name}: was written, but the disk does not confirm it ({err})"))
        .hint("check the disk, and run the command again")
}

fn create_error(name: &str, target: &Path, err: &io::Error) -> UserError {
    let folder = folder(target).display();
    match err.kind() {
        io::ErrorKind::NotFound => UserError::new(format!("{name}: the folder {folder} does not exist"))
            .hint(format!("create it with `mkdir -p {folder}`, or write to another folder")),
        io::ErrorKind::NotADirectory => {
            UserError::new(format!("{name}: {folder} is not a folder")).hint("write to another folder")
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            UserError::new(format!("{name}: no permission to write in {folder}")).hint(CURE)
        }
        _ => UserError::new(format!("{name}: cannot be created ({err})")).hint(CURE),
    }
}

#[cfg(test)]
mod tests;
