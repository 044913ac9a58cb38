//! Metrics before and after on labelled rows, with confidence intervals.

mod cells; // rows counted by label and both predictions
mod changes; // rows whose prediction changed
mod constraints; // whether the predictions meet the constraints
mod evaluation; // every metric at once, as a document
mod interval; // numbers with confidence intervals
mod json; // outcomes as a document
pub(crate) mod outcomes; // predictions of both sides, counted

pub use changes::Change;
pub use constraints::ConstraintStatus;
pub use evaluation::Evaluation;
pub use interval::{Interval, ScoreInterval, Side};
pub use json::OutcomesError;
pub use outcomes::Outcomes;
