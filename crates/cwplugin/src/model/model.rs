//! Classes, decision rule and report: what a model file holds.

use serde::{Deserialize, Serialize};

use super::ModelError;
use super::calibration::CalibrationRecord;
use crate::data::class_names::check_unique;
use crate::data::{Probabilities, Sample};
use crate::error::Error;
use crate::evaluate::{Evaluation, Outcomes};
use crate::metric::{self, Constraint};
use crate::report::{FitReport, LearningCurve, ScorePair};
use crate::rule::{Rule, Weights};
use crate::stable_json;

const FORMAT: &str = "cwplugin-model";
const VERSION: u64 = 1;

/// Resamples of an interval.
const RESAMPLES: usize = 1_000;

/// A decision rule for named classes, with a report of its fit; `docs/model-format.md` describes its JSON.
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
    rule: Rule,
    report: Option<FitReport>,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    cwplugin: String,
    classes: Vec<String>,
    calibration: Option<CalibrationRecord>,
    weights: Vec<f64>,
    fit: Option<FitReport>,
}

impl Model {
    /// A model of given weights, or of any rule, without a report of a fit.
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
        check_unique(&classes)?;
        Ok(Self { classes, rule, report: None })
    }

    /// The model of a rule that was fitted.
    pub(crate) fn of_fit(classes: &[String], rule: Rule, report: FitReport) -> Result<Self, Error> {
        Ok(Self { report: Some(report), ..Self::new(classes.to_vec(), rule)? })
    }

    /// The same, if it was fitted on some of the rows, with a report about all: how many there are, and the metric on them
    /// before and after.
    pub fn with_all_rows(mut self, rows: u64, unlabelled: u64, score: Option<ScorePair>) -> Self {
        if let Some(report) = &mut self.report {
            (report.rows, report.unlabelled) = (Some(rows), Some(unlabelled));
            match score {
                Some(score) => report.set_score(score),
                None => report.clear_score(),
            }
        }
        self
    }

    /// The same with the metric on the labelled rows before and after.
    pub fn with_score(mut self, score: ScorePair) -> Self {
        if let Some(report) = &mut self.report {
            report.set_score(score);
        }
        self
    }

    /// The same with a learning curve.
    pub fn with_learning_curve(mut self, curve: LearningCurve) -> Self {
        if let Some(report) = &mut self.report {
            report.learning_curve = Some(curve);
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

    /// How the rule was fitted, if the file says so.
    pub fn report(&self) -> Option<&FitReport> {
        self.report.as_ref()
    }

    /// The constraints that the model was fitted under, as far as their names tell: a model file may come from anybody, so
    /// no file that it names is opened and no program is run.
    pub fn constraints(&self) -> Vec<Constraint> {
        let written = self.report.iter().flat_map(|report| &report.constraints);
        written.filter_map(|status| Constraint::by_name(&status.constraint, &self.classes).ok()).collect()
    }

    /// The expected gain in one sentence, if the method estimates it.
    pub fn verdict(&self) -> Option<String> {
        self.report.as_ref().and_then(FitReport::verdict)
    }

    /// The name of the class predicted for every row; columns in the order of [`Model::classes`].
    ///
    /// # Errors
    ///
    /// If the rows have another number of classes, or lack features that the rule needs.
    pub fn predict(&self, sample: &Sample) -> Result<Vec<&str>, Error> {
        Ok(self.rule.predict(sample)?.into_iter().map(|class| self.classes[class].as_str()).collect())
    }

    /// The score of every class in every row, see [`Rule::scores`].
    ///
    /// # Errors
    ///
    /// As [`Model::predict`].
    pub fn predict_proba(&self, sample: &Sample) -> Result<Probabilities, Error> {
        self.rule.scores(sample)
    }

    /// The usual metrics on labelled rows, before and after, with 95% confidence intervals. The metric of the fit comes first
    /// if its name says all about it.
    ///
    /// # Errors
    ///
    /// If no row is labelled, or the rows have another number of classes.
    pub fn evaluate(&self, sample: &Sample) -> Result<Evaluation, Error> {
        let mut names: Vec<&str> = metric::plain_names().collect();
        if let Some(own) = self.report.as_ref().and_then(|report| report.metric.as_deref()) {
            names.retain(|name| *name != own);
            names.insert(0, own);
        }
        let metrics = names.iter().filter_map(|name| metric::by_name(name, &self.classes).ok());
        let mut outcomes = Outcomes::new(self.classes.len());
        outcomes.add_sample(sample, &self.rule)?;
        Evaluation::new(
            self.classes.clone(),
            outcomes,
            sample.n_unlabelled(),
            &metrics.collect::<Vec<_>>(),
            Some(&self.constraints()),
            (RESAMPLES, 0),
        )
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
            fit: self.report.clone(),
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
        Ok(Self { report: file.fit, ..model })
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
        assert_eq!(read.report().unwrap().method, "later");
        assert!(read.to_json().contains("\"folds\": [1, 2]"));
    }

    #[test]
    fn fields_of_a_later_minor_version_are_passed_over() {
        let text = model().to_json().replacen('{', "{\"new\": [1],", 1);
        assert_eq!(Model::from_json(&text).unwrap(), model());
    }
}
