//! Data on standard output, words on standard error.

mod progress; // progress bars

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Alignment of a column: left for text, right for numbers.
pub use comfy_table::CellAlignment as Align;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};

pub(crate) use progress::Progress;
pub use progress::Steps;

use crate::args::Common;
use crate::user_error::UserError;
pub use crate::user_error::count_of;

/// Standard output and standard error, with the user's settings for them.
#[derive(Debug, Clone)]
pub struct Screen {
    program: &'static str,
    quiet: bool,
    colour: bool,
    /// Notes about tables that were printed.
    told: Arc<Mutex<HashSet<String>>>,
}

impl Screen {
    pub(crate) fn new(program: &'static str, common: &Common) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colour = io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb;
        Self { program, quiet: common.quiet, colour, told: Arc::default() }
    }

    /// Writes text to standard output, as it is.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written.
    #[allow(clippy::unused_self)] // printing needs a screen
    pub fn print(&self, text: impl Display) -> anyhow::Result<()> {
        // In one write: standard output is flushed at every line feed.
        self.print_bytes(text.to_string().as_bytes())
    }

    /// Writes bytes to standard output.
    #[allow(clippy::unused_self)]
    pub(crate) fn print_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        io::stdout().lock().write_all(bytes).map_err(stdout_error)
    }

    /// Writes one JSON document to standard output.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written.
    pub fn json(&self, value: &serde_json::Value) -> anyhow::Result<()> {
        self.print(format_args!("{value:#}\n"))
    }

    /// Flushes standard output.
    #[allow(clippy::unused_self)]
    pub(crate) fn flush(&self) -> anyhow::Result<()> {
        io::stdout().flush().map_err(stdout_error)
    }

    /// Prints a note to standard error; nothing with `--quiet`.
    pub fn note(&self, text: impl Display) {
        if !self.quiet {
            print_line(&format!("{text}\n"));
        }
    }

    /// Notes that a file was written.
    pub(crate) fn note_written(&self, path: &Path) {
        self.note(format_args!("wrote {}", path.display()));
    }

    /// Prints a warning to standard error; nothing with `--quiet`.
    pub(crate) fn warn(&self, text: impl Display) {
        self.note(format_args!("{} {}", self.paint("warning:", 33), one_line(&text.to_string())));
    }

    /// Prints an error with its cure to standard error, even with `--quiet`.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        let label = self.paint(&format!("{}: error:", self.program), 31);
        print_line(&format!("{label} {}\n", one_line(&format!("{error:#}"))));
        let Some(UserError { excerpt, cure, .. }) = error.downcast_ref() else { return };
        for line in excerpt.iter().flatten() {
            print_line(&format!("  {}\n", one_line(line)));
        }
        if let Some(cure) = cure {
            print_line(&format!("  {} {}\n", self.paint("hint:", 36), one_line(cure)));
        }
    }

    /// Whether standard output may have bold text.
    pub(crate) fn has_colours(&self) -> bool {
        self.colour && io::stdout().is_terminal()
    }

    fn paint(&self, text: &str, colour: u8) -> String {
        if self.colour { format!("\u{1b}[1;{colour}m{text}\u{1b}[0m") } else { text.to_string() }
    }
}

/// One write per line: standard error is not buffered, and other programs write there too.
fn print_line(line: &str) {
    let _ = io::stderr().write_all(line.as_bytes());
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

/// A table with a ruled header, indented by two spaces; ends in a line feed.
pub fn plain_table(header: &[(&str, Align)], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_header(header.iter().map(|(title, _)| one_line(title)));
    table.add_rows(rows.into_iter().map(|row| row.iter().map(|cell| one_line(cell)).collect::<Vec<_>>()));
    for (column, (_, align)) in table.column_iter_mut().zip(header) {
        column.set_padding((1, 1));
        column.set_cell_alignment(*align);
    }
    let indented = |line: &str| format!(" {}\n", line.trim_end());
    table.lines().map(|line| indented(&line)).collect()
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

/// The text with control characters escaped.
pub(crate) fn one_line(text: &str) -> String {
    let escape = |c: char| if moves_text(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// Whether a character is a line feed, a bidi control or another control character.
pub(crate) fn moves_text(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A failed write to standard output; a broken pipe stays an [`io::Error`], which is not reported.
fn stdout_error(error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return error.into();
    }
    UserError::new(format!("<stdout>: cannot be written ({error})"))
        .hint("check the free space there, or write to another folder")
        .into()
}
