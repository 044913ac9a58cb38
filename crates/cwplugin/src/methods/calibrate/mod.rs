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
mod structured; // svs, sms
mod standard; // standardised features
mod principal_components; // principal components of features
mod logistic; // logistic regression on features
mod methods; // names and options

#[cfg(test)]
mod tests; // properties of the problem and its optimum

pub use family::Family;
pub use logistic::Logistic;
pub use methods::CalibrationReport;
pub(crate) use methods::METHODS;
pub use select::{Select, Strength};
pub use structured::Structured;

use select::Choice;
use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::error::Error;
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

impl Calibrated {
    /// The result of a choice, or of no fit; `penalty` is the penalty of a choice.
    fn new(
        map: AffineMap,
        log_loss: f64,
        choice: Option<&Choice>,
        penalty: impl Fn(&Choice) -> Option<Strength>,
        sample: &Sample,
    ) -> Result<Self, Error> {
        let m = map.n_classes();
        let before = AffineMap::identity(m)?.log_loss(sample);
        Ok(Self {
            map,
            log_loss: LogLoss { before, after: log_loss },
            penalty: choice.and_then(penalty),
            iterations: choice.map_or(0, |choice| choice.iterations),
            converged: choice.is_none_or(|choice| choice.optimum.converged),
            absent: (0..m).filter(|&class| sample.n_rows_of(class) == 0).collect(),
        })
    }
}

/// Weighted mean log loss of the labelled rows, over all classes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LogLoss {
    /// Of the black box, with probabilities clipped as in the map.
    pub before: f64,
    /// Of the calibrated probabilities.
    pub after: f64,
}
