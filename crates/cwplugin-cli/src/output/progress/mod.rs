//! Progress on a terminal: one line that is replaced, and removed before anything else is printed.

mod stages; // what the line says

use std::collections::HashSet;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::Screen;
use stages::Stages;

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Back to the start of the line, and everything after it removed.
const CLEAR: &[u8] = b"\r\x1b[K";

/// How long the end of the program waits for a print that hangs, in ticks.
const LAST_TICKS: usize = 3;

/// The line of a terminal.
#[derive(Debug)]
pub(super) struct Line {
    started: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    stages: Stages,
    /// Whether a thread draws the line.
    has_ticker: bool,
    is_drawn: bool,
}

impl Line {
    /// The line of standard error, if that is a terminal and the user wants it.
    pub(super) fn new(is_quiet: bool) -> Option<Arc<Self>> {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_shown = !is_quiet && !is_dumb && io::stderr().is_terminal();
        is_shown.then(|| Arc::new(Self { started: Instant::now(), state: Mutex::default() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a stage; the first one starts the thread that draws.
    fn begin(self: &Arc<Self>, name: &'static str, total: Option<u64>) {
        let mut state = self.state();
        state.stages.begin(name, total, self.started.elapsed());
        if !std::mem::replace(&mut state.has_ticker, true) {
            let line = Arc::downgrade(self);
            thread::spawn(move || draw_until_dropped(&line));
        }
    }

    fn end(&self) {
        let mut state = self.state();
        state.stages.end();
        state.clear();
    }

    /// Removes the line for good, because the program ends now.
    pub(super) fn remove(&self) {
        for _ in 0..LAST_TICKS {
            let mut state = match self.state.try_lock() {
                Ok(state) => state,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(TICK);
                    continue;
                }
            };
            state.clear();
            std::mem::forget(state); // never unlocked: no other thread draws or prints any more
            return;
        }
    }

    /// Prints something else: the line is removed first, and drawn again with the next tick.
    pub(super) fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut state = self.state();
        state.clear();
        print()
    }
}

impl State {
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            let _ = io::stderr().write_all(CLEAR);
        }
    }
}

fn draw_until_dropped(line: &Weak<Line>) {
    while let Some(line) = line.upgrade() {
        let mut state = line.state();
        // The last column is left free: some terminals go to the next line there.
        let columns = terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| width.0);
        let width = usize::from(columns.saturating_sub(1));
        if let Some(text) = state.stages.line(line.started.elapsed(), width) {
            let _ = io::stderr().write_all(&[CLEAR, text.as_bytes()].concat());
            state.is_drawn = true;
        }
        drop(state);
        drop(line);
        thread::sleep(TICK);
    }
}

impl Screen {
    /// The progress of reading a file.
    pub(crate) fn progress(&self, verb: &'static str) -> Progress {
        Progress { steps: self.spinner(verb), screen: self.clone() }
    }

    /// The progress of `total` steps.
    pub fn steps(&self, verb: &'static str, total: usize) -> Steps {
        if let Some(line) = &self.line {
            line.begin(verb, Some(total as u64));
        }
        Steps(self.line.clone())
    }

    /// The progress of work of unknown length, or of several stages.
    pub fn spinner(&self, verb: &'static str) -> Steps {
        self.steps(verb, 0)
    }
}

/// The progress of some work, which ends when this is dropped. Any thread may update it.
#[derive(Debug)]
pub struct Steps(Option<Arc<Line>>);

impl Steps {
    /// Sets the number of finished steps.
    pub fn done(&self, steps: usize) {
        if let Some(line) = &self.0 {
            line.state().stages.done(steps as u64);
        }
    }
}

/// The stages of a fit or an evaluation.
impl cwplugin::report::Progress for Steps {
    fn begin(&self, stage: &'static str, steps: usize) {
        if let Some(line) = &self.0 {
            line.begin(stage, Some(steps as u64));
        }
    }

    fn done(&self, steps: usize) {
        Self::done(self, steps);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if let Some(line) = &self.0 {
            line.end();
        }
    }
}

/// How much of a file was read.
#[derive(Debug)]
pub(crate) struct Progress {
    steps: Steps,
    screen: Screen,
}

impl Progress {
    /// Shows how much of the input was read.
    pub(crate) fn read(&mut self, bytes: (u64, Option<u64>), rows: usize) {
        if let Some(line) = &self.steps.0 {
            line.state().stages.read(bytes, rows);
        }
    }

    /// Prints a note or a warning, unless it was printed before: a table may be read twice.
    pub(crate) fn remark(&self, text: &str, print: fn(&Screen, &str)) {
        let is_new = |told: &mut HashSet<String>| told.insert(text.to_owned());
        if self.screen.told.lock().is_ok_and(|mut told| is_new(&mut told)) {
            print(&self.screen, text);
        }
    }
}
