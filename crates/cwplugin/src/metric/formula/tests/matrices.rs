use rand::{Rng, RngExt};

use crate::metric::Confusion;

/// A random matrix over all `m` classes or a pair of them, often with empty rows or columns.
pub(super) fn matrix(rng: &mut impl Rng, m: usize, whole_counts: bool) -> Confusion {
    if m > 1 && rng.random_range(0..3) == 0 {
        return pair(rng, m, whole_counts);
    }
    let mut none = || (0..m).map(|_| rng.random_range(0..4) == 0).collect::<Vec<bool>>();
    let (never_true, never_predicted) = (none(), none());
    let mut confusion = Confusion::zeros(m);
    for (truth, never_true) in never_true.into_iter().enumerate() {
        for (predicted, never_predicted) in never_predicted.iter().enumerate() {
            if !never_true && !never_predicted && rng.random_range(0..3) > 0 {
                confusion.add(truth, predicted, weight(rng, whole_counts));
            }
        }
    }
    confusion
}

fn pair(rng: &mut impl Rng, m: usize, whole_counts: bool) -> Confusion {
    let class = rng.random_range(0..m);
    let mut pair = Confusion::pair(class, (class + rng.random_range(1..m)) % m);
    let totals = [weight(rng, whole_counts), weight(rng, whole_counts)];
    let moved = totals.map(|total| weight(rng, whole_counts).min(total));
    pair.set_pair(moved, totals);
    pair
}

fn weight(rng: &mut impl Rng, whole: bool) -> f64 {
    if whole { f64::from(rng.random_range(0..50_u32)) } else { rng.random_range(0.0..3.0) }
}
