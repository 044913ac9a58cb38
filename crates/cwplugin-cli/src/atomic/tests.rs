use super::*;

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn message(path: &Path) -> String {
    let err = AtomicFile::create(path).unwrap_err();
    assert!(err.downcast_ref::<UserError>().unwrap().cure.is_some());
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
    assert!(message(dir.path()).ends_with(": is a folder"));
    assert!(message(&dir.path().join("no/out.csv")).ends_with("no does not exist"));
    fs::write(dir.path().join("file"), "").unwrap();
    assert!(message(&dir.path().join("file/out.csv")).ends_with("file is not a folder"));
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
        assert!(message(&path).ends_with(": is write-protected"));
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
            assert!(message(&dir.path().join("out.csv")).contains("no permission to write in"));
        }
    }
}

/// The hidden files of a folder.
fn hidden(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with('.')).count()
}

/// A copy of a temporary file, as a killed run leaves it: nobody has locked it.
fn leave(path: &Path) {
    let file = AtomicFile::create(path).unwrap();
    let entries = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let hidden = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(".cwplugin-");
    let own = entries.filter(hidden).max_by_key(|path| path.metadata().unwrap().modified().unwrap()).unwrap();
    let copy = own.file_stem().unwrap().to_string_lossy().into_owned() + "0.tmp";
    fs::copy(&own, own.with_file_name(copy)).unwrap();
    drop(file);
}

#[test]
fn what_killed_runs_left_is_removed_by_the_next_one_for_the_same_file() {
    let dir = tempfile::tempdir().unwrap();
    let (path, other) = (dir.path().join("out.csv"), dir.path().join("other.csv"));
    leave(&other);
    leave(&path);
    leave(&path);
    assert_eq!(hidden(dir.path()), 2, "the second removes what the first left");
    AtomicFile::create(&path).unwrap().commit().unwrap();
    assert_eq!(hidden(dir.path()), 1, "that of the other file stays");
    AtomicFile::create(&other).unwrap().commit().unwrap();
    assert_eq!((hidden(dir.path()), entries(dir.path())), (0, 2));
}

#[test]
fn what_somebody_writes_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.csv");
    let mut first = AtomicFile::create(&path).unwrap();
    first.write_all(b"first").unwrap();
    AtomicFile::create(&path).unwrap().write_whole(b"second").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    first.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"first");
    assert_eq!(entries(dir.path()), 1);
}

#[test]
fn many_writers_of_one_file_all_succeed_and_leave_nothing() {
    let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let path = dir.path().join("out.csv");
    std::thread::scope(|scope| {
        for writer in 0..8_u8 {
            let path = &path;
            scope.spawn(move || {
                for round in 0..100 {
                    let mut file = AtomicFile::create(path).unwrap();
                    file.write_all(&[writer; 1000]).unwrap();
                    if round % 3 > 0 {
                        file.commit().unwrap();
                    }
                }
            });
        }
    });
    let found = fs::read(&path).unwrap();
    assert_eq!(found, [found[0]; 1000]);
    assert_eq!(entries(dir.path()), 1);
}

#[test]
fn a_long_name_is_written_too() {
    let dir = tempfile::tempdir().unwrap();
    write_file(&dir.path().join("x".repeat(255)), b"new").unwrap();
    assert_eq!(entries(dir.path()), 1);
}
