//! How the weights came about, as the model file tells it.

use serde::{Deserialize, Serialize};

use super::verdict::{CurveRecord, OutlookRecord, TrialRecord};
use crate::evaluate::Kept;
use crate::methods::{Details, LogLoss, OutOfBag, Report, Strength, Warning, WeightSpread};

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
    pub rows: Option<u64>,
    /// Rows without a label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlabelled: Option<u64>,
    /// Seed of everything random; Algorithm 1 draws nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The metric on the sample, before and after; missing if the rows were not scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScorePair>,
    /// Weighted mean log loss of the rows, of the black box and of the calibration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_loss: Option<LogLossRecord>,
    /// The penalty of a calibration, if it chose one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<PenaltyRecord>,
    /// Which weights were deployed to learn from: `restricted` or `safe`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Answers that elicited weights rest on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<usize>,
    /// The size of the probes that the probing classifier chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// The rounds of the probing classifier that were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// The shares that label shift found the classes to have, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_priors: Option<Vec<f64>>,
    /// The shares that the black box learned from, if label shift was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_priors: Option<Vec<f64>>,
    /// Where coordinate ascent began: `clean`, `cwplugin:CLASS` or `label-shift`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The rounds of coordinate ascent over all classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<usize>,
    /// The method that `auto` took; `clean` is the black box as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// Why: `gain`, `rival`, `no-reliable-gain`, `one-class` or `too-few-rows`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The share of the way from the black box to the rule of `expected`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// How freely `expected` bent the log-probabilities: `shared`, `per-class` or `matrix`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freedom: Option<String>,
    /// `expected` took probabilities below it to be it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// What the label of a labelled row counted for in `expected`, beside the mended probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixing: Option<f64>,
    /// What the metric is expected to be on new rows, if the method says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlook: Option<OutlookRecord>,
    /// Every method that `auto` tried, on rows that it was not fitted on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<TrialRecord>,
    /// Labelled rows at which the gain that `auto` sees would be larger than its uncertainty, if it is not yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_needed: Option<u64>,
    /// How the gain grows with the labels, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_curve: Option<CurveRecord>,
    /// How often bagging refitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bags: Option<usize>,
    /// What bagging multiplied the mean log-weights by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrinkage: Option<f64>,
    /// How far the refits are apart, class by class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Vec<WeightSpread>>,
    /// The metric of rows that are predicted by refits that did not see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out_of_bag: Option<OutOfBag>,
    /// The constraints that were asked for, and how far the rule keeps to each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintRecord>,
    /// Whether the weights that the method found were moved to keep to the constraints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<bool>,
    /// One entry per class that was searched.
    pub pairs: Vec<PairRecord>,
    /// Doubts.
    pub warnings: Vec<WarningRecord>,
    /// What a later version wrote.
    #[serde(flatten)]
    pub(super) other: serde_json::Map<String, serde_json::Value>,
}

/// A metric before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScorePair {
    /// The black box as it is.
    pub clean: f64,
    /// With the weights.
    pub fitted: f64,
}

/// Log loss before and after a calibration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LogLossRecord {
    /// Of the black box.
    pub before: f64,
    /// Of the calibration.
    pub after: f64,
}

/// The strengths of a penalty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PenaltyRecord {
    /// On the slopes.
    pub lambda: f64,
    /// On the biases.
    pub mu: f64,
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

/// A constraint, and how far the rule keeps to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConstraintRecord {
    /// The constraint as it is written, e.g. `precision:fraud>=0.9`.
    pub constraint: String,
    /// The number that it limits, on the labelled rows.
    pub value: f64,
    /// By how much that is on the right side of the limit; below 0 on the wrong one.
    pub margin: f64,
    /// The chance that it holds on new rows.
    pub probability: f64,
}

impl From<&Kept> for ConstraintRecord {
    fn from(kept: &Kept) -> Self {
        let Kept { constraint, value, margin, probability } = kept.clone();
        Self { constraint, value, margin, probability }
    }
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

impl WarningRecord {
    fn of(warning: &Warning, classes: &[String]) -> Self {
        Self {
            kind: warning.kind().into(),
            class: warning.class().map(|class| classes[class].clone()),
            message: warning.message(classes),
        }
    }
}

impl FitRecord {
    /// Puts other numbers of rows, and the score on them, in the place of those that the fit saw.
    pub(super) fn count_rows(
        &mut self,
        rows: u64,
        unlabelled: u64,
        score: Option<ScorePair>,
        classes: &[String],
    ) {
        (self.rows, self.unlabelled, self.score) = (Some(rows), Some(unlabelled), score);
        self.warnings.retain(|warning| warning.kind != "below-clean");
        self.warnings
            .extend(score.and_then(Warning::doubt_of_score).map(|doubt| WarningRecord::of(&doubt, classes)));
    }

    /// The record of a fit, with names in the place of class numbers.
    pub(super) fn of(report: &Report, classes: &[String], method: &str, seed: u64) -> Self {
        let name = |class: usize| classes[class].clone();
        let (plugin, auto) = (report.plugin(), report.auto());
        let expected = report.expected();
        let (calibrated, probed, shift, climbed) = match &report.details {
            Details::Calibration(calibrated) => (Some(calibrated), None, None, None),
            Details::Probing(probed) => (None, Some(probed), None, None),
            Details::LabelShift(shift) => (None, None, Some(shift), None),
            Details::Ascent(climbed) => (None, None, None, Some(climbed)),
            _ => (None, None, None, None),
        };
        let bagged = if let Details::Bagged(bagged) = &report.details { Some(bagged) } else { None };
        let pairs = report.pairs().iter().map(|pair| PairRecord {
            class: name(pair.class),
            alpha: pair.peak.alpha,
            score: pair.peak.score,
            plateau: pair.peak.plateau,
            evaluations: pair.peak.evaluations,
        });
        let warnings = report.warnings.iter().map(|warning| WarningRecord::of(warning, classes));
        Self {
            method: method.into(),
            // Label shift does not look at the metric: it is worth a word only if there is a score.
            metric: (shift.is_none() || report.score.is_some()).then(|| report.metric.clone()),
            reference: plugin.map(|plugin| name(plugin.reference)),
            search: plugin.map(|plugin| plugin.search.to_string()),
            ties: plugin.map(|plugin| plugin.ties.to_string()),
            absent: plugin.map(|plugin| plugin.absent.to_string()),
            rows: Some(report.rows),
            unlabelled: Some(report.unlabelled),
            seed: Some(seed),
            score: report.score,
            log_loss: calibrated.map(|fitted| {
                let LogLoss { before, after } = fitted.log_loss;
                LogLossRecord { before, after }
            }),
            penalty: calibrated
                .and_then(|fitted| fitted.penalty)
                .map(|Strength { lambda, mu }| PenaltyRecord { lambda, mu }),
            mode: None,
            queries: None,
            epsilon: probed.and_then(|probed| probed.epsilon),
            rounds: probed.map(|probed| probed.iterations),
            target_priors: shift.map(|shift| shift.target.clone()),
            source_priors: shift.and_then(|shift| shift.source.clone()),
            start: climbed.map(|climbed| climbed.start.describe(classes)),
            cycles: climbed.map(|climbed| climbed.cycles),
            chosen: auto.map(|auto| auto.chosen.into()),
            reason: auto.map(|auto| auto.reason.name().into()),
            share: expected.map(|expected| expected.share),
            freedom: expected.map(|expected| expected.freedom.name().into()),
            floor: expected.map(|expected| expected.floor),
            mixing: expected.map(|expected| expected.mixing),
            outlook: report.outlook().map(OutlookRecord::from),
            tried: auto.map_or_else(Vec::new, |auto| auto.tried.iter().map(TrialRecord::from).collect()),
            rows_needed: auto.and_then(|auto| auto.rows_needed),
            learning_curve: None,
            bags: bagged.map(|bagged| bagged.bags),
            shrinkage: bagged.map(|bagged| bagged.shrinkage),
            spread: bagged.map(|bagged| bagged.spread.clone()),
            out_of_bag: bagged.and_then(|bagged| bagged.out_of_bag),
            constraints: Vec::new(),
            repaired: None,
            pairs: pairs.collect(),
            warnings: warnings.collect(),
            other: serde_json::Map::new(),
        }
    }
}
