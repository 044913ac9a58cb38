//! Random splits into training and test rows.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::data::Sample;
use crate::error::Error;

impl Sample {
    /// Splits at random into training and test rows. `share` of the labelled rows become test rows; unlabelled rows stay in
    /// the training rows.
    ///
    /// # Errors
    ///
    /// If the share is not from 0 to 1, or one side would be empty.
    pub fn split(&self, share: f64, seed: u64) -> Result<(Self, Self), Error> {
        let (train, test) = self.split_rows(share, seed)?;
        Ok((self.select(&train), self.select(&test)))
    }

    /// The rows of [`Sample::split`], by index and in increasing order.
    ///
    /// # Errors
    ///
    /// As for [`Sample::split`].
    pub fn split_rows(&self, share: f64, seed: u64) -> Result<(Vec<usize>, Vec<usize>), Error> {
        check_share(share)?;
        let mut test = self.labelled_rows();
        test.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let n_test = share_of(test.len(), share);
        if n_test == 0 || n_test == test.len() {
            return Err(Error::EmptySplit { share, rows: test.len() });
        }
        let mut train = test.split_off(n_test);
        train.extend((0..self.n_rows()).filter(|&row| self.label(row).is_none()));
        test.sort_unstable();
        train.sort_unstable();
        Ok((train, test))
    }
}

/// A share of a number of rows, rounded.
#[allow(clippy::cast_sign_loss)] // shares are not negative
pub(crate) fn share_of(rows: usize, share: f64) -> usize {
    (rows as f64 * share).round() as usize
}

pub(crate) fn check_share(share: f64) -> Result<(), Error> {
    if (0.0..=1.0).contains(&share) { Ok(()) } else { Err(Error::BadShare { value: share }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;

    #[test]
    fn a_split_has_the_share_and_no_row_twice() {
        let p = Probabilities::new([0.5, 0.3, 0.2].repeat(100), 3).unwrap();
        let labels = (0..100).map(|i| Some(if i % 10 < 6 { 0 } else { 1 + usize::from(i % 10 == 9) }));
        let sample = Sample::new(p, labels.collect()).unwrap();
        let (train, test) = sample.split(0.2, 0).unwrap();
        assert_eq!((train.n_rows(), test.n_rows()), (80, 20));
        for class in 0..3 {
            assert_eq!(train.n_rows_of(class) + test.n_rows_of(class), sample.n_rows_of(class));
        }
        assert_eq!(sample.split(0.001, 0).unwrap_err(), Error::EmptySplit { share: 0.001, rows: 100 });
    }
}
