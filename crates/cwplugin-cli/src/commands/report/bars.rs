//! Progress bars of a report.

use std::sync::{Mutex, PoisonError};

use cwplugin_page::Progress;

use crate::output::{Screen, Steps};

/// Progress bars, one after the other.
pub(super) struct Bars<'a> {
    screen: &'a Screen,
    bar: Mutex<Option<Steps>>,
}

impl<'a> Bars<'a> {
    pub(super) fn new(screen: &'a Screen) -> Self {
        Self { screen, bar: Mutex::new(None) }
    }
}

impl Progress for Bars<'_> {
    fn begin(&self, task: &'static str, steps: usize) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        *bar = None; // clear the previous bar first
        *bar = Some(self.screen.steps(task, steps));
    }

    fn done(&self, steps: usize) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.done(steps);
        }
    }
}
