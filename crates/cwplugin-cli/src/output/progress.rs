//! Progress bars.

use std::collections::HashSet;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use super::Screen;

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

const SPINNER: &str = "{prefix} {spinner} {msg}";

impl Screen {
    /// A progress bar for reading a file.
    pub(crate) fn progress(&self, verb: &'static str) -> Progress {
        Progress { verb, started: Instant::now(), screen: self.clone(), bar: None }
    }

    /// A progress bar for `total` steps.
    pub fn steps(&self, verb: &'static str, total: usize) -> Steps {
        let template = "{prefix} {bar:30} {pos}/{len} {msg} {eta} left";
        Steps(bar(verb, Some(total as u64), template, self.quiet))
    }

    /// A spinner for work of unknown length.
    pub fn spinner(&self, verb: &'static str) -> ProgressBar {
        let bar = bar(verb, None, SPINNER, self.quiet);
        if !bar.is_hidden() {
            bar.enable_steady_tick(PATIENCE / 4);
        }
        bar
    }
}

/// A bar on a terminal until it is dropped; hidden elsewhere.
fn bar(verb: &'static str, total: Option<u64>, template: &str, quiet: bool) -> ProgressBar {
    let is_wanted = !quiet && io::stderr().is_terminal();
    let target = if is_wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(total, target).with_style(style).with_prefix(verb);
    bar.with_finish(ProgressFinish::AndClear)
}

/// A bar that shows how much of a file was read, after a while.
#[derive(Debug)]
pub(crate) struct Progress {
    verb: &'static str,
    started: Instant,
    screen: Screen,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Shows how much of the input was read.
    pub(crate) fn read(&mut self, (bytes, total): (u64, Option<u64>), rows: usize) {
        if self.bar.is_none() && self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let with_total = "{prefix} {bar:30} {bytes}/{total_bytes} {msg} {eta} left";
            bar(self.verb, total, if total.is_some() { with_total } else { SPINNER }, self.screen.quiet)
        });
        bar.set_position(bytes);
        bar.set_message(format!("{rows} rows"));
    }
}

impl Progress {
    /// Prints a note or a warning, unless it was printed before: a table may be read twice.
    pub(crate) fn remark(&self, text: &str, print: fn(&Screen, &str)) {
        let is_new = |told: &mut HashSet<String>| told.insert(text.to_owned());
        if self.screen.told.lock().is_ok_and(|mut told| is_new(&mut told)) {
            match &self.bar {
                Some(bar) => bar.suspend(|| print(&self.screen, text)),
                None => print(&self.screen, text),
            }
        }
    }
}

/// A bar that counts steps. Any thread may update it.
#[derive(Debug)]
pub struct Steps(ProgressBar);

impl Steps {
    /// Sets the number of finished steps.
    pub fn done(&self, steps: usize) {
        self.0.set_position(steps as u64);
    }
}
