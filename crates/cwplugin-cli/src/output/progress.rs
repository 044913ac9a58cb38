//! Progress bars.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar on a terminal until it is dropped; nothing elsewhere.
#[derive(Debug, Default)]
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(bar: ProgressBar, verb: &'static str, template: &str) -> Self {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(Some(bar.with_style(style).with_prefix(verb)))
    }

    fn spinner(verb: &'static str) -> Self {
        Self::new(ProgressBar::new_spinner(), verb, "{prefix} {spinner} {msg}")
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

fn is_wanted(quiet: bool) -> bool {
    !quiet && io::stderr().is_terminal()
}

/// A bar that shows how much of a file was read, after a while.
#[derive(Debug)]
pub(crate) struct Progress {
    verb: &'static str,
    started: Instant,
    is_wanted: bool,
    bar: Bar,
}

impl Progress {
    pub(super) fn new(verb: &'static str, quiet: bool) -> Self {
        Self { verb, started: Instant::now(), is_wanted: is_wanted(quiet), bar: Bar::default() }
    }

    /// Shows how much of the input was read.
    pub(crate) fn read(&mut self, (bytes, total): (u64, Option<u64>), rows: usize) {
        if !self.is_wanted || (self.bar.0.is_none() && self.started.elapsed() < PATIENCE) {
            return;
        }
        if self.bar.0.is_none() {
            self.bar = match total {
                Some(total) => Bar::new(
                    ProgressBar::new(total),
                    self.verb,
                    "{prefix} {bar:30} {bytes}/{total_bytes} {msg} {eta} left",
                ),
                None => Bar::spinner(self.verb),
            };
        }
        if let Some(bar) = &self.bar.0 {
            bar.set_position(bytes);
            bar.set_message(format!("{rows} rows"));
        }
    }
}

/// A bar that counts steps. Any thread may update it.
#[derive(Debug)]
pub struct Steps(Bar);

impl Steps {
    pub(super) fn new(verb: &'static str, total: usize, quiet: bool) -> Self {
        if !is_wanted(quiet) {
            return Self(Bar::default());
        }
        let bar = ProgressBar::new(total as u64);
        Self(Bar::new(bar, verb, "{prefix} {bar:30} {pos}/{len} {msg} {eta} left"))
    }

    /// Sets the number of finished steps.
    pub fn done(&self, steps: usize) {
        if let Some(bar) = &self.0.0 {
            bar.set_position(steps as u64);
        }
    }
}

/// A spinner.
#[derive(Debug)]
pub struct Spinner(#[expect(dead_code, reason = "it is shown until it is dropped")] Bar);

impl Spinner {
    pub(super) fn new(verb: &'static str, quiet: bool) -> Self {
        let bar = if is_wanted(quiet) { Bar::spinner(verb) } else { Bar::default() };
        if let Some(bar) = &bar.0 {
            bar.enable_steady_tick(PATIENCE / 4);
        }
        Self(bar)
    }
}
