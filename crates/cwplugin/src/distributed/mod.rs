//! Coordinate ascent on remote rows: each pass counts all rows, and only counters are returned.

mod pass; // what one pass counts
mod point_counts; // confusion matrix and cuts at one set of weights
mod counts; // the counters of a pass, which add up
mod line; // the maximum along the weight of one class
mod planner; // the weights of the next pass
mod steps; // the steps between passes
#[cfg(test)]
mod tests; // compares with a fit on all rows

pub use counts::PassCounts;
pub use pass::Pass;

use crate::data::class_totals::ClassTotals;
use crate::error::Error;
use crate::methods::ascent::{self, AscentReport, Start};
use crate::methods::expected::between;
use crate::methods::log_weights::{exponentials, logarithms};
use crate::metric::{Metric, checked_score};
use crate::model::Model;
use crate::numeric::tolerance::is_as_good;
use crate::report::{FitReport, Warning};
use crate::rule::{Rule, Weights};
use pass::Resolution;
use point_counts::PointCounts;

/// Why counters are rejected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    /// The text is not a pass, or not its counters.
    #[error("invalid pass or counts: {reason}")]
    Unreadable {
        /// What is wrong with it.
        reason: String,
    },
    /// The counters belong to another pass.
    #[error("the counts belong to another pass")]
    OtherPass,
    /// No pass is pending.
    #[error("all passes are done")]
    NoneLeft,
    /// A pass is pending.
    #[error("not all passes are done")]
    Unfinished,
    /// The rows or the metric are invalid.
    #[error(transparent)]
    Invalid(#[from] Error),
}

/// Coordinate ascent from counters of remote rows.
///
/// A pass counts the cuts of all classes in buckets around the current weights. The maxima of the lines, together and one
/// by one, are the weights of the next pass, with finer and finer buckets. Weights are accepted only after all rows have
/// been counted with them, so the score never decreases and is never below that of a start.
///
/// ```
/// use cwplugin::distributed::{PassCounts, Passes};
/// use cwplugin::{Probabilities, Sample, metric::MacroF1};
///
/// // A black box that over-predicts class 0; the rows are in two partitions.
/// let rows = |p: &[f64], labels: &[usize]| -> Result<Sample, cwplugin::Error> {
///     let labels = labels.iter().map(|&label| Some(label)).collect();
///     Sample::new(Probabilities::new(p.repeat(1), 2)?, labels)
/// };
/// let parts = [rows(&[0.9, 0.1, 0.7, 0.3], &[0, 1])?, rows(&[0.6, 0.4, 0.2, 0.8], &[1, 1])?];
/// let mut passes = Passes::new(MacroF1, vec!["ham".into(), "spam".into()]);
/// while let Some(pass) = passes.pending() {
///     let mut counts = PassCounts::new(pass)?;
///     for part in &parts {
///         counts.add_rows(part)?;
///     }
///     passes.tell(&counts)?;
/// }
/// assert_eq!(passes.finish()?.weights().predict_row(&[0.7, 0.3]), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Passes<M> {
    metric: M,
    classes: Vec<String>,
    model: Option<Model>,
    seed: u64,
    /// The next pass and what it is for.
    pending: Option<(Pass, Stage)>,
    class_totals: Option<ClassTotals>,
    /// The best weights that all rows were counted with.
    best: Option<Best>,
    /// The best score before the last pass.
    last_score: f64,
    made: usize,
    evaluations: usize,
    tolerance: f64,
    is_converged: bool,
}

/// What a pass is for.
#[derive(Debug)]
enum Stage {
    /// Counts the classes.
    Classes,
    /// Scores these starts; cuts against the heaviest class give one more start.
    Starts(Vec<Start>),
    /// Scores the next weights, which come from these starts.
    Ascent(Vec<Start>),
    /// Tests whether classes that are not tuned may get the mean of the others.
    Settle,
}

/// Weights that all rows were counted with.
#[derive(Debug, Clone)]
struct Best {
    weights: Weights,
    score: f64,
    start: Start,
    point: PointCounts,
    resolution: Resolution,
}

impl<M: Metric> Passes<M> {
    /// Maximises this metric over the weights of these classes.
    pub fn new(metric: M, classes: Vec<String>) -> Self {
        Self::begin(metric, classes, None)
    }

    /// Maximises this metric over the weights after the calibration of a model, starting from its weights.
    pub fn after_calibration(metric: M, model: Model) -> Self {
        Self::begin(metric, model.classes().to_vec(), Some(model))
    }

    /// Seed to be reported [default: that of the model, or 0]. Passes themselves are deterministic.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    fn begin(metric: M, classes: Vec<String>, model: Option<Model>) -> Self {
        let resolution = Resolution {
            is_free: vec![false; classes.len()],
            is_by_class: true,
            buckets: 32,
            zoom: 0,
            unit: 1.0,
        };
        let reference = Some(classes.len().saturating_sub(1));
        let first =
            Pass { classes: classes.clone(), model: None, reference, weights: Vec::new(), resolution };
        Self {
            metric,
            classes,
            seed: model.as_ref().and_then(|model| model.report()?.seed).unwrap_or_default(),
            model,
            pending: Some((first, Stage::Classes)),
            class_totals: None,
            best: None,
            last_score: f64::NEG_INFINITY,
            made: 0,
            evaluations: 0,
            tolerance: 0.0,
            is_converged: false,
        }
    }

    /// The next pass over all rows; `None` when the search is complete.
    pub fn pending(&self) -> Option<&Pass> {
        self.pending.as_ref().map(|(pass, _)| pass)
    }

    /// The number of finished passes.
    pub fn n_passes(&self) -> usize {
        self.made
    }

    /// Adds the counters of the pending pass on all rows.
    ///
    /// # Errors
    ///
    /// If they belong to another pass, no row has a label, or the metric is not finite or defined for another number of
    /// classes.
    pub fn tell(&mut self, counts: &PassCounts) -> Result<(), PassError> {
        let Some((pass, stage)) = self.pending.take_if(|(pass, _)| *pass == counts.pass) else {
            return Err(if self.pending.is_some() { PassError::OtherPass } else { PassError::NoneLeft });
        };
        self.made += 1;
        match stage {
            Stage::Classes => self.start_from(counts)?,
            Stage::Starts(starts) => {
                self.compare(&pass, &counts.points, &starts)?;
                self.begin_ascent(counts)?;
            }
            Stage::Ascent(starts) => {
                self.compare(&pass, &counts.points, &starts)?;
                self.plan_next(None)?;
            }
            Stage::Settle => {
                let point = &counts.points[0];
                let score = checked_score(&self.metric, &line::confusion(point, &pass.resolution))?;
                if let Some(best) = self.best.as_mut().filter(|best| is_as_good(score, best.score)) {
                    (best.weights, best.score) = (pass.weights[0].clone(), score);
                }
            }
        }
        Ok(())
    }

    /// The best weights, once all passes are done; the model has no scores before and after.
    ///
    /// # Errors
    ///
    /// If a pass is pending.
    pub fn finish(&self) -> Result<Model, PassError> {
        let (None, Some(best), Some(class_totals)) = (&self.pending, &self.best, &self.class_totals) else {
            return Err(PassError::Unfinished);
        };
        let details = AscentReport {
            start: best.start.describe(&self.classes),
            cycles: self.made,
            evaluations: self.evaluations,
            converged: self.is_converged,
        };
        let mut report = FitReport::new(self.metric.name(), class_totals, &details);
        report.method = ascent::METHOD.name.into();
        report.seed = Some(self.seed);
        report.warnings = ascent::warnings(class_totals);
        report.warnings.extend((!self.is_converged).then(Warning::not_converged));
        let Some(model) = &self.model else {
            return Ok(Model::of_fit(&self.classes, best.weights.clone().into(), report)?);
        };
        let (modelled, counted) = (logarithms(model.rule().weights()), logarithms(&best.weights));
        let between = exponentials(&between(&modelled, &counted, class_totals.n_labelled()));
        let rule = Rule::new(model.rule().calibration().cloned(), Weights::new(between)?)?;
        Ok(Model::of_fit(&self.classes, rule, report)?)
    }
}
