//! Whether standard output was closed before the program started, as by `>&-` in a shell.
//!
//! Rust's runtime opens `/dev/null` in the place of a closed stream, so that no other file gets its number. Everything that
//! is printed would be lost without an error; only what runs before `main` can tell that from `> /dev/null`.

use crate::user_error::UserError;

/// Refuses to print where nobody can read it.
pub(crate) fn refuse_closed_stdout() -> Result<(), UserError> {
    if at_start::is_stdout_closed() {
        return Err(UserError::new("<stdout>: cannot be written (it is closed)")
            .hint("redirect it to a file, a pipe or /dev/null"));
    }
    Ok(())
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
mod at_start {
    use std::os::fd::BorrowedFd;
    use std::sync::atomic::{AtomicBool, Ordering};

    static IS_CLOSED: AtomicBool = AtomicBool::new(false);

    // SAFETY: the loader calls the functions of this section, which take and return nothing, before `main`.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = {
        extern "C" fn look() {
            // SAFETY: the number is only asked about, which is allowed for one that is not open.
            let stdout = unsafe { BorrowedFd::borrow_raw(1) };
            let is_closed = rustix::io::fcntl_getfd(stdout) == Err(rustix::io::Errno::BADF);
            IS_CLOSED.store(is_closed, Ordering::Relaxed);
        }
        look
    };

    pub(super) fn is_stdout_closed() -> bool {
        IS_CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(target_os = "linux"))]
mod at_start {
    /// Not known.
    pub(super) fn is_stdout_closed() -> bool {
        false
    }
}
