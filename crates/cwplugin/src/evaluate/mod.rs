//! Metrics before and after on labelled rows, with confidence intervals.

mod cells; // rows counted by true class, predictions and weight
mod changes; // rows whose prediction changed
mod constraints; // whether the predictions meet the constraints
mod evaluation; // all metrics, as JSON and as a table
mod interval; // values with confidence intervals
mod json; // outcomes as JSON
pub(crate) mod outcomes; // predictions before and after, counted

pub use changes::Change;
pub use constraints::ConstraintStatus;
pub use evaluation::Evaluation;
pub use interval::{Interval, ScoreInterval, Side};
pub use json::OutcomesError;
pub use outcomes::Outcomes;
