//! `command:PROGRAM` and `command-once:PROGRAM`: metrics and oracles that are programs of the user.

mod failure; // what can go wrong
mod group; // a process that never outlives us
mod connection; // the pipes to it
mod program; // a program by its name
mod lines; // a confusion matrix as a line, a line as a number

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cwplugin::{Answer, Confusion, Metric, Query};
use serde_json::json;

use crate::user_error::UserError;
use failure::Limit;
use program::Program;

pub(crate) use group::kill_all;
pub(crate) use program::is_named;

/// The default timeout of a metric.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The default timeout of an oracle: the program may have to deploy the weights and wait.
const ORACLE_TIMEOUT: Duration = Duration::from_hours(1);

/// Numbers in the cached matrices: 32 MiB.
const MAX_CACHED: usize = 1 << 22;

/// The metric of a name, if it is a program; with a timeout for each answer.
pub(crate) fn by_name(
    name: &str,
    classes: &[String],
    timeout: Option<Duration>,
) -> Option<Result<CommandMetric, UserError>> {
    let limit = Limit { timeout: timeout.unwrap_or(TIMEOUT), flag: "--metric-timeout" };
    let program = is_named(name).then(|| Program::new(name, limit))?;
    Some(program.map(|program| {
        let state = State { program, cache: HashMap::new(), n_cached: 0, error: None };
        CommandMetric { name: name.into(), classes: classes.to_vec(), state: Mutex::new(state) }
    }))
}

/// A metric that a program computes.
///
/// [`Metric::score`] cannot fail. So the first failure is stored, and every later score is NaN without a query; call
/// [`CommandMetric::finish`] before you use the scores.
#[derive(Debug)]
pub(crate) struct CommandMetric {
    name: String,
    classes: Vec<String>,
    /// One query at a time, whatever the number of threads.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    program: Program,
    /// Searches evaluate the same matrix many times.
    cache: HashMap<Vec<u64>, f64>,
    n_cached: usize,
    error: Option<UserError>,
}

impl CommandMetric {
    /// Ends the program; returns its first failure, if there was one.
    pub(crate) fn finish(&self) -> Result<(), UserError> {
        let mut state = self.state();
        let at_the_end = state.program.finish().err();
        state.error = state.error.take().or(at_the_end);
        state.error.clone().map_or(Ok(()), Err)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn cache(&mut self, key: Vec<u64>, score: f64) {
        self.n_cached += key.len();
        if self.n_cached > MAX_CACHED {
            self.cache.clear();
            self.n_cached = key.len();
        }
        self.cache.insert(key, score);
    }
}

impl Metric for CommandMetric {
    fn name(&self) -> &str {
        &self.name
    }

    /// An empty matrix scores 0, as with every metric; the program is not asked.
    fn score(&self, confusion: &Confusion) -> f64 {
        if confusion.has_no_rows() {
            return 0.0;
        }
        let mut state = self.state();
        if state.error.is_some() {
            return f64::NAN;
        }
        let key = lines::key(confusion);
        if let Some(&cached) = state.cache.get(&key) {
            return cached;
        }
        match state.program.ask(&lines::matrix(confusion, &self.classes), lines::number) {
            Ok(score) => {
                state.cache(key, score);
                score
            }
            Err(error) => {
                state.error = Some(error);
                f64::NAN
            }
        }
    }

    fn n_classes(&self) -> Option<usize> {
        Some(self.classes.len())
    }
}

/// A program that reads weights, one line each, and answers their value.
#[derive(Debug)]
pub(crate) struct CommandOracle(Program);

impl CommandOracle {
    /// The program behind `command:` or `command-once:`.
    pub(crate) fn new(name: &str, timeout: Option<Duration>) -> Result<Self, UserError> {
        if !is_named(name) {
            return Err(UserError::usage(format!("{name}: not a program"))
                .hint("write command:PROGRAM, or command-once:PROGRAM for one that answers once and ends"));
        }
        let limit = Limit { timeout: timeout.unwrap_or(ORACLE_TIMEOUT), flag: "--timeout" };
        Program::new(name, limit).map(Self)
    }

    /// Asks for the value of the weights of a query.
    pub(crate) fn measure(&mut self, classes: &[String], query: &Query) -> Result<Answer, UserError> {
        let line = json!({
            "id": query.id, "classes": classes, "weights": query.weights.as_slice(), "repeat": query.repeat,
        });
        self.0.ask(&line.to_string(), lines::measurement)
    }

    /// Ends the program; an error if it prints more than was asked for.
    pub(crate) fn finish(mut self) -> Result<(), UserError> {
        self.0.finish()
    }
}
