//! Label shift: the classes are as they were, but there are more of one and fewer of another.

mod newton; // a likelihood and its maximum
mod rows; // … whose sums are made here
#[cfg(test)]
mod tests; // against plain EM

use nalgebra::DVector;
use newton::{Likelihood, Sign};
use rows::Rows;

use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::error::Error;
use crate::methods::method::{ConstraintSupport, Method, OptionSpec, Options};
use crate::metric::Metric;
use crate::numeric::newton::Optimum;
use crate::report::{FitReport, Fitted, Warning};
use crate::rule::Weights;

pub(crate) const METHOD: Method = Method {
    name: "label-shift",
    summary: "target prior over source prior: from labels or unlabelled rows with --source-priors, else from labels",
    options: &[OptionSpec {
        name: "source-priors",
        value: "PRIORS",
        default: "",
        help: "Class shares in the black box's training data: a=0.6,b=0.4, or 0.6,0.4 in the order of the classes, or a \
               CSV or JSON file; then unlabelled rows count too, and there may be no labels",
        check: |_| Ok(()), // names of classes and files are read by the program
    }],
    uses_metric: false,
    uses_unlabelled: true,
    needs_features: false,
    constraints: ConstraintSupport::None,
    fit,
};

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options) -> Result<Fitted, Error> {
    let priors = options.read("source-priors", read_priors)?;
    let shift = priors.map(|priors| LabelShift::default().source_priors(priors));
    let (weights, details) = shift.unwrap_or_default().learn(sample)?;
    let class_totals = sample.class_totals();
    let mut report = FitReport::new(metric.name(), class_totals, &details);
    // Against source priors a class without rows is one that has become rare.
    let absent = (0..class_totals.n_classes())
        .filter(|&k| class_totals.rows(k) == 0 && details.source_priors.is_none());
    report.warnings = absent.map(|class| Warning::unknown_class(class_totals.name(class))).collect();
    report.warnings.extend((!details.converged).then(Warning::not_converged));
    let mut fitted = Fitted::new(weights.into(), report, sample, metric)?;
    // The metric had no part in this rule.
    fitted.report.metric = fitted.report.metric.filter(|_| fitted.report.score.is_some());
    Ok(fitted)
}

/// Shares in the order of the classes, between commas.
fn read_priors(text: &str) -> Result<Vec<f64>, Error> {
    let wrong = |_| Error::UnknownOption { option: "source-priors", value: text.into() };
    text.split(',').map(|share| share.trim().parse().map_err(wrong)).collect()
}

/// What is added to the rows that a class has, and to those that it should have.
const HALF_A_ROW: f64 = 0.5;

/// Draws weights that the rows say nothing of to 1, as the calibrators do: of the mean log loss.
const TINY: f64 = 1e-9;

/// How far the sum of source priors may be from 1: room for shares printed with few digits.
const SUM_TOLERANCE: f64 = 1e-3;

/// The weights of label shift: target prior over source prior.
///
/// If the rows of a class look as they did when the black box learned, and only its share is another, then the best
/// probabilities are `w_k·b_k` over their sum, with `w_k` the share now (target) over the share then (source).
///
/// **With source priors π**, labelled rows count for their class and unlabelled ones for every class by its share, all
/// by their weights; N rows in all, of which `n_k` have label k:
///
/// ```text
/// w_k = (n_k + Σ over unlabelled rows of w_k·b_k / Σ_j w_j·b_j + ½) / (N·π_k + ½)
/// target prior of k = w_k·π_k / Σ_j w_j·π_j
/// ```
///
/// Without the halves that is maximum likelihood, and going round the formula is the EM algorithm of Saerens, Latinne
/// and Decaestecker (2002). The half row that each class has more, and was expected to have more, is a prior centred on
/// 1: no weight becomes 0, and a class that is too rare to be met keeps a weight near 1. If all rows are labelled the
/// formula is the answer. Row weights of any scale mean the same: a row is one of mean weight.
///
/// **Without source priors** only labelled rows speak, through what the black box says of them:
///
/// ```text
/// maximise over w    Σ over labelled rows of  log( w_label·b_label / Σ_j w_j·b_j )  −  1e-9·N·Σ_k (log w_k)²
/// ```
///
/// A labelled row to which the black box gives probability 0 for its label takes no part: no weight explains it. A class
/// without such rows keeps the average of the others, the geometric mean of their weights. If only one class has rows,
/// all weights are equal.
///
/// ```
/// use cwplugin::methods::LabelShift;
/// use cwplugin::{Probabilities, Sample};
///
/// // Half of the rows look like the first class, which was a tenth of what the black box has learned from.
/// let p = Probabilities::new([0.99, 0.01, 0.01, 0.99].repeat(500), 2)?;
/// let (weights, report) = LabelShift::default().source_priors(vec![0.1, 0.9]).learn(&Sample::unlabelled(p))?;
/// assert!((report.target_priors[0] - 0.5).abs() < 0.06);
/// assert!(weights.as_slice()[0] > 5.0 * weights.as_slice()[1]);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LabelShift {
    source: Option<Vec<f64>>,
}

/// What label shift found, beside the weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LabelShiftReport {
    /// The share of each class among the rows; without source priors that of the labels.
    pub target_priors: Vec<f64>,
    /// The class shares in the black box's training data, if they were given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source_priors: Option<Vec<f64>>,
    /// Newton steps; 0 if a formula gives the answer.
    pub iterations: usize,
    /// Whether the gradient of the likelihood vanishes, up to rounding.
    pub converged: bool,
    /// Labelled rows that were ignored, because the black box gives their label probability 0.
    pub ignored_rows: u64,
}

impl LabelShift {
    /// The share of each class among the rows that the black box learned from, in the order of the classes.
    pub fn source_priors(self, priors: Vec<f64>) -> Self {
        Self { source: Some(priors) }
    }

    /// Learns the weights.
    ///
    /// # Errors
    ///
    /// If there is not one source prior above 0 for each class, or their sum is off 1 by more than 0.001; if no row has a
    /// weight above 0, or there are neither source priors nor a labelled row.
    pub fn learn(&self, sample: &Sample) -> Result<(Weights, LabelShiftReport), Error> {
        match &self.source {
            Some(priors) => with_source(sample, checked(priors, sample.n_classes())?),
            None if sample.n_labelled() == 0 => Err(Error::NoSourcePriors),
            None => by_labels(sample),
        }
    }
}

/// The priors divided by their sum.
fn checked(priors: &[f64], m: usize) -> Result<Vec<f64>, Error> {
    if priors.len() != m {
        return Err(Error::LengthMismatch { what: "source priors", found: priors.len(), expected: m });
    }
    // Below 1e-100 the expected rows would vanish.
    if let Some(class) = priors.iter().position(|prior| !(1e-100..f64::INFINITY).contains(prior)) {
        return Err(Error::BadPrior { class, value: priors[class] });
    }
    let sum: f64 = priors.iter().sum();
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        return Err(Error::PriorSum { sum });
    }
    Ok(priors.iter().map(|prior| prior / sum).collect())
}

/// Labels, unlabelled rows or both against known source priors.
fn with_source(sample: &Sample, source: Vec<f64>) -> Result<(Weights, LabelShiftReport), Error> {
    let likelihood = explained(sample, &source)?;
    // One round of EM from equal weights: if all rows are labelled it is the answer.
    let w = vec![1.0; source.len()];
    let found = likelihood.rows.look(&w).rows;
    let parts = likelihood.pull.iter().zip(&likelihood.toll).zip(&found);
    let start: Vec<f64> = parts.map(|((pull, toll), found)| (pull + found) / toll).collect();
    let (w, iterations, converged) = if likelihood.rows.places.is_empty() {
        (start, 0, true)
    } else {
        let optimum = likelihood.maximise(logarithms(&start));
        (optimum.parameters.iter().map(|theta| theta.exp()).collect(), optimum.iterations, optimum.converged)
    };
    let weights = Weights::new(w)?;
    let products: Vec<f64> = weights.as_slice().iter().zip(&source).map(|(w, source)| w * source).collect();
    let (target_priors, source_priors) = (shares(&products), Some(source));
    let report = LabelShiftReport { target_priors, source_priors, iterations, converged, ignored_rows: 0 };
    Ok((weights, report))
}

/// The likelihood of all rows, with half a row for and against each class.
fn explained<'a>(sample: &'a Sample, source: &[f64]) -> Result<Likelihood<'a>, Error> {
    let speak: Vec<usize> = (0..sample.n_rows()).filter(|&row| sample.weight(row) > 0.0).collect();
    let mass: f64 = speak.iter().map(|&row| sample.weight(row)).sum();
    if speak.is_empty() {
        return Err(Error::NoRows);
    }
    let size = speak.len() as f64;
    let scale = size / mass;
    let pull = |class| sample.class_totals().weight(class) * scale + HALF_A_ROW;
    Ok(Likelihood {
        pull: (0..source.len()).map(pull).collect(),
        toll: source.iter().map(|prior| prior * size + HALF_A_ROW).collect(),
        sign: Sign::Explained,
        ridge: 0.0,
        in_play: vec![true; source.len()],
        size,
        rows: Rows {
            sample,
            places: speak.into_iter().filter(|&row| sample.label(row).is_none()).collect(),
            scale,
        },
    })
}

/// The labels alone: the ratio that makes them most likely.
fn by_labels(sample: &Sample) -> Result<(Weights, LabelShiftReport), Error> {
    let m = sample.n_classes();
    let likelihood = divided(sample);
    let optimum = if likelihood.in_play.iter().filter(|&&plays| plays).count() > 1 {
        likelihood.maximise(DVector::zeros(m))
    } else {
        Optimum { parameters: DVector::zeros(m), value: 0.0, iterations: 0, converged: true }
    };
    // A class that is not in play is where the average of the others is.
    let (theta, plays) = (optimum.parameters.iter(), &likelihood.in_play);
    let in_play: Vec<f64> =
        theta.clone().zip(plays).filter(|(_, plays)| **plays).map(|(theta, _)| *theta).collect();
    let mean = in_play.iter().sum::<f64>() / in_play.len().max(1) as f64;
    let theta: Vec<f64> =
        theta.zip(plays).map(|(theta, &plays)| if plays { theta - mean } else { 0.0 }).collect();
    let highest = theta.iter().copied().fold(0.0, f64::max);
    let weights = Weights::new(theta.iter().map(|theta| (theta - highest).exp()).collect())?;
    let labels: Vec<f64> = (0..m).map(|class| sample.class_totals().weight(class)).collect();
    let report = LabelShiftReport {
        target_priors: shares(&labels),
        source_priors: None,
        iterations: optimum.iterations,
        converged: optimum.converged,
        ignored_rows: sample.n_labelled() - likelihood.rows.places.len() as u64,
    };
    Ok((weights, report))
}

/// The likelihood of the labels, given what the black box says of their rows.
fn divided(sample: &Sample) -> Likelihood<'_> {
    let m = sample.n_classes();
    let is_possible =
        |row: &usize| sample.label(*row).is_some_and(|label| sample.probabilities().get(*row, label) > 0.0);
    let rows: Vec<usize> = sample.labelled_rows().into_iter().filter(is_possible).collect();
    let mass: f64 = rows.iter().map(|&row| sample.weight(row)).sum();
    let size = rows.len() as f64;
    let scale = if mass > 0.0 { size / mass } else { 1.0 };
    let mut pull = vec![0.0; m];
    for &row in &rows {
        if let Some(label) = sample.label(row) {
            pull[label] += sample.weight(row) * scale;
        }
    }
    Likelihood {
        in_play: pull.iter().map(|&rows| rows > 0.0).collect(),
        pull,
        toll: vec![0.0; m],
        sign: Sign::Divided,
        ridge: TINY * size,
        size,
        rows: Rows { sample, places: rows, scale },
    }
}

fn logarithms(w: &[f64]) -> DVector<f64> {
    DVector::from_iterator(w.len(), w.iter().map(|w| w.ln()))
}

fn shares(parts: &[f64]) -> Vec<f64> {
    let sum: f64 = parts.iter().sum();
    parts.iter().map(|part| part / sum).collect()
}
