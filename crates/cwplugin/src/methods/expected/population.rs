//! The rows that represent new rows, each with its class probabilities.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Exp1};

use super::expected_confusion::{ExpectedConfusion, Objective};
use super::posterior::Posterior;
use super::repeats::Repeats;
use crate::data::{Probabilities, Sample};
use crate::error::Error;
use crate::methods::subsets::at_most;
use crate::metric::Metric;
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
    /// Indexed by row, class, draw: all draws of a class change together.
    truths: Vec<f64>,
    /// Sums over the classes, indexed by row, draw.
    weights: Vec<f64>,
    /// Sums over the rows, indexed by class, draw.
    truth: Vec<f64>,
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
        let rows = at_most(MAX_ROWS, weighted_rows(sample).collect(), &mut rng);
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
        let labels = rows.iter().map(|&row| Some((sample.label(row)?, sample.weight(row)))).collect();
        let weights = truths.chunks_exact(m).map(|truths| truths.iter().sum()).collect();
        let truths = by_class(truths, n_draws, m);
        let mut truth = vec![0.0; m * n_draws];
        for truths in truths.chunks_exact(m * n_draws) {
            truth.iter_mut().zip(truths).for_each(|(sum, truth)| *sum += truth);
        }
        Self { probabilities, truths, weights, truth, n_draws, labels }
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

    /// The class weights of a row, by class and draw.
    pub(super) fn truths(&self, row: usize) -> &[f64] {
        let length = self.n_classes() * self.n_draws;
        &self.truths[row * length..][..length]
    }

    /// The weights of a row for one class, by draw.
    pub(super) fn truths_of(&self, row: usize, class: usize) -> &[f64] {
        &self.truths[(row * self.n_classes() + class) * self.n_draws..][..self.n_draws]
    }

    /// The weights of a row, by draw.
    pub(super) fn weights(&self, row: usize) -> &[f64] {
        &self.weights[row * self.n_draws..][..self.n_draws]
    }

    /// The weight of all rows for one class, by draw.
    pub(super) fn truth_of(&self, class: usize) -> &[f64] {
        &self.truth[class * self.n_draws..][..self.n_draws]
    }

    /// The share of a class, over all rows and draws.
    pub(super) fn share_of(&self, class: usize) -> f64 {
        self.truth_of(class).iter().sum::<f64>() / self.truth.iter().sum::<f64>()
    }

    /// Class and weight of a row, if it is labelled.
    pub(super) fn label(&self, row: usize) -> Option<(usize, f64)> {
        self.labels[row]
    }

    /// The metric of predictions, for each draw.
    pub(crate) fn scores(&self, predictions: &[usize], metric: &dyn Metric) -> Result<Vec<f64>, Error> {
        ExpectedConfusion::new(self, &Objective { metric, within: None }, predictions).scores()
    }

    pub(crate) fn n_draws(&self) -> usize {
        self.n_draws
    }

    /// The weights of every row in one draw, by class.
    pub(crate) fn truths_in(&self, draw: usize) -> impl Iterator<Item = impl Iterator<Item = f64>> {
        let rows = self.truths.chunks_exact(self.n_classes() * self.n_draws);
        rows.map(move |truths| truths.iter().skip(draw).step_by(self.n_draws).copied())
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

/// The rows that may be drawn.
fn weighted_rows(sample: &Sample) -> impl Iterator<Item = usize> {
    (0..sample.n_rows()).filter(|&row| sample.weight(row) > 0.0)
}

/// The number of rows of a population.
pub(super) fn n_rows(sample: &Sample) -> usize {
    weighted_rows(sample).take(MAX_ROWS).count()
}

/// Reorders numbers by row, draw and class: by row, class and draw.
fn by_class(mut numbers: Vec<f64>, n_draws: usize, n_classes: usize) -> Vec<f64> {
    let mut of_row = vec![0.0; n_draws * n_classes];
    for row in numbers.chunks_exact_mut(n_draws * n_classes) {
        of_row.copy_from_slice(row);
        for (class, row) in row.chunks_exact_mut(n_draws).enumerate() {
            let draws = of_row.iter().skip(class).step_by(n_classes);
            row.iter_mut().zip(draws).for_each(|(to, from)| *to = *from);
        }
    }
    numbers
}
