//! Metrics before and after on labelled rows, with confidence intervals.

mod cells; // rows counted by label and both predictions
mod changes; // rows whose prediction changed
mod constraints; // how far the predictions meet a constraint
mod evaluation; // every metric at once, as a document
mod json; // outcomes as a document
pub(crate) mod outcomes; // predictions of both sides, counted

pub use changes::Change;
pub use constraints::Kept;
pub use evaluation::Evaluation;
pub use json::OutcomesError;
pub use outcomes::{Interval, Outcomes, ScoreInterval, Side};
