//! Checked rows: probabilities, labels, row weights and features.

pub(crate) mod probabilities; // n × m class probabilities
pub(crate) mod features; // feature columns
pub(crate) mod class_names; // names of classes
pub(crate) mod class_totals; // rows and weight of each class
mod label; // labels as names, indices or options of either
pub(crate) mod sample; // probabilities with labels and row weights: the paper's S
mod distinct; // whether probabilities say more than the name of a class
mod copies; // rows that repeat another row
mod row_checks; // mistakes that no single row shows
mod fingerprint; // recognises rows that were fitted
pub(crate) mod split; // training and test rows
pub(crate) mod folds; // cross-validation folds
pub(crate) mod bootstrap; // bootstrap samples, stratified by class

pub use crate::error::{classes_hint, did_you_mean, nearest, quoted};
pub use crate::stable_json::refuse_repeated_fields;
pub use class_names::MAX_CLASSES;
pub use copies::Copies;
pub use distinct::DistinctValues;
pub use features::Features;
pub use fingerprint::{Fingerprint, Overlap};
pub use label::Label;
pub use probabilities::{Probabilities, RowSums, Scores};
pub use row_checks::RowChecks;
pub use sample::Sample;

use crate::error::Error;

/// Returns an error if a length is not the expected one.
pub(crate) fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::LengthMismatch { what, found, expected }) }
}
