//! A program by its name, started once for all queries or once for each.

use super::connection::Connection;
use super::failure::{Failure, Limit};
use crate::user_error::UserError;

/// Whether a name means a program.
pub(crate) fn is_named(name: &str) -> bool {
    name.starts_with("command:") || name.starts_with("command-once:")
}

/// A program that answers queries.
#[derive(Debug)]
pub(super) struct Program {
    name: String,
    words: Vec<String>,
    limit: Limit,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// Started once, one line per query.
    Lasting(Option<Connection>),
    /// Started for every query.
    Once,
}

impl Program {
    /// The program behind `command:` or `command-once:`, with a time limit for each answer.
    pub(super) fn new(name: &str, limit: Limit) -> Result<Self, UserError> {
        const CURE: &str = "write a program and its arguments, as in command:python3 metric.py";
        let (mut form, line) = match name.split_once(':') {
            Some(("command-once", line)) => (Form::Once, line),
            Some((_, line)) => (Form::Lasting(None), line),
            None => (Form::Once, name),
        };
        let words = shlex::split(line)
            .ok_or_else(|| UserError::usage(format!("{name}: unclosed quotation mark")).hint(CURE))?;
        if words.is_empty() {
            return Err(UserError::usage(format!("{name}: no program is named")).hint(CURE));
        }
        if let Form::Lasting(connection) = &mut form {
            // Immediately: a missing program fails before any work.
            let started = Connection::start(&words);
            *connection = Some(started.map_err(|failure| failure.user_error(name, None, &limit))?);
        }
        Ok(Self { name: name.into(), words, limit, form })
    }

    /// The answer to one line; a program that fails is killed.
    pub(super) fn ask<T>(
        &mut self,
        query: &str,
        parse: impl Fn(&[u8]) -> Result<T, Failure>,
    ) -> Result<T, UserError> {
        self.answer(query).and_then(|answer| parse(&answer)).map_err(|failure| {
            if let Form::Lasting(connection) = &mut self.form {
                *connection = None;
            }
            failure.user_error(&self.name, Some(query), &self.limit)
        })
    }

    fn answer(&mut self, query: &str) -> Result<Vec<u8>, Failure> {
        match &mut self.form {
            Form::Once => Connection::start(&self.words)?.ask_once(query, self.limit.timeout),
            Form::Lasting(Some(connection)) => connection.ask(query, self.limit.timeout),
            Form::Lasting(stopped) => {
                stopped.insert(Connection::start(&self.words)?).ask(query, self.limit.timeout)
            }
        }
    }

    /// Lets it end; an error if it prints more than was asked for.
    pub(super) fn finish(&mut self) -> Result<(), UserError> {
        let Form::Lasting(connection) = &mut self.form else { return Ok(()) };
        let outcome = connection.take().map_or(Ok(()), Connection::finish);
        outcome.map_err(|failure| failure.user_error(&self.name, None, &self.limit))
    }
}
