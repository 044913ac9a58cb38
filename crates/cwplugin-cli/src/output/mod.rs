//! What the user sees: data on standard output, words on standard error.

mod progress; // a bar while it lasts
mod tables; // numbers in columns

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

pub(crate) use progress::Progress;
pub use progress::{Spinner, Steps};
pub use tables::{Align, plain_table};

use crate::args::Common;
use crate::refusal::Refusal;

/// Standard output and standard error, with the user's wishes about them.
#[derive(Debug, Clone)]
pub struct Screen {
    program: &'static str,
    quiet: bool,
    colour: bool,
}

impl Screen {
    pub(crate) fn new(program: &'static str, common: &Common) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colour = io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb;
        Self { program, quiet: common.quiet, colour }
    }

    /// Writes text to standard output, as it is.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written.
    #[allow(clippy::unused_self)] // whoever has no screen says nothing
    pub fn print(&self, text: impl Display) -> anyhow::Result<()> {
        // In one piece: standard output is flushed at every line feed that it sees alone.
        self.print_bytes(text.to_string().as_bytes())
    }

    /// Writes bytes to standard output, be they text or not.
    #[allow(clippy::unused_self)]
    pub(crate) fn print_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        io::stdout().lock().write_all(bytes).map_err(refuse_stdout)
    }

    /// Writes one JSON document to standard output.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written.
    pub fn json(&self, value: &serde_json::Value) -> anyhow::Result<()> {
        self.print(format_args!("{value:#}\n"))
    }

    /// Hands everything to whoever reads standard output.
    #[allow(clippy::unused_self)]
    pub(crate) fn flush(&self) -> anyhow::Result<()> {
        io::stdout().flush().map_err(refuse_stdout)
    }

    /// Says something that is good to know; silent with `--quiet`.
    pub fn note(&self, text: impl Display) {
        if !self.quiet {
            say(&format!("{text}\n"));
        }
    }

    /// Says something that is better to know; silent with `--quiet`.
    pub(crate) fn warn(&self, text: impl Display) {
        self.note(format_args!("{} {}", self.paint("warning:", 33), one_line(&text.to_string())));
    }

    /// Says why the program stops, and the cure; always.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        let label = self.paint(&format!("{}: error:", self.program), 31);
        say(&format!("{label} {}\n", one_line(&format!("{error:#}"))));
        let refusal = error.downcast_ref::<Refusal>();
        for line in refusal.and_then(Refusal::excerpt).into_iter().flatten() {
            say(&format!("  {}\n", one_line(line)));
        }
        if let Some(cure) = refusal.and_then(Refusal::cure) {
            say(&format!("  {} {}\n", self.paint("hint:", 36), one_line(cure)));
        }
    }

    /// A progress bar for work that may last.
    pub(crate) fn progress(&self, verb: &'static str) -> Progress {
        Progress::new(verb, self.quiet)
    }

    /// A bar for work of so many steps.
    pub fn steps(&self, verb: &'static str, total: usize) -> Steps {
        Steps::new(verb, total, self.quiet)
    }

    /// Whether standard output may have bold letters.
    pub(crate) fn is_colourful(&self) -> bool {
        self.colour && io::stdout().is_terminal()
    }

    /// A sign of life for work of unknown length.
    pub fn spinner(&self, verb: &'static str) -> Spinner {
        Spinner::new(verb, self.quiet)
    }

    fn paint(&self, text: &str, colour: u8) -> String {
        if self.colour { format!("\u{1b}[1;{colour}m{text}\u{1b}[0m") } else { text.to_string() }
    }
}

/// One write a line: standard error is not buffered, and others write there too.
fn say(line: &str) {
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Refuses an output that would replace what the command reads.
pub(crate) fn refuse_replacing(output: Option<&Path>, inputs: &[(&Path, &str)]) -> Result<(), Refusal> {
    refuse_replacing_by("-o", output, inputs)
}

/// The same of an output that another flag names.
pub(crate) fn refuse_replacing_by(
    flag: &str,
    output: Option<&Path>,
    inputs: &[(&Path, &str)],
) -> Result<(), Refusal> {
    let Some(output) = output else { return Ok(()) };
    match inputs.iter().find(|(input, _)| is_same_file(output, input)) {
        Some((_, what)) => {
            Err(Refusal::usage(format!("{flag} {}: it would replace {what}", output.display()))
                .hint("give the output a name of its own"))
        }
        None => Ok(()),
    }
}

/// `1 row`, `2 rows`.
pub fn count_of(n: impl TryInto<u64>, thing: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// Whether two paths name one file that is there.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other && one.is_file()))
}

/// A value of the user's file as a message shows it: not longer than a line.
pub(crate) fn shown(value: &str) -> String {
    const SHOWN: usize = 60;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_string(),
    }
}

/// The text without line feeds and other characters that could play tricks on a terminal.
pub(crate) fn one_line(text: &str) -> String {
    let turns_text = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let escape = |c: char| match c {
        c if c.is_control() || turns_text(c) => c.escape_default().to_string(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// A failed write to standard output; a broken pipe stays an [`io::Error`], since `main` takes it for success.
fn refuse_stdout(error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return error.into();
    }
    Refusal::new(format!("<stdout>: cannot be written ({error})"))
        .hint("check the free space there, or choose another place")
        .into()
}
