//! `command:PROGRAM` and `command-once:PROGRAM`: metrics and oracles that are programs of the user.

mod program; // a program by its name, and how it is called
mod question; // a matrix becomes a line
mod answer; // … and a line a number
mod group; // a process that never outlives us
mod talk; // the pipes to it
mod fault; // what goes wrong
mod oracle; // what weights are worth, as a program measures it

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cwplugin::{Confusion, Metric};

use crate::refusal::Refusal;
use fault::Failure;
use program::Program;

pub(crate) use group::kill_all;
pub(crate) use oracle::CommandOracle;
pub(crate) use program::is_named;

/// How long a program may think about a matrix unless the user says otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Numbers in the matrices whose answers are remembered: 32 MiB.
const REMEMBERED: usize = 1 << 22;

/// The metric that a name means, if it is a program's.
pub(crate) fn by_name(
    name: &str,
    classes: &[String],
    patience: Duration,
) -> Option<Result<CommandMetric, Refusal>> {
    let program = is_named(name).then(|| Program::new(name, patience))?;
    Some(program.map(|program| CommandMetric::new(program, classes)))
}

/// A metric that a program computes.
///
/// [`Metric::score`] cannot fail. So the first failure is kept and every score from then on is NaN, without asking again;
/// whoever asked must look at [`CommandMetric::finish`] before anything is made of the scores.
#[derive(Debug)]
pub(crate) struct CommandMetric {
    name: String,
    classes: Vec<String>,
    /// One question at a time, however many threads there are.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    program: Program,
    /// Searches come back to the same matrix again and again.
    known: HashMap<Vec<u64>, f64>,
    numbers: usize,
    failure: Option<Failure>,
}

impl CommandMetric {
    fn new(program: Program, classes: &[String]) -> Self {
        let name = program.name().to_string();
        let state = State { program, known: HashMap::new(), numbers: 0, failure: None };
        Self { name, classes: classes.to_vec(), state: Mutex::new(state) }
    }

    /// Ends the program, and says what went wrong since it was started, if anything did.
    pub(crate) fn finish(&self) -> Result<(), Refusal> {
        let mut state = self.state();
        let fault = state.program.finish().err();
        if state.failure.is_none() {
            state.failure = fault.map(|fault| state.program.failure(&fault, None));
        }
        state.failure.as_ref().map_or(Ok(()), |failure| Err(failure.refusal()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn remember(&mut self, key: Vec<u64>, score: f64) {
        self.numbers += key.len();
        if self.numbers > REMEMBERED {
            self.known.clear();
            self.numbers = key.len();
        }
        self.known.insert(key, score);
    }
}

impl Metric for CommandMetric {
    fn name(&self) -> &str {
        &self.name
    }

    /// An empty matrix scores 0, as everywhere; the program is not asked about it.
    fn score(&self, confusion: &Confusion) -> f64 {
        if confusion.has_no_rows() {
            return 0.0;
        }
        let mut state = self.state();
        if state.failure.is_some() {
            return f64::NAN;
        }
        let key = question::key(confusion);
        if let Some(&known) = state.known.get(&key) {
            return known;
        }
        let question = question::question(confusion, &self.classes);
        let answer = state.program.ask(&question).and_then(|said| answer::number(&said));
        match answer {
            Ok(score) => {
                state.remember(key, score);
                score
            }
            Err(fault) => {
                state.failure = Some(state.program.failure(&fault, Some(&question)));
                state.program.stop();
                f64::NAN
            }
        }
    }

    fn n_classes(&self) -> Option<usize> {
        Some(self.classes.len())
    }
}
