//! Rows without labels beside a sample, for methods that can use them.

use rand::seq::SliceRandom as _;

use super::draw::{Chance, rng};
use crate::data::Sample;
use crate::error::Error;

/// Up to `most` rows of a pool that have no label of their own, in the order of one repeat.
pub(super) fn bare(pool: &Sample, most: usize, seed: u64, repeat: usize) -> Vec<usize> {
    if most == 0 {
        return Vec::new(); // a pool may have millions of them
    }
    let is_bare = |&row: &usize| pool.label(row).is_none() && pool.weight(row) > 0.0;
    let mut rows: Vec<usize> = (0..pool.n_rows()).filter(is_bare).collect();
    rows.shuffle(&mut rng(seed, Chance::Unlabelled, repeat));
    rows.truncate(most);
    rows
}

/// The sample, and below it up to `most` other rows of its pool without their labels.
///
/// Rows that never had a label come first: they are what a user really has, and no sample ever takes one away. Then labelled
/// rows that are not in the sample, from the end of the repeat's order: the samples of all sizes share them as long as the
/// pool is large enough. `rest` is that order without the rows of the sample.
pub(super) fn joined(
    mut sample: Sample,
    pool: &Sample,
    bare: &[usize],
    rest: &[usize],
    most: usize,
) -> Result<Sample, Error> {
    let rows: Vec<usize> = bare.iter().chain(rest.iter().rev()).take(most).copied().collect();
    if !rows.is_empty() {
        sample.append(pool.select(&rows).without_labels())?;
    }
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::draw::{Noise, shuffled, spoiled};
    use super::*;
    use crate::data::{Features, Probabilities};

    /// A table in which a row is told by its probabilities and by its feature; every so manieth has no label, or no weight.
    fn table(n: usize, bare: usize, weightless: usize) -> Sample {
        let p = (0..n).flat_map(|row| [row as f64 / 1000.0, 0.25, 0.75 - row as f64 / 1000.0]).collect();
        let labels = (0..n).map(|row| Some(row % 3).filter(|_| row % bare != 0)).collect();
        let weights = (0..n).map(|row| if row % weightless == 0 { 0.0 } else { 1.0 + row as f64 }).collect();
        Sample::new(Probabilities::new(p, 3).unwrap(), labels)
            .unwrap()
            .with_weights(weights)
            .unwrap()
            .with_features(Features::new((0..n).map(|row| row as f64).collect(), 1).unwrap())
            .unwrap()
    }

    /// Which rows of the table these are.
    #[allow(clippy::cast_sign_loss)] // probabilities are not negative
    fn rows(sample: &Sample) -> Vec<usize> {
        let told = |row: usize| (sample.probabilities().row(row).next().unwrap() * 1000.0).round() as usize;
        (0..sample.n_rows()).map(told).collect()
    }

    proptest! {
        #[test]
        fn what_is_joined_is_of_the_pool_alone_and_has_no_label(
            (n, bare_of, weightless) in (30usize..200, 2usize..9, 5usize..40),
            (share, most, seed, repeat) in (0.1..0.6, 0usize..250, 0u64..9, 0usize..3),
            noise in 0.0..1.0,
        ) {
            let all = table(n, bare_of, weightless);
            let (pool, test) = all.split(share, seed).unwrap();
            let order = shuffled(&pool.labelled_rows(), seed, repeat);
            let bare = bare(&pool, most, seed, repeat);
            let all_bare = (0..n).filter(|row| row % bare_of == 0 && row % weightless != 0).count();
            prop_assert_eq!(bare.len(), most.min(all_bare));
            let tested: BTreeSet<usize> = rows(&test).into_iter().collect();
            let mut last: Option<Vec<usize>> = None;
            for size in 1..=order.len() {
                let drawn = pool.select(&order[..size]);
                let sample = spoiled(&drawn, &[Noise::new(1, noise).unwrap()], seed, repeat).unwrap();
                let both = joined(sample.clone(), &pool, &bare, &order[size..], most).unwrap();
                // The sample stands on top, as it was.
                let own: Vec<usize> = (0..size).collect();
                prop_assert_eq!(both.select(&own), sample);
                let more: Vec<usize> = (size..both.n_rows()).collect();
                prop_assert_eq!(more.len(), most.min(bare.len() + order.len() - size));
                prop_assert!(more.iter().all(|&row| both.label(row).is_none() && both.weight(row) > 0.0));
                prop_assert_eq!(both.n_labelled(), size as u64);
                prop_assert_eq!(both.n_unlabelled(), more.len() as u64);
                // No row twice, none of the test rows; features and weights are the row's own.
                let joined = rows(&both.select(&more));
                let distinct: BTreeSet<usize> = rows(&both).into_iter().collect();
                prop_assert_eq!(distinct.len(), both.n_rows());
                prop_assert!(distinct.is_disjoint(&tested));
                for (&row, &of) in more.iter().zip(&joined) {
                    prop_assert_eq!(both.features().unwrap().row(row).next(), Some(of as f64));
                    prop_assert_eq!(both.weight(row), 1.0 + of as f64);
                }
                // Rows that never had a label come first, and a larger sample of the repeat has the same rows or fewer.
                let never = joined.iter().take_while(|&&row| row % bare_of == 0).count();
                prop_assert_eq!(never, bare.len());
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
        assert_eq!(bare(&pool, 9, 1, 2), bare(&pool, 9, 1, 2));
        assert_ne!(bare(&pool, 9, 1, 2), bare(&pool, 9, 1, 3));
        assert_ne!(bare(&pool, 9, 1, 2), bare(&pool, 9, 2, 2));
    }
}
