//! Errors in predictions from outside the library.

/// Why predictions from outside cannot be compared; [`Error::External`](super::Error::External) has the name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExternalProblem {
    /// A method of the library has this name, or another external method.
    #[error("another method has this name")]
    NameInUse,
    /// Predictions of a draw are missing.
    #[error("no predictions for draw {repeat} of {size} rows and metric {metric}")]
    Missing {
        /// Labelled rows of the draw.
        size: usize,
        /// Its repeat.
        repeat: usize,
        /// The metric.
        metric: String,
    },
    /// The number of predictions differs from that of the test rows.
    #[error("draw {repeat} of {size} rows has {found} predictions for {expected} test rows")]
    WrongLength {
        /// Labelled rows of the draw.
        size: usize,
        /// Its repeat.
        repeat: usize,
        /// Predictions given.
        found: usize,
        /// Test rows.
        expected: usize,
    },
    /// A predicted class does not exist.
    #[error("draw {repeat} of {size} rows, test row {row}: class {class} does not exist")]
    NoSuchClass {
        /// Labelled rows of the draw.
        size: usize,
        /// Its repeat.
        repeat: usize,
        /// The test row.
        row: usize,
        /// The index given.
        class: usize,
    },
}
