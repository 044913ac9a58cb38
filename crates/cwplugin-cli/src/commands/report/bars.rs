//! How far the work is, on the terminal.

use std::sync::{Mutex, PoisonError};

use cwplugin_page::Observe;

use crate::output::{Screen, Steps};

/// One bar after the other.
pub(super) struct Bars<'a> {
    screen: &'a Screen,
    bar: Mutex<Option<Steps>>,
}

impl<'a> Bars<'a> {
    pub(super) fn new(screen: &'a Screen) -> Self {
        Self { screen, bar: Mutex::new(None) }
    }
}

impl Observe for Bars<'_> {
    fn begin(&self, work: &'static str, steps: usize) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        *bar = None; // the one before is taken off the screen first
        *bar = Some(self.screen.steps(work, steps));
    }

    fn done(&self, steps: usize) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.done(steps);
        }
    }
}
