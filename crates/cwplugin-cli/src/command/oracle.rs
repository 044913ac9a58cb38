//! The value of deployed weights, measured by a program.

use std::time::Duration;

use cwplugin::{Answer, Query};
use serde_json::json;

use super::failure::Limit;
use super::lines;
use super::program::Program;
use crate::user_error::UserError;

/// The default timeout: the program may have to deploy the weights and wait.
const TIMEOUT: Duration = Duration::from_hours(1);

/// A program that reads weights, one line each, and answers their value.
#[derive(Debug)]
pub(crate) struct CommandOracle(Program);

impl CommandOracle {
    /// The program behind `command:` or `command-once:`.
    pub(crate) fn new(name: &str, timeout: Option<Duration>) -> Result<Self, UserError> {
        if !super::is_named(name) {
            return Err(UserError::usage(format!("{name}: not a program"))
                .hint("write command:PROGRAM, or command-once:PROGRAM for one that answers once and ends"));
        }
        let limit = Limit { timeout: timeout.unwrap_or(TIMEOUT), flag: "--timeout" };
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
