//! Methods: from a sample to a decision rule and a report, one folder per method.

pub(crate) mod same_sample; // values that fits of one sample have in common
pub(crate) mod method; // the definition of a method: name, options, fit
pub(crate) mod log_weights; // logarithms of class weights
mod subsets; // random subsets of rows
mod coordinate_ascent; // the loop of coordinate ascent
pub(crate) mod cwplugin; // Algorithm 1
pub(crate) mod ascent; // coordinate ascent on the whole metric
pub(crate) mod bagged; // coordinate ascent averaged over bootstrap samples
pub(crate) mod calibrate; // calibration maps by log loss, and logistic regression on features
pub(crate) mod clean; // the unadjusted black box
mod probing; // the probing classifier
mod label_shift; // target prior divided by source prior
pub(crate) mod expected; // maximises the expected metric
pub(crate) mod auto; // chooses among the methods
mod table; // all methods by name
pub(crate) mod subject_to; // fits under constraints
pub(crate) mod refit; // the chosen method on other rows
pub(crate) mod learning_curve; // gain by number of labels

pub use ascent::AscentReport;
pub(crate) use ascent::Start;
pub use auto::{AutoReport, Candidate, Reason, Standing};
pub(crate) use auto::{CLEARLY_BETTER, MAX_EXTRAPOLATION};
pub use bagged::{BaggedReport, OutOfBag, WeightSpread};
pub use calibrate::{Calibrated, CalibrationReport, Family, LogLoss, Logistic, Select, Strength, Structured};
pub use expected::{ExpectedReport, LABELS_COUNT_FROM, SlopeStructure};
pub use label_shift::{LabelShift, LabelShiftReport};
pub use method::{ConstraintSupport, Method, OptionSpec};
pub use probing::{Probing, ProbingReport};
pub use table::METHODS;
