//! From a sample to a decision rule and a report, by every method.

pub(crate) mod report; // what a fit found
pub(crate) mod fitted; // a rule with its report
pub(crate) mod ascent; // coordinate ascent on the whole metric
pub(crate) mod bagged; // its mean over bootstrap samples
pub(crate) mod calibrate; // calibration maps by log loss
mod probing; // the probing classifier
mod label_shift; // target prior over source prior
pub(crate) mod expected; // the largest expected metric
pub(crate) mod auto; // chooses among the methods
mod table; // every method by name
mod subject_to; // fits under constraints
mod learning_curve; // the gain against the number of labels
mod fitter; // a method with its options

pub use ascent::{Ascent, Start};
pub use auto::{Auto, AutoReport, Reason, Trial};
pub use bagged::{Bagged, BaggedReport, OutOfBag, WeightSpread};
pub use calibrate::{Calibrated, Family, LogLoss, Logistic, Select, Strength};
pub use expected::{Expected, ExpectedReport, Freedom, LABELS_COUNT_FROM};
pub use fitted::Fitted;
pub use fitter::Fitter;
pub use label_shift::{LabelShift, LabelShiftReport};
pub use learning_curve::{CurvePoint, LearningCurve};
pub use probing::{Probing, ProbingReport};
pub use report::{AscentReport, Details, PairReport, PluginReport, Report, Warning};
pub use subject_to::SubjectTo;
pub use table::{FitOptions, METHODS, Method, Recipe};
