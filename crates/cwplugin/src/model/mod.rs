//! The model: its file with stable bytes, its predictions, the fit that makes it, and the verdict.

mod error; // why a text is not a model
mod calibration; // the calibration in the file
#[allow(clippy::module_inception)] // the file that defines `Model`
mod model; // classes, decision rule and report
mod verdict; // the expected gain in one sentence
mod summary; // the model in a few lines
mod fit; // a method with its options: fits a model

pub use error::ModelError;
pub use fit::Fit;
pub use model::Model;
