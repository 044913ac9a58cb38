//! The rows that represent new rows, each with its class probabilities.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Exp1};

use super::posterior::Posterior;
use super::repeats::Repeats;
use crate::data::{Probabilities, Sample};
use crate::error::Error;
use crate::methods::subsets::at_most;
use crate::metric::{Confusion, Constrained, Metric, checked_score};
use crate::rule::AffineMap;

/// Maximum number of rows: the expected confusion matrix is then far more accurate than the labels allow.
const MAX_ROWS: usize = 2_000;

/// Rows with and without labels, and for each of several draws the class weights of every row.
///
/// A draw is a calibration map from the posterior and a set of Bayesian bootstrap weights. A row counts for each class with
/// its calibrated probability under that map, times its bootstrap weight.
#[derive(Debug, Clone)]
pub(crate) struct Population {
    probabilities: Probabilities,
    /// Indexed by row, draw, class.
    truths: Vec<f64>,
    /// Sums over the classes, indexed by row, draw.
    weights: Vec<f64>,
    n_draws: usize,
    /// Class and weight of every labelled row.
    labels: Vec<Option<(usize, f64)>>,
}

impl Population {
    /// Samples the draws; `mixing` is the weight of a row's label against its calibrated probabilities.
    pub(crate) fn draw(
        sample: &Sample,
        posterior: &Posterior,
        repeats: Option<&Repeats>,
        n_draws: usize,
        mixing: f64,
        seed: u64,
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(1);
        let rows = (0..sample.n_rows()).filter(|&row| sample.weight(row) > 0.0).collect();
        let rows = at_most(MAX_ROWS, rows, &mut rng);
        let probabilities = sample.probabilities().select(&rows);
        let m = sample.n_classes();
        let mut truths = posterior.draw(&probabilities, n_draws, seed);
        if let Some(repeats) = repeats {
            for draw in 0..n_draws {
                let of_draw = truths.chunks_exact_mut(m).skip(draw).step_by(n_draws).enumerate();
                repeats.recalibrate(of_draw.map(|(row, q)| (probabilities.row(row).collect(), q)), &mut rng);
            }
        }
        for (&row, truths) in rows.iter().zip(truths.chunks_exact_mut(n_draws * m)) {
            for truth in truths.chunks_exact_mut(m) {
                if let Some(label) = sample.label(row).filter(|_| mixing > 0.0) {
                    for truth in &mut *truth {
                        *truth *= 1.0 - mixing;
                    }
                    truth[label] += mixing;
                }
                let chance: f64 = Exp1.sample(&mut rng);
                let weight = chance * sample.weight(row);
                for truth in truth {
                    *truth *= weight;
                }
            }
        }
        let weights = truths.chunks_exact(m).map(|truths| truths.iter().sum()).collect();
        let labels = rows.iter().map(|&row| Some((sample.label(row)?, sample.weight(row)))).collect();
        Self { probabilities, truths, weights, n_draws, labels }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.probabilities.n_rows()
    }

    pub(super) fn n_classes(&self) -> usize {
        self.probabilities.n_classes()
    }

    pub(crate) fn probabilities(&self) -> &Probabilities {
        &self.probabilities
    }

    /// The class weights of a row and their sum, for each draw.
    fn truths(&self, row: usize) -> impl Iterator<Item = (&[f64], f64)> {
        let (m, draws) = (self.n_classes(), self.n_draws);
        let truths = self.truths[row * draws * m..(row + 1) * draws * m].chunks_exact(m);
        truths.zip(self.weights[row * draws..(row + 1) * draws].iter().copied())
    }

    /// The expected confusion matrices of predictions.
    pub(super) fn expect(&self, predictions: &[usize]) -> ExpectedConfusion<'_> {
        let mut confusions = vec![Confusion::zeros(self.n_classes()); self.n_draws];
        for (row, &predicted) in predictions.iter().enumerate() {
            for (confusion, (truths, _)) in confusions.iter_mut().zip(self.truths(row)) {
                for (truth, &weight) in truths.iter().enumerate() {
                    confusion.add(truth, predicted, weight);
                }
            }
        }
        let mut n_predicted = vec![0; self.n_classes()];
        for &predicted in predictions {
            n_predicted[predicted] += 1;
        }
        let mut labelled = Confusion::zeros(self.n_classes());
        for (&predicted, label) in predictions.iter().zip(&self.labels) {
            if let Some((truth, weight)) = *label {
                labelled.add(truth, predicted, weight);
            }
        }
        ExpectedConfusion { population: self, confusions, n_predicted, labelled }
    }

    /// The metric of predictions, for each draw.
    pub(crate) fn scores(&self, predictions: &[usize], metric: &dyn Metric) -> Result<Vec<f64>, Error> {
        self.expect(predictions).confusions.iter().map(|confusion| checked_score(metric, confusion)).collect()
    }

    pub(crate) fn n_draws(&self) -> usize {
        self.n_draws
    }

    /// The class weights of every row in one draw.
    pub(crate) fn truths_in(&self, draw: usize) -> impl Iterator<Item = &[f64]> {
        self.truths.chunks_exact(self.n_classes()).skip(draw).step_by(self.n_draws)
    }

    /// The logits of every row under a map, row by row.
    pub(super) fn logits(&self, map: &AffineMap) -> Vec<f64> {
        let m = self.n_classes();
        let (mut x, mut logits) = (vec![0.0; m], vec![0.0; self.n_rows() * m]);
        for (row, logits) in logits.chunks_exact_mut(m).enumerate() {
            let probabilities: Vec<f64> = self.probabilities.row(row).collect();
            map.logits(&probabilities, &mut x, logits);
        }
        logits
    }
}

/// The objective: the mean of a metric, subject to constraints if there are any.
#[derive(Clone, Copy)]
pub(super) struct Objective<'a> {
    pub(super) metric: &'a dyn Metric,
    pub(super) within: Option<&'a Constrained<'a>>,
}

/// The confusion matrix of predictions for each draw; predictions may change.
#[derive(Debug, Clone)]
pub(super) struct ExpectedConfusion<'a> {
    population: &'a Population,
    confusions: Vec<Confusion>,
    /// Number of rows predicted as each class.
    n_predicted: Vec<usize>,
    /// The confusion matrix of the labelled rows.
    labelled: Confusion,
}

impl ExpectedConfusion<'_> {
    /// Changes the prediction of a row; `by_class` updates only what per-class metrics need.
    pub(super) fn shift(&mut self, row: usize, from: usize, to: usize, by_class: bool) {
        for (confusion, (truths, weight)) in self.confusions.iter_mut().zip(self.population.truths(row)) {
            if by_class {
                confusion.shift_by_class(truths, weight, from, to);
            } else {
                confusion.shift(truths, from, to);
            }
        }
        self.n_predicted[from] -= 1;
        self.n_predicted[to] += 1;
        if self.n_predicted[from] == 0 {
            self.confusions.iter_mut().for_each(|confusion| confusion.clear_prediction(from));
        }
        if let Some((truth, weight)) = self.population.labels[row] {
            self.labelled.add(truth, from, -weight);
            self.labelled.add(truth, to, weight);
        }
    }

    /// The value of the objective: the mean of the metric over the draws, unless the labelled rows violate a constraint.
    pub(super) fn value_of(&self, objective: &Objective<'_>) -> Result<f64, Error> {
        match objective.within.and_then(|within| within.penalty(&self.labelled)) {
            Some(value) if value.is_nan() => Err(Error::MetricNotFinite {
                metric: objective.within.map_or("", Metric::name).into(),
                value,
            }),
            Some(penalty) => Ok(penalty),
            None => self.mean(objective.metric),
        }
    }

    /// The mean of the metric over the draws.
    fn mean(&self, metric: &dyn Metric) -> Result<f64, Error> {
        let mut sum = 0.0;
        for confusion in &self.confusions {
            sum += checked_score(metric, confusion)?;
        }
        Ok(sum / self.confusions.len() as f64)
    }
}
