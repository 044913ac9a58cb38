//! Scores before and after, and of pairs of classes.

use serde::{Deserialize, Serialize};

/// A metric before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScorePair {
    /// Of the unadjusted black box.
    pub clean: f64,
    /// Of the fitted rule.
    pub fitted: f64,
}

/// The best α of one class against the reference class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PairReport {
    /// Name of the class.
    pub class: String,
    /// Its best α; the weight relative to the reference is `α / (1 − α)`.
    pub alpha: f64,
    /// The metric on the rows of the two classes.
    pub score: f64,
    /// The interval around α on which the score is the same.
    pub plateau: [f64; 2],
    /// How often the metric was evaluated.
    pub evaluations: usize,
}
