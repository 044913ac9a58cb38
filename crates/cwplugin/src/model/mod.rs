//! The model file: what is stored, its stable bytes, and the verdict.

mod calibration; // the calibration in the file
mod elicited; // models of elicited weights
mod file; // the model
mod record; // how the rule was fitted
mod sentence; // the expected gain in one sentence
mod verdict; // trials and forecasts in the file

pub use file::{Model, ModelError};
pub use record::{
    ConstraintRecord, FitRecord, LogLossRecord, PairRecord, PenaltyRecord, ScorePair, WarningRecord,
};
pub use verdict::{CurvePointRecord, CurveRecord, OutlookRecord, TrialRecord};
