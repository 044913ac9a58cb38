//! The file that is kept: classes, weights, and how they came about.

use serde::{Deserialize, Serialize};

use super::calibration::CalibrationRecord;
use super::{ConstraintRecord, CurveRecord, FitRecord, ScorePair};

use crate::data::Probabilities;
use crate::error::Error;
use crate::methods::Fitted;
use crate::plugin::statistics::twice;
use crate::rule::{Rule, Weights};
use crate::stable_json;

const FORMAT: &str = "cwplugin-model";
const VERSION: u64 = 1;

/// Class names, one weight each, and a record of the fit; `docs/model-format.md` describes its JSON.
///
/// ```
/// use cwplugin::{Model, Weights};
///
/// let model = Model::new(vec!["ham".into(), "spam".into()], Weights::new(vec![1.0, 3.0])?)?;
/// let text = model.to_json();
/// assert_eq!(Model::from_json(&text).unwrap().to_json(), text);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub(super) classes: Vec<String>,
    rule: Rule,
    pub(super) fit: Option<FitRecord>,
}

/// Why a text is not a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The text is not JSON, or a field is missing or of the wrong kind.
    #[error("{reason}")]
    NotAModel {
        /// What the JSON reader said, with line and column where it knows them.
        reason: String,
    },
    /// The text is JSON of something else.
    #[error("field \"format\" is {found}, not \"cwplugin-model\"")]
    WrongFormat {
        /// What stands there.
        found: String,
    },
    /// The file is of a version that this library does not read.
    #[error("the file has version {found}; this cwplugin reads version 1")]
    UnknownVersion {
        /// The version in the file.
        found: String,
    },
    /// The model holds a calibration that this version cannot apply.
    #[error("the model has a calibration of kind \"{kind}\", which this cwplugin cannot apply")]
    UnknownCalibration {
        /// The kind in the file.
        kind: String,
    },
    /// Classes or weights break a rule.
    #[error(transparent)]
    Invalid(#[from] Error),
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    cwplugin: String,
    pub(super) classes: Vec<String>,
    calibration: Option<CalibrationRecord>,
    weights: Vec<f64>,
    pub(super) fit: Option<FitRecord>,
}

impl Model {
    /// A model of given weights, or of any rule, without a record of a fit.
    ///
    /// # Errors
    ///
    /// If there is not one weight per class, or a name occurs twice.
    pub fn new(classes: Vec<String>, rule: impl Into<Rule>) -> Result<Self, Error> {
        let rule = rule.into();
        if classes.len() != rule.n_classes() {
            let (found, expected) = (classes.len(), rule.n_classes());
            return Err(Error::LengthMismatch { what: "class names", found, expected });
        }
        if let Some(name) = twice(&classes) {
            return Err(Error::DuplicateClass { name: name.into() });
        }
        Ok(Self { classes, rule, fit: None })
    }

    /// The model of a fit; `method` and `seed` go into its record.
    ///
    /// # Errors
    ///
    /// As [`Model::new`].
    pub fn from_fit(classes: Vec<String>, fitted: &Fitted, method: &str, seed: u64) -> Result<Self, Error> {
        let mut model = Self::new(classes, fitted.rule().clone())?;
        let mut record = FitRecord::of(fitted.report(), &model.classes, method, seed);
        record.learning_curve = fitted.learning_curve().map(CurveRecord::from);
        record.constraints = fitted.constraints().iter().map(ConstraintRecord::from).collect();
        record.repaired = (!fitted.constraints().is_empty()).then_some(fitted.is_repaired());
        model.fit = Some(record);
        Ok(model)
    }

    /// The same, if it was learned from some of the rows, with a record of all: how many there are, and the metric on them
    /// before and after.
    pub fn with_all_rows(mut self, rows: u64, unlabelled: u64, score: Option<ScorePair>) -> Self {
        if let Some(record) = &mut self.fit {
            record.count_rows(rows, unlabelled, score, &self.classes);
        }
        self
    }

    /// Class names, in the order of the weights.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// How a row becomes a class.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// One weight per class.
    pub fn weights(&self) -> &Weights {
        self.rule.weights()
    }

    /// How the weights came about, if the file says so.
    pub fn fit(&self) -> Option<&FitRecord> {
        self.fit.as_ref()
    }

    /// What to expect on new rows, in a sentence, if the method made a forecast.
    pub fn verdict(&self) -> Option<String> {
        self.fit.as_ref().and_then(FitRecord::verdict)
    }

    /// The class predicted for every row; columns in the order of [`Model::classes`].
    ///
    /// # Errors
    ///
    /// If there is not one column per class.
    pub fn predict(&self, probabilities: &Probabilities) -> Result<Vec<usize>, Error> {
        self.rule.predict_probabilities(probabilities)
    }

    /// The model as JSON text: the same model gives the same bytes.
    pub fn to_json(&self) -> String {
        stable_json::write(&File {
            format: FORMAT.into(),
            version: VERSION,
            cwplugin: env!("CARGO_PKG_VERSION").into(),
            classes: self.classes.clone(),
            calibration: self.rule.calibration().map(CalibrationRecord::of),
            weights: self.weights().as_slice().to_vec(),
            fit: self.fit.clone(),
        })
    }

    /// Reads a model from JSON text; unknown fields are passed over.
    ///
    /// # Errors
    ///
    /// If the text is not a model of a version known here.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        let text = text.trim_start_matches('\u{feff}'); // some editors put it there
        let not_a_model = |error: serde_json::Error| ModelError::NotAModel { reason: error.to_string() };
        let value: serde_json::Value = serde_json::from_str(text).map_err(not_a_model)?;
        let shown = |field: &str| value.get(field).map_or_else(|| "missing".to_string(), ToString::to_string);
        if value.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
            return Err(ModelError::WrongFormat { found: shown("format") });
        }
        if value.get("version").and_then(serde_json::Value::as_u64) != Some(VERSION) {
            return Err(ModelError::UnknownVersion { found: shown("version") });
        }
        let file: File = serde_json::from_value(value).map_err(not_a_model)?;
        let (found, expected) = (file.weights.len(), file.classes.len());
        if found != expected {
            return Err(Error::LengthMismatch { what: "weights", found, expected }.into());
        }
        let calibration = file.calibration.map(CalibrationRecord::read).transpose()?;
        let rule = Rule::new(calibration, Weights::from_file(file.weights)?)?;
        let model = Self::new(file.classes, rule)?;
        Ok(Self { fit: file.fit, ..model })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        Model::new(vec!["a".into(), "b".into()], Weights::new(vec![1.0, 2.0]).unwrap()).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back_to_the_last_bit() {
        let text = model().to_json();
        let read = Model::from_json(&text).unwrap();
        assert_eq!(read, model());
        assert_eq!(read.to_json(), text);
    }

    #[test]
    fn other_files_and_versions_are_refused() {
        let text = model().to_json();
        let with = |from: &str, to: &str| Model::from_json(&text.replace(from, to)).unwrap_err();
        assert_eq!(
            with("\"version\": 1", "\"version\": 2"),
            ModelError::UnknownVersion { found: "2".into() }
        );
        assert_eq!(with("cwplugin-model", "other"), ModelError::WrongFormat { found: "\"other\"".into() });
        assert_eq!(with("\"b\"", "\"a\""), Error::DuplicateClass { name: "a".into() }.into());
        assert!(matches!(with("weights", "wights"), ModelError::NotAModel { .. }));
        assert!(matches!(Model::from_json("{"), Err(ModelError::NotAModel { .. })));
        assert!(matches!(Model::from_json("[]"), Err(ModelError::WrongFormat { .. })));
    }

    #[test]
    fn the_record_of_another_method_is_kept_and_refuses_nothing() {
        let record = r#""fit": {"method": "later", "folds": [1, 2], "score": {"clean": 0.1, "fitted": 0.2}}"#;
        let text = model().to_json().replace("\"fit\": null", record);
        let read = Model::from_json(&text).unwrap();
        assert_eq!(read.fit().unwrap().method, "later");
        assert!(read.to_json().contains("\"folds\": [1, 2]"));
    }

    #[test]
    fn fields_of_a_later_minor_version_are_passed_over() {
        let text = model().to_json().replacen('{', "{\"new\": [1],", 1);
        assert_eq!(Model::from_json(&text).unwrap(), model());
    }
}
