//! Rows with known true probabilities, which the black box returns: b = η.
//!
//! A class is drawn by its share, and a point z around the corner `D·e_class` of a simplex, variance 1 in each of m
//! dimensions. Then `η_k ∝ share_k·exp(D·z_k)`, exactly. All pairs of classes are equally far apart for
//! every m, so a pair is the same problem among two classes and among fifty.

use cwplugin::{Probabilities, Sample};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::super::generated::{normal, pick, softmax};

/// Distance of the corners from the centre: with two classes of equal shares, 86% of the rows are predicted correctly.
pub(super) const DISTANCE: f64 = 1.5;

/// The share of the reference in the worst case: nearly all rows are in every pair.
pub(super) const LOPSIDED: f64 = 0.9;

/// The purpose of random numbers: each part has its own streams.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Elicitation = 0,
    FiniteSample = 1,
    Evaluations = 2,
    Imitation = 3,
}

/// The random generator of one draw; it does not depend on other sizes, classes or draws.
pub(super) fn rng(seed: u64, part: Part, series: usize, size: usize, draw: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // The first two bits avoid the streams of other tasks; 20 bits are enough for 100,000 draws.
    let stream = 3 << 62 | (part as u64) << 60 | (series as u64) << 52 | (size as u64) << 20 | draw as u64;
    rng.set_stream(stream);
    rng
}

/// The shares of the classes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Law {
    shares: Vec<f64>,
}

impl Law {
    /// All classes are equally frequent.
    pub(super) fn balanced(m: usize) -> Self {
        Self { shares: vec![1.0 / m as f64; m] }
    }

    /// Most rows are of the last class, the reference.
    pub(super) fn lopsided(m: usize) -> Self {
        let mut shares = vec![(1.0 - LOPSIDED) / (m - 1) as f64; m];
        shares[m - 1] = LOPSIDED;
        Self { shares }
    }

    /// Labelled rows, followed by unlabelled rows.
    pub(super) fn sample(&self, n: usize, unlabelled: usize, rng: &mut ChaCha8Rng) -> anyhow::Result<Sample> {
        let m = self.shares.len();
        let (mut values, mut labels) = (Vec::with_capacity((n + unlabelled) * m), Vec::with_capacity(n));
        let logs: Vec<f64> = self.shares.iter().map(|share| share.ln()).collect();
        for row in 0..n + unlabelled {
            let class = pick(&self.shares, rng.random());
            let mut logits = logs.clone();
            for (k, logit) in logits.iter_mut().enumerate() {
                let corner = if k == class { DISTANCE } else { 0.0 };
                *logit += DISTANCE * (corner + normal(rng));
            }
            values.extend(softmax(&logits));
            labels.push((row < n).then_some(class));
        }
        Ok(Sample::new(Probabilities::new(values, m)?, labels)?)
    }
}

/// `Σ_k |β_k − w_k|`, both of sum 1.
pub(super) fn distance(beta: &[f64], weights: &[f64]) -> f64 {
    let [all, whole] = [beta, weights].map(|list| list.iter().sum::<f64>());
    beta.iter().zip(weights).map(|(b, w)| (b / all - w / whole).abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_what_they_say() {
        for law in [Law::balanced(4), Law::lopsided(4)] {
            let sample = law.sample(4000, 10, &mut rng(0, Part::Imitation, 0, 0, 0)).unwrap();
            assert_eq!((sample.n_labelled(), sample.n_unlabelled()), (4000, 10));
            let mut right = 0.0;
            for class in 0..4 {
                let said: f64 = (0..4000).map(|row| sample.probabilities().get(row, class)).sum();
                let found = sample.n_rows_of(class) as f64;
                assert!((said - found).abs() < 4.0 * found.sqrt(), "class {class}: {said} and {found}");
                right += (found / 4000.0 - law.shares[class]).abs();
            }
            assert!(right < 0.05, "{right}");
        }
    }

    #[test]
    fn a_distance_is_that_of_lists_of_sum_one() {
        assert!((distance(&[2.0, 2.0], &[0.3, 0.1]) - 0.5).abs() < 1e-12);
    }
}
