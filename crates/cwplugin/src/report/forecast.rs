//! The metric expected on new rows.

use serde::{Deserialize, Serialize};

/// The metric expected on new rows, before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Forecast {
    /// Of the unadjusted black box.
    pub clean: f64,
    /// Of the fitted rule.
    pub fitted: f64,
    /// Lower end of the 95% confidence interval of `fitted`; `None` if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub low: Option<f64>,
    /// Upper end of the interval.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub high: Option<f64>,
    /// `fitted` − `clean`.
    pub gain: f64,
    /// Standard deviation of the gain; `None` if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gain_sd: Option<f64>,
    /// The probability that the gain is positive; `None` if it is unknown, or if predictions are unchanged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probability_of_gain: Option<f64>,
}
