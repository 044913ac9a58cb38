//! Cross-validation of every method in five folds.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::alternatives::{FAST, SLOW, alternatives};
use super::scored::{Replicates, Scored};
use super::standing::Standing;
use super::trial::{BAGS, Trial};
use crate::data::Sample;
use crate::data::folds::stratified;
use crate::error::Error;
use crate::methods::clean::shown_name;
use crate::methods::expected::Plan;
use crate::methods::method::Options;
use crate::methods::subsets::{at_most, unlabelled_rows};
use crate::metric::Metric;
use crate::numeric::parallel;
use crate::report::Estimate;
use crate::rule::Rule;

/// Maximum number of labelled rows in cross-validation.
const MAX_LABELLED: usize = 4_000;

/// Maximum number of unlabelled rows added to each fold.
const MAX_UNLABELLED: usize = 500;

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
    pub(super) fold: Vec<usize>,
    /// Labelled rows that were left out, because there are very many.
    pub(super) left_out: u64,
    count: usize,
    pub(super) seed: u64,
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
        options: &Options<'_>,
    ) -> Result<CrossValidation, Error> {
        let n_scores = 1 + shrinkages.len() + alternatives().count();
        let n_steps: usize = alternatives().map(|alternative| alternative.n_steps(BAGS)).sum();
        let stage = options.observer.begin("cross-validating", self.count * (1 + n_steps) + n_scores);
        let replicates = options.once(0, || Ok(Replicates::new(self.fold.len(), self.seed)))?;
        let trial =
            Trial { folds: self, plan, shrinkages, metric, replicates: &replicates, options, stage: &stage };
        let fits = parallel::map((0..self.count).collect(), |out| trial.fit_without(out));
        let m = self.sample.n_classes();
        let mut calibrated = vec![0.0; self.fold.len() * m];
        for fit in &fits {
            for (&row, q) in fit.held.iter().zip(fit.calibrated.chunks_exact(m)) {
                calibrated[row * m..][..m].copy_from_slice(q);
            }
        }
        let unadjusted = Rule::clean(m)?;
        let mut clean = unadjusted.predict(&self.sample)?;
        clean.truncate(self.fold.len());
        let clean = trial.score(clean, vec![unadjusted])?;
        let tried = |method: usize| trial.out_of_fold(&fits, |fold| fits[fold].rules[method].as_ref());
        let shrunken = (0..shrinkages.len()).map(tried).collect::<Result<Vec<_>, Error>>()?;
        let shrunken: Vec<OutOfFold> = shrunken.into_iter().flatten().collect();
        let mut alternatives = Vec::new();
        for (place, alternative) in FAST.iter().enumerate() {
            alternatives.extend(tried(shrinkages.len() + place)?.map(|tried| (alternative.name, tried)));
        }
        let to_beat = shrunken.iter().map(|tried| tried.scored.score).fold(clean.scored.score, f64::max);
        if alternatives.iter().any(|(_, tried)| tried.scored.score > to_beat) {
            let rules = parallel::map((0..self.count).collect(), |out| trial.fit_alternative(&SLOW, out));
            let slow = trial.out_of_fold(&fits, |fold| rules[fold].as_ref())?;
            alternatives.extend(slow.map(|slow| (SLOW.name, slow)));
        } else {
            stage.steps_of_other(self.count * SLOW.n_steps(BAGS) + 1).finish();
        }
        Ok(CrossValidation { clean, shrunken, alternatives, calibrated })
    }

    /// All rows but those of a fold, and the rows of the fold.
    pub(super) fn split(&self, out: usize) -> (Sample, Vec<usize>) {
        let is_train = |row: &usize| *row >= self.fold.len() || self.fold[*row] != out;
        let (train, held): (Vec<usize>, Vec<usize>) = (0..self.sample.n_rows()).partition(is_train);
        (self.sample.select(&train), held)
    }
}

/// A method in cross-validation.
#[derive(Debug)]
pub(super) struct OutOfFold {
    pub(super) scored: Scored,
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
