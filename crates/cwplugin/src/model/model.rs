//! The model: classes, decision rule and report.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::ModelError;
use super::calibration::CalibrationRecord;
use super::input::InputOptions;
use crate::data::class_names::check_unique;
use crate::data::{Copies, Fingerprint, Overlap, Probabilities, RowChecks, Sample, check_length};
use crate::error::Error;
use crate::evaluate::{Evaluation, Outcomes};
use crate::metric::{self, Constraint};
use crate::report::{FitReport, LearningCurve, ScorePair, Warning};
use crate::rule::{Rule, Weights};
use crate::stable_json::{self, ReadError};

const FORMAT: &str = "cwplugin-model";
const VERSION: u64 = 1;

/// Bootstrap resamples of an interval.
const RESAMPLES: usize = 1_000;

/// A decision rule for named classes, with the report of its fit. `docs/model-format.md` describes the JSON.
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
    input: InputOptions,
    rule: Rule,
    report: Option<FitReport>,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    cwplugin: String,
    classes: Vec<String>,
    #[serde(default, skip_serializing_if = "InputOptions::is_plain")]
    input: InputOptions,
    /// `None` if the field is missing, which is an error: without its calibration a model would predict something else.
    #[allow(clippy::option_option)] // missing is not null
    #[serde(default, deserialize_with = "present")]
    calibration: Option<Option<CalibrationRecord>>,
    weights: Vec<f64>,
    #[serde(default, deserialize_with = "bounded_report")]
    fit: Option<FitReport>,
}

/// The longest report of a fit. It may have fields of any kind, which need many times the memory of their text.
const MAX_REPORT_BYTES: usize = 16 << 20;

fn bounded_report<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<FitReport>, D::Error> {
    let Some(text) = Option::<&RawValue>::deserialize(deserializer)?.map(RawValue::get) else {
        return Ok(None);
    };
    if text.len() > MAX_REPORT_BYTES {
        let most = MAX_REPORT_BYTES >> 20;
        return Err(D::Error::custom(format!("the report of the fit is longer than {most} MiB")));
    }
    stable_json::fields(text).map(Some).map_err(D::Error::custom)
}

/// A field that is there, even if it is null.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl Model {
    /// A model of given weights or any rule, without a fit report.
    ///
    /// # Errors
    ///
    /// If there is not one weight per class, or a name occurs twice.
    pub fn new(classes: Vec<String>, rule: impl Into<Rule>) -> Result<Self, Error> {
        let rule = rule.into();
        check_length("class names", classes.len(), rule.n_classes())?;
        check_unique(&classes)?;
        Ok(Self { classes, input: InputOptions::default(), rule, report: None })
    }

    /// A model of a fitted rule.
    pub(crate) fn of_fit(classes: &[String], rule: Rule, report: FitReport) -> Result<Self, Error> {
        Ok(Self { report: Some(report), ..Self::new(classes.to_vec(), rule)? })
    }

    /// For a model fitted on some of the rows: sets the numbers of rows and the score in the report to those of all rows.
    pub fn with_all_rows(mut self, rows: u64, unlabelled: u64, score: Option<ScorePair>) -> Self {
        if let Some(report) = &mut self.report {
            (report.rows, report.unlabelled, report.fingerprint) = (Some(rows), Some(unlabelled), None);
            match score {
                Some(score) => report.set_score(score),
                None => report.clear_score(),
            }
        }
        self
    }

    /// Sets the score on the labelled rows, before and after.
    pub fn with_score(mut self, score: ScorePair) -> Self {
        if let Some(report) = &mut self.report {
            report.set_score(score);
        }
        self
    }

    /// Stores a fingerprint of the labelled rows, if it is useful.
    pub fn with_fingerprint(mut self, fingerprint: Fingerprint) -> Self {
        if let Some(report) = &mut self.report {
            report.fingerprint = fingerprint.if_useful();
        }
        self
    }

    /// Adds the warnings about all rows: probabilities that only name a class, labels that are predictions, row weights that
    /// leave a few rows.
    pub fn with_checks(mut self, checks: &RowChecks) -> Self {
        if let Some(report) = &mut self.report {
            report.warnings.extend(Warning::of_checks(checks));
        }
        self
    }

    /// Warns of rows that repeat others.
    pub(crate) fn with_copies(mut self, copies: Option<&Copies>) -> Self {
        if let (Some(report), Some(copies)) = (&mut self.report, copies) {
            report.warnings.push(Warning::copies(copies));
        }
        self
    }

    /// Counts which rows of an evaluation were fitted; `None` if the model has no fingerprint of its rows.
    pub fn overlap(&self) -> Option<Overlap> {
        self.report.as_ref()?.fingerprint.clone().map(Overlap::new)
    }

    /// Adds a learning curve to the report.
    pub fn with_learning_curve(mut self, curve: LearningCurve) -> Self {
        if let Some(report) = &mut self.report {
            report.learning_curve = Some(curve);
        }
        self
    }

    /// Stores how raw input becomes probabilities.
    pub fn with_input(self, input: InputOptions) -> Self {
        Self { input, ..self }
    }

    /// How raw input becomes probabilities.
    pub fn input(&self) -> &InputOptions {
        &self.input
    }

    /// Class names, in the order of the weights.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The decision rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// One weight per class.
    pub fn weights(&self) -> &Weights {
        self.rule.weights()
    }

    /// The report of the fit, if the model has one.
    pub fn report(&self) -> Option<&FitReport> {
        self.report.as_ref()
    }

    /// The constraints of the fit. Constraints on metrics that need a file or a program are left out: a model file may be
    /// untrusted, so none is opened or run.
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

    /// The metrics without parameters on labelled rows, before and after, with 95% confidence intervals. The metric of the
    /// fit comes first, if [`metric::by_name`] finds it.
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
        let mut overlap = self.overlap();
        if let Some(overlap) = &mut overlap {
            overlap.add(sample);
        }
        let evaluation = Evaluation::new(
            self.classes.clone(),
            outcomes,
            sample.n_unlabelled(),
            &metrics.collect::<Vec<_>>(),
            Some(&self.constraints()),
            (RESAMPLES, 0),
        )?;
        Ok(evaluation.with_overlap(overlap.as_ref()))
    }

    /// The model as JSON text: the same model gives the same bytes.
    pub fn to_json(&self) -> String {
        stable_json::write(&File {
            format: FORMAT.into(),
            version: VERSION,
            cwplugin: env!("CARGO_PKG_VERSION").into(),
            classes: self.classes.clone(),
            input: self.input.clone(),
            calibration: Some(self.rule.calibration().map(CalibrationRecord::of)),
            weights: self.weights().as_slice().to_vec(),
            fit: self.report.clone(),
        })
    }

    /// Reads a model from JSON text; unknown fields are ignored.
    ///
    /// # Errors
    ///
    /// If the text is not a model of a supported version, or has a field twice.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        let file: File = stable_json::read(text, FORMAT, VERSION).map_err(|error| match error {
            ReadError::Json(reason) => ModelError::NotAModel { reason },
            ReadError::Format(found) => ModelError::WrongFormat { found },
            ReadError::Version(found) => ModelError::UnknownVersion { found },
        })?;
        check_length("weights", file.weights.len(), file.classes.len())?;
        let calibration = file.calibration.ok_or(ModelError::NoCalibration)?;
        let calibration = calibration.map(CalibrationRecord::read).transpose()?;
        let rule = Rule::new(calibration, Weights::from_file(file.weights)?)?;
        let model = Self::new(file.classes, rule)?;
        Ok(Self { report: file.fit, input: file.input, ..model })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        Model::new(vec!["a".into(), "b".into()], Weights::new(vec![1.0, 2.0]).unwrap()).unwrap()
    }

    #[test]
    fn models_round_trip_exactly() {
        let text = model().to_json();
        let read = Model::from_json(&text).unwrap();
        assert_eq!(read, model());
        assert_eq!(read.to_json(), text);
    }

    #[test]
    fn the_input_is_stored_only_if_it_is_not_a_plain_table() {
        assert!(!model().to_json().contains("input"));
        let input = InputOptions { positive: Some("b".into()), ..InputOptions::default() };
        let with = model().with_input(input.clone());
        let read = Model::from_json(&with.to_json()).unwrap();
        assert_eq!((read.input(), read.to_json()), (&input, with.to_json()));
    }

    #[test]
    fn other_formats_and_versions_are_rejected() {
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
    fn a_model_without_its_calibration_or_with_a_field_twice_is_rejected() {
        let text = model().to_json();
        let without = text.replace("  \"calibration\": null,\n", "");
        assert!(text.len() > without.len());
        assert_eq!(Model::from_json(&without), Err(ModelError::NoCalibration));
        let twice = text.replace("\"weights\": ", "\"weights\": [2.0, 1.0],\n  \"weights\": ");
        let error = Model::from_json(&twice).unwrap_err().to_string();
        assert!(error.starts_with("field \"weights\" occurs twice (keep one) at line "), "{error}");
    }

    #[test]
    fn the_report_of_an_unknown_method_is_preserved() {
        let record = r#""fit": {"method": "later", "folds": [1, 2], "score": {"clean": 0.1, "fitted": 0.2}}"#;
        let text = model().to_json().replace("\"fit\": null", record);
        let read = Model::from_json(&text).unwrap();
        assert_eq!(read.report().unwrap().method, "later");
        assert!(read.to_json().contains("\"folds\": [1, 2]"));
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let text = model().to_json().replacen('{', "{\"new\": [1],", 1);
        assert_eq!(Model::from_json(&text).unwrap(), model());
    }
}
