//! Why a text is not a model.

use crate::error::Error;

/// Why a text is not a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The text is not JSON, or a field is missing or of the wrong kind.
    #[error("{reason}")]
    NotAModel {
        /// What the JSON reader said, with line and column where it knows them.
        reason: String,
    },
    /// The text is JSON of something else.
    #[error("field \"format\" is {found}, not \"cwplugin-model\"")]
    WrongFormat {
        /// What stands there.
        found: String,
    },
    /// The file is of a version that this library does not read.
    #[error("the file has version {found}; this cwplugin reads version 1")]
    UnknownVersion {
        /// The version in the file.
        found: String,
    },
    /// The model holds a calibration that this version cannot apply.
    #[error("the model has a calibration of kind \"{kind}\", which this cwplugin cannot apply")]
    UnknownCalibration {
        /// The kind in the file.
        kind: String,
    },
    /// Classes or weights break a rule.
    #[error(transparent)]
    Invalid(#[from] Error),
}
