//! Where a formula is wrong.

pub(super) use crate::error::FormulaProblem;

/// A problem and the byte at which it stands.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) at: usize,
    pub(super) problem: FormulaProblem,
}

impl Refused {
    pub(super) fn at(at: usize, problem: FormulaProblem) -> Self {
        Self { at, problem }
    }
}
