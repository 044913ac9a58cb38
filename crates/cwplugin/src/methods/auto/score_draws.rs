//! Draws of the score on new rows, before and after a change of rule.
//!
//! Rows are grouped into cells by their predictions before and after. The population tells how many new rows a cell has and
//! which classes to expect there, by calibrated probabilities. The labelled rows, predicted by rules fitted without them,
//! tell which classes were found. A Dirichlet distribution in each cell combines the two. Calibrated probabilities alone are
//! too certain; counts alone know nothing about a class with no or one row, and call a sample without an error perfect.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Gamma};

use super::cross_validation::{CrossValidation, OutOfFold};
use super::urn::urn_evidence;
use crate::data::Sample;
use crate::error::Error;
use crate::methods::expected::Population;
use crate::metric::{Confusion, Metric, checked_score};
use crate::numeric::parallel;
use crate::rule::Rule;

/// How many rows the calibrated probabilities of a cell may count as; the labels decide.
const TRUSTS: [f64; 3] = [2.0, 5.0, 15.0];

/// Rows that all calibrated probabilities together may count as, relative to the square root of the labelled rows: their
/// error then stays a fraction of the sampling error, however many rows there are.
const MAX_TRUST: f64 = 4.0;

/// What a held-out row counts as: the rules of the folds depend on the same labels, so that held-out rows are not quite
/// independent of each other.
const HELD_OUT: f64 = 0.85;

/// Rows of any class, over all cells: what neither labels nor calibrated probabilities show is still possible.
const UNSEEN: f64 = 1.0;

/// Draws of the classes for every draw of the population.
const PER_DRAW: usize = 8;

/// Classes with a smaller parameter of a Dirichlet distribution share one draw.
const RARE: f64 = 0.05;

/// Scores of the black box and of a rule on new rows, in every draw.
#[derive(Debug, Clone)]
pub(super) struct ScoreDraws {
    pub(super) clean: Vec<f64>,
    pub(super) fitted: Vec<f64>,
}

impl ScoreDraws {
    /// Draws the scores of a rule. Each draw of the population uses the rule of another fold, so that the uncertainty of
    /// the rule itself is included.
    pub(super) fn new(
        population: &Population,
        sample: &Sample,
        cv: &CrossValidation,
        fitted: &OutOfFold,
        metric: &dyn Metric,
        seed: u64,
    ) -> Result<Self, Error> {
        let m = sample.n_classes();
        let before = Rule::clean(m)?.predict_probabilities(population.probabilities())?;
        let after = fitted.rules.iter().map(|rule| rule.predict_probabilities(population.probabilities()));
        let after: Vec<Vec<usize>> = after.collect::<Result<_, _>>()?;
        let cells = Cells::of(&before, &after, m);
        let counted = Counted::new(&cells, sample, cv, &fitted.predictions);
        let trusts = counted.trusts();
        let drawn = parallel::map((0..population.n_draws()).collect(), |draw| {
            let predictions = before.iter().copied().zip(after[draw % after.len()].iter().copied());
            let truths = cells.sums(predictions.zip(population.truths_in(draw)));
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(3_000 + draw as u64);
            let scores = |_| {
                let trust = choose(&trusts, &mut rng);
                let [before, after] = counted.draw(&truths, trust, metric, &mut rng);
                Ok((checked_score(metric, &before)?, checked_score(metric, &after)?))
            };
            (0..PER_DRAW).map(scores).collect::<Result<Vec<(f64, f64)>, Error>>()
        });
        let drawn = drawn.into_iter().collect::<Result<Vec<_>, _>>()?;
        let (clean, fitted) = drawn.into_iter().flatten().unzip();
        Ok(Self { clean, fitted })
    }
}

/// The pairs of predictions before and after that occur, sorted.
struct Cells {
    pairs: Vec<(usize, usize)>,
    n_classes: usize,
}

impl Cells {
    fn of(before: &[usize], after: &[Vec<usize>], n_classes: usize) -> Self {
        let pairs = after.iter().flat_map(|after| before.iter().copied().zip(after.iter().copied()));
        let mut pairs: Vec<(usize, usize)> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        Self { pairs, n_classes }
    }

    /// Sums class weights of rows by cell; indexed by cell, class. Rows in other cells are ignored.
    fn sums<W: Iterator<Item = f64>>(&self, rows: impl Iterator<Item = ((usize, usize), W)>) -> Vec<f64> {
        let m = self.n_classes;
        let mut sums = vec![0.0; self.pairs.len() * m];
        for (pair, weights) in rows {
            if let Ok(cell) = self.pairs.binary_search(&pair) {
                sums[cell * m..][..m].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
        sums
    }
}

/// The labelled rows by cell.
struct Counted<'a> {
    cells: &'a Cells,
    /// Rows by cell and label.
    labels: Vec<f64>,
    /// The same rows by cell and calibrated probability.
    expected: Vec<f64>,
    n_rows: f64,
}

impl<'a> Counted<'a> {
    fn new(cells: &'a Cells, sample: &Sample, cv: &CrossValidation, after: &[usize]) -> Self {
        let (m, before) = (cells.n_classes, &cv.clean.predictions);
        let weights: Vec<f64> = (0..before.len()).map(|row| sample.weight(row)).collect();
        let (sum, squares): (f64, f64) =
            (weights.iter().sum(), weights.iter().map(|weight| weight * weight).sum());
        // As many rows of equal weight as have the same uncertainty.
        let scale = if squares > 0.0 { sum / squares } else { 0.0 };
        let mut labels = vec![0.0; before.len() * m];
        let mut expected = cv.calibrated.clone();
        for (row, weight) in weights.iter().enumerate() {
            expected[row * m..][..m].iter_mut().for_each(|q| *q *= scale * weight);
            if let Some(label) = sample.label(row) {
                labels[row * m + label] = scale * weight;
            }
        }
        let pairs = || before.iter().copied().zip(after.iter().copied());
        let sums =
            |numbers: &[f64]| cells.sums(pairs().zip(numbers.chunks_exact(m).map(|row| row.iter().copied())));
        let (labels, expected) = (sums(&labels), sums(&expected));
        Self { cells, labels, expected, n_rows: scale * sum }
    }

    /// The trusts with their posterior weights.
    fn trusts(&self) -> [(f64, f64); TRUSTS.len()] {
        let m = self.cells.n_classes;
        let evidence = TRUSTS.map(|trust| {
            let cells = self.labels.chunks_exact(m).zip(self.expected.chunks_exact(m));
            cells.map(|(labels, expected)| urn_evidence(labels, expected, trust)).sum::<f64>()
        });
        let top = evidence.into_iter().fold(f64::NEG_INFINITY, f64::max);
        std::array::from_fn(|i| (TRUSTS[i], (evidence[i] - top).exp()))
    }

    /// Draws the confusion matrices before and after, for class weights of the population by cell.
    fn draw(&self, truths: &[f64], trust: f64, metric: &dyn Metric, rng: &mut ChaCha8Rng) -> [Confusion; 2] {
        let m = self.cells.n_classes;
        let whole: f64 = truths.iter().sum();
        let [mut before, mut after] = [(); 2].map(|()| Confusion::zeros_for(metric, m));
        let cells = self.cells.pairs.iter().zip(truths.chunks_exact(m)).zip(self.labels.chunks_exact(m));
        for ((&(clean, fitted), truths), labels) in cells {
            let weight: f64 = truths.iter().sum();
            if weight <= 0.0 {
                continue;
            }
            let share = weight / whole;
            let trust = trust.min(MAX_TRUST * self.n_rows.sqrt() * share);
            let n: f64 = labels.iter().sum();
            // The calibrated probabilities move the mean, but add no rows to those counted.
            let scale = HELD_OUT * n.max(trust) / (n + trust);
            let alphas = truths
                .iter()
                .zip(labels)
                .map(|(q, n)| scale * (trust * q / weight + n) + UNSEEN * share / m as f64);
            dirichlet(alphas, rng, |class, share| {
                before.add(class, clean, weight * share);
                after.add(class, fitted, weight * share);
            });
        }
        [before, after]
    }
}

/// Chooses a value at random, by weight.
fn choose(values: &[(f64, f64)], rng: &mut ChaCha8Rng) -> f64 {
    let mut left = rng.random::<f64>() * values.iter().map(|(_, weight)| weight).sum::<f64>();
    let chosen = values.iter().find(|(_, weight)| {
        left -= weight;
        left <= 0.0
    });
    chosen.unwrap_or(&values[0]).0
}

/// Draws shares of classes from a Dirichlet distribution. All classes with small parameters share one draw, which goes to
/// one of them: their shares are nearly all 0 or 1 anyway.
fn dirichlet(alphas: impl Iterator<Item = f64>, rng: &mut ChaCha8Rng, mut add: impl FnMut(usize, f64)) {
    let gamma =
        |alpha: f64, rng: &mut ChaCha8Rng| Gamma::new(alpha, 1.0).map_or(alpha, |gamma| gamma.sample(rng));
    let mut drawn: Vec<(usize, f64)> = Vec::new();
    let (mut rare, mut chosen) = (0.0, None);
    for (class, alpha) in alphas.enumerate() {
        if alpha >= RARE {
            drawn.push((class, gamma(alpha, rng)));
        } else if alpha > 0.0 {
            rare += alpha;
            if rng.random::<f64>() * rare < alpha {
                chosen = Some(class);
            }
        }
    }
    drawn.extend(chosen.map(|class| (class, gamma(rare, rng))));
    let sum: f64 = drawn.iter().map(|(_, value)| value).sum();
    match drawn.first() {
        Some(_) if sum > 0.0 => drawn.into_iter().for_each(|(class, value)| add(class, value / sum)),
        // All draws were too small to be a number.
        Some(&(class, _)) => add(class, 1.0),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_and_sd(alphas: &[f64], class: usize) -> (f64, f64) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let shares: Vec<f64> = (0..20_000)
            .map(|_| {
                let mut of_class = 0.0;
                dirichlet(alphas.iter().copied(), &mut rng, |drawn, share| {
                    of_class += if drawn == class { share } else { 0.0 };
                });
                of_class
            })
            .collect();
        let estimate = crate::report::Estimate::of(&shares);
        (estimate.mean, estimate.sd)
    }

    /// The mean is α/Σα, the variance mean·(1 − mean)/(Σα + 1), for rare classes too.
    #[test]
    fn the_shares_have_the_moments_of_a_dirichlet_distribution() {
        for alphas in [&[3.0, 1.0, 0.5][..], &[2.0, 0.02, 0.01], &[0.01, 0.03, 0.04], &[8.0, 0.0, 0.1]] {
            let sum: f64 = alphas.iter().sum();
            for (class, alpha) in alphas.iter().enumerate() {
                let (mean, sd) = mean_and_sd(alphas, class);
                let variance = alpha / sum * (1.0 - alpha / sum) / (sum + 1.0);
                assert!((mean - alpha / sum).abs() < 0.01, "{alphas:?} {class} {mean}");
                assert!((sd - variance.sqrt()).abs() < 0.02, "{alphas:?} {class} {sd}");
            }
        }
    }

    #[test]
    fn values_are_chosen_by_weight() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let drawn: Vec<f64> =
            (0..4_000).map(|_| choose(&[(2.0, 1.0), (5.0, 0.0), (15.0, 3.0)], &mut rng)).collect();
        let share = |value: f64| drawn.iter().filter(|drawn| (**drawn - value).abs() < 1e-9).count();
        assert_eq!(share(5.0), 0);
        assert!((900..1_100).contains(&share(2.0)), "{}", share(2.0));
    }
}
