//! From a sample to a decision rule and a report: one folder a method.

pub(crate) mod method; // what a method is: name, options, fit
pub(crate) mod cwplugin; // Algorithm 1
pub(crate) mod ascent; // coordinate ascent on the whole metric
pub(crate) mod bagged; // its mean over bootstrap samples
pub(crate) mod calibrate; // calibration maps by log loss, and a fresh model on features
mod clean; // the unadjusted black box
mod probing; // the probing classifier
mod label_shift; // target prior over source prior
pub(crate) mod expected; // the largest expected metric
pub(crate) mod auto; // chooses among the methods
mod table; // every method by name
pub(crate) mod subject_to; // fits under constraints
pub(crate) mod learning_curve; // the gain against the number of labels

pub use ascent::AscentReport;
pub(crate) use ascent::Start;
pub use auto::{AutoReport, Candidate, Reason};
pub use bagged::{BaggedReport, OutOfBag, WeightSpread};
pub use calibrate::{Calibrated, CalibrationReport, Family, LogLoss, Logistic, Select, Strength};
pub use expected::{ExpectedReport, LABELS_COUNT_FROM, SlopeStructure};
pub use label_shift::{LabelShift, LabelShiftReport};
pub use method::{ConstraintSupport, Method, OptionSpec};
pub use probing::{Probing, ProbingReport};
pub use table::METHODS;
