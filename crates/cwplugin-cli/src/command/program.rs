//! A program by its name, and how it is called: once for all questions, or once for each.

use std::time::Duration;

use super::fault::{Failure, Fault};
use super::talk::Talk;
use crate::refusal::Refusal;

/// Whether a name means a program.
pub(crate) fn is_named(name: &str) -> bool {
    name.starts_with("command:") || name.starts_with("command-once:")
}

/// A program that answers questions.
#[derive(Debug)]
pub(super) struct Program {
    name: String,
    words: Vec<String>,
    patience: Duration,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// Started once, asked line by line.
    Lasting(Option<Talk>),
    /// Started for every question.
    Once,
}

impl Program {
    /// The program behind `command:` or `command-once:`, which has so long for each answer.
    pub(super) fn new(name: &str, patience: Duration) -> Result<Self, Refusal> {
        const CURE: &str = "write a program and its arguments, as in command:python3 metric.py";
        let (form, line) = match name.split_once(':') {
            Some(("command-once", line)) => (Form::Once, line),
            Some((_, line)) => (Form::Lasting(None), line),
            None => (Form::Once, name),
        };
        let words = shlex::split(line)
            .ok_or_else(|| Refusal::usage(format!("{name}: a quotation mark is not closed")).hint(CURE))?;
        if words.is_empty() {
            return Err(Refusal::usage(format!("{name}: no program is named")).hint(CURE));
        }
        let mut program = Self { name: name.into(), words, patience, form };
        if let Form::Lasting(talk) = &mut program.form {
            // At once: a program that is not there is refused before any work, and a slow start costs nothing.
            match Talk::start(&program.words) {
                Ok(started) => *talk = Some(started),
                Err(fault) => return Err(program.failure(&fault, None).refusal()),
            }
        }
        Ok(program)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What it says to one line.
    pub(super) fn ask(&mut self, question: &str) -> Result<Vec<u8>, Fault> {
        match &mut self.form {
            Form::Once => Talk::start(&self.words)?.ask_once(question, self.patience),
            Form::Lasting(Some(talk)) => talk.ask(question, self.patience),
            Form::Lasting(talk) => talk.insert(Talk::start(&self.words)?).ask(question, self.patience),
        }
    }

    /// Ends it, whatever it is about.
    pub(super) fn stop(&mut self) {
        if let Form::Lasting(talk) = &mut self.form {
            *talk = None;
        }
    }

    /// Lets it end; an error if it has more to say than it was asked.
    pub(super) fn finish(&mut self) -> Result<(), Fault> {
        match &mut self.form {
            Form::Lasting(talk) => talk.take().map_or(Ok(()), Talk::finish),
            Form::Once => Ok(()),
        }
    }

    /// A fault in words, with the question that it is about.
    pub(super) fn failure(&self, fault: &Fault, question: Option<&str>) -> Failure {
        let line = self.name.split_once(':').map_or(&*self.name, |(_, line)| line);
        Failure::new(fault, &self.name, line, question, self.patience)
    }
}
