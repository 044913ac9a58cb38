//! What bagging has to tell.

use serde::{Deserialize, Serialize};

/// How bagging went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BaggedReport {
    /// Refits.
    pub bags: usize,
    /// Refits asked for; more than [`bags`](Self::bags) if the rows were too many for the default.
    pub asked: usize,
    /// What the mean log-weights were multiplied by, from 0 (unit weights) to 1 (the mean as it is).
    pub shrinkage: f64,
    /// How far the refits are apart, class by class.
    pub spread: Vec<WeightSpread>,
    /// How rows are predicted by refits that did not see them; `None` if there is no such row, or the metric means
    /// nothing on those that there are.
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
