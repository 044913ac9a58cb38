//! Files that try to take memory, time or other files; each test says what its file tries.

#![cfg(target_os = "linux")] // the limits of a process, and pipes with names

mod names; // files and programs that a document names
mod arrays; // NumPy arrays that claim more than they have
mod classes; // more classes and columns than there is memory for
mod documents; // models, statistics and other documents
mod streams; // rows that are missing

use std::process::Command;

use crate::support::{Folder, Run};

/// Address space of the program in these tests, in kB, and its seconds of computation.
const LIMITS: &str = "ulimit -v 3000000; ulimit -t 60";

impl Folder {
    /// Runs the program with little memory and time.
    fn limited(&self, args: &[&str]) -> Run {
        let plain = self.command(args);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{LIMITS}; exec \"$0\" \"$@\"")]).arg(plain.get_program());
        command.args(plain.get_args()).args(["--threads", "2"]).current_dir(self.path("."));
        self.finish(args, command, &[])
    }

    /// Runs the program with little memory, and expects one line of error and a hint.
    fn attack(&self, args: &[&str], error: &str, hint: &str) {
        self.limited(args).refused(1, error, hint);
    }
}

/// An array as NPY: a header with this dtype and shape, and these bytes.
fn npy(dtype: &str, is_fortran: bool, shape: &str, items: &[u8]) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{dtype}', 'fortran_order': {order}, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    [b"\x93NUMPY\x01\x00\x76\x00" as &[u8], header.as_bytes(), items].concat()
}
