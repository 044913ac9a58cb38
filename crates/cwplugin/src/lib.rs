#![doc = include_str!("../README.md")]
// Tests compare bits: "the same input gives the same bits" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// The layers: each imports only those above it, which tests/layers.rs checks.

mod error; // every way the input can be wrong, with the facts
mod stable_json; // documents of stable bytes
mod numeric; // arithmetic that does not depend on order or threads
pub mod data; // checked rows: probabilities, labels, row weights, features
pub mod metric; // confusion matrix to number: metrics, formulas, constraints
pub mod rule; // row to class and to scores: weights, calibration maps, mixtures
pub mod evaluate; // before and after on labelled rows, with intervals
pub mod report; // plain facts that methods hand back
pub mod plugin; // Algorithm 1
pub mod methods; // sample to rule and report: one folder a method
pub mod model; // the model file
pub mod compare; // methods side by side
pub mod elicit; // metrics that can only be queried
pub mod distributed; // fits on rows spread over many machines

pub mod prelude; // what most programs need

pub use compare::{Cell, Comparison, Failure, Noise, Shift};
pub use data::{Features, Label, Probabilities, RowSums, Sample, Scores};
pub use distributed::{Pass, PassCounts, PassError, Passes};
pub use elicit::{
    Answer, ElicitReport, Elicitation, Elicited, ElicitedLine, Mode, Oracle, Query, Session, SessionError,
};
pub use error::{Error, FormulaProblem};
pub use evaluate::{
    Change, ConstraintStatus, Evaluation, Interval, Outcomes, OutcomesError, ScoreInterval, Side,
};
pub use methods::{METHODS, Method};
pub use metric::{Bound, ClassCounts, Confusion, Constraint, Metric};
pub use model::{Fit, Model, ModelError};
pub use numeric::quantile::quantile;
pub use plugin::{
    Absent, PairCurve, PluginReport, Reference, Search, Statistics, StatisticsError, StatisticsLine, Step,
    Ties,
};
pub use report::{FitReport, Forecast, LearningCurve, PairReport, ScorePair, Warning};
pub use rule::{AffineMap, Calibration, MapInput, MapKind, Mixture, MixtureStep, Rule, Slope, Weights};
