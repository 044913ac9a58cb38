//! Bootstrap samples, stratified by class.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Offset of the random streams of bags; resamples of intervals use the streams below it.
const STREAMS: u64 = 1 << 32;

/// The rows of each class.
pub(crate) struct Strata<'a> {
    labels: &'a [u32],
    rows_of: Vec<Vec<u32>>,
}

impl<'a> Strata<'a> {
    /// Groups rows by label; every row must have one.
    pub(crate) fn new(labels: &'a [u32], n_classes: usize) -> Self {
        let mut rows_of = vec![vec![]; n_classes];
        for (row, &label) in (0..).zip(labels) {
            rows_of[label as usize].push(row);
        }
        Self { labels, rows_of }
    }

    /// How often each row is drawn into one bag.
    ///
    /// Every row is replaced by a random row of its class, so each class keeps its number of rows. The loop goes over rows,
    /// not classes, so the draw does not depend on the order of the classes.
    pub(crate) fn draw(&self, seed: u64, bag: usize) -> Vec<u32> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(STREAMS | bag as u64);
        let mut times = vec![0; self.labels.len()];
        for &label in self.labels {
            let rows = &self.rows_of[label as usize];
            times[rows[rng.random_range(0..rows.len())] as usize] += 1;
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Vec<u32> {
        (0..200).map(|i| [0, 0, 0, 2, 3][i % 5]).chain([4]).collect()
    }

    #[test]
    fn every_class_keeps_its_number_of_rows() {
        let labels = labels();
        let strata = Strata::new(&labels, 5);
        for bag in 0..20 {
            let times = strata.draw(7, bag);
            let rows_of = |class: u32| -> u32 {
                labels.iter().zip(&times).filter(|(label, _)| **label == class).map(|(_, times)| times).sum()
            };
            assert_eq!([0, 1, 2, 3, 4].map(rows_of), [120, 0, 40, 40, 1]);
        }
    }

    #[test]
    fn about_a_third_of_the_rows_is_out_of_bag() {
        let labels = labels();
        let strata = Strata::new(&labels, 5);
        let out: usize = (0..50).map(|bag| strata.draw(1, bag).iter().filter(|&&n| n == 0).count()).sum();
        let share = out as f64 / (50.0 * labels.len() as f64);
        assert!((share - (-1.0_f64).exp()).abs() < 0.02, "{share}");
    }

    #[test]
    fn draws_depend_on_seed_and_bag_and_not_on_the_order_of_classes() {
        let labels = labels();
        let strata = Strata::new(&labels, 5);
        assert_eq!(strata.draw(1, 2), strata.draw(1, 2));
        assert_ne!(strata.draw(1, 2), strata.draw(1, 3));
        assert_ne!(strata.draw(1, 2), strata.draw(2, 2));
        let renamed: Vec<u32> = labels.iter().map(|label| 4 - label).collect();
        assert_eq!(strata.draw(1, 2), Strata::new(&renamed, 5).draw(1, 2));
    }
}
