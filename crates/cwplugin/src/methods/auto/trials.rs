//! Every method on rows that it has not seen: five folds, and how far chance alone moves what comes out.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::rivals::{RIVALS, Rival};
use super::scored::Scored;
use crate::data::Sample;
use crate::data::folds::stratified;
use crate::error::Error;
use crate::methods::expected::Plan;
use crate::metric::Metric;
use crate::numeric::parallel;
use crate::report::Estimate;
use crate::rule::Rule;

/// Labelled rows in the trials, at most.
const TRIED: usize = 4_000;

/// Rows without a label that a fit of a trial is given, at most.
const UNLABELLED: usize = 500;

/// Refits of `bagged` in a trial: fewer than it would make, since there is one trial for each fold.
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

/// Labelled rows in folds, with what methods predict for them out of fold.
#[derive(Debug)]
pub(super) struct Trials {
    sample: Sample,
    fold: Vec<usize>,
    n_folds: usize,
    seed: u64,
    clean: Option<Scored>,
    /// `expected`, for every share of the way to it.
    ways: Vec<Scored>,
    /// The others that could be tried, by name.
    rivals: Vec<(&'static str, Scored)>,
}

impl Trials {
    /// Folds; nothing if there are too few rows to hold any out.
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
        let mut rows = some(sample.labelled_rows(), TRIED);
        let labels: Vec<usize> = rows.iter().filter_map(|&row| sample.label(row)).collect();
        let bare =
            (0..sample.n_rows()).filter(|&row| sample.label(row).is_none() && sample.weight(row) > 0.0);
        rows.extend(some(bare.collect(), UNLABELLED));
        let (fold, n_folds) = stratified(&labels, sample.n_classes(), seed)?;
        Some(Self {
            sample: sample.select(&rows),
            fold,
            n_folds,
            seed,
            clean: None,
            ways: Vec::new(),
            rivals: Vec::new(),
        })
    }

    /// Fits every method on all folds but one, for each, and scores what they predict for that one; `expected` at each of
    /// these shares of the way.
    pub(super) fn try_out(&mut self, plan: &Plan, shares: &[f64], metric: &dyn Metric) -> Result<(), Error> {
        let n_labelled = self.fold.len();
        let folds = parallel::map((0..self.n_folds).collect(), |out| {
            let kept = |row: &usize| *row >= n_labelled || self.fold[*row] != out;
            let train = self.sample.select(&(0..self.sample.n_rows()).filter(kept).collect::<Vec<_>>());
            let held: Vec<usize> = (0..n_labelled).filter(|&row| self.fold[row] == out).collect();
            let test = self.sample.select(&held);
            let ways = || {
                let plan = plan.again(&train, self.seed)?;
                let log_weights = plan.solve(&train, &metric)?;
                shares.iter().map(|&share| plan.rule(&log_weights, share)?.predict(&test)).collect()
            };
            let rival = |rival: &Rival| (rival.fit)(&train, metric, self.seed, Some(BAGS))?.predict(&test);
            // A method that cannot do with these rows is not tried.
            let ways: Result<Vec<_>, Error> = ways();
            let ways: Vec<_> =
                (0..shares.len()).map(|way| ways.as_ref().ok().map(|ways| ways[way].clone())).collect();
            (held, ways.into_iter().chain(RIVALS.iter().map(rival).map(Result::ok)).collect::<Vec<_>>())
        });
        let mut out_of_fold = (0..shares.len() + RIVALS.len()).map(|method| {
            let mut all = vec![0; n_labelled];
            for (held, predictions) in &folds {
                held.iter().zip(predictions[method].as_ref()?).for_each(|(&row, &class)| all[row] = class);
            }
            Some(all)
        });
        let score = |predictions: &[usize]| Scored::new(&self.sample, predictions, &metric, self.seed);
        let clean = Rule::clean(self.sample.n_classes())?.predict(&self.sample)?;
        self.clean = Some(score(&clean[..n_labelled])?);
        let ways: Option<Vec<_>> = out_of_fold.by_ref().take(shares.len()).collect();
        self.ways = ways.unwrap_or_default().iter().map(|all| score(all)).collect::<Result<_, _>>()?;
        for (rival, predictions) in RIVALS.iter().zip(out_of_fold) {
            if let Some(predictions) = predictions {
                self.rivals.push((rival.name, score(&predictions)?));
            }
        }
        Ok(())
    }

    /// What a share of the way to `expected` is above the black box, if it could be tried.
    pub(super) fn gain_of_way(&self, way: usize) -> Option<Estimate> {
        Some(self.ways.get(way)?.above(self.clean.as_ref()?))
    }

    fn rival(&self, name: &str) -> Option<&Scored> {
        self.rivals.iter().find(|(rival, _)| *rival == name).map(|(_, scored)| scored)
    }

    /// What a rival is above the black box.
    pub(super) fn gain_of(&self, name: &str) -> Estimate {
        self.gap_to(name, None).unwrap_or(Estimate { mean: 0.0, sd: 0.0 })
    }

    /// What a rival is above a share of the way to `expected`, or above the black box; nothing if either could not be tried.
    pub(super) fn gap_to(&self, name: &str, way: Option<usize>) -> Option<Estimate> {
        let taken = way.map_or(self.clean.as_ref(), |way| self.ways.get(way))?;
        Some(self.rival(name)?.above(taken))
    }

    /// What the black box as it is scores on new rows: as counted, and as forecast.
    pub(super) fn level(&self, forecast: Estimate) -> Estimate {
        /// The share of a forecast score that mended probabilities may be off by.
        const OFF: f64 = 0.1;
        let forecast = forecast.doubted_by(OFF * forecast.mean);
        self.clean.as_ref().map_or(forecast, |clean| forecast.and(clean.estimate()))
    }

    /// Every method that could be cross-validated; `expected` with this shrinkage.
    pub(super) fn candidates(&self, way: usize) -> Vec<Candidate> {
        let Some(clean) = &self.clean else { return Vec::new() };
        let candidate = |(method, scored): (&'static str, &Scored)| {
            let (Estimate { mean: gain, sd: gain_sd }, (low, high)) =
                (scored.above(clean), scored.interval());
            Candidate { method: method.into(), cv_score: scored.score, low, high, gain, gain_sd }
        };
        let expected = self.ways.get(way).map(|way| ("expected", way));
        let rivals = self.rivals.iter().map(|(name, scored)| (*name, scored));
        std::iter::once(("clean", clean)).chain(expected).chain(rivals).map(candidate).collect()
    }
}
