//! The location of an error in a formula.

pub(super) use crate::error::FormulaProblem;

/// A problem and its byte offset.
#[derive(Debug)]
pub(super) struct ParseError {
    pub(super) at: usize,
    pub(super) problem: FormulaProblem,
}

impl ParseError {
    pub(super) fn at(at: usize, problem: FormulaProblem) -> Self {
        Self { at, problem }
    }
}
