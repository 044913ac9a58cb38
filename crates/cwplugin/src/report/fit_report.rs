//! The report of a fit: the `fit` object of a model file.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::data::Fingerprint;
use crate::data::class_totals::ClassTotals;
use crate::evaluate::ConstraintStatus;
use crate::report::{Forecast, LearningCurve, ScorePair, Warning};

/// The report of a fit, stored in model files.
///
/// Fields of one method (the pairs of Algorithm 1, the candidates of `auto`) are stored beside the shared fields;
/// [`FitReport::details`] reads them as the type of that method. Unknown fields are preserved.
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
    /// Fields specific to the method.
    #[serde(flatten)]
    pub(crate) details: Map<String, Value>,
    /// The constraints of the fit, and whether the rule meets them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintStatus>,
    /// Whether the rule was changed to meet the constraints, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<bool>,
    /// The gain against the number of labels, if it was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_curve: Option<LearningCurve>,
    /// Recognises the labelled rows, so that an evaluation on the same rows can be told; `None` if they are not known or
    /// very many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// Warnings about the data or the fit.
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

    /// Fields specific to the method, as the type of that method; `None` if the report lacks its fields.
    /// The report of `auto` has those of `expected` too.
    pub fn details<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(Value::Object(self.details.clone())).ok()
    }

    /// Adds these details; existing fields are replaced.
    pub(crate) fn with_details(mut self, details: &impl Serialize) -> Self {
        if let Ok(Value::Object(details)) = serde_json::to_value(details) {
            self.details.extend(details);
        }
        self
    }

    /// Removes the score and its warning.
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
