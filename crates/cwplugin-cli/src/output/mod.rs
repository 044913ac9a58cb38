//! Data on standard output, words on standard error.

mod style; // colours, and text that cannot control the terminal
mod width; // the width of the output
mod table; // tables
mod progress; // progress on a terminal

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex};

pub(crate) use progress::Progress;
pub use progress::Steps;
pub(crate) use style::{Style, moves_text, one_line, rendered};
pub use table::{Align, plain_table};
pub(crate) use table::{Table, paragraph, wrapped};
pub(crate) use width::{shortened, width};

use crate::args::Common;
use crate::closed;
use crate::user_error::UserError;
pub use crate::user_error::count_of;
use progress::Line;
use style::has_colours;

/// Standard output and standard error, with the user's settings for them.
#[derive(Debug, Clone)]
pub struct Screen {
    program: &'static str,
    quiet: bool,
    /// Whether standard output has colours.
    stdout_colours: bool,
    /// Whether standard error has colours.
    stderr_colours: bool,
    /// The line that shows progress, on a terminal.
    line: Option<Arc<Line>>,
    /// Notes about tables that were printed.
    told: Arc<Mutex<HashSet<String>>>,
}

impl Screen {
    pub(crate) fn new(program: &'static str, common: &Common) -> Self {
        let has_colours = |is_terminal| has_colours(common.color, is_terminal, |name| std::env::var_os(name));
        let quiet = common.quiet;
        Self {
            program,
            quiet,
            stdout_colours: has_colours(io::stdout().is_terminal()),
            stderr_colours: has_colours(io::stderr().is_terminal()),
            line: Line::new(quiet),
            told: Arc::default(),
        }
    }

    /// Writes text for people to standard output, with control characters escaped.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written.
    pub fn print(&self, text: impl Display) -> anyhow::Result<()> {
        self.print_bytes(rendered(&text.to_string(), self.stdout_colours).as_bytes())
    }

    /// Writes a document or data to standard output, as it is.
    pub(crate) fn print_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        closed::refuse_closed_stdout()?;
        // In one write: standard output is flushed at every line feed.
        self.beside(|| io::stdout().lock().write_all(bytes)).map_err(stdout_error)
    }

    /// Writes one JSON document to standard output.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written.
    pub fn json(&self, value: &serde_json::Value) -> anyhow::Result<()> {
        self.print_bytes(format!("{value:#}\n").as_bytes())
    }

    /// Flushes standard output.
    #[allow(clippy::unused_self)]
    pub(crate) fn flush(&self) -> anyhow::Result<()> {
        io::stdout().flush().map_err(stdout_error)
    }

    /// Prints a note to standard error; nothing with `--quiet`.
    pub fn note(&self, text: impl Display) {
        if !self.quiet {
            let text = text.to_string();
            match text.strip_prefix("note:") {
                Some(rest) => self.complain(&format!("{}{rest}", Style::Note.paint("note:"))),
                None => self.complain(&text),
            }
        }
    }

    /// Notes that a file was written.
    pub(crate) fn note_written(&self, path: &Path) {
        self.note(format_args!("wrote {}", one_line(&path.display().to_string())));
    }

    /// Prints a warning to standard error; nothing with `--quiet`.
    pub(crate) fn warn(&self, text: impl Display) {
        self.note(format_args!("{} {}", Style::Warning.paint("warning:"), one_line(&text.to_string())));
    }

    /// Prints an error with its cure to standard error, even with `--quiet`.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        let label = Style::Error.paint(&format!("{}: error:", self.program));
        self.complain(&format!("{label} {}", one_line(&format!("{error:#}"))));
        let Some(UserError { excerpt, cure, .. }) = error.downcast_ref() else { return };
        for line in excerpt.iter().flatten() {
            self.complain(&format!("  {}", one_line(line)));
        }
        if let Some(cure) = cure {
            self.complain(&format!("  {} {}", Style::Hint.paint("hint:"), one_line(cure)));
        }
    }

    /// Removes the line of the progress for good, before the program ends in the middle of its work. Nothing can be
    /// printed after that.
    pub(crate) fn remove_progress(&self) {
        if let Some(line) = &self.line {
            line.remove();
        }
    }

    /// One write per line: standard error is not buffered, and other programs write there too.
    fn complain(&self, line: &str) {
        let line = rendered(line, self.stderr_colours) + "\n";
        let _ = self.beside(|| io::stderr().write_all(line.as_bytes()));
    }

    /// Prints something while the line of the progress is removed.
    fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.line {
            Some(line) => line.beside(print),
            None => print(),
        }
    }
}

/// Refuses an output of a flag that would overwrite an input.
pub(crate) fn refuse_replacing(
    flag: &str,
    output: Option<&Path>,
    inputs: &[(&Path, &str)],
) -> Result<(), UserError> {
    let Some(output) = output else { return Ok(()) };
    match inputs.iter().find(|(input, _)| is_same_file(output, input)) {
        Some((_, what)) => {
            Err(UserError::usage(format!("{flag} {}: would overwrite {what}", output.display()))
                .hint("write to another file"))
        }
        None => Ok(()),
    }
}

/// Whether two paths name the same existing file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other && one.is_file()))
}

/// A value from a file for a message, shortened to fit a line.
pub(crate) fn shown(value: &str) -> String {
    const SHOWN: usize = 60;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_string(),
    }
}

/// A failed write to standard output; a broken pipe stays an [`io::Error`], which is not reported.
pub(crate) fn stdout_error(error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return error.into();
    }
    UserError::new(format!("<stdout>: cannot be written ({error})"))
        .hint("check the free space there, or write to another folder")
        .into()
}
