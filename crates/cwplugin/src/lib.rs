#![doc = include_str!("../README.md")]
// Tests compare floats exactly: the same input gives the same bits.
#![cfg_attr(test, allow(clippy::float_cmp))]
// Each layer imports only layers above it; tests/layers.rs checks this.

mod error; // invalid input, one variant per cause
mod progress; // progress of long work
mod stable_json; // JSON text with stable bytes
mod numeric; // arithmetic that does not depend on order or threads
pub mod data; // checked rows: probabilities, labels, row weights, features
pub mod metric; // confusion matrix to number: metrics, formulas, constraints
pub mod rule; // row to class and to scores: weights, calibration maps, mixtures
pub mod evaluate; // before and after on labelled rows, with intervals
pub mod report; // results that methods return: scores, forecasts, warnings
pub mod plugin; // Algorithm 1
pub mod methods; // sample to rule and report; one folder per method
pub mod model; // the model file
pub mod compare; // methods side by side
pub mod elicit; // metrics that can only be queried
pub mod distributed; // fits on rows spread over many machines

pub mod prelude; // what most programs need

pub use compare::{Cell, Comparison};
pub use data::{Features, Probabilities, RowSums, Sample, Scores};

pub use elicit::{Answer, Elicitation, Mode, Query, Session, SessionError};
pub use error::{Error, FormulaProblem};
pub use evaluate::{ConstraintStatus, Evaluation, Outcomes, Side};
pub use methods::{METHODS, Method};
pub use metric::{Bound, Confusion, Constraint, Metric};
pub use model::{Fit, Model, ModelError};
pub use numeric::quantile::quantile;
pub use plugin::{Absent, PairCurve, PluginReport, Reference, Search, Statistics, Step, Ties};
pub use report::{FitReport, LearningCurve, ScorePair, Warning};
pub use rule::{AffineMap, Calibration, MapInput, Mixture, Rule, Slope, Weights};
