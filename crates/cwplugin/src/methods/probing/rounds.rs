//! The rounds of the probing classifier: probe, solve, mix.

use super::ProbingReport;
use crate::data::Sample;
use crate::error::Error;
use crate::metric::{Confusion, Metric, checked_score};
use crate::numeric::parallel;
use crate::numeric::tolerance::is_as_good;
use crate::progress::{Observer, Stage};
use crate::rule::{Mixture, MixtureStep};

/// Candidates for ε; the best on the sample is taken, ties go to the first.
const EPSILONS: [f64; 5] = [0.1, 0.05, 0.01, 0.005, 0.001];

/// Rounds for the choice of ε.
const FEW_ROUNDS: usize = 5;

/// Rounds with the chosen ε.
const ROUNDS: usize = 60;

/// Subtracted from the diagonal of the system, so that a class without rows leaves it solvable.
const RIDGE: f64 = 1e-8;

/// Number of classes from which probes run in parallel.
const MANY_CLASSES: usize = 64;

/// One run of the rounds, up to the best mixture.
struct Run {
    epsilon: f64,
    /// The factors g of every round.
    factors: Vec<Vec<f64>>,
    score: f64,
}

/// The inputs of all rounds.
pub(super) struct Problem<'a> {
    metric: &'a dyn Metric,
    sample: &'a Sample,
    /// Total row weight of each class: π before normalising.
    truths: Vec<f64>,
}

impl<'a> Problem<'a> {
    pub(super) fn new(metric: &'a dyn Metric, sample: &'a Sample) -> Self {
        Self { metric, sample, truths: sample.class_totals().weights() }
    }

    /// Chooses ε with few rounds, then runs all rounds.
    pub(super) fn fit(
        &self,
        start: Vec<f64>,
        cells: &[f64],
        observer: Observer<'_>,
    ) -> Result<(Mixture, ProbingReport), Error> {
        // A run ends early if its system has no solution: then fewer steps are done.
        let stage = observer.begin("probing", EPSILONS.len() * FEW_ROUNDS + ROUNDS);
        let [first, others @ ..] = EPSILONS;
        let mut chosen = self.run(cells, first, FEW_ROUNDS, &stage)?;
        for epsilon in others {
            let run = self.run(cells, epsilon, FEW_ROUNDS, &stage)?;
            if !is_as_good(chosen.score, run.score) {
                chosen = run;
            }
        }
        let Run { epsilon, factors, score } = self.run(cells, chosen.epsilon, ROUNDS, &stage)?;
        let report = ProbingReport { epsilon: Some(epsilon), iterations: factors.len(), score };
        Ok((mixture(start, factors)?, report))
    }

    fn run(&self, start: &[f64], epsilon: f64, rounds: usize, stage: &Stage<'_>) -> Result<Run, Error> {
        let mut cells = start.to_vec();
        let mut score = self.score(&cells)?;
        let (mut best, mut kept) = (score, 0);
        let mut factors = Vec::new();
        for i in 0..rounds {
            let Some(slope) = self.gradient(&cells, score, epsilon)? else {
                break;
            };
            let step = 2.0 / (i as f64 + 2.0);
            for (cell, new) in cells.iter_mut().zip(self.count(&slope)) {
                *cell = (1.0 - step) * *cell + step * new;
            }
            factors.push(slope);
            score = self.score(&cells)?;
            // Rounding changes the score of an unchanged mixture; such a difference is ignored.
            if !is_as_good(best, score) {
                (best, kept) = (score, factors.len());
            }
            stage.step();
        }
        factors.truncate(kept);
        Ok(Run { epsilon, factors, score: best })
    }

    /// g: the gradient of the metric with respect to the diagonal of C; `None` if there is no finite solution.
    fn gradient(&self, cells: &[f64], score: f64, epsilon: f64) -> Result<Option<Vec<f64>>, Error> {
        let m = self.truths.len();
        let shrunk = Confusion::from_cells(m, |truth, class| (1.0 - epsilon) * cells[truth * m + class]);
        let probe = |j: usize| {
            let mut probed = shrunk.clone();
            for (truth, weight) in self.truths.iter().enumerate() {
                probed.add(truth, j, epsilon * weight);
            }
            Ok(checked_score(self.metric, &probed)? - score)
        };
        let changes: Vec<Result<f64, Error>> = if m < MANY_CLASSES {
            (0..m).map(probe).collect()
        } else {
            parallel::map((0..m).collect(), probe)
        };
        let changes = changes.into_iter().collect::<Result<_, _>>()?;
        let total: f64 = self.truths.iter().sum();
        let mut system: Vec<f64> = (0..m * m).map(|i| -epsilon * (cells[i % m * (m + 1)] / total)).collect();
        for (j, truth) in self.truths.iter().enumerate() {
            system[j * (m + 1)] += epsilon * (truth / total) - RIDGE;
        }
        Ok(solve(system, changes))
    }

    /// The cells of the confusion matrix of the sample under these factors, `[truth, predicted]`.
    pub(super) fn count(&self, factors: &[f64]) -> Vec<f64> {
        let m = self.truths.len();
        let [confusion] = self.sample.count_confusions(self.sample.probabilities(), [factors]);
        (0..m * m).map(|cell| confusion.get(cell / m, cell % m)).collect()
    }

    pub(super) fn score(&self, cells: &[f64]) -> Result<f64, Error> {
        let m = self.truths.len();
        checked_score(self.metric, &Confusion::from_cells(m, |truth, class| cells[truth * m + class]))
    }
}

/// The start, or the rounds without it: the first has step size 1, so the start has weight 0.
fn mixture(start: Vec<f64>, factors: Vec<Vec<f64>>) -> Result<Mixture, Error> {
    if factors.is_empty() {
        return Mixture::new(vec![MixtureStep { share: 1.0, factors: start }]);
    }
    // After k rounds with steps 2/(i+2), round i has weight (i+1) of 1 + 2 + … + k.
    let k = factors.len() as f64;
    let share = |i: usize| 2.0 * (i as f64 + 1.0) / (k * (k + 1.0));
    let steps = factors.into_iter().enumerate().map(|(i, factors)| MixtureStep { share: share(i), factors });
    Mixture::new(steps.collect())
}

/// Solves a square system by elimination with partial pivoting; `None` if the solution is not finite.
fn solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let m = b.len();
    for column in 0..m {
        let size = |row: &usize| a[row * m + column].abs();
        let pivot = (column..m).max_by(|x, y| size(x).total_cmp(&size(y)))?;
        if pivot != column {
            (0..m).for_each(|k| a.swap(column * m + k, pivot * m + k));
            b.swap(column, pivot);
        }
        let (above, below) = a.split_at_mut((column + 1) * m);
        let of_pivot = &above[column * m..];
        for (row, i) in below.chunks_exact_mut(m).zip(column + 1..) {
            let times = row[column] / of_pivot[column];
            row[column..].iter_mut().zip(&of_pivot[column..]).for_each(|(cell, top)| *cell -= times * top);
            b[i] -= times * b[column];
        }
    }
    for i in (0..m).rev() {
        let known: f64 = (i + 1..m).map(|k| a[i * m + k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i * m + i];
    }
    b.iter().all(|value| value.is_finite()).then_some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_whatever_the_order_of_its_rows() {
        // x = 1, y = −2, z = 3
        let solved = solve(vec![0.0, 2.0, 1.0, 4.0, 1.0, 0.0, 1.0, 1.0, 1.0], vec![-1.0, 2.0, 2.0]).unwrap();
        for (found, expected) in solved.iter().zip([1.0, -2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-14, "{solved:?}");
        }
        assert_eq!(solve(vec![1.0, 2.0, 2.0, 4.0], vec![1.0, 3.0]), None);
    }

    #[test]
    fn the_shares_are_what_the_steps_leave_of_each_round() {
        let mut left = vec![1.0];
        for i in 0..60 {
            let step = 2.0 / (f64::from(i) + 2.0);
            left = left.into_iter().map(|share| share * (1.0 - step)).collect();
            left.push(step);
        }
        let mixture = mixture(vec![1.0; 2], vec![vec![1.0; 2]; 60]).unwrap();
        for (step, expected) in mixture.steps().iter().zip(&left[1..]) {
            assert!((step.share - expected).abs() < 1e-15);
        }
        assert_eq!((mixture.steps().len(), left[0]), (60, 0.0));
    }
}
