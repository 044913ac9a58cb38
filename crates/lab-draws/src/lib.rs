//! The inner loops of the lab's generated rows, in a crate of their own so that development builds can optimise them alone:
//! unoptimised, they took about half the time of the lab's tests. Nothing is inlined into the lab, where it would be unoptimised.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, StandardNormal};

/// A draw from the standard normal distribution.
#[inline(never)]
pub fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// The class whose interval of [0, 1] contains a random point.
#[inline(never)]
pub fn pick(shares: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let (point, mut end) = (rng.random::<f64>(), 0.0);
    let found = shares.iter().position(|share| {
        end += share;
        point < end
    });
    found.unwrap_or(shares.len() - 1) // the sum may be a little below 1
}

/// The exponentials of the numbers, divided by their sum.
#[inline(never)]
pub fn softmax(logs: &[f64]) -> Vec<f64> {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
    let sum: f64 = parts.iter().sum();
    parts.into_iter().map(|part| part / sum).collect()
}

/// The squared distance of two points.
#[inline(never)]
pub fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum()
}
