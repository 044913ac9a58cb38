//! `label-shift`: the class frequencies changed since training, the rows within each class did not.

mod newton; // the likelihood and its maximum
mod rows; // sums over reweighted rows
#[cfg(test)]
mod tests; // compares with plain EM

use nalgebra::DVector;
use newton::Likelihood;
use rows::Rows;

use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::error::Error;
use crate::methods::log_weights::centred;
use crate::methods::method::{ConstraintSupport, Method, OptionSpec, Options, report_with_absent};
use crate::metric::Metric;
use crate::numeric::newton::Optimum;
use crate::progress::{Observer, Stage};
use crate::report::{Fitted, Warning};
use crate::rule::Weights;

pub(crate) const METHOD: Method = Method {
    name: "label-shift",
    summary: "target prior over source prior: from labels or unlabelled rows with --source-priors, else from labels",
    options: &[OptionSpec {
        name: "source-priors",
        value: "PRIORS",
        default: "",
        help: "Class shares in the black box's training data: a=0.6,b=0.4, or 0.6,0.4 in the order of the classes, or a \
               CSV or JSON file; then unlabelled rows are used too, and labels are optional",
        check: |_| Ok(()), // names of classes and files are read by the program
    }],
    uses_metric: false,
    uses_unlabelled: true,
    needs_features: false,
    constraints: ConstraintSupport::None,
    fit,
};

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options<'_>) -> Result<Fitted, Error> {
    let priors = options.read("source-priors", read_priors)?;
    let shift = priors.map(|priors| LabelShift::default().source_priors(priors));
    let (weights, details) = shift.unwrap_or_default().learn_with_progress(sample, options.observer)?;
    let mut report = report_with_absent(sample, metric, &details);
    if details.source_priors.is_some() {
        report.warnings.clear(); // a class without rows is evidence that it became rare
    }
    report.warnings.extend((!details.converged).then(Warning::not_converged));
    let mut fitted = Fitted::new(weights.into(), report, sample, metric)?;
    // The rule does not depend on the metric.
    fitted.report.metric = fitted.report.metric.filter(|_| fitted.report.score.is_some());
    Ok(fitted)
}

/// Parses comma-separated shares in class order.
fn read_priors(text: &str) -> Result<Vec<f64>, Error> {
    let wrong = |_| Error::UnknownOption { option: "source-priors", value: text.into() };
    text.split(',').map(|share| share.trim().parse().map_err(wrong)).collect()
}

/// Pseudo-count added to the observed and to the expected rows of each class.
const PSEUDO_COUNT: f64 = 0.5;

/// Penalty on the mean log loss towards weight 1, for weights that the rows do not determine; as in the calibrators.
const TINY: f64 = 1e-9;

/// Largest distance of the sum of source priors from 1, which allows rounded shares.
const SUM_TOLERANCE: f64 = 1e-3;

/// The weights of label shift: target prior over source prior.
///
/// If the rows within a class are distributed as in training and only the class shares changed, the correct probabilities
/// are `w_k·b_k` normalised, with `w_k` the share now (target) divided by the share in training (source).
///
/// **With source priors π**, labelled rows count for their class and unlabelled rows for every class by its probability,
/// all times their row weight. N is the number of rows, `n_k` those with label k:
///
/// ```text
/// w_k = (n_k + Σ over unlabelled rows of w_k·b_k / Σ_j w_j·b_j + ½) / (N·π_k + ½)
/// target prior of k = w_k·π_k / Σ_j w_j·π_j
/// ```
///
/// Without the halves this is maximum likelihood, and iterating the formula is the EM algorithm of Saerens, Latinne and
/// Decaestecker (2002). The pseudo-count of half a row is a prior centred on 1: no weight becomes 0, and a class too rare
/// to be observed keeps a weight near 1. If all rows are labelled, one evaluation gives the result. Row weights are scaled
/// to mean 1.
///
/// **Without source priors** only labelled rows are used:
///
/// ```text
/// maximise over w    Σ over labelled rows of  log( w_label·b_label / Σ_j w_j·b_j )  −  1e-9·N·Σ_k (log w_k)²
/// ```
///
/// A labelled row whose label has probability 0 is ignored: no weight explains it. A class without other rows gets the
/// geometric mean of the other weights. If only one class has rows, all weights are equal.
///
/// ```
/// use cwplugin::methods::LabelShift;
/// use cwplugin::{Probabilities, Sample};
///
/// // Half of the rows look like the first class, which was a tenth of the training data.
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

/// The report of label shift.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LabelShiftReport {
    /// The share of each class among the rows; without source priors among the labels.
    pub target_priors: Vec<f64>,
    /// The class shares in the training data of the black box, if given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source_priors: Option<Vec<f64>>,
    /// Newton steps; 0 if the formula gives the result directly.
    pub iterations: usize,
    /// Whether the gradient of the likelihood vanishes, up to rounding.
    pub converged: bool,
    /// Labelled rows that were ignored because their label has probability 0.
    pub ignored_rows: u64,
}

impl LabelShift {
    /// Sets the class shares in the training data of the black box, in class order.
    pub fn source_priors(self, priors: Vec<f64>) -> Self {
        Self { source: Some(priors) }
    }

    /// Learns the weights.
    ///
    /// # Errors
    ///
    /// If the source priors are not one positive number per class, or their sum differs from 1 by more than 0.001; if no row
    /// has a positive weight, or there are neither source priors nor a labelled row.
    pub fn learn(&self, sample: &Sample) -> Result<(Weights, LabelShiftReport), Error> {
        self.learn_with_progress(sample, Observer::default())
    }

    fn learn_with_progress(
        &self,
        sample: &Sample,
        observer: Observer<'_>,
    ) -> Result<(Weights, LabelShiftReport), Error> {
        let stage = observer.begin_parts("estimating", 1);
        match &self.source {
            Some(priors) => with_source(sample, checked(priors, sample.n_classes())?, &stage),
            None if sample.n_labelled() == 0 => Err(Error::NoSourcePriors),
            None => by_labels(sample, &stage),
        }
    }
}

/// The normalised priors.
fn checked(priors: &[f64], m: usize) -> Result<Vec<f64>, Error> {
    if priors.len() != m {
        return Err(Error::LengthMismatch { what: "source priors", found: priors.len(), expected: m });
    }
    // Below 1e-100 the expected rows would underflow.
    if let Some(class) = priors.iter().position(|prior| !(1e-100..f64::INFINITY).contains(prior)) {
        return Err(Error::BadPrior { class, value: priors[class] });
    }
    let sum: f64 = priors.iter().sum();
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        return Err(Error::PriorSum { sum });
    }
    Ok(priors.iter().map(|prior| prior / sum).collect())
}

/// The weights with known source priors, from labelled and unlabelled rows.
fn with_source(
    sample: &Sample,
    source: Vec<f64>,
    stage: &Stage<'_>,
) -> Result<(Weights, LabelShiftReport), Error> {
    let likelihood = likelihood_of_rows(sample, &source)?;
    // One EM iteration from equal weights: exact if all rows are labelled.
    let w = vec![1.0; source.len()];
    let found = likelihood.rows.sums(&w).rows;
    let parts = likelihood.counts.iter().zip(&likelihood.expected).zip(&found);
    let start: Vec<f64> = parts.map(|((counts, expected), found)| (counts + found) / expected).collect();
    let (w, iterations, converged) = if likelihood.rows.places.is_empty() {
        (start, 0, true)
    } else {
        let optimum = likelihood.maximise(logarithms(&start), stage);
        (optimum.parameters.iter().map(|theta| theta.exp()).collect(), optimum.iterations, optimum.converged)
    };
    let weights = Weights::new(w)?;
    let products: Vec<f64> = weights.as_slice().iter().zip(&source).map(|(w, source)| w * source).collect();
    let (target_priors, source_priors) = (shares(&products), Some(source));
    let report = LabelShiftReport { target_priors, source_priors, iterations, converged, ignored_rows: 0 };
    Ok((weights, report))
}

/// The likelihood of all rows, with the pseudo-counts.
fn likelihood_of_rows<'a>(sample: &'a Sample, source: &[f64]) -> Result<Likelihood<'a>, Error> {
    let rows: Vec<usize> = (0..sample.n_rows()).filter(|&row| sample.weight(row) > 0.0).collect();
    let mass: f64 = rows.iter().map(|&row| sample.weight(row)).sum();
    if rows.is_empty() {
        return Err(Error::NoRows);
    }
    let size = rows.len() as f64;
    let scale = size / mass;
    let counts = |class| sample.class_totals().weight(class) * scale + PSEUDO_COUNT;
    Ok(Likelihood {
        counts: (0..source.len()).map(counts).collect(),
        expected: source.iter().map(|prior| prior * size + PSEUDO_COUNT).collect(),
        sign: 1.0,
        ridge: 0.0,
        is_estimated: vec![true; source.len()],
        size,
        rows: Rows {
            sample,
            places: rows.into_iter().filter(|&row| sample.label(row).is_none()).collect(),
            scale,
        },
    })
}

/// The weights from the labels alone, by maximum likelihood.
fn by_labels(sample: &Sample, stage: &Stage<'_>) -> Result<(Weights, LabelShiftReport), Error> {
    let m = sample.n_classes();
    let likelihood = likelihood_of_labels(sample);
    let optimum = if likelihood.is_estimated.iter().filter(|&&is_estimated| is_estimated).count() > 1 {
        likelihood.maximise(DVector::zeros(m), stage)
    } else {
        Optimum { parameters: DVector::zeros(m), value: 0.0, iterations: 0, converged: true }
    };
    // A class that is not estimated gets the mean of the others.
    let theta = centred(optimum.parameters.as_slice(), &likelihood.is_estimated);
    let highest = theta.iter().copied().fold(0.0, f64::max);
    let weights = Weights::new(theta.iter().map(|theta| (theta - highest).exp()).collect())?;
    let report = LabelShiftReport {
        target_priors: shares(&sample.class_totals().weights()),
        source_priors: None,
        iterations: optimum.iterations,
        converged: optimum.converged,
        ignored_rows: sample.n_labelled() - likelihood.rows.places.len() as u64,
    };
    Ok((weights, report))
}

/// The likelihood of the labels, given the probabilities of their rows.
fn likelihood_of_labels(sample: &Sample) -> Likelihood<'_> {
    let m = sample.n_classes();
    let is_possible =
        |row: &usize| sample.label(*row).is_some_and(|label| sample.probabilities().get(*row, label) > 0.0);
    let rows: Vec<usize> = sample.labelled_rows().into_iter().filter(is_possible).collect();
    let mass: f64 = rows.iter().map(|&row| sample.weight(row)).sum();
    let size = rows.len() as f64;
    let scale = if mass > 0.0 { size / mass } else { 1.0 };
    let mut counts = vec![0.0; m];
    for &row in &rows {
        if let Some(label) = sample.label(row) {
            counts[label] += sample.weight(row) * scale;
        }
    }
    Likelihood {
        is_estimated: counts.iter().map(|&rows| rows > 0.0).collect(),
        counts,
        expected: vec![0.0; m],
        sign: -1.0,
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
