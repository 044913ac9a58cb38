//! From a sample to a rule, and what to expect of it.

use super::ExpectedReport;
use super::climb::{climb, predict};
use super::population::{Goal, Population};
use super::posterior::{Posterior, learners};
use super::repeats::Repeats;
use crate::data::Sample;
use crate::error::Error;
use crate::methods::ascent::{Problem, ascend};
use crate::metric::{Constrained, Metric};
use crate::report::Estimate;
use crate::report::estimate::{Expectation, range_of};
use crate::rule::{AffineMap, Calibration, MapInput, MapKind, Rule, Slope, Weights};

/// Maps drawn from the posterior: enough that what they leave open of a gain is small against the gain's own spread.
const DRAWS: usize = 32;

/// … where a rule is only tried on rows held out.
const DRAWS_OF_A_TRIAL: usize = 10;

/// Labelled rows from which on `expected` counts the labels themselves, in the calibrated space: they then know more
/// than a model of them can.
pub const LABELS_COUNT_FROM: u64 = 2_000;

/// Everything about a sample that does not depend on the metric.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    posterior: Posterior,
    population: Population,
    map: AffineMap,
    /// What the map makes of the population.
    logits: Vec<f64>,
    mixing: f64,
    /// What the labelled rows of each class weigh.
    truths: Vec<f64>,
}

impl Plan {
    pub(crate) fn new(sample: &Sample, mixing: f64, seed: u64) -> Result<Self, Error> {
        Self::from_posterior(Posterior::learn(sample, seed)?, sample, mixing, DRAWS, seed)
    }

    /// The same for a part of the sample, quicker: under the most probable belief alone, and with fewer draws.
    pub(crate) fn again(&self, sample: &Sample, seed: u64) -> Result<Self, Error> {
        let posterior = self.posterior.learn_again(sample, seed)?;
        Self::from_posterior(posterior, sample, self.mixing, DRAWS_OF_A_TRIAL, seed)
    }

    fn from_posterior(
        posterior: Posterior,
        sample: &Sample,
        mixing: f64,
        n_draws: usize,
        seed: u64,
    ) -> Result<Self, Error> {
        let map = posterior.mean_map()?;
        let repeats = Repeats::learn(sample, &learners(sample, seed)?, &map)?;
        let population = Population::draw(sample, &posterior, repeats.as_ref(), n_draws, mixing, seed);
        let logits = population.logits(&map);
        Ok(Self { posterior, population, map, logits, mixing, truths: sample.class_totals().weights() })
    }

    /// The best log-weights behind the map, for new rows like these.
    pub(crate) fn solve<M: Metric>(&self, sample: &Sample, metric: &M) -> Result<Vec<f64>, Error> {
        let goal = Goal { metric, within: None };
        let (log_weights, _) = climb(&self.population, &self.logits, &goal, vec![0.0; sample.n_classes()])?;
        self.counted(log_weights, sample, metric)
    }

    /// The best of those with which the labelled rows keep to constraints.
    pub(crate) fn solve_within<M: Metric>(
        &self,
        sample: &Sample,
        metric: &M,
        within: &Constrained<'_>,
    ) -> Result<Vec<f64>, Error> {
        let free = vec![0.0; sample.n_classes()];
        let (best, _) = climb(&self.population, &self.logits, &Goal { metric, within: None }, free.clone())?;
        let goal = Goal { metric, within: Some(within) };
        let from = |start| climb(&self.population, &self.logits, &goal, start);
        let ((a, worth_a), (b, worth_b)) = (from(best)?, from(free)?);
        self.counted(if worth_b > worth_a { b } else { a }, sample, within)
    }

    /// The same, or what coordinate ascent on the labels themselves makes of it where they are many.
    fn counted<M: Metric>(
        &self,
        log_weights: Vec<f64>,
        sample: &Sample,
        metric: &M,
    ) -> Result<Vec<f64>, Error> {
        if sample.n_labelled() < LABELS_COUNT_FROM {
            return Ok(log_weights);
        }
        let m = sample.n_classes();
        let rows = sample.labelled();
        let calibrated = self.map.apply(rows.probabilities())?;
        let is_free: Vec<bool> = (0..m).map(|class| rows.n_rows_of(class) > 0).collect();
        let problem = Problem { probabilities: &calibrated, ..Problem::of(&rows, &is_free) };
        let start = Weights::new(normalised(&log_weights))?;
        let climbed = ascend(&problem, metric, &[start])?;
        Ok(climbed.weights.as_slice().iter().map(|weight| weight.max(f64::MIN_POSITIVE).ln()).collect())
    }

    /// The rule that goes a share of the way from the black box to the map with its weights.
    ///
    /// If all slopes are one, the map is a power and a factor: then weights alone do the same.
    pub(crate) fn rule(&self, log_weights: &[f64], share: f64) -> Result<Rule, Error> {
        let m = log_weights.len();
        let part = |slope: f64, is_own: bool| share * slope + if is_own { 1.0 - share } else { 0.0 };
        let bias = || self.map.bias().iter().map(|bias| share * bias);
        let weights = log_weights.iter().map(|log_weight| share * log_weight);
        let slope = match self.map.slope() {
            Slope::Diagonal(slopes) => {
                let slopes: Vec<f64> = slopes.iter().map(|&slope| part(slope, true)).collect();
                if slopes[0] > 0.0 && slopes.iter().all(|slope| (slope - slopes[0]).abs() <= 1e-12) {
                    let powers: Vec<f64> = bias().zip(weights).map(|(b, w)| (b + w) / slopes[0]).collect();
                    return Weights::new(normalised(&powers)).map(Rule::from);
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
        Rule::new(Some(calibration), Weights::new(normalised(&weights.collect::<Vec<_>>()))?)
    }

    /// What to expect of that rule on new rows.
    pub(crate) fn forecast<M: Metric>(
        &self,
        log_weights: &[f64],
        share: f64,
        metric: &M,
    ) -> Result<Expectation, Error> {
        let probabilities = self.population.probabilities();
        let logs = (0..self.population.n_rows()).flat_map(|row| probabilities.row(row));
        let logs = logs.map(|p| MapInput::LogProbability.of(p, self.map.floor()));
        let way = logs.zip(&self.logits).map(|(log, logit)| (1.0 - share) * log + share * logit);
        let part: Vec<f64> = log_weights.iter().map(|log_weight| share * log_weight).collect();
        self.forecast_predictions(&predict(&way.collect::<Vec<_>>(), &part), metric)
    }

    /// What to expect of any rule on new rows.
    pub(crate) fn forecast_of<M: Metric>(&self, rule: &Rule, metric: &M) -> Result<Expectation, Error> {
        self.forecast_predictions(&rule.predict_probabilities(self.population.probabilities())?, metric)
    }

    fn forecast_predictions<M: Metric>(&self, fitted: &[usize], metric: &M) -> Result<Expectation, Error> {
        let clean = Rule::clean(self.truths.len())?.predict_probabilities(self.population.probabilities())?;
        let [clean, fitted] =
            [&clean[..], fitted].map(|predictions| self.population.scores(predictions, metric));
        let (clean, fitted) = (clean?, fitted?);
        let gains: Vec<f64> = fitted.iter().zip(&clean).map(|(fitted, clean)| fitted - clean).collect();
        let [clean, fitted, gain] = [clean, fitted, gains].map(|draws| Estimate::of(&draws));
        Ok(Expectation { clean, fitted, gain, range: range_of(metric, &self.truths) })
    }

    /// How far the rule goes, and by which calibration.
    pub(crate) fn report(&self, shrinkage: f64) -> ExpectedReport {
        let (slopes, floor) = (self.posterior.slope_structure(), self.posterior.floor);
        ExpectedReport { shrinkage, slopes, floor, mixing: self.mixing }
    }

    /// Rows that the expectation is over.
    pub(crate) fn n_rows(&self) -> usize {
        self.population.n_rows()
    }
}

/// Weights from their logarithms, the largest 1, so that none overflows.
fn normalised(log_weights: &[f64]) -> Vec<f64> {
    let largest = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    log_weights.iter().map(|log_weight| (log_weight - largest).exp()).collect()
}
