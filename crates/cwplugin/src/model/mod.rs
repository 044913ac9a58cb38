//! The model: fit, predictions, file format and verdict.

mod error; // errors of reading a model
mod input; // how raw input became probabilities
mod calibration; // the calibration in a model file
#[allow(clippy::module_inception)] // the file that defines `Model`
mod model; // classes, decision rule and report
mod labels; // how many more labels would settle whether there is a gain
mod verdict; // the expected gain in one sentence
mod explanation; // why `auto` chose a method
mod summary; // the model in a few lines
mod fit; // fits a model

pub use error::ModelError;
pub use fit::Fit;
pub use input::{InputOptions, VotesPerRow};
pub use labels::MoreLabels;
pub use model::Model;
