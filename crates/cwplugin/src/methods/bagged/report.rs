//! The report of bagging.

use serde::{Deserialize, Serialize};

/// The report of bagging.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BaggedReport {
    /// Number of refits.
    pub n_bootstrap: usize,
    /// Factor of the mean log-weights, from 0 (equal weights) to 1 (no shrinkage).
    pub shrinkage: f64,
    /// The spread of the refits, per class.
    pub spread: Vec<WeightSpread>,
    /// The out-of-bag score; `None` if there is no out-of-bag row, or the metric is undefined on those rows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub out_of_bag: Option<OutOfBag>,
}

/// The spread of the weight of one class over the refits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WeightSpread {
    /// 2.5% quantile of the refits, shrunk like their mean, on the scale of the weights.
    pub low: f64,
    /// Median.
    pub median: f64,
    /// 97.5% quantile.
    pub high: f64,
    /// Standard deviation of the log-weight between refits, before shrinkage; 0 for a class that was not tuned.
    pub sd: f64,
}

/// The metric of out-of-bag predictions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutOfBag {
    /// Rows that at least two refits did not draw.
    pub rows: u64,
    /// The other labelled rows, which are not scored.
    #[serde(rename = "left_out")]
    pub unscored_rows: u64,
    /// The metric of the unadjusted black box on the scored rows.
    pub clean: f64,
    /// The metric of the out-of-bag predictions.
    pub fitted: f64,
    /// 95% bootstrap confidence interval of the difference.
    pub gain: [f64; 2],
}
