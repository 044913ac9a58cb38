//! The library that makes calls go wrong, and runs of the program with it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::support::{Folder, is_installed};

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// The call fails with this number.
    Errno(i32),
    /// It reads or writes less than was asked for.
    Short,
    /// The process is killed before it.
    Kill,
}

pub(super) const EINTR: Effect = Effect::Errno(4);
pub(super) const EIO: Effect = Effect::Errno(5);
pub(super) const EMFILE: Effect = Effect::Errno(24);
pub(super) const ENOSPC: Effect = Effect::Errno(28);
pub(super) const ENOLCK: Effect = Effect::Errno(37);
pub(super) const EDQUOT: Effect = Effect::Errno(122);

impl Effect {
    fn value(self) -> String {
        match self {
            Self::Errno(number) => number.to_string(),
            Self::Short => "short".into(),
            Self::Kill => "kill".into(),
        }
    }

    /// Whether the operation must succeed all the same.
    pub(super) fn is_harmless(self) -> bool {
        self == EINTR || self == Self::Short
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            EINTR => "interrupted (EINTR)",
            EIO => "input/output error (EIO)",
            EMFILE => "too many open files (EMFILE)",
            ENOSPC => "no space (ENOSPC)",
            ENOLCK => "no locks (ENOLCK)",
            EDQUOT => "quota exceeded (EDQUOT)",
            Self::Errno(_) => "error",
            Self::Short => "short",
            Self::Kill => "killed",
        })
    }
}

/// A fault: the n-th call of a kind, or with 0 all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    pub(super) call: &'static str,
    pub(super) effect: Effect,
    pub(super) n: usize,
}

/// The compiled library; `None` without a C compiler, with a message.
pub(super) fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compile = || {
        if !is_installed("cc") {
            return None;
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/inject.c");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        std::fs::create_dir_all(target).unwrap();
        // Tests run in processes of their own: each writes a file of its own and renames it.
        let (mine, all) =
            (target.join(format!("inject-{}.so", std::process::id())), target.join("inject.so"));
        let mut cc = Command::new("cc");
        let status =
            cc.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&mine).arg(source).status();
        assert!(status.unwrap().success(), "inject.c is not compiled");
        std::fs::rename(mine, &all).unwrap();
        Some(all)
    };
    LIBRARY.get_or_init(compile).as_deref()
}

/// The program with a fault, not yet started. It creates the file `fault` in the folder when the fault happens.
fn command(folder: &Folder, args: &[&str], fault: Fault, library: &Path) -> Command {
    let mut command = folder.command(args);
    command.env("LD_PRELOAD", library).env("FAULT_CALL", fault.call).env("FAULT_DO", fault.effect.value());
    command.env("FAULT_N", fault.n.to_string()).env("FAULT_MARK", folder.path("fault"));
    command
}

/// Runs the program with a fault; whether it happened.
pub(super) fn run(folder: &Folder, args: &[&str], fault: Fault, library: &Path) -> (Output, bool) {
    let output = command(folder, args, fault, library).output().unwrap();
    (output, std::fs::remove_file(folder.path("fault")).is_ok())
}

/// Runs the program; before it opens a file called `name` for the n-th time, a shell runs `change`.
pub(super) fn run_while(
    folder: &Folder,
    args: &[&str],
    (name, n): (&str, usize),
    change: &str,
    library: &Path,
) -> (Output, bool) {
    let fault = Fault { call: "open", effect: Effect::Short, n };
    let mut command = command(folder, args, fault, library);
    command.env("FAULT_DO", "run").env("FAULT_PATH", name).env("FAULT_COMMAND", change);
    (command.output().unwrap(), std::fs::remove_file(folder.path("fault")).is_ok())
}
