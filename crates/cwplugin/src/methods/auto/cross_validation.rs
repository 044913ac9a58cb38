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
use crate::progress::Observer;
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
    /// cross-validation over `expected` if that has a reliable gain, else over the unadjusted black box.
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
    sample: Sample,
    /// The fold of each labelled row.
    fold: Vec<usize>,
    /// Labelled rows that were left out, because there are very many.
    pub(super) left_out: u64,
    count: usize,
    seed: u64,
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
        let n_labelled = self.fold.len();
        let n_scores = 1 + shrinkages.len() + ALTERNATIVES.len();
        let n_steps: usize = ALTERNATIVES.iter().map(|alternative| alternative.n_steps(BAGS)).sum();
        let stage = observer.begin("cross-validating", self.count * (1 + n_steps) + n_scores);
        let folds = parallel::map((0..self.count).collect(), |out| {
            let is_train = |row: &usize| *row >= n_labelled || self.fold[*row] != out;
            let (train, held): (Vec<usize>, Vec<usize>) = (0..self.sample.n_rows()).partition(is_train);
            let (train, test) = (self.sample.select(&train), self.sample.select(&held));
            let shrunken = || -> Result<Vec<_>, Error> {
                let plan = plan.refit_on(&train, self.seed)?;
                let log_weights = plan.solve(&train, metric, Observer::default())?;
                let predict = |&shrinkage: &f64| plan.rule(&log_weights, shrinkage)?.predict(&test);
                shrinkages.iter().map(predict).collect()
            };
            let alternative = |alternative: &Alternative| {
                let steps = stage.steps_of_other(alternative.n_steps(BAGS));
                let fitted = alternative.fit_quickly(&train, metric, self.seed, BAGS, Observer::new(&steps));
                steps.finish();
                fitted?.predict(&test)
            };
            // A method that cannot be fitted on these rows is skipped.
            let mut predictions = match shrunken() {
                Ok(predictions) => predictions.into_iter().map(Some).collect(),
                Err(_) => vec![None; shrinkages.len()],
            };
            stage.step();
            predictions.extend(ALTERNATIVES.iter().map(|method| alternative(method).ok()));
            (held, predictions)
        });
        let out_of_fold = |method: usize| {
            let mut all = vec![0; n_labelled];
            for (held, predictions) in &folds {
                held.iter().zip(predictions[method].as_ref()?).for_each(|(&row, &class)| all[row] = class);
            }
            Some(all)
        };
        let score = |predictions: &[usize]| {
            let scored = Scored::new(&self.sample, predictions, metric, self.seed);
            stage.step();
            scored
        };
        let clean = Rule::clean(self.sample.n_classes())?.predict(&self.sample)?;
        let clean = score(&clean[..n_labelled])?;
        let mut scores = (0..shrinkages.len() + ALTERNATIVES.len())
            .map(|method| out_of_fold(method).map(|predictions| score(&predictions)).transpose());
        let shrunken = scores.by_ref().take(shrinkages.len()).collect::<Result<Vec<_>, _>>()?;
        let mut alternatives = Vec::new();
        for (alternative, scored) in ALTERNATIVES.iter().zip(scores) {
            alternatives.extend(scored?.map(|scored| (alternative.name, scored)));
        }
        Ok(CrossValidation { clean, shrunken: shrunken.into_iter().flatten().collect(), alternatives })
    }
}

/// The out-of-fold scores of the methods.
#[derive(Debug)]
pub(super) struct CrossValidation {
    clean: Scored,
    /// `expected` at every shrinkage; empty if it could not be fitted.
    shrunken: Vec<Scored>,
    /// The alternatives that could be fitted, by name.
    alternatives: Vec<(&'static str, Scored)>,
}

impl CrossValidation {
    /// The gain of `expected` at a shrinkage over the black box; `None` if it could not be fitted.
    pub(super) fn gain_at(&self, index: usize) -> Option<Estimate> {
        Some(self.shrunken.get(index)?.above(&self.clean))
    }

    /// The gain of an alternative over the black box; 0 if it could not be fitted.
    pub(super) fn gain_of(&self, name: &str) -> Estimate {
        self.gap_to(name, None).unwrap_or(Estimate { mean: 0.0, sd: 0.0 })
    }

    /// The gain of an alternative over `expected` at a shrinkage, or over the black box; `None` if either could not be fitted.
    pub(super) fn gap_to(&self, name: &str, index: Option<usize>) -> Option<Estimate> {
        let baseline = index.map_or(Some(&self.clean), |index| self.shrunken.get(index))?;
        let (_, alternative) = self.alternatives.iter().find(|(alternative, _)| *alternative == name)?;
        Some(alternative.above(baseline))
    }

    /// The score of the unadjusted black box on new rows, from cross-validation and forecast.
    pub(super) fn clean_score(&self, forecast: Estimate) -> Estimate {
        /// Relative error of a forecast score, because the calibrated probabilities are uncertain.
        const FORECAST_ERROR: f64 = 0.1;
        forecast.with_added_sd(FORECAST_ERROR * forecast.mean).and(self.clean.estimate())
    }

    /// Every method that could be cross-validated; `expected` with this shrinkage.
    pub(super) fn candidates(&self, index: usize) -> Vec<Candidate> {
        let candidate = |(method, scored): (&'static str, &Scored)| {
            let (gain, (low, high)) = (scored.above(&self.clean), scored.interval());
            let (cv_score, gain, gain_sd) = (scored.score, gain.mean, gain.sd);
            let (lead, standing) = (None, None);
            Candidate { method: method.into(), cv_score, low, high, gain, gain_sd, lead, standing }
        };
        let expected = self.shrunken.get(index).map(|scored| ("expected", scored));
        let alternatives = self.alternatives.iter().map(|(name, scored)| (*name, scored));
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
        Self { clean, shrunken, alternatives }
    }
}
