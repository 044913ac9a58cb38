//! From a sample to a rule and its forecast.

use std::sync::Arc;

use super::ExpectedReport;
use super::expected_confusion::Objective;
use super::maximise::{maximise, predict};
use super::population::{self, Population};
use super::posterior::{Choice, Posterior, training_rows};
use super::repeats::Repeats;
use crate::data::Sample;
use crate::error::Error;
use crate::methods::ascent::{Problem, Rows, ascend};
use crate::methods::log_weights::{exponentials, logarithms};
use crate::methods::method::Options;
use crate::metric::{Constrained, Metric};
use crate::progress::{Observer, Stage};
use crate::report::Estimate;
use crate::report::estimate::{Expectation, range_of};
use crate::rule::{AffineMap, Calibration, MapInput, MapKind, Rule, Slope, Weights};

/// Maps drawn from the posterior: enough that the sampling error of a gain is small against its standard deviation.
const DRAWS: usize = 32;

/// The same in cross-validation, and the fewest for many rows and classes.
const DRAWS_IN_CROSS_VALIDATION: usize = 10;

/// Numbers in all draws of a population, at most, unless it needs the fewest draws: 256 MiB. So much is drawn for 2,000 rows
/// and 500 classes; the more classes, the less does each draw deviate from the mean.
const MAX_DRAWN: usize = 1 << 25;

/// Labelled rows from which the weights of `expected` also depend on the metric counted on the labels, after calibration.
pub const LABELS_COUNT_FROM: u64 = 2_000;

/// Labelled rows at which weights by counted labels and by calibrated probabilities have the same influence.
const EQUAL_INFLUENCE: f64 = 4_000.0;

/// Log-weights between those by calibrated probabilities and those by counted labels: the more labels, the nearer to the
/// latter. Their errors are different, so that the mean is often better than either.
pub(crate) fn between(modelled: &[f64], counted: &[f64], n_labelled: u64) -> Vec<f64> {
    let share = n_labelled as f64 / (n_labelled as f64 + EQUAL_INFLUENCE);
    modelled
        .iter()
        .zip(counted)
        .map(|(modelled, counted)| (1.0 - share) * modelled + share * counted)
        .collect()
}

/// The parts of a fit that do not depend on the metric.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    choice: Choice,
    population: Population,
    map: AffineMap,
    /// The logits of the population under the map.
    logits: Vec<f64>,
    mixing: f64,
    /// Weight of the labelled rows of each class.
    truths: Vec<f64>,
}

impl Plan {
    pub(crate) fn new(
        sample: &Sample,
        mixing: f64,
        seed: u64,
        observer: Observer<'_>,
    ) -> Result<Self, Error> {
        let numbers = population::n_rows(sample) * sample.n_classes();
        let n_draws = (MAX_DRAWN / numbers.max(1)).clamp(DRAWS_IN_CROSS_VALIDATION, DRAWS);
        Self::from_posterior(&Posterior::learn(sample, seed, observer)?, sample, mixing, n_draws, seed)
    }

    /// The same, for several fits if they have the options in common and none of them mixes in labels.
    pub(crate) fn for_fits(sample: &Sample, mixing: f64, options: &Options<'_>) -> Result<Arc<Self>, Error> {
        let plan = || Self::new(sample, mixing, options.seed, options.observer);
        if mixing > 0.0 { plan().map(Arc::new) } else { options.once(0, plan) }
    }

    /// The same for a part of the sample, faster: only the most probable prior, and fewer draws.
    pub(crate) fn refit_on(&self, sample: &Sample, seed: u64) -> Result<Self, Error> {
        Self::from_posterior(
            &self.choice.learn(sample, seed)?,
            sample,
            self.mixing,
            DRAWS_IN_CROSS_VALIDATION,
            seed,
        )
    }

    fn from_posterior(
        posterior: &Posterior,
        sample: &Sample,
        mixing: f64,
        n_draws: usize,
        seed: u64,
    ) -> Result<Self, Error> {
        let map = posterior.mean_map()?;
        let repeats = Repeats::learn(sample, &training_rows(sample, seed)?, &map)?;
        let population = Population::draw(sample, posterior, repeats.as_ref(), n_draws, mixing, seed);
        let logits = population.logits(&map);
        let choice = posterior.choice();
        Ok(Self { choice, population, map, logits, mixing, truths: sample.class_totals().weights() })
    }

    /// The best log-weights after calibration.
    pub(crate) fn solve(
        &self,
        sample: &Sample,
        metric: &dyn Metric,
        observer: Observer<'_>,
    ) -> Result<Vec<f64>, Error> {
        let stage = observer.begin_parts("maximising", 1);
        let (log_weights, _) = self.maximise(metric, None, vec![0.0; sample.n_classes()], &stage)?;
        let counted = self.counted(&log_weights, sample, metric, observer)?;
        Ok(counted
            .map_or(log_weights.clone(), |counted| between(&log_weights, &counted, sample.n_labelled())))
    }

    /// The best log-weights that meet constraints on the labelled rows.
    pub(crate) fn solve_within(
        &self,
        sample: &Sample,
        metric: &dyn Metric,
        within: &Constrained<'_>,
        observer: Observer<'_>,
    ) -> Result<Vec<f64>, Error> {
        let stage = observer.begin_parts("maximising", 3);
        let equal = vec![0.0; sample.n_classes()];
        let (best, _) = self.maximise(metric, None, equal.clone(), &stage)?;
        let (a, score_a) = self.maximise(metric, Some(within), best, &stage)?;
        let (b, score_b) = self.maximise(metric, Some(within), equal, &stage)?;
        let best = if score_b > score_a { b } else { a };
        Ok(self.counted(&best, sample, within, observer)?.unwrap_or(best))
    }

    fn maximise(
        &self,
        metric: &dyn Metric,
        within: Option<&Constrained<'_>>,
        start: Vec<f64>,
        stage: &Stage<'_>,
    ) -> Result<(Vec<f64>, f64), Error> {
        maximise(&self.population, &self.logits, &Objective { metric, within }, start, stage)
    }

    /// With many labels, the result of coordinate ascent on them from these log-weights.
    fn counted(
        &self,
        log_weights: &[f64],
        sample: &Sample,
        metric: &dyn Metric,
        observer: Observer<'_>,
    ) -> Result<Option<Vec<f64>>, Error> {
        if sample.n_labelled() < LABELS_COUNT_FROM {
            return Ok(None);
        }
        let rows = sample.labelled();
        let is_free = (0..sample.n_classes()).map(|class| rows.n_rows_of(class) > 0).collect();
        let problem = Problem {
            rows: Rows::Calibrated(rows.probabilities(), &self.map),
            is_free,
            ..Problem::of(&rows)
        };
        let start = Weights::new(exponentials(log_weights))?;
        Ok(Some(logarithms(&ascend(&problem, metric, &[start], observer)?.maximum.weights)))
    }

    /// The rule at this shrinkage: 0 is the unadjusted black box, 1 the calibration map with its weights.
    ///
    /// If the map has one shared slope, weights alone give the same predictions.
    pub(crate) fn rule(&self, log_weights: &[f64], shrinkage: f64) -> Result<Rule, Error> {
        let m = log_weights.len();
        let part = |slope: f64, is_own: bool| shrinkage * slope + if is_own { 1.0 - shrinkage } else { 0.0 };
        let bias = || self.map.bias().iter().map(|bias| shrinkage * bias);
        let weights = log_weights.iter().map(|log_weight| shrinkage * log_weight);
        let slope = match self.map.slope() {
            Slope::Diagonal(slopes) => {
                let slopes: Vec<f64> = slopes.iter().map(|&slope| part(slope, true)).collect();
                if slopes[0] > 0.0 && slopes.iter().all(|slope| (slope - slopes[0]).abs() <= 1e-12) {
                    let powers: Vec<f64> = bias().zip(weights).map(|(b, w)| (b + w) / slopes[0]).collect();
                    return Weights::new(exponentials(&powers)).map(Rule::from);
                }
                Slope::Diagonal(slopes)
            }
            Slope::Matrix(slopes) => {
                let slopes = slopes.iter().enumerate();
                Slope::Matrix(slopes.map(|(i, &slope)| part(slope, i / m == i % m)).collect())
            }
        };
        let map = AffineMap::new(MapInput::LogProbability, slope, bias().collect())?;
        let map = map.with_floor(self.map.floor())?;
        let calibration = Calibration::Affine { kind: MapKind::Expected, map, features: None };
        Rule::new(Some(calibration), Weights::new(exponentials(&weights.collect::<Vec<_>>()))?)
    }

    /// The calibrated probabilities of rows, row by row.
    pub(crate) fn calibrated(&self, sample: &Sample) -> Result<Vec<f64>, Error> {
        let calibrated = self.map.apply(sample.probabilities())?;
        Ok((0..calibrated.n_rows()).flat_map(|row| calibrated.row(row).collect::<Vec<_>>()).collect())
    }

    /// The rows that represent new rows.
    pub(crate) fn population(&self) -> &Population {
        &self.population
    }

    /// The forecast of that rule on new rows.
    pub(crate) fn forecast(
        &self,
        log_weights: &[f64],
        shrinkage: f64,
        metric: &dyn Metric,
    ) -> Result<Expectation, Error> {
        let probabilities = self.population.probabilities();
        let logs = (0..self.population.n_rows()).flat_map(|row| probabilities.row(row));
        let logs = logs.map(|p| MapInput::LogProbability.of(p, self.map.floor()));
        let mixed = logs.zip(&self.logits).map(|(log, logit)| (1.0 - shrinkage) * log + shrinkage * logit);
        let part: Vec<f64> = log_weights.iter().map(|log_weight| shrinkage * log_weight).collect();
        self.forecast_predictions(&predict(&mixed.collect::<Vec<_>>(), &part), metric)
    }

    /// The forecast of any rule on new rows.
    pub(crate) fn forecast_of(&self, rule: &Rule, metric: &dyn Metric) -> Result<Expectation, Error> {
        self.forecast_predictions(&rule.predict_probabilities(self.population.probabilities())?, metric)
    }

    fn forecast_predictions(&self, fitted: &[usize], metric: &dyn Metric) -> Result<Expectation, Error> {
        let clean = Rule::clean(self.truths.len())?.predict_probabilities(self.population.probabilities())?;
        let [clean, fitted] =
            [&clean[..], fitted].map(|predictions| self.population.scores(predictions, metric));
        let (clean, fitted) = (clean?, fitted?);
        let gains: Vec<f64> = fitted.iter().zip(&clean).map(|(fitted, clean)| fitted - clean).collect();
        let [clean, fitted, gain] = [clean, fitted, gains].map(|draws| Estimate::of(&draws));
        let range = range_of(metric, &self.truths);
        Ok(Expectation { clean, fitted, gain, range, drawn: None, probability_of_gain: None })
    }

    /// The report for this shrinkage.
    pub(crate) fn report(&self, shrinkage: f64) -> ExpectedReport {
        let (slopes, floor) = (self.choice.slope_structure(), self.choice.floor);
        ExpectedReport { shrinkage, slopes, floor, mixing: self.mixing }
    }

    /// Number of rows that the forecast is computed on.
    pub(crate) fn n_rows(&self) -> usize {
        self.population.n_rows()
    }
}
