//! `probing`: follows the gradient of the metric, estimated by probing, and mixes the classifiers of all rounds.

mod rounds; // the rounds: probe, solve, mix

use std::borrow::Cow;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rounds::Problem;

use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::error::Error;
use crate::methods::method::{ConstraintSupport, Method, Options, report_with_absent};
use crate::metric::Metric;
use crate::progress::Observer;
use crate::report::Fitted;
use crate::rule::{Calibration, Mixture, Rule};

pub(crate) const METHOD: Method = Method {
    name: "probing",
    summary: "the probing classifier: a mixture of classifiers along the gradient of the metric, found by probing it",
    options: &[],
    uses_metric: true,
    uses_unlabelled: false,
    needs_features: false,
    constraints: ConstraintSupport::None,
    fit,
};

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options<'_>) -> Result<Fitted, Error> {
    let (mixture, details) =
        Probing::new(metric).learn_with_progress(sample, options.seed, options.observer)?;
    let report = report_with_absent(sample, metric, &details);
    Fitted::new(Rule::calibrated(Calibration::Mixture(mixture))?, report, sample, metric)
}

/// Random starts to try; if all predict one class only, the black box is the result.
const MAX_STARTS: usize = 1000;

/// The probing classifier for a metric.
///
/// C is the confusion matrix of a mixture of classifiers, as fractions of the sample, and π the class shares. Each round
/// evaluates the metric if a fraction ε of the rows of every class were predicted j:
///
/// ```text
/// Δy_j = f((1−ε)·C with ε·π added to column j) − f(C)                       for every class j
/// ΔX   = ε·(diag(π) − 1·diag(C)ᵀ),   solve (ΔX − 1e-8·I)·g = Δy
/// H    ← (1−s)·H + s·onehot(argmax_k g_k·b_k),   s = 2/(i+2)                 in round i = 0, 1, …
/// ```
///
/// The result is the mixture with the best `f(C)`, including the start; ties go to the first. The start has random factors
/// from 0 to 1, drawn again while they predict one class for all rows. The metric gets C as row weights. Unlabelled rows
/// are ignored.
///
/// If no start predicts two classes, for example on one row, the result is the black box itself. A class without labelled
/// rows has no gradient: its factor is determined by the 1e-8 and may be a million times the others, of either sign, so
/// that the class is predicted nearly always or never. If all rows are of one class, this holds for every other class.
/// The rounds end if the system has no finite solution.
///
/// ```
/// use cwplugin::methods::Probing;
/// use cwplugin::{Probabilities, Sample, metric::MacroF1};
///
/// let p = Probabilities::new(vec![0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8], 2)?;
/// let sample = Sample::new(p.clone(), vec![Some(0), Some(1), Some(1), Some(1)])?;
/// let (mixture, report) = Probing::new(MacroF1).learn(&sample, 0)?;
/// assert!(report.score >= 0.5); // the black box itself has 0.5
/// assert_eq!(mixture.predict(&p)?.len(), 4);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Probing<M> {
    metric: M,
}

/// The report of the probing classifier.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProbingReport {
    /// The chosen ε; `None` if the result is the black box itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub epsilon: Option<f64>,
    /// Rounds of the mixture; 0 = the start, or the black box itself.
    pub iterations: usize,
    /// `f(C)` of the mixture on the sample, where a row counts for several classes by their shares. The metric of the
    /// predictions, which take the largest share, may differ.
    #[serde(rename = "mixture_score")]
    pub score: f64,
}

impl<M: Metric> Probing<M> {
    /// Maximises this metric.
    pub fn new(metric: M) -> Self {
        Self { metric }
    }

    /// Learns a mixture from a random start; the same seed gives the same bits.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, or the metric is not finite, also of a probe, or is defined for another number of classes.
    pub fn learn(&self, sample: &Sample, seed: u64) -> Result<(Mixture, ProbingReport), Error> {
        self.learn_with_progress(sample, seed, Observer::default())
    }

    fn learn_with_progress(
        &self,
        sample: &Sample,
        seed: u64,
        observer: Observer<'_>,
    ) -> Result<(Mixture, ProbingReport), Error> {
        let sample = &*self.checked(sample)?;
        let m = sample.n_classes();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let problem = Problem::new(&self.metric, sample);
        for _ in 0..MAX_STARTS {
            let start: Vec<f64> = (0..m).map(|_| rng.random()).collect();
            let cells = problem.count(&start);
            let is_predicted = |&class: &usize| (0..m).any(|truth| cells[truth * m + class] > 0.0);
            if (0..m).filter(is_predicted).count() > 1 {
                return problem.fit(start, &cells, observer);
            }
        }
        let score = problem.score(&problem.count(&vec![1.0; m]))?;
        Ok((Mixture::clean(m)?, ProbingReport { epsilon: None, iterations: 0, score }))
    }

    /// Learns a mixture from this start, one factor per class, even if it predicts one class for all rows.
    ///
    /// # Errors
    ///
    /// As [`Probing::learn`], and if there is not one finite factor per class.
    pub fn learn_from(&self, sample: &Sample, start: Vec<f64>) -> Result<(Mixture, ProbingReport), Error> {
        let sample = &*self.checked(sample)?;
        let (found, expected) = (start.len(), sample.n_classes());
        if found != expected {
            return Err(Error::LengthMismatch { what: "factors", found, expected });
        }
        if let Some(class) = start.iter().position(|factor| !factor.is_finite()) {
            return Err(Error::BadFactor { step: 0, class, value: start[class] });
        }
        let problem = Problem::new(&self.metric, sample);
        let cells = problem.count(&start);
        problem.fit(start, &cells, Observer::default())
    }

    /// The labelled rows; predicting the others in every round would be wasted.
    fn checked<'a>(&self, sample: &'a Sample) -> Result<Cow<'a, Sample>, Error> {
        sample.class_totals().check_for(&self.metric)?;
        Ok(sample.labelled())
    }
}
