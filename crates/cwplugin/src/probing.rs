//! The probing classifier: follow the metric's slope, found by probing it, and mix the classifiers on the way.

use std::borrow::Cow;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::metric::{check_size, checked_score};
use crate::predict::predict;
use crate::tally::{Count, Tally};
use crate::ties::is_as_good;
use crate::{Confusion, Error, Metric, Mixture, MixtureStep, Probabilities, Sample, parallel};

/// How far a probe goes; the best on the sample is taken, the first of equal ones.
const EPSILONS: [f64; 5] = [0.1, 0.05, 0.01, 0.005, 0.001];

/// Rounds while ε is chosen.
const FEW_ROUNDS: usize = 5;

/// Rounds with the chosen ε.
const ROUNDS: usize = 60;

/// Starts that are drawn before the sample counts as one that no factors split.
const DRAWS: usize = 1000;

/// Subtracted from the diagonal of the system, so that a class without rows leaves it solvable.
const RIDGE: f64 = 1e-8;

/// From so many classes on a probe is worth a thread.
const MANY_CLASSES: usize = 64;

/// The recipe of the probing classifier: which metric to maximise.
///
/// From the confusion matrix C of a mixture of classifiers, given as shares of the sample, and the class shares π, each
/// round probes what the metric would be if a share ε of the rows of every class were predicted j:
///
/// ```text
/// Δy_j = f((1−ε)·C with ε·π added to column j) − f(C)                       for every class j
/// ΔX   = ε·(diag(π) − 1·diag(C)ᵀ),   solve (ΔX − 1e-8·I)·g = Δy
/// H    ← (1−s)·H + s·onehot(argmax_k g_k·b_k),   s = 2/(i+2)                 in round i = 0, 1, …
/// ```
///
/// The mixture with the best `f(C)` is kept, the first of equal ones, the start among them. The start has random
/// factors from 0 to 1, drawn again while they predict one class for all rows. The metric sees C as weights of rows,
/// as everywhere; only the labelled rows take part.
///
/// If no start splits the sample, say because it has one row, the black box itself is the answer. A class without
/// labelled rows has no slope: its factor is then made of 1e-8 alone and may be huge, so that the mixture of that
/// round is rarely the one kept. If all rows are of one class, that holds for every other class. A round without a
/// finite solution is the last.
///
/// ```
/// use cwplugin::{Probabilities, Probing, Sample, metric::MacroF1};
///
/// let p = Probabilities::new(vec![0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8], 2)?;
/// let sample = Sample::new(p.clone(), vec![Some(0), Some(1), Some(1), Some(1)])?;
/// let (mixture, report) = Probing::new(MacroF1).fit(&sample, 0)?;
/// assert_eq!(mixture.predict(&p)?, [0, 1, 1, 1]);
/// assert_eq!(report.score, 1.0);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Probing<M> {
    metric: M,
}

/// How the mixture came about.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ProbingReport {
    /// The ε that was chosen; none if the black box itself is the mixture.
    pub epsilon: Option<f64>,
    /// Rounds that the mixture kept was made of; 0 = the start, or the black box itself.
    pub iterations: usize,
    /// `f(C)` of the mixture on the sample, where a row counts for several classes by their shares. The metric of the
    /// predictions, which are the largest shares, may differ.
    pub score: f64,
}

/// One run of the rounds, up to the mixture that is kept.
struct Run {
    epsilon: f64,
    /// g of every round.
    factors: Vec<Vec<f64>>,
    score: f64,
}

/// What stays the same in all rounds.
struct Problem<'a, M> {
    metric: &'a M,
    sample: &'a Sample,
    /// Weight of the rows of each class: π before it is divided by the total.
    truths: Vec<f64>,
}

impl<M: Metric> Probing<M> {
    /// Maximises this metric.
    pub fn new(metric: M) -> Self {
        Self { metric }
    }

    /// Learns a mixture from a random start; the same seed gives the same bits.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, or the metric is for another number of classes or not finite, be it of a probe.
    pub fn fit(&self, sample: &Sample, seed: u64) -> Result<(Mixture, ProbingReport), Error> {
        let sample = &*self.checked(sample)?;
        let m = sample.n_classes();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let problem = Problem::new(&self.metric, sample);
        for _ in 0..DRAWS {
            let start: Vec<f64> = (0..m).map(|_| rng.random()).collect();
            let cells = problem.count(&start);
            let is_predicted = |&class: &usize| (0..m).any(|truth| cells[truth * m + class] > 0.0);
            if (0..m).filter(is_predicted).count() > 1 {
                return problem.fit(start, &cells);
            }
        }
        let score = problem.score(&problem.count(&vec![1.0; m]))?;
        Ok((Mixture::clean(m)?, ProbingReport { epsilon: None, iterations: 0, score }))
    }

    /// Learns a mixture from this start, one factor per class, even if it predicts one class for all rows.
    ///
    /// # Errors
    ///
    /// As [`Probing::fit`], and if there is not one finite factor per class.
    pub fn fit_from(&self, sample: &Sample, start: Vec<f64>) -> Result<(Mixture, ProbingReport), Error> {
        let sample = &*self.checked(sample)?;
        let (found, expected) = (start.len(), sample.n_classes());
        if found != expected {
            return Err(Error::LengthMismatch { what: "factors", found, expected });
        }
        if let Some(class) = start.iter().position(|factor| !factor.is_finite()) {
            return Err(Error::BadFactor { step: 0, class, value: start[class] });
        }
        let problem = Problem::new(&self.metric, sample);
        let cells = problem.count(&start);
        problem.fit(start, &cells)
    }

    /// The labelled rows, which are all that is learned from: the others would be predicted in every round for nothing.
    fn checked<'a>(&self, sample: &'a Sample) -> Result<Cow<'a, Sample>, Error> {
        if sample.n_labelled() == 0 {
            return Err(Error::NoLabelledRows);
        }
        check_size(&self.metric, sample.n_classes())?;
        let counts = |row: &usize| sample.label(*row).is_some() && sample.weight(*row) > 0.0;
        let rows: Vec<usize> = (0..sample.n_rows()).filter(counts).collect();
        if rows.len() == sample.n_rows() {
            return Ok(Cow::Borrowed(sample));
        }
        let values = rows.iter().flat_map(|&row| sample.probabilities().row(row)).collect();
        let labels = rows.iter().map(|&row| sample.label(row)).collect();
        let labelled = Sample::new(Probabilities::new(values, sample.n_classes())?, labels)?;
        Ok(Cow::Owned(match sample.weights() {
            None => labelled,
            Some(weights) => labelled.with_weights(rows.iter().map(|&row| weights[row]).collect())?,
        }))
    }
}

impl<'a, M: Metric> Problem<'a, M> {
    fn new(metric: &'a M, sample: &'a Sample) -> Self {
        let truths = (0..sample.n_classes()).map(|class| sample.census().weight(class)).collect();
        Self { metric, sample, truths }
    }

    /// Chooses ε with few rounds, then goes all the way with it.
    fn fit(&self, start: Vec<f64>, cells: &[f64]) -> Result<(Mixture, ProbingReport), Error> {
        let [first, others @ ..] = EPSILONS;
        let mut chosen = self.run(cells, first, FEW_ROUNDS)?;
        for epsilon in others {
            let run = self.run(cells, epsilon, FEW_ROUNDS)?;
            if !is_as_good(chosen.score, run.score) {
                chosen = run;
            }
        }
        let Run { epsilon, factors, score } = self.run(cells, chosen.epsilon, ROUNDS)?;
        let report = ProbingReport { epsilon: Some(epsilon), iterations: factors.len(), score };
        Ok((mixture(start, factors)?, report))
    }

    fn run(&self, start: &[f64], epsilon: f64, rounds: usize) -> Result<Run, Error> {
        let mut cells = start.to_vec();
        let mut score = self.score(&cells)?;
        let (mut best, mut kept) = (score, 0);
        let mut factors = Vec::new();
        for i in 0..rounds {
            let Some(slope) = self.slope(&cells, score, epsilon)? else {
                break;
            };
            let step = 2.0 / (i as f64 + 2.0);
            for (cell, new) in cells.iter_mut().zip(self.count(&slope)) {
                *cell = (1.0 - step) * *cell + step * new;
            }
            factors.push(slope);
            score = self.score(&cells)?;
            // Rounding moves the score of an unchanged mixture: it must not choose.
            if !is_as_good(best, score) {
                (best, kept) = (score, factors.len());
            }
        }
        factors.truncate(kept);
        Ok(Run { epsilon, factors, score: best })
    }

    /// g: how much a right prediction of each class is worth, if the probes tell.
    fn slope(&self, cells: &[f64], score: f64, epsilon: f64) -> Result<Option<Vec<f64>>, Error> {
        let m = self.truths.len();
        let probe = |j: usize| {
            let moved =
                |truth: usize, class: usize| if class == j { epsilon * self.truths[truth] } else { 0.0 };
            let cell = |truth, class| (1.0 - epsilon) * cells[truth * m + class] + moved(truth, class);
            Ok(checked_score(self.metric, &Confusion::from_cells(m, cell))? - score)
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

    /// The confusion matrix of the sample, cell by cell, when these factors predict.
    fn count(&self, factors: &[f64]) -> Vec<f64> {
        let (sample, m) = (self.sample, self.truths.len());
        let tally = parallel::count(
            sample.n_rows(),
            parallel::PIECE,
            || Tally::new(m * m, sample.weights().is_some()),
            |tally, rows| {
                predict(sample.probabilities(), rows, [factors], |first, [predicted]| {
                    let labels = sample.labels()[first..].iter();
                    let cells =
                        labels.zip(predicted).map(|(&truth, &class)| truth as usize * m + class as usize);
                    match sample.weights() {
                        None => count_rows(tally.ones(), first, cells),
                        Some(weights) => count_rows(tally.weighed(weights), first, cells),
                    }
                });
            },
            Tally::merged,
        );
        (0..m * m).map(|cell| tally.weight(cell)).collect()
    }

    fn score(&self, cells: &[f64]) -> Result<f64, Error> {
        let m = self.truths.len();
        checked_score(self.metric, &Confusion::from_cells(m, |truth, class| cells[truth * m + class]))
    }
}

fn count_rows(mut counter: impl Count, first: usize, cells: impl Iterator<Item = usize>) {
    (first..).zip(cells).for_each(|(row, cell)| counter.count(cell, row));
}

/// The start, or the rounds without it: the first has step size 1 and leaves nothing of it.
fn mixture(start: Vec<f64>, factors: Vec<Vec<f64>>) -> Result<Mixture, Error> {
    if factors.is_empty() {
        return Mixture::new(vec![MixtureStep { share: 1.0, factors: start }]);
    }
    // What steps of 2/(i+2) leave of round i after k rounds: (i+1) votes of 1 + 2 + … + k.
    let k = factors.len() as f64;
    let share = |i: usize| 2.0 * (i as f64 + 1.0) / (k * (k + 1.0));
    let steps = factors.into_iter().enumerate().map(|(i, factors)| MixtureStep { share: share(i), factors });
    Mixture::new(steps.collect())
}

/// Solves a square system by elimination with partial pivoting; nothing if the solution is not finite.
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
            left.iter_mut().for_each(|share| *share *= 1.0 - step);
            left.push(step);
        }
        let mixture = mixture(vec![1.0; 2], vec![vec![1.0; 2]; 60]).unwrap();
        for (step, expected) in mixture.steps().iter().zip(&left[1..]) {
            assert!((step.share - expected).abs() < 1e-15);
        }
        assert_eq!((mixture.steps().len(), left[0]), (60, 0.0));
    }
}
