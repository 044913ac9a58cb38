//! What a fit found: the `fit` object of a model file.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::data::class_totals::ClassTotals;
use crate::evaluate::ConstraintStatus;
use crate::report::{Forecast, LearningCurve, ScorePair, Warning};

/// What a fit found. It is stored in model files as it is.
///
/// What only one method has to say (the pairs of Algorithm 1, the candidates of `auto`) stands beside the fields that
/// all methods share; [`FitReport::details`] reads it as the method's own type. Fields that are unknown here are kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FitReport {
    /// Name of the method.
    pub method: String,
    /// Name of the metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The options that were set, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Labelled rows used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Unlabelled rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlabelled: Option<u64>,
    /// Seed of everything random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The metric on the labelled rows; `None` if they were not scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScorePair>,
    /// The metric expected on new rows, if the method estimates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Forecast>,
    /// What only this method has to say.
    #[serde(flatten)]
    pub(crate) details: Map<String, Value>,
    /// The constraints of the fit, and whether the rule meets them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintStatus>,
    /// Whether the rule was changed to meet the constraints, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<bool>,
    /// The gain against the number of labels, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_curve: Option<LearningCurve>,
    /// What to be careful about.
    pub warnings: Vec<Warning>,
}

impl FitReport {
    /// The report of a fit for this metric on these rows.
    pub(crate) fn new(metric: &str, class_totals: &ClassTotals, details: &impl Serialize) -> Self {
        let report = Self {
            metric: Some(metric.into()),
            rows: Some(class_totals.n_labelled()),
            unlabelled: Some(class_totals.unlabelled),
            ..Self::default()
        };
        report.with_details(details)
    }

    /// What only this method has to say, as its own type; `None` if it is the report of another method.
    pub fn details<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(Value::Object(self.details.clone())).ok()
    }

    /// The same with these details; fields of earlier details are replaced.
    pub(crate) fn with_details(mut self, details: &impl Serialize) -> Self {
        if let Ok(Value::Object(details)) = serde_json::to_value(details) {
            self.details.extend(details);
        }
        self
    }

    /// Removes the score.
    pub(crate) fn clear_score(&mut self) {
        self.score = None;
        self.warnings.retain(|warning| warning.kind != Warning::BELOW_CLEAN);
    }

    /// Sets the score on the labelled rows, and warns if it is below that of the unadjusted black box.
    pub(crate) fn set_score(&mut self, score: ScorePair) {
        self.clear_score();
        self.score = Some(score);
        self.warnings.extend(Warning::below_clean(score));
    }
}
