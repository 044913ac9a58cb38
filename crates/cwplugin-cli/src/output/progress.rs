//! A bar while it lasts.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work that is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A progress bar on the terminal, once the work has lasted a while; nothing elsewhere.
#[derive(Debug)]
pub(crate) struct Progress {
    verb: &'static str,
    started: Instant,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(verb: &'static str, quiet: bool) -> Self {
        Self { verb, started: Instant::now(), wanted: !quiet && io::stderr().is_terminal(), bar: None }
    }

    /// Shows how much of the input has been read.
    pub(crate) fn read(&mut self, (bytes, total): (u64, Option<u64>), rows: usize) {
        if !self.wanted || (self.bar.is_none() && self.started.elapsed() < PATIENCE) {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| new_bar(self.verb, total));
        bar.set_position(bytes);
        bar.set_message(format!("{rows} rows"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar that counts steps, on the terminal until it is dropped; nothing elsewhere. Any thread may tell it.
#[derive(Debug)]
pub struct Steps(Option<ProgressBar>);

impl Steps {
    pub(super) fn new(verb: &'static str, total: usize, quiet: bool) -> Self {
        let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg} {eta} left");
        let bar = || {
            let bar = ProgressBar::new(total as u64).with_prefix(verb);
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        };
        Self((!quiet && io::stderr().is_terminal()).then(bar))
    }

    /// So many steps are done.
    pub fn done(&self, steps: usize) {
        if let Some(bar) = &self.0 {
            bar.set_position(steps as u64);
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// A turning sign on the terminal until it is dropped; nothing elsewhere.
#[derive(Debug)]
pub struct Spinner(Option<ProgressBar>);

impl Spinner {
    pub(super) fn new(verb: &'static str, quiet: bool) -> Self {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| new_bar(verb, None));
        if let Some(bar) = &bar {
            bar.enable_steady_tick(PATIENCE / 4);
        }
        Self(bar)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(verb: &'static str, total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{prefix} {bar:30} {bytes}/{total_bytes} {msg} {eta} left"),
        None => (ProgressBar::new_spinner(), "{prefix} {spinner} {msg}"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_prefix(verb)
}
