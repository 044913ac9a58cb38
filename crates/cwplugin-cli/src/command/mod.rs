//! `command:PROGRAM` and `command-once:PROGRAM`: metrics that a program of the user computes.

mod question; // a matrix becomes a line
mod answer; // … and a line a number
mod group; // a process that never outlives us
mod talk; // the pipes to it
mod fault; // what goes wrong

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cwplugin::{Confusion, Metric};

use crate::refusal::Refusal;
use fault::{Failure, Fault};
use talk::Talk;

pub(crate) use group::kill_all;

/// How long a program may think about an answer unless the user says otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Numbers in the matrices whose answers are remembered: 32 MiB.
const REMEMBERED: usize = 1 << 22;

/// Whether a name means a program.
pub(crate) fn is_named(name: &str) -> bool {
    name.starts_with("command:") || name.starts_with("command-once:")
}

/// The metric that a name means, if it is a program's.
pub(crate) fn by_name(
    name: &str,
    classes: &[String],
    patience: Duration,
) -> Option<Result<CommandMetric, Refusal>> {
    let (program, form) = match name.split_once(':')? {
        ("command", program) => (program, Form::Lasting(None)),
        ("command-once", program) => (program, Form::Once),
        _ => return None,
    };
    Some(CommandMetric::new(name, program, form, classes, patience))
}

/// A metric that a program computes.
///
/// [`Metric::score`] cannot fail. So the first failure is kept and every score from then on is NaN, without asking again;
/// whoever asked must look at [`CommandMetric::finish`] before anything is made of the scores.
#[derive(Debug)]
pub(crate) struct CommandMetric {
    name: String,
    program: String,
    words: Vec<String>,
    classes: Vec<String>,
    patience: Duration,
    /// One question at a time, however many threads there are.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    form: Form,
    /// Searches come back to the same matrix again and again.
    known: HashMap<Vec<u64>, f64>,
    numbers: usize,
    failure: Option<Failure>,
}

#[derive(Debug)]
enum Form {
    /// Started once, asked line by line.
    Lasting(Option<Talk>),
    /// Started for every question.
    Once,
}

impl CommandMetric {
    fn new(
        name: &str,
        program: &str,
        mut form: Form,
        classes: &[String],
        patience: Duration,
    ) -> Result<Self, Refusal> {
        const CURE: &str = "write a program and its arguments, as in command:python3 metric.py";
        let words = shlex::split(program)
            .ok_or_else(|| Refusal::usage(format!("{name}: a quotation mark is not closed")).hint(CURE))?;
        if words.is_empty() {
            return Err(Refusal::usage(format!("{name}: no program is named")).hint(CURE));
        }
        if let Form::Lasting(talk) = &mut form {
            // At once: a program that is not there is refused before any work, and a slow start costs nothing.
            let start = Talk::start(&words);
            *talk =
                Some(start.map_err(|fault| Failure::new(&fault, name, program, None, patience).refusal())?);
        }
        let state = State { form, known: HashMap::new(), numbers: 0, failure: None };
        Ok(Self {
            name: name.into(),
            program: program.into(),
            words,
            classes: classes.to_vec(),
            patience,
            state: Mutex::new(state),
        })
    }

    /// Ends the program, and says what went wrong since it was started, if anything did.
    pub(crate) fn finish(&self) -> Result<(), Refusal> {
        let mut state = self.state();
        if let Form::Lasting(talk) = &mut state.form {
            let talk = talk.take();
            if let (Some(talk), None) = (talk, &state.failure) {
                let fault = talk.finish().err();
                state.failure = fault.map(|fault| self.failure(&fault, None));
            }
        }
        state.failure.as_ref().map_or(Ok(()), |failure| Err(failure.refusal()))
    }

    fn failure(&self, fault: &Fault, question: Option<&str>) -> Failure {
        Failure::new(fault, &self.name, &self.program, question, self.patience)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, form: &mut Form, question: &str) -> Result<f64, Fault> {
        match form {
            Form::Once => Talk::start(&self.words)?.ask_once(question, self.patience),
            Form::Lasting(talk) => match talk {
                Some(talk) => talk.ask(question, self.patience),
                None => talk.insert(Talk::start(&self.words)?).ask(question, self.patience),
            },
        }
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
        match self.ask(&mut state.form, &question) {
            Ok(score) => {
                state.remember(key, score);
                score
            }
            Err(fault) => {
                state.failure = Some(self.failure(&fault, Some(&question)));
                if let Form::Lasting(talk) = &mut state.form {
                    *talk = None; // which ends it
                }
                f64::NAN
            }
        }
    }

    fn n_classes(&self) -> Option<usize> {
        Some(self.classes.len())
    }
}
