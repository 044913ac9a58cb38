//! Files that are written completely or not at all.
//!
//! The data goes into a temporary file beside the target; [`AtomicFile::commit`] syncs it and renames it over the target.
//! Until then the old file is unchanged.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::NamedTempFile;

use crate::user_error::UserError;

/// How many links to follow before it is a loop, as on Linux.
const MAX_LINKS: usize = 40;

const CURE: &str = "check the free space and the permissions there, or write to another folder";

/// Temporary files that a signal must remove, since no destructor runs then.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all temporary files; the program must end next.
pub(crate) fn remove_unfinished() {
    for path in UNFINISHED.lock().iter().flat_map(|unfinished| unfinished.iter()) {
        let _ = fs::remove_file(path); // usually it was renamed already
    }
}

/// A file under construction; dropping it without [`AtomicFile::commit`] leaves no trace. An interrupted program removes it
/// too; only a killed one leaves a hidden `.cwplugin-….tmp`, never a partial target.
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

#[derive(Debug)]
enum Place {
    /// Renamed over the target at the end.
    Beside { file: NamedTempFile, target: PathBuf },
    /// The target is not a regular file (`/dev/null`, a FIFO), so it cannot be replaced.
    Direct(File),
}

impl AtomicFile {
    /// Opens a temporary file beside `path`, so that a bad path fails before any work: a folder, a write-protected file, a
    /// missing folder.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
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
        let target = follow_links(path);
        let file = beside(&target).map_err(|err| create_error(&name, &target, &err))?;
        if let Some(old) = old {
            let outcome = file.as_file().set_permissions(old.permissions());
            outcome.map_err(|err| create_error(&name, &target, &err))?;
        }
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.push(file.path().to_owned());
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
                file.persist(&target).map_err(|err| error(err.error))?;
                sync_folder(&target);
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
            Place::Beside { file, .. } => file.as_file_mut(),
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

/// The file that `path` finally points to, existing or not: a rename onto a link would replace the link.
fn follow_links(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = folder(&target).join(next); // an absolute `next` replaces the folder
    }
    target
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A temporary file in the folder of `target`: a rename works only within one file system.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cwplugin-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask applies, as for any new file; tempfile's own default is 0600.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder(target))
}

fn write_error(name: &str, err: &io::Error) -> UserError {
    UserError::new(format!("{name}: cannot be written ({err})")).hint(CURE)
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

/// Makes the rename survive a power failure, where the system supports it.
fn sync_folder(target: &Path) {
    // The file is in its place already, so an error here is not reported.
    #[cfg(unix)]
    let _ = File::open(folder(target)).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = target;
}

#[cfg(test)]
mod tests;
