//! Progress of long work: stages of counted steps.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Receives the progress of long work; any thread may call it.
///
/// Results do not depend on it: it only receives numbers. `()` ignores them.
pub trait Progress: Sync {
    /// A stage of so many steps begins. The library always gives a number; 0 stands for an unknown one.
    fn begin(&self, stage: &'static str, steps: usize);
    /// So many steps of the stage are done: at most as many as it has, and fewer if it ends early.
    fn done(&self, steps: usize);
}

impl Progress for () {
    fn begin(&self, _: &'static str, _: usize) {}
    fn done(&self, _: usize) {}
}

/// Steps of a part that runs until it converges.
const PER_PART: usize = 1_000;

/// Of these, what is done after the usual number of rounds.
const USUALLY_DONE: usize = 800;

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

    /// Begins a stage of parts that each run until they converge; [`Stage::part`] begins one of them.
    pub(crate) fn begin_parts(self, stage: &'static str, parts: usize) -> Stage<'a> {
        self.begin(stage, parts * PER_PART)
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
        self.add(1);
    }

    /// Begins a part that usually takes so many rounds.
    pub(crate) fn part(&self, usual: usize) -> Part<'_> {
        Part { stage: self, usual: usual.max(1), rounds: 0, done: 0 }
    }

    /// So many parts are not needed.
    pub(crate) fn skip_parts(&self, parts: usize) {
        self.add(parts * PER_PART);
    }

    /// So many steps, done by work that reports its own.
    pub(crate) fn steps_of_other(&self, steps: usize) -> OtherSteps<'_> {
        OtherSteps { stage: self, steps, done: AtomicUsize::new(0) }
    }

    fn add(&self, steps: usize) {
        if let Some(progress) = self.observer.0 {
            progress.done(self.done.fetch_add(steps, Ordering::Relaxed) + steps);
        }
    }
}

/// Work that goes on until it converges.
///
/// The number of rounds is not known, and its limit is far too large. The usual number fills most of the part; more rounds
/// fill less and less of the rest. The part then ends early, with a jump, and never late.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    stage: &'a Stage<'a>,
    usual: usize,
    rounds: usize,
    /// Of [`PER_PART`].
    done: usize,
}

impl Part<'_> {
    /// One more round is done.
    pub(crate) fn round(&mut self) {
        self.rounds += 1;
        self.reach(if self.rounds <= self.usual {
            USUALLY_DONE * self.rounds / self.usual
        } else {
            PER_PART - (PER_PART - USUALLY_DONE) * self.usual / self.rounds
        });
    }

    /// The part has converged. A part that fails is never finished: whoever looks on may unwind the work in a call.
    pub(crate) fn finish(mut self) {
        self.reach(PER_PART);
    }

    fn reach(&mut self, done: usize) {
        if done > self.done {
            self.stage.add(done - self.done);
            self.done = done;
        }
    }
}

/// Some steps of a stage, done by work with stages of its own: each report of that work is one of them.
#[derive(Debug)]
pub(crate) struct OtherSteps<'a> {
    stage: &'a Stage<'a>,
    steps: usize,
    done: AtomicUsize,
}

impl Progress for OtherSteps<'_> {
    fn begin(&self, _: &'static str, _: usize) {}
    fn done(&self, _: usize) {
        if self.done.fetch_add(1, Ordering::Relaxed) < self.steps {
            self.stage.step();
        }
    }
}

impl OtherSteps<'_> {
    /// The work is done, with fewer reports or more.
    pub(crate) fn finish(self) {
        self.stage.add(self.steps.saturating_sub(self.done.into_inner()));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Record(Mutex<(usize, Vec<usize>)>);

    impl Progress for Record {
        fn begin(&self, _: &'static str, steps: usize) {
            self.0.lock().unwrap().0 = steps;
        }
        fn done(&self, steps: usize) {
            self.0.lock().unwrap().1.push(steps);
        }
    }

    #[test]
    fn a_part_slows_down_and_ends_at_its_end() {
        let record = Record::default();
        let stage = Observer::new(&record).begin_parts("testing", 3);
        let mut part = stage.part(4);
        (0..5).for_each(|_| part.round());
        part.finish();
        let mut endless = stage.part(1);
        (0..10_000).for_each(|_| endless.round());
        endless.finish();
        stage.skip_parts(1);
        let (total, done) = record.0.into_inner().unwrap();
        assert_eq!((total, &done[..6]), (3_000, &[200, 400, 600, 800, 840, 1_000][..]));
        assert!(done.is_sorted() && done.contains(&1_999) && done.last() == Some(&3_000), "{done:?}");
        assert!(done.len() < 100, "a round that moves nothing is not told");
    }

    #[test]
    fn other_work_reports_as_many_steps_as_it_has() {
        let record = Record::default();
        let stage = Observer::new(&record).begin("testing", 5);
        for reports in [0, 1, 9] {
            let steps = stage.steps_of_other(if reports == 9 { 3 } else { 1 });
            let inner = Observer::new(&steps).begin("inner", reports);
            (0..reports).for_each(|_| inner.step());
            steps.finish();
        }
        let (_, mut done) = record.0.into_inner().unwrap();
        done.dedup();
        assert_eq!(done, [1, 2, 3, 4, 5]);
    }
}
