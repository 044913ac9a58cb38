//! The fits without one fold, and what they predict for it.

use super::alternatives::{Alternative, FAST};
use super::cross_validation::{Folds, OutOfFold};
use super::scored::{Replicates, Scored};
use crate::error::Error;
use crate::methods::expected::Plan;
use crate::methods::method::Options;
use crate::metric::Metric;
use crate::numeric::parallel;
use crate::progress::{Observer, Stage};
use crate::rule::Rule;

/// Refits of `bagged` per fold, fewer than in a full fit.
pub(super) const BAGS: usize = 10;

/// What all fits of a cross-validation have in common.
pub(super) struct Trial<'a> {
    pub(super) folds: &'a Folds,
    pub(super) plan: &'a Plan,
    pub(super) shrinkages: &'a [f64],
    pub(super) metric: &'a dyn Metric,
    pub(super) replicates: &'a Replicates,
    pub(super) options: &'a Options<'a>,
    pub(super) stage: &'a Stage<'a>,
}

/// The fits without one fold.
pub(super) struct WithoutFold {
    /// The rows of the fold.
    pub(super) held: Vec<usize>,
    /// `expected` at every shrinkage, then the fast alternatives; `None` if a method could not be fitted.
    pub(super) rules: Vec<Option<Rule>>,
    /// Calibrated probabilities of the rows of the fold, by `expected`.
    pub(super) calibrated: Vec<f64>,
}

impl Trial<'_> {
    /// Fits `expected` and the fast alternatives without one fold. A method that cannot be fitted on these rows is skipped.
    pub(super) fn fit_without(&self, out: usize) -> WithoutFold {
        let (train, held) = self.folds.split(out);
        let shrunken = || -> Result<(Vec<Rule>, Vec<f64>), Error> {
            let plan = self.options.once(1 + out, || self.plan.refit_on(&train, self.folds.seed))?;
            let log_weights = plan.solve(&train, self.metric, Observer::default())?;
            let rules = self.shrinkages.iter().map(|&shrinkage| plan.rule(&log_weights, shrinkage));
            Ok((rules.collect::<Result<_, _>>()?, plan.calibrated(&self.folds.sample.select(&held))?))
        };
        let (mut rules, calibrated) = match shrunken() {
            Ok((rules, calibrated)) => (rules.into_iter().map(Some).collect(), calibrated),
            Err(_) => (vec![None; self.shrinkages.len()], Vec::new()),
        };
        self.stage.step();
        // In parallel, so that the last folds keep all threads busy.
        rules.extend(parallel::map(FAST.iter().collect(), |alternative| {
            self.fit_alternative(alternative, out)
        }));
        WithoutFold { held, rules, calibrated }
    }

    /// Fits an alternative without one fold; `None` if it cannot be fitted or there are too many classes for it.
    pub(super) fn fit_alternative(&self, alternative: &Alternative, out: usize) -> Option<Rule> {
        let steps = self.stage.steps_of_other(alternative.n_steps(BAGS));
        let fitted = (self.folds.sample.n_classes() <= alternative.max_classes).then(|| {
            let (train, _) = self.folds.split(out);
            alternative.fit_quickly(&train, self.metric, self.folds.seed, BAGS, Observer::new(&steps))
        });
        steps.finish();
        fitted?.ok()
    }

    /// One method on all labelled rows, with the rule of each fold; `None` if it could not be fitted without a fold.
    pub(super) fn out_of_fold<'r>(
        &self,
        fits: &[WithoutFold],
        rule_without: impl Fn(usize) -> Option<&'r Rule>,
    ) -> Result<Option<OutOfFold>, Error> {
        let mut predictions = vec![0; self.folds.fold.len()];
        let mut rules = Vec::new();
        for (fold, fit) in fits.iter().enumerate() {
            let Some(rule) = rule_without(fold) else { return Ok(None) };
            let classes = rule.predict(&self.folds.sample.select(&fit.held))?;
            fit.held.iter().zip(classes).for_each(|(&row, class)| predictions[row] = class);
            rules.push(rule.clone());
        }
        self.score(predictions, rules).map(Some)
    }

    /// The score of predictions for all labelled rows.
    pub(super) fn score(&self, predictions: Vec<usize>, rules: Vec<Rule>) -> Result<OutOfFold, Error> {
        let scored = Scored::new(&self.folds.sample, &predictions, self.metric, self.replicates)?;
        self.stage.step();
        Ok(OutOfFold { scored, predictions, rules })
    }
}
