//! Unlabelled rows added to a sample, for methods that use them.

use rand::seq::SliceRandom as _;

use super::draw::{Stream, rng};
use crate::data::Sample;
use crate::error::Error;

/// Up to `most` unlabelled rows of a pool, in the order of one repeat.
pub(super) fn unlabelled_rows(pool: &Sample, most: usize, seed: u64, repeat: usize) -> Vec<usize> {
    if most == 0 {
        return Vec::new(); // a pool may have millions of them
    }
    let is_unlabelled = |&row: &usize| pool.label(row).is_none() && pool.weight(row) > 0.0;
    let mut rows: Vec<usize> = (0..pool.n_rows()).filter(is_unlabelled).collect();
    rows.shuffle(&mut rng(seed, Stream::Unlabelled, repeat));
    rows.truncate(most);
    rows
}

/// Up to `most` rows of a pool to add to a sample without their labels.
///
/// Rows without a label in the pool come first: they are never part of a sample. Then come labelled rows that are not in
/// the sample, from the end of the repeat's order, so that samples of all sizes share them if the pool is large enough.
/// `rest` is that order without the rows of the sample.
pub(super) fn added_rows(unlabelled_rows: &[usize], rest: &[usize], most: usize) -> Vec<usize> {
    unlabelled_rows.iter().chain(rest.iter().rev()).take(most).copied().collect()
}

/// The sample, followed by these rows of its pool without their labels.
pub(super) fn with_unlabelled(mut sample: Sample, pool: &Sample, rows: &[usize]) -> Result<Sample, Error> {
    if !rows.is_empty() {
        sample.append(pool.select(rows).without_labels())?;
    }
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::draw::shuffled;
    use super::super::noise::{Noise, nested};
    use super::*;
    use crate::data::{Features, Probabilities};

    /// A table in which probabilities and feature identify the row; every `every`-th row has no label, every `weightless`-th
    /// no weight.
    fn table(n: usize, every: usize, weightless: usize) -> Sample {
        let p = (0..n).flat_map(|row| [row as f64 / 1000.0, 0.25, 0.75 - row as f64 / 1000.0]).collect();
        let labels = (0..n).map(|row| Some(row % 3).filter(|_| row % every != 0)).collect();
        let weights = (0..n).map(|row| if row % weightless == 0 { 0.0 } else { 1.0 + row as f64 }).collect();
        Sample::new(Probabilities::new(p, 3).unwrap(), labels)
            .unwrap()
            .with_weights(weights)
            .unwrap()
            .with_features(Features::new((0..n).map(|row| row as f64).collect(), 1).unwrap())
            .unwrap()
    }

    /// The indices of these rows in the table.
    #[allow(clippy::cast_sign_loss)] // probabilities are not negative
    fn rows(sample: &Sample) -> Vec<usize> {
        let told = |row: usize| (sample.probabilities().row(row).next().unwrap() * 1000.0).round() as usize;
        (0..sample.n_rows()).map(told).collect()
    }

    proptest! {
        #[test]
        fn added_rows_are_from_the_pool_and_have_no_label(
            (n, every, weightless) in (30usize..200, 2usize..9, 5usize..40),
            (share, most, seed, repeat) in (0.1..0.6, 0usize..250, 0u64..9, 0usize..3),
            noise in 0.0..1.0,
        ) {
            let all = table(n, every, weightless);
            let (pool, test) = all.split(share, seed).unwrap();
            let order = shuffled(&pool.labelled_rows(), seed, repeat);
            let unlabelled_rows = unlabelled_rows(&pool, most, seed, repeat);
            let all_unlabelled = (0..n).filter(|row| row % every == 0 && row % weightless != 0).count();
            prop_assert_eq!(unlabelled_rows.len(), most.min(all_unlabelled));
            let tested: BTreeSet<usize> = rows(&test).into_iter().collect();
            let mut last: Option<Vec<usize>> = None;
            for size in 1..=order.len() {
                let drawn = pool.select(&order[..size]);
                let noise = [Noise::new(1, noise).unwrap()];
                let sample = drawn.relabelled(nested(&pool, &order[..size], &noise, seed, repeat)).unwrap();
                let added = added_rows(&unlabelled_rows, &order[size..], most);
                let both = with_unlabelled(sample.clone(), &pool, &added).unwrap();
                // The sample comes first, unchanged.
                let own: Vec<usize> = (0..size).collect();
                prop_assert_eq!(both.select(&own), sample);
                let more: Vec<usize> = (size..both.n_rows()).collect();
                prop_assert_eq!(more.len(), most.min(unlabelled_rows.len() + order.len() - size));
                prop_assert!(more.iter().all(|&row| both.label(row).is_none() && both.weight(row) > 0.0));
                prop_assert_eq!(both.n_labelled(), size as u64);
                prop_assert_eq!(both.n_unlabelled(), more.len() as u64);
                // No duplicates and no test rows; features and weights belong to the row.
                let joined = rows(&both.select(&more));
                let distinct: BTreeSet<usize> = rows(&both).into_iter().collect();
                prop_assert_eq!(distinct.len(), both.n_rows());
                prop_assert!(distinct.is_disjoint(&tested));
                for (&row, &of) in more.iter().zip(&joined) {
                    prop_assert_eq!(both.features().unwrap().row(row).next(), Some(of as f64));
                    prop_assert_eq!(both.weight(row), 1.0 + of as f64);
                }
                // Unlabelled rows come first, and a larger sample of the repeat has the same rows or fewer.
                let n_unlabelled = joined.iter().take_while(|&&row| row % every == 0).count();
                prop_assert_eq!(n_unlabelled, unlabelled_rows.len());
                if let Some(last) = last {
                    prop_assert_eq!(&last[..joined.len()], &joined[..]);
                }
                last = Some(joined);
            }
        }
    }

    #[test]
    fn repeats_and_seeds_have_rows_of_their_own() {
        let pool = table(100, 2, 1000);
        assert_eq!(unlabelled_rows(&pool, 9, 1, 2), unlabelled_rows(&pool, 9, 1, 2));
        assert_ne!(unlabelled_rows(&pool, 9, 1, 2), unlabelled_rows(&pool, 9, 1, 3));
        assert_ne!(unlabelled_rows(&pool, 9, 1, 2), unlabelled_rows(&pool, 9, 2, 2));
    }
}
