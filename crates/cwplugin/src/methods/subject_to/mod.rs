//! Fits under constraints.

mod optimism; // how much better a constraint looks on the fitted rows
mod honour; // moves a rule until it meets the constraints

pub use honour::SubjectTo;
