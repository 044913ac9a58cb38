//! Random subsets of rows.

use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::data::Sample;

/// The rows, or a random subset if there are more than `most`; in order.
pub(crate) fn at_most(most: usize, mut rows: Vec<usize>, rng: &mut ChaCha8Rng) -> Vec<usize> {
    if rows.len() > most {
        rows.shuffle(rng);
        rows.truncate(most);
        rows.sort_unstable();
    }
    rows
}

/// The unlabelled rows of positive weight.
pub(crate) fn unlabelled_rows(sample: &Sample) -> Vec<usize> {
    (0..sample.n_rows()).filter(|&row| sample.label(row).is_none() && sample.weight(row) > 0.0).collect()
}
