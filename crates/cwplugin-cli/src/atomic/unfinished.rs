//! What a signal must remove.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Temporary files that a signal must remove, since no destructor runs then.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What a shell reports of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

pub(super) fn remember(path: &Path) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        unfinished.push(path.to_owned());
    }
}

/// Removes what is unfinished and ends what was started when the user or the system ends the program.
pub(crate) fn clean_up_on_signals() {
    let clean_up = || {
        crate::command::kill_all();
        for path in UNFINISHED.lock().iter().flat_map(|unfinished| unfinished.iter()) {
            let _ = fs::remove_file(path); // already renamed, most often
        }
        std::process::exit(INTERRUPTED);
    };
    // Without a handler the default holds: the program ends, and a hidden file may stay.
    let _ = ctrlc::set_handler(clean_up);
}
