//! What bagging found.

use serde::{Deserialize, Serialize};

/// What bagging found, beside the weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BaggedReport {
    /// Refits.
    pub n_bootstrap: usize,
    /// Factor of the mean log-weights, from 0 (equal weights) to 1 (the mean as it is).
    pub shrinkage: f64,
    /// How far the refits are apart, class by class.
    pub spread: Vec<WeightSpread>,
    /// The out-of-bag score; `None` if there is no out-of-bag row, or the metric is undefined on those rows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub out_of_bag: Option<OutOfBag>,
}

/// How far the refits are apart in one class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WeightSpread {
    /// 2.5 % of the refits, shrunk as their mean was and on the scale of the weights, are below.
    pub low: f64,
    /// Half of them are below.
    pub median: f64,
    /// 2.5 % of them are above.
    pub high: f64,
    /// Standard deviation of the log-weight between refits, before any shrinkage; 0 of a class that was not searched.
    pub sd: f64,
}

/// The metric of rows that are predicted by refits that did not see them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutOfBag {
    /// Rows that at least two refits did not see.
    pub rows: u64,
    /// Labelled rows that are left out, since fewer refits did without them.
    pub left_out: u64,
    /// The metric of the black box as it is, on those rows.
    pub clean: f64,
    /// The metric of the out-of-bag predictions.
    pub fitted: f64,
    /// 95 % bootstrap interval of their difference.
    pub gain: [f64; 2],
}
