#![doc = include_str!("../README.md")]
// Tests compare bits: "the same input gives the same bits" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// The layers: each imports only those above it, which tests/layers.rs checks.

mod error; // every way the input can be wrong, with the facts
mod stable_json; // documents of stable bytes
mod numeric; // arithmetic that does not depend on order or threads
mod data; // checked rows: probabilities, labels, row weights, features
pub mod metric; // confusion matrix to number: metrics, formulas, constraints
mod rule; // row to class and to scores: weights, calibration maps, mixtures
mod evaluate; // before and after on labelled rows, with intervals
mod report; // plain facts that methods hand back
mod plugin; // Algorithm 1
mod methods; // sample to rule and report: one folder a method
mod model; // the model file
mod compare; // methods side by side
mod elicit; // metrics that can only be queried
mod distributed; // fits on rows spread over many machines

pub use compare::{Cell, Comparison, Failure, Noise, Shift};
pub use data::{Features, Probabilities, RowSums, Sample, Scores};
pub use distributed::{Pass, PassCounts, PassError, Passes};
pub use elicit::{Answer, Elicitation, Elicited, ElicitedLine, Mode, Oracle, Query, Session, SessionError};
pub use error::Error;
pub use evaluate::{Change, Evaluation, Interval, Kept, Outcomes, OutcomesError, ScoreInterval, Side};
pub use methods::{
    Ascent, AscentReport, Auto, AutoReport, Bagged, BaggedReport, Calibrated, CurvePoint, Details, Expected,
    ExpectedReport, Family, FitOptions, Fitted, Fitter, Freedom, LABELS_COUNT_FROM, LabelShift,
    LabelShiftReport, LearningCurve, LogLoss, Logistic, METHODS, Method, OutOfBag, PairReport, PluginReport,
    Probing, ProbingReport, Reason, Recipe, Report, Select, Start, Strength, SubjectTo, Trial, Warning,
    WeightSpread,
};
pub use metric::{Bound, ClassCounts, Confusion, Constrained, Constraint, Metric};
pub use model::{
    ConstraintRecord, CurvePointRecord, CurveRecord, FitRecord, LogLossRecord, Model, ModelError,
    OutlookRecord, PairRecord, PenaltyRecord, ScorePair, TrialRecord, WarningRecord,
};
pub use plugin::{
    Absent, PairCurve, Peak, Plugin, Reference, Search, Settings, Statistics, StatisticsError,
    StatisticsLine, Step, Ties,
};
pub use report::{Estimate, Forecast};
pub use rule::{
    AffineMap, Calibration, MapInput, MapKind, Mixture, MixtureStep, Rule, Slope, Weights, argmax_weighted,
};
