//! What was tried and what is to be expected, as the model file tells it.

use serde::{Deserialize, Serialize};

use crate::methods::{CurvePoint, LearningCurve, Trial};
use crate::report::Forecast;

/// How a method did on rows that it was not fitted on, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TrialRecord {
    /// Name of the method.
    pub method: String,
    /// The metric out of fold.
    pub score: f64,
    /// Where it might have been with other rows: 2.5 % …
    pub low: f64,
    /// … and 97.5 %.
    pub high: f64,
    /// What it is above the black box on the same rows.
    pub gain: f64,
    /// How far off that may be.
    pub gain_sd: f64,
}

/// What the metric is expected to be on new rows, as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutlookRecord {
    /// With the black box as it is.
    pub clean: f64,
    /// With the rule.
    pub fitted: f64,
    /// The 95 % interval of `fitted`; missing if nothing is known of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub low: Option<f64>,
    /// … to here.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub high: Option<f64>,
    /// `fitted` − `clean`.
    pub gain: f64,
    /// How far off that may be; missing if nothing is known of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gain_sd: Option<f64>,
}

/// How the gain grows with the labels, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CurveRecord {
    /// One entry per size, in increasing order.
    pub points: Vec<CurvePointRecord>,
    /// The gain of `n` rows is about `limit − slope / n`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<f64>,
    /// … with this slope.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slope: Option<f64>,
    /// Labelled rows at which the gain is larger than its uncertainty, if some number up to twenty times theirs is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows_needed: Option<u64>,
}

/// What that many rows bring, as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CurvePointRecord {
    /// Labelled rows fitted.
    pub rows: u64,
    /// The metric on the others, with the black box as it is.
    pub clean: f64,
    /// … with the rule.
    pub fitted: f64,
    /// The difference.
    pub gain: f64,
    /// How far it goes from subset to subset.
    pub gain_sd: f64,
}

impl From<&Trial> for TrialRecord {
    fn from(trial: &Trial) -> Self {
        let Trial { method, score, interval: (low, high), gain } = *trial;
        Self { method: method.into(), score, low, high, gain: gain.mean, gain_sd: gain.sd }
    }
}

impl From<Forecast> for OutlookRecord {
    fn from(outlook: Forecast) -> Self {
        let (low, high) = outlook.interval();
        // JSON has no infinity.
        let [low, high, gain_sd] =
            [low, high, outlook.gain.sd].map(|end| Some(end).filter(|end| end.is_finite()));
        Self {
            clean: outlook.clean.mean,
            fitted: outlook.fitted.mean,
            low,
            high,
            gain: outlook.gain.mean,
            gain_sd,
        }
    }
}

impl From<&LearningCurve> for CurveRecord {
    fn from(curve: &LearningCurve) -> Self {
        let point = |point: &CurvePoint| CurvePointRecord {
            rows: point.rows,
            clean: point.clean,
            fitted: point.fitted,
            gain: point.gain.mean,
            gain_sd: point.gain.sd,
        };
        let (limit, slope) = curve.law.unzip();
        Self {
            points: curve.points.iter().map(point).collect(),
            limit,
            slope,
            rows_needed: curve.rows_needed,
        }
    }
}
