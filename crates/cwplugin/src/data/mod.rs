//! Checked rows: probabilities, labels, row weights and features.

pub(crate) mod probabilities; // n × m class probabilities
pub(crate) mod features; // other columns of the rows
pub(crate) mod class_totals; // rows and weight of each class
pub(crate) mod sample; // probabilities with labels and row weights: the paper's S

pub use features::Features;
pub use probabilities::{Probabilities, RowSums, Scores};
pub use sample::Sample;
