//! Rows from a known distribution: a Gaussian mixture whose class priors differ from those of the black box.
//!
//! Unlike for real data, it is known that only the class priors have changed, by how much, and that the black box is otherwise
//! right. So these tasks show what a method that relies on this can gain, and what it costs where there is nothing to correct.

use cwplugin::{Probabilities, Sample};
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, StandardNormal};

use super::rows::Loaded;

/// Rows of the pool, and of the test set.
const ROWS: usize = 8000;

/// A mixture of spherical Gaussians of variance 1, and a black box that is right except for the class priors.
///
/// A class of rank r, from 1, has a prior proportional to `r^−exponent`: exponent 0 is uniform, 1 is Zipf's law. A class has the
/// same rank in both lists of priors, but a negative exponent reverses the ranks: −1 is Zipf's law with the most frequent
/// classes the rarest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Generated {
    /// Its random streams: tasks have their own centres, ranks and rows. Many methods are invariant to a factor per class and to
    /// a slope, and would have the same scores on the same rows for every shift.
    pub(super) stream: u32,
    pub(super) classes: usize,
    pub(super) dimensions: usize,
    /// Standard deviation of the centres around 0, in every dimension.
    pub(super) spread: f64,
    /// Exponent of the source priors, those of the black box.
    pub(super) source: f64,
    /// Exponent of the target priors, those of the rows.
    pub(super) target: f64,
    /// Factor on the log-probabilities of the black box: 1 is right, more is over-confident.
    pub(super) slope: f64,
}

/// Each kind of draw has its own random stream.
#[derive(Clone, Copy)]
enum Chance {
    Centres = 0,
    Ranks = 1,
    Pool = 2,
    Test = 3,
}

impl Generated {
    /// Classes are named by their numbers, from 1.
    pub(super) fn rows(&self, seed: u64) -> anyhow::Result<Loaded> {
        let names = (1..=self.classes).map(|class| class.to_string()).collect();
        Ok((names, self.sample(Chance::Pool, seed)?, self.sample(Chance::Test, seed)?))
    }

    fn sample(&self, chance: Chance, seed: u64) -> anyhow::Result<Sample> {
        let (centres, source, target) =
            (self.centres(seed), self.shares(self.source, seed), self.shares(self.target, seed));
        let mut rng = self.rng(chance, seed);
        let (mut values, mut labels) = (Vec::with_capacity(ROWS * self.classes), Vec::with_capacity(ROWS));
        for _ in 0..ROWS {
            let class = pick(&target, rng.random());
            let x: Vec<f64> = centres[class].iter().map(|centre| centre + normal(&mut rng)).collect();
            let joint = |(centre, share): (&Vec<f64>, &f64)| {
                let distance: f64 = x.iter().zip(centre).map(|(x, c)| (x - c).powi(2)).sum();
                self.slope * (share.ln() - distance / 2.0)
            };
            values.extend(softmax(&centres.iter().zip(&source).map(joint).collect::<Vec<_>>()));
            labels.push(Some(class));
        }
        Ok(Sample::new(Probabilities::new(values, self.classes)?, labels)?)
    }

    fn centres(&self, seed: u64) -> Vec<Vec<f64>> {
        let mut rng = self.rng(Chance::Centres, seed);
        let mut centre = || (0..self.dimensions).map(|_| self.spread * normal(&mut rng)).collect();
        (0..self.classes).map(|_| centre()).collect()
    }

    /// The class priors. Ranks are in random order, so that a method that fixes the last class has no advantage.
    fn shares(&self, exponent: f64, seed: u64) -> Vec<f64> {
        let mut ranks: Vec<usize> = (1..=self.classes).collect();
        ranks.shuffle(&mut self.rng(Chance::Ranks, seed));
        if exponent < 0.0 {
            for rank in &mut ranks {
                *rank = self.classes + 1 - *rank;
            }
        }
        let shares: Vec<f64> = ranks.into_iter().map(|rank| (rank as f64).powf(-exponent.abs())).collect();
        let sum: f64 = shares.iter().sum();
        shares.into_iter().map(|share| share / sum).collect()
    }

    fn rng(&self, chance: Chance, seed: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // The first bit avoids the streams of the samples.
        rng.set_stream(1 << 63 | (chance as u64) << 32 | u64::from(self.stream));
        rng
    }
}

pub(super) fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// The class whose interval of [0, 1] contains the point.
pub(super) fn pick(shares: &[f64], point: f64) -> usize {
    let mut end = 0.0;
    let found = shares.iter().position(|share| {
        end += share;
        point < end
    });
    found.unwrap_or(shares.len() - 1) // the sum may be a little below 1
}

pub(super) fn softmax(logs: &[f64]) -> Vec<f64> {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
    let sum: f64 = parts.iter().sum();
    parts.into_iter().map(|part| part / sum).collect()
}

#[cfg(test)]
mod tests {
    use cwplugin::Weights;
    use cwplugin::metric::Accuracy;

    use super::super::tasks::{Rows, TASKS};
    use super::*;
    use cwplugin::Metric as _;

    fn tasks() -> Vec<(&'static str, Generated)> {
        let generated =
            |rows: &Rows| if let Rows::Generated(generated) = rows { Some(*generated) } else { None };
        TASKS.iter().filter_map(|task| Some((task.name, generated(&task.rows)?))).collect()
    }

    /// The rows of a task are generated once for both.
    #[test]
    fn the_black_box_is_often_right_and_the_ratio_of_the_shares_corrects_a_shift() {
        assert_eq!(tasks().len(), 6);
        for (name, task) in tasks() {
            let rows = task.rows(0).unwrap();
            is_right_half_to_three_quarters_of_the_time(name, &task, &rows);
            is_corrected_by_the_ratio_of_the_shares(name, &task, &rows);
        }
    }

    fn accuracy(sample: &Sample, weights: &Weights) -> f64 {
        Accuracy.score(&sample.confusion(weights).unwrap())
    }

    fn is_right_half_to_three_quarters_of_the_time(name: &str, task: &Generated, rows: &Loaded) {
        let (classes, pool, test) = rows;
        assert_eq!((pool.n_labelled(), test.n_labelled()), (8000, 8000), "{name}");
        assert!((0..classes.len()).all(|class| pool.n_rows_of(class) > 20), "{name}");
        let clean = accuracy(test, &Weights::uniform(task.classes).unwrap());
        assert!((0.5..0.75).contains(&clean), "{name}: {clean}");
    }

    /// The posterior under the target priors is that of the source times the ratio of the priors, and nothing is more accurate.
    fn is_corrected_by_the_ratio_of_the_shares(name: &str, task: &Generated, (_, pool, test): &Loaded) {
        let (source, target) = (task.shares(task.source, 0), task.shares(task.target, 0));
        // For an over-confident black box every logarithm is too large by the same factor.
        let ratio = source.iter().zip(&target).map(|(source, target)| (target / source).powf(task.slope));
        let corrected = accuracy(test, &Weights::new(ratio.collect()).unwrap());
        let gain = corrected - accuracy(test, &Weights::uniform(task.classes).unwrap());
        let least = if name.ends_with("none") {
            -1e-12
        } else if name.ends_with("severe") {
            0.08
        } else {
            0.005
        };
        assert!(gain > least && (gain < 1e-12) == name.ends_with("none"), "{name}: {gain}");
        for (class, share) in target.iter().enumerate() {
            let (found, expected) = (pool.n_rows_of(class) as f64, share * ROWS as f64);
            assert!((found - expected).abs() < 5.0 * expected.sqrt(), "{name}: {found}, not {expected}");
        }
    }

    /// Under the source priors, the probabilities are calibrated.
    #[test]
    fn without_a_shift_the_probabilities_are_calibrated() {
        let (_, task) = tasks().into_iter().find(|(name, _)| name.ends_with("none")).unwrap();
        let (_, _, test) = task.rows(0).unwrap();
        for class in 0..task.classes {
            let said: f64 = (0..ROWS).filter_map(|row| test.probabilities().row(row).nth(class)).sum();
            let found = test.n_rows_of(class) as f64;
            assert!((said - found).abs() < 4.0 * found.sqrt(), "class {class}: {said} and {found}");
        }
    }

    #[test]
    fn the_seed_and_the_stream_decide() {
        let (_, task) = tasks()[0];
        let third = task.rows(3).unwrap();
        assert_eq!(third, task.rows(3).unwrap());
        assert_ne!(third, task.rows(4).unwrap());
        assert_ne!(third.1, third.2);
        let streams: std::collections::BTreeSet<u32> = tasks().iter().map(|(_, task)| task.stream).collect();
        assert_eq!(streams.len(), tasks().len(), "every task has rows of its own");
    }

    #[test]
    fn an_over_confident_box_doubles_the_logarithms() {
        let (_, sure) = tasks().into_iter().find(|(name, _)| name.ends_with("overconfident")).unwrap();
        let right = Generated { slope: 1.0, ..sure };
        let ((_, _, right), (_, _, sure)) = (right.rows(0).unwrap(), sure.rows(0).unwrap());
        assert!(right.codes().eq(sure.codes()));
        for row in 0..20 {
            let rows = [&right, &sure].map(|sample| sample.probabilities().row(row).collect::<Vec<f64>>());
            let sum: f64 = rows[0].iter().map(|p| p * p).sum();
            assert!(rows[0].iter().zip(&rows[1]).all(|(p, q)| (p * p / sum - q).abs() < 1e-12), "{rows:?}");
        }
    }
}
