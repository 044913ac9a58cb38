//! Probabilities made to mean what they say, by a softmax regression on a labelled sample.
//!
//! Every calibrator has logits that are linear in its parameters, so one convex problem and one optimiser serve all.

mod products; // of many rows with few columns
mod form; // which of A and c are free
mod softmax; // the problem: log loss plus penalty
mod curvature; // … its Hessian
mod newton; // how it is solved
mod select; // how strong a penalty
mod family; // temperature, bcts, vector, dirichlet
mod standard; // features on one scale
mod space; // … and in fewer dimensions
mod logistic; // a fresh model on features
mod methods; // their names and options

#[cfg(test)]
mod laws;

pub use family::Family;
pub use logistic::Logistic;
pub use methods::CalibrationReport;
pub(crate) use methods::METHODS;
pub use select::{Select, Strength};

use serde::{Deserialize, Serialize};

use crate::rule::{AffineMap, MapInput, Slope};

/// A fitted map and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibrated {
    /// The map.
    pub map: AffineMap,
    /// Log loss of the sample's labelled rows.
    pub log_loss: LogLoss,
    /// The penalty that was chosen; none if the family has none.
    pub penalty: Option<Strength>,
    /// Newton steps, over all fits that were made.
    pub iterations: usize,
    /// Whether the gradient of the fit that was kept vanishes, up to rounding.
    pub converged: bool,
    /// Classes without a labelled row: nothing could be learned of them.
    pub absent: Vec<usize>,
}

/// Weighted mean log loss of the labelled rows, over all classes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LogLoss {
    /// Of the black box's own probabilities, clipped as the maps do.
    pub before: f64,
    /// Of the map's probabilities.
    pub after: f64,
}
