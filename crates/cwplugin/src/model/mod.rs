//! The model: fit, predictions, file format and verdict.

mod error; // errors of reading a model
mod input; // how raw input became probabilities
mod calibration; // the calibration in a model file
#[allow(clippy::module_inception)] // the file that defines `Model`
mod model; // classes, decision rule and report
mod verdict; // the expected gain in one sentence
mod summary; // the model in a few lines
mod fit; // fits a model

pub use error::ModelError;
pub use fit::Fit;
pub use input::InputOptions;
pub use model::Model;
