//! Fits under constraints.

mod optimism; // how much better a constraint looks on the fitted rows
mod enforce; // changes a rule until it meets the constraints

pub(crate) use enforce::SubjectTo;
