//! Where a vendor's module puts what it has read.

use crate::classes::Classes;
use crate::error::ReplyError;
use crate::missing::{Listed, Missing, complete};
use crate::path::FieldPath;
use crate::row::Rows;
use crate::scores::Scores;
use crate::source::{Ask, Source};
use crate::tokens::{Ahead, Answer, Fields, Position, Start, locate, walk};

/// What is wanted: rows, or the names in lists of scores.
#[derive(Debug)]
pub(crate) enum Wanted<'o> {
    Rows { classes: &'o Classes, missing: Missing, answer_at: Option<&'o FieldPath>, rows: &'o mut Rows },
    Names(&'o mut Vec<String>),
}

/// Receives the rows of one reply.
#[derive(Debug)]
pub(crate) struct Output<'o> {
    pub(crate) source: Source,
    pub(crate) wanted: Wanted<'o>,
    /// The first list of alternatives, if it was read before.
    pub(crate) ahead: Option<&'o Ahead<'o>>,
}

impl Output<'_> {
    /// One row from the tokens of an answer, which are listed in `field`.
    pub(crate) fn tokens(
        &mut self,
        positions: &[Position<'_>],
        fields: &Fields,
        field: &str,
        ask: Ask,
    ) -> Result<(), ReplyError> {
        if positions.is_empty() {
            return Err(ReplyError::NoLogprobs { field: field.to_owned(), ask });
        }
        let Wanted::Rows { classes, answer_at, .. } = &self.wanted else { return Ok(()) };
        let classes = *classes;
        let start = match answer_at {
            Some(field) => locate(positions, field)?,
            None => Start::default(),
        };
        let answer = Answer { positions, ahead: self.ahead };
        self.row(None, &|| fields.list(start.position), |q| walk(answer, &start, classes, fields, q))
    }

    /// One row from a list of scores.
    pub(crate) fn scores(&mut self, id: Option<&str>, scores: &Scores<'_>) -> Result<(), ReplyError> {
        match &mut self.wanted {
            Wanted::Names(names) => {
                for name in scores.list.iter().map(|score| score.name.trim()) {
                    if !names.iter().any(|other| other == name) {
                        names.push(name.to_owned());
                    }
                }
                Ok(())
            }
            Wanted::Rows { classes, .. } => {
                let classes = *classes;
                self.row(id, &|| scores.field.clone(), |q| scores.read(classes, q))
            }
        }
    }

    /// One row with the probabilities that `fill` writes.
    pub(crate) fn row(
        &mut self,
        id: Option<&str>,
        field: &dyn Fn() -> String,
        fill: impl FnOnce(&mut [f64]) -> Result<Listed, ReplyError>,
    ) -> Result<(), ReplyError> {
        let Wanted::Rows { classes, missing, rows, .. } = &mut self.wanted else { return Ok(()) };
        let q = rows.start(classes.len());
        let listed = fill(q)?;
        let rest = complete(q, listed, *missing).map_err(|absent| ReplyError::MissingClasses {
            field: field(),
            classes: absent.into_iter().map(|k| classes.names()[k as usize].clone()).collect(),
        })?;
        rows.finish(id, rest.other, &rest.missing, listed.kind);
        Ok(())
    }

    /// Rows so far.
    pub(crate) fn n_rows(&self) -> usize {
        match &self.wanted {
            Wanted::Rows { rows, .. } => rows.len(),
            Wanted::Names(_) => 0,
        }
    }

    /// The classes, unless only names are wanted.
    pub(crate) fn classes(&self) -> Option<&Classes> {
        match &self.wanted {
            Wanted::Rows { classes, .. } => Some(classes),
            Wanted::Names(_) => None,
        }
    }

    /// The error that the reply does not have the fields of its source.
    pub(crate) fn shape(&self, field: &str, problem: &str) -> ReplyError {
        ReplyError::Shape { origin: self.source.name(), field: field.to_owned(), problem: problem.to_owned() }
    }
}
