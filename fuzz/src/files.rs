//! Inputs as files: readers open them by name.

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

thread_local! {
    static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
}

/// Writes a file into the folder of this thread, which is in memory, if there is such a place; the path of the file.
pub(crate) fn file(name: &str, content: &[u8]) -> PathBuf {
    FOLDER.with(|folder| {
        let create = || tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let path = folder.get_or_init(|| create().unwrap()).path().join(name);
        fs::write(&path, content).unwrap();
        path
    })
}
