//! Fits under constraints.

mod optimism; // bias of a constraint value on the fitted rows
mod enforce; // adjusts a rule until it meets the constraints

pub(crate) use enforce::SubjectTo;
