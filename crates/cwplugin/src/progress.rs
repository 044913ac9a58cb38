//! Progress of long work: stages of counted steps.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Receives the progress of long work; any thread may call it.
///
/// Results do not depend on it: it only receives numbers. `()` ignores them.
pub trait Progress: Sync {
    /// A stage of so many steps begins; 0 if their number is not known.
    fn begin(&self, stage: &'static str, steps: usize);
    /// So many steps of the stage are done.
    fn done(&self, steps: usize);
}

impl Progress for () {
    fn begin(&self, _: &'static str, _: usize) {}
    fn done(&self, _: usize) {}
}

/// Who receives the progress of a fit, if anybody does.
#[derive(Clone, Copy, Default)]
pub(crate) struct Observer<'a>(Option<&'a dyn Progress>);

impl<'a> Observer<'a> {
    pub(crate) fn new(progress: &'a dyn Progress) -> Self {
        Self(Some(progress))
    }

    /// Begins a stage; [`Stage::step`] counts its steps.
    pub(crate) fn begin(self, stage: &'static str, steps: usize) -> Stage<'a> {
        if let Some(progress) = self.0 {
            progress.begin(stage, steps);
        }
        Stage { observer: self, done: AtomicUsize::new(0) }
    }
}

/// Whoever looks on, the fit is the same.
impl PartialEq for Observer<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Observer").field(&self.0.is_some()).finish()
    }
}

/// A stage whose steps are counted, on any thread.
#[derive(Debug, Default)]
pub(crate) struct Stage<'a> {
    observer: Observer<'a>,
    done: AtomicUsize,
}

impl Stage<'_> {
    /// One more step is done.
    pub(crate) fn step(&self) {
        if let Some(progress) = self.observer.0 {
            progress.done(self.done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    }
}
