//! What most programs need: `use cwplugin::prelude::*;`.

pub use crate::data::{Features, Probabilities, Sample};
pub use crate::error::Error;
pub use crate::evaluate::Evaluation;
pub use crate::metric::{
    Accuracy, BalancedAccuracy, Confusion, Constraint, Cost, GMean, MacroF1, MacroGMean, Mcc, Metric,
};
pub use crate::model::{Fit, Model};
