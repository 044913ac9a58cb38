//! Cross-validation of every method in five folds.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::alternatives::{ALTERNATIVES, Alternative};
use super::scored::Scored;
use super::standing::Standing;
use crate::data::Sample;
use crate::data::folds::stratified;
use crate::error::Error;
use crate::methods::clean::shown_name;
use crate::methods::expected::Plan;
use crate::methods::subsets::{at_most, unlabelled_rows};
use crate::metric::Metric;
use crate::numeric::parallel;
use crate::progress::{Observer, Stage};
use crate::report::Estimate;
use crate::rule::Rule;

/// Maximum number of labelled rows in cross-validation.
const MAX_LABELLED: usize = 4_000;

/// Maximum number of unlabelled rows added to each fold.
const MAX_UNLABELLED: usize = 500;

/// Refits of `bagged` per fold, fewer than in a full fit.
const BAGS: usize = 10;

/// A method in cross-validation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Candidate {
    /// The method; `expected` is shrunk as `auto` would shrink it.
    pub method: String,
    /// The metric of the out-of-fold predictions.
    pub cv_score: f64,
    /// Lower end of its 95% confidence interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The gain over the unadjusted black box on the same rows.
    pub gain: f64,
    /// Its standard deviation.
    pub gain_sd: f64,
    /// What decides about it: for `expected` the gain from forecast and cross-validation, for another method its lead in
    /// cross-validation over `expected` if that is worth it, else over the unadjusted black box.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lead: Option<Estimate>,
    /// Why it was chosen or not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub standing: Option<Standing>,
}

impl Candidate {
    /// The name to show to people: `unadjusted` for `clean`.
    pub fn name(&self) -> &str {
        shown_name(&self.method)
    }
}

/// Labelled rows in folds, and unlabelled rows that are in every training set.
#[derive(Debug)]
pub(super) struct Folds {
    /// The labelled rows, then the others.
    pub(super) sample: Sample,
    /// The fold of each labelled row.
    fold: Vec<usize>,
    /// Labelled rows that were left out, because there are very many.
    pub(super) left_out: u64,
    count: usize,
    seed: u64,
}

/// The fits without one fold.
struct WithoutFold {
    /// The rows of the fold.
    held: Vec<usize>,
    /// `expected` at every shrinkage, then the alternatives; `None` if a method could not be fitted.
    rules: Vec<Option<Rule>>,
    /// Calibrated probabilities of the rows of the fold, by `expected`.
    calibrated: Vec<f64>,
}

impl Folds {
    /// Assigns the folds; `None` if there are too few rows to hold any out.
    pub(super) fn new(sample: &Sample, seed: u64) -> Option<Self> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(2);
        let mut rows = at_most(MAX_LABELLED, sample.labelled_rows(), &mut rng);
        let labels: Vec<usize> = rows.iter().filter_map(|&row| sample.label(row)).collect();
        rows.extend(at_most(MAX_UNLABELLED, unlabelled_rows(sample), &mut rng));
        let (fold, count) = stratified(&labels, sample.n_classes(), seed)?;
        let left_out = sample.n_labelled() - fold.len() as u64;
        Some(Self { sample: sample.select(&rows), fold, left_out, count, seed })
    }

    /// Fits every method on all folds but one and predicts that one, for each fold; `expected` at each of these shrinkages.
    pub(super) fn cross_validate(
        &self,
        plan: &Plan,
        shrinkages: &[f64],
        metric: &dyn Metric,
        observer: Observer<'_>,
    ) -> Result<CrossValidation, Error> {
        let n_scores = 1 + shrinkages.len() + ALTERNATIVES.len();
        let n_steps: usize = ALTERNATIVES.iter().map(|alternative| alternative.n_steps(BAGS)).sum();
        let stage = observer.begin("cross-validating", self.count * (1 + n_steps) + n_scores);
        let fits = parallel::map((0..self.count).collect(), |out| {
            self.fit_without(out, plan, shrinkages, metric, &stage)
        });
        let m = self.sample.n_classes();
        let mut calibrated = vec![0.0; self.fold.len() * m];
        for fit in &fits {
            for (&row, q) in fit.held.iter().zip(fit.calibrated.chunks_exact(m)) {
                calibrated[row * m..][..m].copy_from_slice(q);
            }
        }
        let score = |predictions: Vec<usize>, rules: Vec<Rule>| {
            let scored = Scored::new(&self.sample, &predictions, metric, self.seed)?;
            stage.step();
            Ok::<_, Error>(OutOfFold { scored, predictions, rules })
        };
        let unadjusted = Rule::clean(m)?;
        let mut clean = unadjusted.predict(&self.sample)?;
        clean.truncate(self.fold.len());
        let clean = score(clean, vec![unadjusted])?;
        let mut tried = (0..shrinkages.len() + ALTERNATIVES.len())
            .map(|method| self.out_of_fold(&fits, method)?.map(|(p, rules)| score(p, rules)).transpose());
        let shrunken = tried.by_ref().take(shrinkages.len()).collect::<Result<Vec<_>, Error>>()?;
        let mut alternatives = Vec::new();
        for (alternative, tried) in ALTERNATIVES.iter().zip(tried) {
            alternatives.extend(tried?.map(|tried| (alternative.name, tried)));
        }
        let shrunken = shrunken.into_iter().flatten().collect();
        Ok(CrossValidation { clean, shrunken, alternatives, calibrated })
    }

    /// Fits every method without one fold. A method that cannot be fitted on these rows is skipped.
    fn fit_without(
        &self,
        out: usize,
        plan: &Plan,
        shrinkages: &[f64],
        metric: &dyn Metric,
        stage: &Stage<'_>,
    ) -> WithoutFold {
        let is_train = |row: &usize| *row >= self.fold.len() || self.fold[*row] != out;
        let (train, held): (Vec<usize>, Vec<usize>) = (0..self.sample.n_rows()).partition(is_train);
        let (train, test) = (self.sample.select(&train), self.sample.select(&held));
        let shrunken = || -> Result<(Vec<Rule>, Vec<f64>), Error> {
            let plan = plan.refit_on(&train, self.seed)?;
            let log_weights = plan.solve(&train, metric, Observer::default())?;
            let rules = shrinkages.iter().map(|&shrinkage| plan.rule(&log_weights, shrinkage));
            Ok((rules.collect::<Result<_, _>>()?, plan.calibrated(&test)?))
        };
        let alternative = |alternative: &Alternative| {
            let steps = stage.steps_of_other(alternative.n_steps(BAGS));
            let fitted = alternative.fit_quickly(&train, metric, self.seed, BAGS, Observer::new(&steps));
            steps.finish();
            fitted.ok()
        };
        let (mut rules, calibrated) = match shrunken() {
            Ok((rules, calibrated)) => (rules.into_iter().map(Some).collect(), calibrated),
            Err(_) => (vec![None; shrinkages.len()], Vec::new()),
        };
        stage.step();
        rules.extend(ALTERNATIVES.iter().map(alternative));
        WithoutFold { held, rules, calibrated }
    }

    /// The predictions of one method for all labelled rows, and its rules; `None` if it could not be fitted without a fold.
    #[allow(clippy::type_complexity)] // a pair that is taken apart at once
    fn out_of_fold(
        &self,
        fits: &[WithoutFold],
        method: usize,
    ) -> Result<Option<(Vec<usize>, Vec<Rule>)>, Error> {
        let mut predictions = vec![0; self.fold.len()];
        for fit in fits {
            let Some(rule) = &fit.rules[method] else { return Ok(None) };
            let classes = rule.predict(&self.sample.select(&fit.held))?;
            fit.held.iter().zip(classes).for_each(|(&row, class)| predictions[row] = class);
        }
        Ok(Some((predictions, fits.iter().filter_map(|fit| fit.rules[method].clone()).collect())))
    }
}

/// A method in cross-validation.
#[derive(Debug)]
pub(super) struct OutOfFold {
    scored: Scored,
    /// The class of every labelled row, by the rule fitted without its fold.
    pub(super) predictions: Vec<usize>,
    /// The rule without each fold.
    pub(super) rules: Vec<Rule>,
}

/// The out-of-fold scores of the methods.
#[derive(Debug)]
pub(super) struct CrossValidation {
    pub(super) clean: OutOfFold,
    /// `expected` at every shrinkage; empty if it could not be fitted.
    pub(super) shrunken: Vec<OutOfFold>,
    /// The alternatives that could be fitted, by name.
    alternatives: Vec<(&'static str, OutOfFold)>,
    /// Calibrated probabilities of every labelled row, by the fit without its fold; 0 if there was none.
    pub(super) calibrated: Vec<f64>,
}

impl CrossValidation {
    /// An alternative, if it could be fitted.
    pub(super) fn alternative(&self, name: &str) -> Option<&OutOfFold> {
        self.alternatives.iter().find(|(alternative, _)| *alternative == name).map(|(_, tried)| tried)
    }

    /// The gain of a method over the black box.
    pub(super) fn gain(&self, tried: &OutOfFold) -> Estimate {
        tried.scored.above(&self.clean.scored)
    }

    /// The gain of an alternative over `expected` at a shrinkage, or over the black box; `None` if either could not be fitted.
    pub(super) fn gap_to(&self, name: &str, index: Option<usize>) -> Option<Estimate> {
        let baseline = index.map_or(Some(&self.clean), |index| self.shrunken.get(index))?;
        Some(self.alternative(name)?.scored.above(&baseline.scored))
    }

    /// The gain of an alternative over the black box; 0 if it could not be fitted.
    pub(super) fn gain_of(&self, name: &str) -> Estimate {
        self.gap_to(name, None).unwrap_or(Estimate { mean: 0.0, sd: 0.0 })
    }

    /// Every method that could be cross-validated; `expected` with this shrinkage.
    pub(super) fn candidates(&self, index: usize) -> Vec<Candidate> {
        let candidate = |(method, tried): (&'static str, &OutOfFold)| {
            let (gain, (low, high)) = (self.gain(tried), tried.scored.interval());
            let (cv_score, gain, gain_sd) = (tried.scored.score, gain.mean, gain.sd);
            let (lead, standing) = (None, None);
            Candidate { method: method.into(), cv_score, low, high, gain, gain_sd, lead, standing }
        };
        let expected = self.shrunken.get(index).map(|tried| ("expected", tried));
        let alternatives = self.alternatives.iter().map(|(name, tried)| (*name, tried));
        std::iter::once(("clean", &self.clean)).chain(expected).chain(alternatives).map(candidate).collect()
    }
}

#[cfg(test)]
impl CrossValidation {
    /// The result of a cross-validation with these scores.
    pub(super) fn of_scores(
        clean: Scored,
        shrunken: Vec<Scored>,
        alternatives: Vec<(&'static str, Scored)>,
    ) -> Self {
        let of = |scored| OutOfFold { scored, predictions: Vec::new(), rules: Vec::new() };
        Self {
            clean: of(clean),
            shrunken: shrunken.into_iter().map(of).collect(),
            alternatives: alternatives.into_iter().map(|(name, scored)| (name, of(scored))).collect(),
            calibrated: Vec::new(),
        }
    }
}
