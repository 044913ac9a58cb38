//! The file that is kept: classes, weights, and how they came about.

mod json; // stable bytes

use serde::{Deserialize, Serialize};

use crate::{Error, FittedPlugin, Probabilities, Weights};

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
    classes: Vec<String>,
    weights: Weights,
    fit: Option<FitRecord>,
}

/// How the weights came about, as it stands in the file.
///
/// Only `method` is always there: another method may have nothing to say about a reference, and no record is a reason to
/// refuse weights. Fields that are not known here are kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FitRecord {
    /// Name of the method.
    pub method: String,
    /// Name of the metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Name of the fixed class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// `exact`, `grid:EPS` or `binary:EPS`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// `first`, `nearest-half` or `middle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<String>,
    /// `keep` or `drop`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
    /// Labelled rows used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// Rows without a label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlabelled: Option<usize>,
    /// Seed of everything random; Algorithm 1 draws nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The metric on the sample, before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScorePair>,
    /// One entry per class that was searched.
    pub pairs: Vec<PairRecord>,
    /// Doubts.
    pub warnings: Vec<WarningRecord>,
    /// What a later version wrote.
    #[serde(flatten)]
    other: serde_json::Map<String, serde_json::Value>,
}

/// A metric before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScorePair {
    /// The black box as it is.
    pub clean: f64,
    /// With the weights.
    pub fitted: f64,
}

/// What was found for one class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PairRecord {
    /// Name of the class.
    pub class: String,
    /// Its best α; the weight relative to the reference is `α / (1 − α)`.
    pub alpha: f64,
    /// The metric on the pair's rows.
    pub score: f64,
    /// From where to where α may go at the same score.
    pub plateau: [f64; 2],
    /// How often the metric was evaluated.
    pub evaluations: usize,
}

/// A doubt, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WarningRecord {
    /// Stable name of the kind of doubt.
    pub kind: String,
    /// The class it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub class: Option<String>,
    /// The doubt in words.
    pub message: String,
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
    /// The model holds a calibration map, which this version cannot apply.
    #[error("the model has a calibration map, which this cwplugin cannot apply")]
    UnknownCalibration,
    /// Classes or weights break a rule.
    #[error(transparent)]
    Invalid(#[from] Error),
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    cwplugin: String,
    classes: Vec<String>,
    calibration: Option<serde_json::Value>,
    weights: Vec<f64>,
    fit: Option<FitRecord>,
}

impl Model {
    /// A model of given weights, without a record of a fit.
    ///
    /// # Errors
    ///
    /// If there is not one weight per class, or a name occurs twice.
    pub fn new(classes: Vec<String>, weights: Weights) -> Result<Self, Error> {
        if classes.len() != weights.n_classes() {
            let (found, expected) = (classes.len(), weights.n_classes());
            return Err(Error::LengthMismatch { what: "class names", found, expected });
        }
        let mut sorted: Vec<_> = classes.iter().collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateClass { name: twice[0].clone() });
        }
        Ok(Self { classes, weights, fit: None })
    }

    /// The model of a fit; `method` and `seed` go into its record.
    ///
    /// # Errors
    ///
    /// As [`Model::new`].
    pub fn from_fit(
        classes: Vec<String>,
        fitted: &FittedPlugin,
        method: &str,
        seed: u64,
    ) -> Result<Self, Error> {
        let mut model = Self::new(classes, fitted.weights().clone())?;
        let report = fitted.report();
        let name = |class: usize| model.classes[class].clone();
        let pairs = report.pairs.iter().map(|pair| PairRecord {
            class: name(pair.class),
            alpha: pair.peak.alpha,
            score: pair.peak.score,
            plateau: pair.peak.plateau,
            evaluations: pair.peak.evaluations,
        });
        let warnings = report.warnings.iter().map(|warning| WarningRecord {
            kind: warning.kind().into(),
            class: warning.class().map(name),
            message: warning.message(&model.classes),
        });
        model.fit = Some(FitRecord {
            method: method.into(),
            metric: Some(report.metric.clone()),
            reference: Some(name(report.reference)),
            search: Some(report.search.to_string()),
            ties: Some(report.ties.to_string()),
            absent: Some(report.absent.to_string()),
            rows: Some(report.rows),
            unlabelled: Some(report.unlabelled),
            seed: Some(seed),
            score: Some(ScorePair { clean: report.clean, fitted: report.fitted }),
            pairs: pairs.collect(),
            warnings: warnings.collect(),
            other: serde_json::Map::new(),
        });
        Ok(model)
    }

    /// Class names, in the order of the weights.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// One weight per class.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// How the weights came about, if the file says so.
    pub fn fit(&self) -> Option<&FitRecord> {
        self.fit.as_ref()
    }

    /// The class predicted for every row; columns in the order of [`Model::classes`].
    ///
    /// # Errors
    ///
    /// If there is not one column per class.
    pub fn predict(&self, probabilities: &Probabilities) -> Result<Vec<usize>, Error> {
        self.weights.predict(probabilities)
    }

    /// The model as JSON text: the same model gives the same bytes.
    pub fn to_json(&self) -> String {
        json::write(&File {
            format: FORMAT.into(),
            version: VERSION,
            cwplugin: env!("CARGO_PKG_VERSION").into(),
            classes: self.classes.clone(),
            calibration: None,
            weights: self.weights.as_slice().to_vec(),
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
        if file.calibration.is_some() {
            return Err(ModelError::UnknownCalibration);
        }
        let (found, expected) = (file.weights.len(), file.classes.len());
        if found != expected {
            return Err(Error::LengthMismatch { what: "weights", found, expected }.into());
        }
        let model = Self::new(file.classes, Weights::from_file(file.weights)?)?;
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
        assert_eq!(with("\"calibration\": null", "\"calibration\": {}"), ModelError::UnknownCalibration);
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
