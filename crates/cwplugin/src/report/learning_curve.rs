//! The gain against the number of labels.

use serde::{Deserialize, Serialize};

/// How the gain of a method grows with the labelled rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearningCurve {
    /// One point for each number of rows, in increasing order; none if there are too few rows.
    pub points: Vec<CurvePoint>,
    /// The gain with `n` rows is about `limit − slope / n`, by least squares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<f64>,
    /// See `limit`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slope: Option<f64>,
    /// The fewest labelled rows, up to twenty times the present number, at which the gain outweighs the risk of a loss.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows_needed: Option<u64>,
}

/// Fits on one number of rows, scored on the rows left out; means over random subsets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CurvePoint {
    /// Labelled rows in each fit.
    pub rows: u64,
    /// The metric of the unadjusted black box.
    pub clean: f64,
    /// The metric of the fitted rule.
    pub fitted: f64,
    /// `fitted` − `clean`.
    pub gain: f64,
    /// Standard deviation of the gain between subsets.
    pub gain_sd: f64,
}
