//! Files that appear whole or not at all.
//!
//! The data goes into a temporary file beside the target, which is synced and renamed over it by
//! [`AtomicFile::commit`]. Whatever happens before that leaves the old file as it was.

mod unfinished; // what a signal must remove

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

pub(crate) use unfinished::clean_up_on_signals;

use crate::refusal::Refusal;

/// How many links to follow before calling it a loop, as Linux does.
const MAX_LINKS: usize = 40;

/// A file under construction; dropping it without [`AtomicFile::commit`] leaves no trace. An interrupted program
/// removes it too; only one that is killed outright leaves a hidden `.cwplugin-….tmp`, never half a target.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    name: String,
    place: Place,
}

/// Writes a file, whole or not at all.
///
/// # Errors
///
/// If there is no such folder, no permission or no space; an old file is then untouched.
pub fn write_file(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    AtomicFile::create(path)?.write_whole(content)
}

#[derive(Debug)]
enum Place {
    /// Renamed over the target at the end.
    Beside { file: NamedTempFile, target: PathBuf },
    /// The target is no regular file (`/dev/null`, a FIFO): nothing can be put in its place.
    Straight(File),
}

impl AtomicFile {
    /// Opens a temporary file beside `path`, so that a bad path is refused before any work.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if `path` is a folder or write-protected, or if its folder is missing or not writable.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let old = match fs::metadata(path) {
            Ok(old) => Some(old),
            Err(err) if err.kind() == io::ErrorKind::NotFound => None,
            Err(err) => return Err(refuse_create(&name, path, &err).into()),
        };
        if let Some(old) = &old {
            if old.is_dir() {
                return Err(Refusal::new(format!("{name}: is a folder"))
                    .hint("name a file in it, such as out.csv")
                    .into());
            }
            if !old.is_file() {
                let file = File::options().write(true).open(path);
                let file = file.map_err(|err| refuse_create(&name, path, &err))?;
                return Ok(Self { name, place: Place::Straight(file) });
            }
            // A rename needs no right to the old file; who took that right away wants it kept.
            if old.permissions().readonly() {
                return Err(Refusal::new(format!("{name}: is write-protected"))
                    .hint(format!("choose another name, or allow it with `chmod u+w {name}`"))
                    .into());
            }
        }
        // Only now: `/dev/fd/3` is a link as well, and what a pipe's link says is no path.
        let target = follow_links(path);
        let file = beside(&target).map_err(|err| refuse_create(&name, &target, &err))?;
        if let Some(old) = old {
            let kept = file.as_file().set_permissions(old.permissions());
            kept.map_err(|err| refuse_create(&name, &target, &err))?;
        }
        unfinished::remember(file.path());
        Ok(Self { name, place: Place::Beside { file, target } })
    }

    /// Puts the file in its place, with everything on the disk.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if the disk is full or the rename fails; the old file is then untouched.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        let name = self.name;
        let refuse = |err: io::Error| {
            Refusal::new(format!("{name}: cannot be written ({err})"))
                .hint("check the free space and the permissions there, or choose another place")
        };
        match self.place {
            Place::Straight(mut file) => file.flush().map_err(refuse)?,
            Place::Beside { file, target } => {
                file.as_file().sync_all().map_err(refuse)?;
                file.persist(&target).map_err(|err| refuse(err.error))?;
                sync_folder(&target);
            }
        }
        Ok(())
    }

    /// Writes the whole content and puts the file in its place.
    ///
    /// # Errors
    ///
    /// As [`AtomicFile::commit`].
    pub(crate) fn write_whole(mut self, content: &[u8]) -> anyhow::Result<()> {
        if let Err(err) = self.write_all(content) {
            let what = format!("{}: cannot be written ({err})", self.name);
            return Err(Refusal::new(what)
                .hint("check the free space there, or choose another place")
                .into());
        }
        self.commit()
    }

    fn file(&mut self) -> &mut File {
        match &mut self.place {
            Place::Beside { file, .. } => file.as_file_mut(),
            Place::Straight(file) => file,
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

/// What `path` names in the end, be it there or not: a rename onto a link would replace the link.
fn follow_links(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        // `join` takes an absolute `next` as it is.
        target = folder(&target).join(next);
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
        // The umask takes its share, as for any new file; tempfile's own 0600 would surprise.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder(target))
}

fn refuse_create(name: &str, target: &Path, err: &io::Error) -> Refusal {
    let folder = folder(target).display();
    match err.kind() {
        io::ErrorKind::NotFound => Refusal::new(format!("{name}: the folder {folder} does not exist"))
            .hint(format!("create it with `mkdir -p {folder}`, or choose another place")),
        io::ErrorKind::NotADirectory => {
            Refusal::new(format!("{name}: {folder} is not a folder")).hint("choose another place")
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Refusal::new(format!("{name}: no permission to write in {folder}"))
                .hint("choose another place, or change the folder's permissions")
        }
        _ => Refusal::new(format!("{name}: cannot be created ({err})")).hint("choose another place"),
    }
}

/// Makes the rename itself survive a power cut, where the system can do that.
fn sync_folder(target: &Path) {
    // The file is in its place already: a file system that cannot sync folders is no reason to fail.
    #[cfg(unix)]
    let _ = File::open(folder(target)).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = target;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    fn refusal(path: &Path) -> String {
        let err = AtomicFile::create(path).unwrap_err();
        assert!(err.downcast_ref::<Refusal>().unwrap().cure().is_some());
        err.to_string()
    }

    #[test]
    fn appears_only_when_committed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.csv");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(entries(dir.path()), 1);
    }

    #[test]
    fn leaves_the_old_file_untouched_when_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(entries(dir.path()), 1);
    }

    #[test]
    fn refuses_a_folder_and_a_missing_folder() {
        let dir = tempfile::tempdir().unwrap();
        assert!(refusal(dir.path()).ends_with(": is a folder"));
        assert!(refusal(&dir.path().join("no/out.csv")).ends_with("no does not exist"));
        fs::write(dir.path().join("file"), "").unwrap();
        assert!(refusal(&dir.path().join("file/out.csv")).ends_with("file is not a folder"));
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{PermissionsExt, symlink};

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o777
        }

        #[test]
        fn a_new_file_has_the_usual_permissions() {
            let dir = tempfile::tempdir().unwrap();
            let (path, usual) = (dir.path().join("out.csv"), dir.path().join("usual"));
            fs::write(&usual, "").unwrap();
            AtomicFile::create(&path).unwrap().commit().unwrap();
            assert_eq!(mode(&path), mode(&usual));
        }

        #[test]
        fn an_old_file_keeps_its_permissions() {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("out.csv");
            fs::write(&path, "").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            AtomicFile::create(&path).unwrap().commit().unwrap();
            assert_eq!(mode(&path), 0o640);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
            assert!(refusal(&path).ends_with(": is write-protected"));
        }

        #[test]
        fn a_link_stays_a_link() {
            let dir = tempfile::tempdir().unwrap();
            fs::create_dir(dir.path().join("real")).unwrap();
            for old in [false, true] {
                let real = dir.path().join("real/out.csv");
                let link = dir.path().join(format!("link-{old}"));
                symlink("real/out.csv", &link).unwrap();
                assert_eq!(real.exists(), old);
                let mut file = AtomicFile::create(&link).unwrap();
                file.write_all(b"new").unwrap();
                file.commit().unwrap();
                assert!(link.is_symlink());
                assert_eq!(fs::read(&real).unwrap(), b"new");
            }
        }

        #[test]
        fn a_device_is_written_straight() {
            let mut file = AtomicFile::create(Path::new("/dev/null")).unwrap();
            file.write_all(b"gone").unwrap();
            file.commit().unwrap();
            assert!(!fs::metadata("/dev/null").unwrap().is_file());
        }

        #[test]
        fn refuses_a_folder_without_write_permission() {
            let dir = tempfile::tempdir().unwrap();
            fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
            // The superuser may write anywhere: nothing to test then.
            if fs::write(dir.path().join("probe"), "").is_err() {
                assert!(refusal(&dir.path().join("out.csv")).contains("no permission to write in"));
            }
        }
    }
}
