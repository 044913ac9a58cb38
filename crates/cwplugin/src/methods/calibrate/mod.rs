//! Calibration by softmax regression on a labelled sample.
//!
//! The logits of every calibrator are linear in its parameters, so all share one convex problem and one optimiser.

mod products; // matrix products with few columns
mod form; // the layout of slopes and biases
mod softmax; // the objective: log loss plus penalty
mod curvature; // its Hessian
mod newton; // its solution by damped Newton
mod select; // the choice of the penalty
mod family; // temperature, bcts, vector, dirichlet
mod standard; // standardised features
mod space; // principal components of features
mod logistic; // logistic regression on features
mod methods; // names and options

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
    /// The chosen penalty; `None` if the family has none.
    pub penalty: Option<Strength>,
    /// Newton steps over all fits.
    pub iterations: usize,
    /// Whether the gradient of the final fit vanishes, up to rounding.
    pub converged: bool,
    /// Classes without a labelled row.
    pub absent: Vec<usize>,
}

/// Weighted mean log loss of the labelled rows, over all classes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LogLoss {
    /// Of the black box, with probabilities clipped as in the map.
    pub before: f64,
    /// Of the calibrated probabilities.
    pub after: f64,
}
