//! Cross-validation of every method in five folds.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::alternatives::{ALTERNATIVES, Alternative};
use super::scored::Scored;
use crate::data::Sample;
use crate::data::folds::stratified;
use crate::error::Error;
use crate::methods::expected::Plan;
use crate::metric::Metric;
use crate::numeric::parallel;
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
}

/// Labelled rows in folds, with the out-of-fold scores of the methods.
#[derive(Debug)]
pub(super) struct CrossValidation {
    sample: Sample,
    fold: Vec<usize>,
    n_folds: usize,
    seed: u64,
    clean: Option<Scored>,
    /// `expected` at every shrinkage.
    shrunken: Vec<Scored>,
    /// The alternatives that could be fitted, by name.
    alternatives: Vec<(&'static str, Scored)>,
}

impl CrossValidation {
    /// Assigns the folds; `None` if there are too few rows to hold any out.
    pub(super) fn new(sample: &Sample, seed: u64) -> Option<Self> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(2);
        let mut some = |mut rows: Vec<usize>, most: usize| {
            if rows.len() > most {
                rows.shuffle(&mut rng);
                rows.truncate(most);
                rows.sort_unstable();
            }
            rows
        };
        let mut rows = some(sample.labelled_rows(), MAX_LABELLED);
        let labels: Vec<usize> = rows.iter().filter_map(|&row| sample.label(row)).collect();
        let unlabelled =
            (0..sample.n_rows()).filter(|&row| sample.label(row).is_none() && sample.weight(row) > 0.0);
        rows.extend(some(unlabelled.collect(), MAX_UNLABELLED));
        let (fold, n_folds) = stratified(&labels, sample.n_classes(), seed)?;
        Some(Self {
            sample: sample.select(&rows),
            fold,
            n_folds,
            seed,
            clean: None,
            shrunken: Vec::new(),
            alternatives: Vec::new(),
        })
    }

    /// Fits every method on all folds but one and predicts that one, for each fold; `expected` at each of these shrinkages.
    pub(super) fn cross_validate(
        &mut self,
        plan: &Plan,
        shrinkages: &[f64],
        metric: &dyn Metric,
    ) -> Result<(), Error> {
        let n_labelled = self.fold.len();
        let folds = parallel::map((0..self.n_folds).collect(), |out| {
            let kept = |row: &usize| *row >= n_labelled || self.fold[*row] != out;
            let train = self.sample.select(&(0..self.sample.n_rows()).filter(kept).collect::<Vec<_>>());
            let held: Vec<usize> = (0..n_labelled).filter(|&row| self.fold[row] == out).collect();
            let test = self.sample.select(&held);
            let shrunken = || {
                let plan = plan.refit_on(&train, self.seed)?;
                let log_weights = plan.solve(&train, &metric)?;
                shrinkages
                    .iter()
                    .map(|&shrinkage| plan.rule(&log_weights, shrinkage)?.predict(&test))
                    .collect()
            };
            let alternative = |alternative: &Alternative| {
                (alternative.fit)(&train, metric, self.seed, Some(BAGS))?.predict(&test)
            };
            // A method that cannot be fitted on these rows is skipped.
            let shrunken: Result<Vec<_>, Error> = shrunken();
            let shrunken: Vec<_> = (0..shrinkages.len())
                .map(|index| shrunken.as_ref().ok().map(|shrunken| shrunken[index].clone()))
                .collect();
            (
                held,
                shrunken
                    .into_iter()
                    .chain(ALTERNATIVES.iter().map(alternative).map(Result::ok))
                    .collect::<Vec<_>>(),
            )
        });
        let mut out_of_fold = (0..shrinkages.len() + ALTERNATIVES.len()).map(|method| {
            let mut all = vec![0; n_labelled];
            for (held, predictions) in &folds {
                held.iter().zip(predictions[method].as_ref()?).for_each(|(&row, &class)| all[row] = class);
            }
            Some(all)
        });
        let score = |predictions: &[usize]| Scored::new(&self.sample, predictions, &metric, self.seed);
        let clean = Rule::clean(self.sample.n_classes())?.predict(&self.sample)?;
        self.clean = Some(score(&clean[..n_labelled])?);
        let shrunken: Option<Vec<_>> = out_of_fold.by_ref().take(shrinkages.len()).collect();
        self.shrunken =
            shrunken.unwrap_or_default().iter().map(|all| score(all)).collect::<Result<_, _>>()?;
        for (alternative, predictions) in ALTERNATIVES.iter().zip(out_of_fold) {
            if let Some(predictions) = predictions {
                self.alternatives.push((alternative.name, score(&predictions)?));
            }
        }
        Ok(())
    }

    /// The gain of `expected` at a shrinkage over the black box; `None` if it could not be fitted.
    pub(super) fn gain_at(&self, index: usize) -> Option<Estimate> {
        Some(self.shrunken.get(index)?.above(self.clean.as_ref()?))
    }

    fn alternative(&self, name: &str) -> Option<&Scored> {
        self.alternatives.iter().find(|(alternative, _)| *alternative == name).map(|(_, scored)| scored)
    }

    /// The gain of an alternative over the black box; 0 if it could not be fitted.
    pub(super) fn gain_of(&self, name: &str) -> Estimate {
        self.gap_to(name, None).unwrap_or(Estimate { mean: 0.0, sd: 0.0 })
    }

    /// The gain of an alternative over `expected` at a shrinkage, or over the black box; `None` if either could not be fitted.
    pub(super) fn gap_to(&self, name: &str, index: Option<usize>) -> Option<Estimate> {
        let baseline = index.map_or(self.clean.as_ref(), |index| self.shrunken.get(index))?;
        Some(self.alternative(name)?.above(baseline))
    }

    /// The score of the unadjusted black box on new rows, from cross-validation and forecast.
    pub(super) fn clean_score(&self, forecast: Estimate) -> Estimate {
        /// Relative error of a forecast score, because the calibrated probabilities are uncertain.
        const FORECAST_ERROR: f64 = 0.1;
        let forecast = forecast.doubted_by(FORECAST_ERROR * forecast.mean);
        self.clean.as_ref().map_or(forecast, |clean| forecast.and(clean.estimate()))
    }

    /// Every method that could be cross-validated; `expected` with this shrinkage.
    pub(super) fn candidates(&self, index: usize) -> Vec<Candidate> {
        let Some(clean) = &self.clean else { return Vec::new() };
        let candidate = |(method, scored): (&'static str, &Scored)| {
            let (Estimate { mean: gain, sd: gain_sd }, (low, high)) =
                (scored.above(clean), scored.interval());
            Candidate { method: method.into(), cv_score: scored.score, low, high, gain, gain_sd }
        };
        let expected = self.shrunken.get(index).map(|scored| ("expected", scored));
        let alternatives = self.alternatives.iter().map(|(name, scored)| (*name, scored));
        std::iter::once(("clean", clean)).chain(expected).chain(alternatives).map(candidate).collect()
    }
}
