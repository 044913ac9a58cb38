//! What weights are worth, as a program measures it.

use std::time::Duration;

use cwplugin::{Answer, Query};
use serde_json::json;

use super::answer;
use super::program::Program;
use crate::refusal::Refusal;

/// How long a program may take to measure unless the user says otherwise: it may have to deploy the weights and wait.
const PATIENCE: Duration = Duration::from_hours(1);

/// A program that is told weights, one line each, and answers what they are worth.
#[derive(Debug)]
pub(crate) struct CommandOracle(Program);

impl CommandOracle {
    /// The program behind `command:` or `command-once:`.
    pub(crate) fn new(name: &str, patience: Option<Duration>) -> Result<Self, Refusal> {
        if !super::is_named(name) {
            return Err(Refusal::usage(format!("--oracle {name}: this names no program"))
                .hint("write command:PROGRAM, or command-once:PROGRAM for one that answers once and ends"));
        }
        Program::new(name, patience.unwrap_or(PATIENCE)).map(Self)
    }

    /// Asks what the weights of a query are worth.
    pub(crate) fn measure(&mut self, classes: &[String], query: &Query) -> Result<Answer, Refusal> {
        let question = json!({
            "id": query.id, "classes": classes, "weights": query.weights.as_slice(), "repeat": query.repeat,
        });
        let question = question.to_string();
        let answer = self.0.ask(&question).and_then(|said| answer::measurement(&said));
        match answer {
            Ok((value, se)) => Ok(Answer { value, se }),
            Err(fault) => {
                let failure = self.0.failure(&fault, Some(&question));
                self.0.stop();
                Err(failure.refusal())
            }
        }
    }

    /// Ends the program; an error if it has more to say than it was asked.
    pub(crate) fn finish(mut self) -> Result<(), Refusal> {
        self.0.finish().map_err(|fault| self.0.failure(&fault, None).refusal())
    }
}
