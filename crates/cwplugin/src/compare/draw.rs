//! Samples and label shift.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::data::Sample;
use crate::data::split::{check_share, share_of};
use crate::error::Error;

/// The kinds of random draws. Each has its own random streams (stream 0 belongs to [`Sample::split`]), so that draws of
/// one kind do not affect another.
#[derive(Clone, Copy)]
pub(super) enum Stream {
    Shift = 1,
    Draw = 2,
    Noise = 3,
    Unlabelled = 4,
    NoiseEverywhere = 5,
}

pub(super) fn rng(seed: u64, stream: Stream, repeat: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream((stream as u64) << 32 | repeat as u64);
    rng
}

/// A label shift: a share of the rows of these classes is deleted.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    classes: Vec<usize>,
    share: f64,
}

impl Shift {
    /// Deletes this share of the rows of each of these classes.
    ///
    /// # Errors
    ///
    /// If the share is not from 0 to 1.
    pub fn new(classes: Vec<usize>, share: f64) -> Result<Self, Error> {
        check_share(share)?;
        Ok(Self { classes, share })
    }

    /// The remaining rows, in order. Unlabelled rows are dropped: their class is unknown, so the shift cannot be applied.
    ///
    /// # Errors
    ///
    /// If a class with labelled rows has none left.
    pub fn apply(&self, sample: &Sample, seed: u64) -> Result<Sample, Error> {
        Ok(sample.select(&self.remaining_rows(sample, seed)?))
    }

    /// The rows that [`Shift::apply`] leaves, by index and in increasing order.
    ///
    /// # Errors
    ///
    /// As for [`Shift::apply`].
    pub fn remaining_rows(&self, sample: &Sample, seed: u64) -> Result<Vec<usize>, Error> {
        let mut is_left: Vec<bool> = (0..sample.n_rows()).map(|row| sample.label(row).is_some()).collect();
        for &class in &self.classes {
            let mut rows = rows_of(sample, class);
            rows.shuffle(&mut rng(seed, Stream::Shift, class));
            let deleted = share_of(rows.len(), self.share);
            if deleted == rows.len() && !rows.is_empty() {
                return Err(Error::ClassGone { class });
            }
            rows[..deleted].iter().for_each(|&row| is_left[row] = false);
        }
        Ok((0..sample.n_rows()).filter(|&row| is_left[row]).collect())
    }
}

/// The rows in the order of one repeat; a sample of size n is the first n of them.
pub(super) fn shuffled(rows: &[usize], seed: u64, repeat: usize) -> Vec<usize> {
    let mut rows = rows.to_vec();
    rows.shuffle(&mut rng(seed, Stream::Draw, repeat));
    rows
}

/// The rows with this label, in increasing order.
pub(super) fn rows_of(sample: &Sample, class: usize) -> Vec<usize> {
    (0..sample.n_rows()).filter(|&row| sample.label(row) == Some(class)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;

    /// 60 rows of class 0, 30 of class 1, 10 of class 2.
    fn sample() -> Sample {
        let p = Probabilities::new([0.5, 0.3, 0.2].repeat(100), 3).unwrap();
        let labels = (0..100).map(|i| Some(if i % 10 < 6 { 0 } else { 1 + usize::from(i % 10 == 9) }));
        Sample::new(p, labels.collect()).unwrap()
    }

    fn counts(sample: &Sample) -> [u64; 3] {
        [0, 1, 2].map(|class| sample.n_rows_of(class))
    }

    #[test]
    fn a_shift_deletes_a_share_of_its_classes_and_leaves_the_others() {
        let shifted = Shift::new(vec![0, 2], 0.8).unwrap().apply(&sample(), 0).unwrap();
        assert_eq!(counts(&shifted), [12, 30, 2]);
        let all = Shift::new(vec![1], 1.0).unwrap().apply(&sample(), 0);
        assert_eq!(all.unwrap_err(), Error::ClassGone { class: 1 });
    }

    #[test]
    fn rows_without_a_label_go_to_the_pool_and_not_through_a_shift() {
        let labels = (0..100).map(|row| sample().label(row).filter(|_| row % 4 > 0)).collect();
        let sample = Sample::new(sample().probabilities().clone(), labels).unwrap();
        let (pool, test) = sample.split(0.2, 0).unwrap();
        assert_eq!((pool.n_labelled(), pool.n_unlabelled()), (60, 25));
        assert_eq!((test.n_labelled(), test.n_unlabelled()), (15, 0));
        let shifted = Shift::new(vec![2], 0.5).unwrap().apply(&pool, 0).unwrap();
        assert_eq!((shifted.n_rows_of(0), shifted.n_unlabelled()), (pool.n_rows_of(0), 0));
    }

    #[test]
    fn draws_depend_on_seed_and_repeat_only() {
        let rows: Vec<usize> = (0..50).collect();
        assert_eq!(shuffled(&rows, 1, 2), shuffled(&rows, 1, 2));
        assert_ne!(shuffled(&rows, 1, 2), shuffled(&rows, 1, 3));
        assert_ne!(shuffled(&rows, 1, 2), shuffled(&rows, 2, 2));
    }

    #[test]
    fn shares_are_from_0_to_1() {
        for share in [-0.1, 1.1, f64::NAN] {
            assert!(Shift::new(vec![0], share).is_err());
        }
    }
}
