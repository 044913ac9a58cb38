//! Errors of reading a model.

use crate::error::Error;

/// Why a text cannot be read as a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The text is not JSON, or a field is missing or of the wrong type.
    #[error("{reason}")]
    NotAModel {
        /// The message of the JSON parser, with line and column if known.
        reason: String,
    },
    /// The text is JSON of another format.
    #[error("field \"format\" is {found}, not \"cwplugin-model\"")]
    WrongFormat {
        /// The format found.
        found: String,
    },
    /// The version of the file is not supported.
    #[error("the file has version {found}; this cwplugin reads version 1")]
    UnknownVersion {
        /// The version in the file.
        found: String,
    },
    /// The field of the calibration, which is always written, is missing.
    #[error(
        "field \"calibration\" is missing, so it is unknown whether probabilities are calibrated before the weights"
    )]
    NoCalibration,
    /// The calibration of the model is not supported.
    #[error("the model has a calibration of kind \"{kind}\", which this cwplugin cannot apply")]
    UnknownCalibration {
        /// The kind in the file.
        kind: String,
    },
    /// The content of the model is invalid.
    #[error(transparent)]
    Invalid(#[from] Error),
}
