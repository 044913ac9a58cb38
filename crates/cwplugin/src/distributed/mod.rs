//! Coordinate ascent on rows that are elsewhere: each pass counts all of them, and nothing but counters comes back.

mod pass; // what is counted in one pass
mod stand; // what all rows say about some weights
mod counts; // … on some of the rows; counts add up
mod line; // the best place of one class
mod route; // where to stand next
mod climb; // from one pass to the next
#[cfg(test)]
mod tests; // against all rows at once

pub use counts::PassCounts;
pub use pass::Pass;

use crate::data::class_totals::ClassTotals;
use crate::error::Error;
use crate::methods::ascent::{self, AscentReport, Start};
use crate::metric::{Metric, checked_score};
use crate::model::Model;
use crate::numeric::tolerance::is_as_good;
use crate::report::{FitReport, Warning};
use crate::rule::{Rule, Weights};
use pass::Look;
use route::Route;
use stand::Stand;

/// Why counts are of no use.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    /// A text is no pass, or no counts of one.
    #[error("not a pass, or not what one counts: {reason}")]
    Unreadable {
        /// What is wrong with it.
        reason: String,
    },
    /// Counts of different passes do not add up.
    #[error("these are counts of another pass")]
    OtherPass,
    /// All passes were made.
    #[error("all passes were made")]
    NoneLeft,
    /// Not all passes were made.
    #[error("there are passes left to make")]
    Unfinished,
    /// The rows or the metric break a rule.
    #[error(transparent)]
    Invalid(#[from] Error),
}

/// Coordinate ascent for rows of which only counters come to us.
///
/// In a pass every class's cuts are counted in buckets around the present weights, all classes at once; the best
/// places of the lines are the next weights to look at, together and one by one, ever closer. Weights are taken only
/// once all rows have been counted with them, so the score never falls, and a start is never undercut.
///
/// ```
/// use cwplugin::distributed::{PassCounts, Passes};
/// use cwplugin::{Probabilities, Sample, metric::MacroF1};
///
/// // A black box that over-predicts class 0; the rows are in two places.
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
    behind: Option<Model>,
    stage: Stage,
    class_totals: Option<ClassTotals>,
    /// The best weights that all rows were counted with.
    best: Option<Best>,
    route: Route,
    made: usize,
    evaluations: usize,
    tolerance: f64,
    is_converged: bool,
}

/// Which pass is to be made.
#[derive(Debug)]
enum Stage {
    /// Who is there.
    Roll(Pass),
    /// How good the starts are; cuts against the heaviest class give one more.
    Starts(Pass, Vec<Start>),
    /// How good the next weights are, and where they began.
    Climb(Pass),
    /// Whether classes that are not searched may get the mean of the others.
    Settle(Pass),
    Done,
}

/// Weights that were counted.
#[derive(Debug, Clone)]
struct Best {
    weights: Weights,
    score: f64,
    start: Start,
    stand: Stand,
    look: Look,
}

impl<M: Metric> Passes<M> {
    /// Maximises this metric over the weights of these classes.
    pub fn new(metric: M, classes: Vec<String>) -> Self {
        Self::begin(metric, classes, None)
    }

    /// … over the weights behind the calibration of a model, from its weights on.
    pub fn behind(metric: M, model: Model) -> Self {
        Self::begin(metric, model.classes().to_vec(), Some(model))
    }

    fn begin(metric: M, classes: Vec<String>, behind: Option<Model>) -> Self {
        let look =
            Look { is_free: vec![false; classes.len()], is_by_class: true, buckets: 32, zoom: 0, unit: 1.0 };
        let reference = Some(classes.len().saturating_sub(1));
        let roll = Pass { classes: classes.clone(), behind: None, reference, stands: Vec::new(), look };
        Self {
            metric,
            classes,
            behind,
            stage: Stage::Roll(roll),
            class_totals: None,
            best: None,
            route: Route::default(),
            made: 0,
            evaluations: 0,
            tolerance: 0.0,
            is_converged: false,
        }
    }

    /// The next pass over all rows; `None` when everything is known.
    pub fn pending(&self) -> Option<&Pass> {
        match &self.stage {
            Stage::Roll(pass) | Stage::Starts(pass, _) | Stage::Climb(pass) | Stage::Settle(pass) => {
                Some(pass)
            }
            Stage::Done => None,
        }
    }

    /// Passes that were made.
    pub fn n_passes(&self) -> usize {
        self.made
    }

    /// Takes what the pass counted on all rows.
    ///
    /// # Errors
    ///
    /// If it was another pass, no row has a label, or the metric is for another number of classes or not finite.
    pub fn tell(&mut self, counts: &PassCounts) -> Result<(), PassError> {
        let pass = self.pending().ok_or(PassError::NoneLeft)?;
        if !counts.is_of(pass) {
            return Err(PassError::OtherPass);
        }
        self.made += 1;
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Roll(_) => self.called(counts)?,
            Stage::Starts(pass, starts) => {
                self.compare(&pass, &counts.stands, &starts)?;
                self.begin_climb(counts)?;
            }
            Stage::Climb(pass) => {
                let start = self.best.as_ref().map_or(Start::Clean, |best| best.start);
                let starts = self.route.starts(pass.stands.len(), start);
                self.compare(&pass, &counts.stands, &starts)?;
                self.go_on()?;
            }
            Stage::Settle(pass) => {
                let stand = &counts.stands[0];
                let score = checked_score(&self.metric, &line::confusion(stand, &pass.look))?;
                if let Some(best) = self.best.as_mut().filter(|best| is_as_good(score, best.score)) {
                    (best.weights, best.score) = (pass.stands[0].clone(), score);
                }
            }
            Stage::Done => {}
        }
        Ok(())
    }

    /// The best weights, once all passes were made; their score before and after is for whoever counts it.
    ///
    /// # Errors
    ///
    /// If there are passes left.
    pub fn finish(&self) -> Result<Model, PassError> {
        let (Stage::Done, Some(best), Some(class_totals)) = (&self.stage, &self.best, &self.class_totals)
        else {
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
        report.warnings = ascent::warnings(class_totals);
        report.warnings.extend((!self.is_converged).then(Warning::not_converged));
        let calibration = self.behind.as_ref().and_then(|model| model.rule().calibration().cloned());
        Ok(Model::of_fit(&self.classes, Rule::new(calibration, best.weights.clone())?, report)?)
    }
}
