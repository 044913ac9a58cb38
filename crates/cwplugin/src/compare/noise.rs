//! Label noise: in the samples only, or in all labels.

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::draw::{Stream, rng, rows_of};
use crate::data::Sample;
use crate::data::split::{check_share, share_of};
use crate::error::Error;

/// Label noise: a share of the labels of this class is wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    class: usize,
    share: f64,
}

impl Noise {
    /// Gives this share of the rows of a class another label, uniformly among the other classes.
    ///
    /// # Errors
    ///
    /// If the share is not from 0 to 1.
    pub fn new(class: usize, share: f64) -> Result<Self, Error> {
        check_share(share)?;
        Ok(Self { class, share })
    }
}

/// The labels that label noise changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum NoiseIn {
    /// Those of every sample. Test rows keep their labels: the annotators of the sample made errors.
    #[default]
    Sample,
    /// Those of the pool and of the test rows, once for all samples: the target itself has these labels.
    Everywhere,
}

impl NoiseIn {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sample, Self::Everywhere];

    /// The name in the program and the Python package.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sample => "sample",
            Self::Everywhere => "everywhere",
        }
    }
}

/// The rows that get noise with [`NoiseIn::Everywhere`]; each part has its own random streams.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Pool,
    Test,
}

/// The shares of all classes; the last of several for one class applies.
fn shares(noise: &[Noise], n_classes: usize) -> Vec<f64> {
    let mut shares = vec![0.0; n_classes];
    for &Noise { class, share } in noise {
        // A class beyond the others has no rows.
        if let Some(of_class) = shares.get_mut(class) {
            *of_class = share;
        }
    }
    shares
}

/// One of the other classes, with equal probability.
fn another(class: usize, n_classes: usize, rng: &mut ChaCha8Rng) -> u32 {
    let other = rng.random_range(0..n_classes as u32 - 1);
    other + u32::from(other as usize >= class)
}

/// The noisy labels of these rows, in the order of one repeat.
///
/// Every prefix has exactly `round(share·rows)` wrong labels of each class, and a row has the same label in all of them. So
/// row number `c` of a class is wrong if and only if `round(share·c)` is greater than `round(share·(c − 1))`. The order is
/// random, so the wrong rows of a prefix are a random subset of its rows.
pub(super) fn nested(pool: &Sample, order: &[usize], noise: &[Noise], seed: u64, repeat: usize) -> Vec<u32> {
    let m = pool.n_classes();
    let (shares, mut rows_so_far) = (shares(noise, m), vec![0; m]);
    let mut rng = rng(seed, Stream::Noise, repeat);
    let label = |&row: &usize| {
        let Some(class) = pool.label(row) else { return Sample::UNLABELLED };
        let before = share_of(rows_so_far[class], shares[class]);
        rows_so_far[class] += 1;
        let is_wrong = share_of(rows_so_far[class], shares[class]) > before;
        if is_wrong { another(class, m, &mut rng) } else { class as u32 }
    };
    order.iter().map(label).collect()
}

/// These rows with exactly `round(share·rows)` wrong labels of each class. They depend on nothing but the rows and the seed.
pub(super) fn everywhere(sample: &Sample, noise: &[Noise], seed: u64, part: Part) -> Result<Sample, Error> {
    let m = sample.n_classes();
    let mut labels: Vec<u32> = sample.codes().collect();
    for (class, share) in shares(noise, m).into_iter().enumerate().filter(|(_, share)| *share > 0.0) {
        // A stream for each class, so that noise in one class does not change that in another.
        let mut rng = rng(seed, Stream::NoiseEverywhere, 2 * class + part as usize);
        let mut rows = rows_of(sample, class);
        rows.shuffle(&mut rng);
        rows.truncate(share_of(rows.len(), share));
        for row in rows {
            labels[row] = another(class, m, &mut rng);
        }
    }
    sample.relabelled(labels)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::draw::shuffled;
    use super::*;
    use crate::data::Probabilities;

    fn rows(labels: &[Option<usize>]) -> Sample {
        let p = Probabilities::new([0.4, 0.3, 0.2, 0.1].repeat(labels.len()), 4).unwrap();
        Sample::new(p, labels.to_vec()).unwrap()
    }

    fn noise(shares: &[(usize, f64)]) -> Vec<Noise> {
        shares.iter().map(|&(class, share)| Noise::new(class, share).unwrap()).collect()
    }

    /// Rows of a class, and how many of them have another label now.
    fn wrong(pairs: impl Iterator<Item = (Option<usize>, Option<usize>)>, class: usize) -> (usize, usize) {
        let of_class: Vec<_> = pairs.filter(|(before, _)| *before == Some(class)).collect();
        (of_class.len(), of_class.iter().filter(|(before, after)| before != after).count())
    }

    proptest! {
        #[test]
        fn samples_of_all_sizes_have_the_exact_share_and_a_row_has_one_label(
            labels in prop::collection::vec(0usize..4, 1..150),
            (first, second) in (0.0..=1.0, 0.0..=1.0),
            (seed, repeat) in (0u64..9, 0usize..3),
        ) {
            let pool = rows(&labels.into_iter().map(Some).collect::<Vec<_>>());
            let order = shuffled(&pool.labelled_rows(), seed, repeat);
            let noise = noise(&[(1, first), (3, second)]);
            let all = nested(&pool, &order, &noise, seed, repeat);
            for size in 1..=order.len() {
                // A smaller or larger largest sample changes no label.
                prop_assert_eq!(&nested(&pool, &order[..size], &noise, seed, repeat)[..], &all[..size]);
                for (class, share) in [0.0, first, 0.0, second].into_iter().enumerate() {
                    let pairs = order[..size].iter().zip(&all).map(|(&row, &label)| (pool.label(row), Some(label as usize)));
                    let (of_class, wrong) = wrong(pairs, class);
                    prop_assert_eq!(wrong, share_of(of_class, share));
                }
            }
        }

        #[test]
        fn noise_everywhere_has_the_exact_share_and_leaves_other_classes_and_unlabelled_rows(
            labels in prop::collection::vec(prop::option::weighted(0.9, 0usize..4), 1..150),
            (first, second) in (0.0..=1.0, 0.0..=1.0),
            seed in 0u64..9,
        ) {
            let sample = rows(&labels);
            let noisy = everywhere(&sample, &noise(&[(1, first), (3, second)]), seed, Part::Pool).unwrap();
            for (class, share) in [0.0, first, 0.0, second].into_iter().enumerate() {
                let pairs = (0..labels.len()).map(|row| (sample.label(row), noisy.label(row)));
                let (of_class, wrong) = wrong(pairs, class);
                prop_assert_eq!(wrong, share_of(of_class, share));
            }
            prop_assert_eq!(noisy.n_unlabelled(), sample.n_unlabelled());
            // Noise in one class does not depend on that in another.
            let alone = everywhere(&sample, &noise(&[(1, first)]), seed, Part::Pool).unwrap();
            let of_first = (0..labels.len()).filter(|&row| labels[row] == Some(1));
            prop_assert!(of_first.into_iter().all(|row| alone.label(row) == noisy.label(row)));
        }
    }

    #[test]
    fn wrong_labels_are_all_others_about_equally_often() {
        let sample = rows(&vec![Some(2); 3000]);
        let full = noise(&[(2, 1.0)]);
        let nested = sample.relabelled(nested(&sample, &sample.labelled_rows(), &full, 0, 0)).unwrap();
        for noisy in [nested, everywhere(&sample, &full, 0, Part::Test).unwrap()] {
            let counts = [0, 1, 2, 3].map(|class| noisy.n_rows_of(class));
            assert!(
                counts[2] == 0 && [0, 1, 3].iter().all(|&class| counts[class].abs_diff(1000) < 100),
                "{counts:?}"
            );
        }
    }

    #[test]
    fn parts_repeats_and_seeds_have_draws_of_their_own() {
        let (sample, half) = (rows(&[Some(0); 100]), noise(&[(0, 0.5)]));
        let of = |seed, part| everywhere(&sample, &half, seed, part).unwrap();
        assert_eq!(of(1, Part::Pool), of(1, Part::Pool));
        assert_ne!(of(1, Part::Pool), of(1, Part::Test));
        assert_ne!(of(1, Part::Pool), of(2, Part::Pool));
        let of = |seed, repeat| nested(&sample, &sample.labelled_rows(), &half, seed, repeat);
        assert_ne!(of(1, 0), of(1, 1));
        assert_ne!(of(1, 0), of(2, 0));
    }

    #[test]
    fn shares_are_checked_and_the_last_share_of_a_class_applies() {
        assert!([-0.1, 1.1, f64::NAN].iter().all(|&share| Noise::new(0, share).is_err()));
        assert_eq!(shares(&noise(&[(1, 0.2), (1, 0.4), (9, 0.1)]), 3), [0.0, 0.4, 0.0]);
    }
}
