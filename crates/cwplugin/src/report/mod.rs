//! Results that methods return: scores, forecasts and warnings.

pub(crate) mod estimate; // a number and its standard deviation
mod forecast; // the metric expected on new rows
pub(crate) mod words; // numbers in sentences
mod learning_curve; // the gain against the number of labels
mod score; // the metric before and after, and on pairs of classes
mod warning; // warnings about the data or the fit
mod fit_report; // the report of a fit: the `fit` object of a model file
mod fitted; // a decision rule with its report

pub use crate::progress::Progress;
pub use estimate::Estimate;
pub use fit_report::FitReport;
pub(crate) use fitted::Fitted;
pub use forecast::Forecast;
pub use learning_curve::{CurvePoint, LearningCurve};
pub use score::{PairReport, ScorePair};
pub use warning::Warning;
