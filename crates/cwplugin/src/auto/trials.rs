//! Every method on rows that it has not seen: five folds, and how far chance alone moves what comes out.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Exp1};

use crate::calibrate::stratified;
use crate::expected::Plan;
use crate::metric::checked_score;
use crate::{
    Confusion, Error, Estimate, FitOptions, Fitted, Method, Metric, Recipe, Reference, Sample, Settings,
    parallel,
};

/// Labelled rows in the trials, at most.
const TRIED: usize = 4_000;

/// Rows without a label that a fit of a trial is given, at most.
const UNLABELLED: usize = 500;

/// Refits of `bagged` in a trial: fewer than it would make, since there is one trial for each fold.
const BAGS: usize = 10;

/// Ways in which other rows could have come.
const REPLICATES: usize = 200;

/// A method by its name; some of them only `auto` has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rival {
    pub(super) name: &'static str,
    pub(super) recipe: Recipe,
}

/// The methods that may take the place of `expected`.
pub(super) const RIVALS: &[Rival] = &[
    Rival {
        name: "cwplugin:last",
        recipe: Recipe::Plugin(Settings { reference: Reference::Last, ..Settings::EXACT }),
    },
    Rival {
        name: "cwplugin:best",
        recipe: Recipe::Plugin(Settings { reference: Reference::Best, ..Settings::EXACT }),
    },
    Rival { name: "ascent", recipe: Recipe::Ascent },
    Rival { name: "bagged", recipe: Recipe::Bagged },
];

/// A method that may take the place of `expected`, by its name.
pub(crate) fn rival_by_name(name: &str) -> Option<Rival> {
    RIVALS.iter().find(|rival| rival.name == name).copied()
}

/// How a method did on rows that it was not fitted on.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Trial {
    /// The method; `expected` went the share of the way that `auto` would.
    pub method: &'static str,
    /// The metric of the predictions out of fold.
    pub score: f64,
    /// Where it might have been with other rows: 2.5 % and 97.5 %.
    pub interval: (f64, f64),
    /// What it is above the black box on the same rows.
    pub gain: Estimate,
}

/// Labelled rows in folds, with what methods predict for them out of fold.
#[derive(Debug)]
pub(super) struct Trials {
    sample: Sample,
    fold: Vec<usize>,
    n_folds: usize,
    seed: u64,
    /// By method: the score, and the scores with other rows.
    scores: Vec<(&'static str, f64, Vec<f64>)>,
}

impl Rival {
    /// Whatever the metric is, it is one type from here on: methods that try methods would else never end.
    pub(crate) fn fit(
        self,
        sample: &Sample,
        metric: &dyn Metric,
        seed: u64,
        bags: Option<usize>,
    ) -> Result<Fitted, Error> {
        let method = Method { name: self.name, summary: "", recipe: self.recipe };
        method.fit(sample, &metric, &FitOptions { seed, bags, ..FitOptions::default() })
    }
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
        Some(Self { sample: sample.select(&rows), fold, n_folds, seed, scores: Vec::new() })
    }

    /// Fits every method on all folds but one, for each, and scores what they predict for that one.
    pub(super) fn try_out<M: Metric>(&mut self, plan: &Plan, share: f64, metric: &M) -> Result<(), Error> {
        let n_labelled = self.fold.len();
        let folds = parallel::map((0..self.n_folds).collect(), |out| {
            let kept = |row: &usize| *row >= n_labelled || self.fold[*row] != out;
            let train = self.sample.select(&(0..self.sample.n_rows()).filter(kept).collect::<Vec<_>>());
            let held: Vec<usize> = (0..n_labelled).filter(|&row| self.fold[row] == out).collect();
            let test = self.sample.select(&held);
            let again = || {
                let plan = plan.again(&train, self.seed)?;
                plan.rule(&plan.solve(&train, metric)?, share)?.predict(&test)
            };
            let rival =
                |rival: &Rival| rival.fit(&train, metric, self.seed, Some(BAGS))?.rule().predict(&test);
            // A method that cannot do with these rows is not tried.
            let predictions: Vec<_> =
                std::iter::once(again()).chain(RIVALS.iter().map(rival)).map(Result::ok).collect();
            (held, predictions)
        });
        let clean = crate::Rule::clean(self.sample.n_classes())?.predict(&self.sample)?;
        let mut all = vec![("clean", Some(clean[..n_labelled].to_vec()))];
        for (method, name) in std::iter::once("expected").chain(RIVALS.iter().map(|r| r.name)).enumerate() {
            let mut out_of_fold = Some(vec![0; n_labelled]);
            for (held, predictions) in &folds {
                match (&predictions[method], &mut out_of_fold) {
                    (Some(classes), Some(all)) => {
                        held.iter().zip(classes).for_each(|(&row, &c)| all[row] = c);
                    }
                    _ => out_of_fold = None,
                }
            }
            all.push((name, out_of_fold));
        }
        for (name, predictions) in all {
            if let Some(predictions) = predictions {
                let (score, replicates) = self.score(&predictions, metric)?;
                self.scores.push((name, score, replicates));
            }
        }
        Ok(())
    }

    /// The metric of these predictions, and what it would be had other rows come (the Bayesian bootstrap).
    fn score<M: Metric>(&self, predictions: &[usize], metric: &M) -> Result<(f64, Vec<f64>), Error> {
        let count = |chance: &mut dyn FnMut() -> f64| {
            let mut confusion = Confusion::zeros(self.sample.n_classes());
            for (row, &predicted) in predictions.iter().enumerate() {
                if let Some(label) = self.sample.label(row) {
                    confusion.add(label, predicted, chance() * self.sample.weight(row));
                }
            }
            checked_score(metric, &confusion)
        };
        // One stream for each replicate, so that all methods meet the same rows.
        let replicate = |replicate: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(1_000 + replicate as u64);
            count(&mut || Exp1.sample(&mut rng))
        };
        let replicates = parallel::map((0..REPLICATES).collect(), replicate);
        Ok((count(&mut || 1.0)?, replicates.into_iter().collect::<Result<_, _>>()?))
    }

    fn scores_of(&self, name: &str) -> Option<(f64, &[f64])> {
        self.scores.iter().find(|(found, ..)| *found == name).map(|(_, score, all)| (*score, &all[..]))
    }

    /// What one method is above another, out of fold; nothing if either could not be tried.
    pub(super) fn difference(&self, name: &str, from: &str) -> Option<Estimate> {
        let ((score, all), (from, all_from)) = (self.scores_of(name)?, self.scores_of(from)?);
        let gaps: Vec<f64> = all.iter().zip(all_from).map(|(score, from)| score - from).collect();
        Some(Estimate { mean: score - from, ..Estimate::of(&gaps) })
    }

    pub(super) fn gain_of(&self, name: &str) -> Estimate {
        self.difference(name, "clean").unwrap_or(Estimate { mean: 0.0, sd: 0.0 })
    }

    /// What the black box as it is scores on new rows: as counted, and as forecast.
    pub(super) fn level(&self, forecast: Estimate) -> Estimate {
        /// The share of a forecast score that mended probabilities may be off by.
        const OFF: f64 = 0.1;
        let forecast = forecast.doubted_by(OFF * forecast.mean);
        let Some((score, all)) = self.scores_of("clean") else { return forecast };
        forecast.and(Estimate { mean: score, ..Estimate::of(all) })
    }

    pub(super) fn tried(&self) -> Vec<Trial> {
        let trial = |(method, score, all): &(&'static str, f64, Vec<f64>)| {
            let mut sorted = all.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            #[allow(clippy::cast_sign_loss)] // shares are not negative
            let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
            Trial { method, score: *score, interval: (at(0.025), at(0.975)), gain: self.gain_of(method) }
        };
        self.scores.iter().map(trial).collect()
    }
}
