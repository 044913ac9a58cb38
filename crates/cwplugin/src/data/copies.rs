//! Rows that repeat another row, as after a table was appended to itself, joined to several matches, or oversampled.
//!
//! A copy tells nothing new. In cross-validation it is worse: a row is held out while its copy is in the training set. So copies
//! become one row with the weight of all. `docs/decisions/0041-repeated-rows.md` has the reasons.
//!
//! Equal rows are no copies if the black box has few different outputs, as trees and votes have. The two are told apart by
//! what chance would not do:
//!
//! * every row occurs a multiple of k times, for k ≥ 2: then each becomes a k-th as many rows;
//! * rows of equal probabilities have equal labels, although the black box is wrong so often that many pairs should differ.

use std::ops::Range;

use super::fingerprint::mix;
use super::row_checks::is_predicted;
use crate::data::{Features, Sample};
use crate::numeric::parallel::{PIECE, map_of_rows};

/// Different rows at least, so that a common divisor of their numbers is no chance (2⁻²⁰), and outputs are not few.
const MIN_GROUPS: usize = 20;

/// Labels that must be expected to differ within groups of equal probabilities, so that it is no chance if none does (e⁻⁵).
const MIN_EXPECTED: f64 = 5.0;

/// The share of those that may differ nevertheless: certain outputs, as exactly 1, come from different rows.
const MIXED_SHARE: f64 = 0.1;

/// Fewer repeated rows, one in so many, change no estimate by much.
const ROWS_PER_REPEATED: usize = 10;

/// Larger samples are not searched: their estimates are hardly too good, and the search takes longer than a fit.
const MOST_ROWS: usize = 1 << 16;

/// The largest weight of a row.
const MAX_WEIGHT: f64 = 1e100;

/// Copies among the rows of a sample, and which rows stand for them.
#[derive(Debug, Clone, PartialEq)]
pub struct Copies {
    /// The rows to keep, in order, and the weight of each.
    kept: Vec<(usize, f64)>,
    /// Labelled rows of positive weight, and how many of them are left out.
    labelled: u64,
    repeated: u64,
}

/// A row by the hash of its probabilities and features, and by its label, m for none.
type Key = (u64, u32, usize);

impl Copies {
    /// Copies among the labelled rows of a sample of at most 65,536 rows, if there are any.
    pub fn find(sample: &Sample) -> Option<Self> {
        if sample.n_rows() > MOST_ROWS {
            return None;
        }
        let is_labelled = |label: u32| (label as usize) < sample.n_classes();
        let mut keys = keys(sample);
        let labelled = keys.iter().filter(|key| is_labelled(key.1));
        if most_repeated(labelled.clone()) * ROWS_PER_REPEATED < labelled.count() {
            return None; // nearly always, so nothing is sorted
        }
        keys.sort_unstable();
        let labelled: Vec<Key> = keys.iter().copied().filter(|key| is_labelled(key.1)).collect();
        let occurrence = occurrence(&labelled, sample)?;
        let mut kept = Vec::new();
        let mut repeated = 0;
        for group in keys.chunk_by(is_copy) {
            let weight: f64 = group.iter().map(|&(_, _, row)| sample.weight(row)).sum();
            let n = match occurrence {
                Occurrence::MultipleOf(k) => (group.len() / k).max(1),
                Occurrence::Any => 1,
            };
            let each = (weight / n as f64).min(MAX_WEIGHT);
            kept.extend(group[..n].iter().map(|&(_, _, row)| (row, each)));
            repeated += if is_labelled(group[0].1) { group.len() - n } else { 0 };
        }
        let without_weight = (0..sample.n_rows()).filter(|&row| sample.weight(row) <= 0.0);
        kept.extend(without_weight.map(|row| (row, 0.0)));
        kept.sort_unstable_by_key(|(row, _)| *row);
        Some(Self { kept, labelled: sample.n_labelled(), repeated: repeated as u64 })
    }

    /// The sample with one row for all copies of it, of their total weight.
    ///
    /// # Panics
    ///
    /// If the sample has fewer rows than the one in which the copies were found.
    pub(crate) fn merged(&self, sample: &Sample) -> Option<Sample> {
        let (rows, weights): (Vec<usize>, Vec<f64>) = self.kept.iter().copied().unzip();
        sample.select(&rows).with_weights(weights).ok()
    }

    /// What to tell the user.
    pub fn message(&self) -> String {
        format!("{} of {} labelled rows repeat another row, with its label", self.repeated, self.labelled)
    }
}

/// Whether two rows are equal.
fn is_copy(a: &Key, b: &Key) -> bool {
    (a.0, a.1) == (b.0, b.1)
}

/// How often rows occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Occurrence {
    /// Each a multiple of so many times.
    MultipleOf(usize),
    Any,
}

/// Rows that may repeat an earlier one: all that do, and a few others.
fn most_repeated<'k>(keys: impl Iterator<Item = &'k Key> + Clone) -> usize {
    const BITS_PER_ROW: usize = 16;
    let mut bits = vec![0_u64; (keys.clone().count() * BITS_PER_ROW).div_ceil(64).next_power_of_two()];
    let words = bits.len();
    let mut may_repeat = |key: &Key| {
        let place = mix(key.0 ^ u64::from(key.1));
        let (word, bit) = (&mut bits[(place >> 6) as usize % words], 1 << (place % 64));
        let is_set = *word & bit != 0;
        *word |= bit;
        is_set
    };
    keys.filter(|key| may_repeat(key)).count()
}

/// How often rows occur, if equal rows are copies.
fn occurrence(keys: &[Key], sample: &Sample) -> Option<Occurrence> {
    let (mut distinct, mut common) = (0, 0);
    for group in keys.chunk_by(is_copy) {
        distinct += 1;
        common = greatest_common_divisor(common, group.len());
    }
    let repeated = keys.len() - distinct;
    if distinct < MIN_GROUPS || repeated * ROWS_PER_REPEATED < keys.len() {
        return None;
    }
    if common > 1 {
        return Some(Occurrence::MultipleOf(common));
    }
    let wrong = keys.iter().filter(|&&(_, label, row)| !is_predicted(sample, row, label as usize)).count();
    let wrong = wrong as f64 / keys.len() as f64;
    let (mut groups, mut mixed) = (0_usize, 0_usize);
    for group in keys.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        groups += 1;
        mixed += usize::from(group[0].1 != group[group.len() - 1].1);
    }
    let expected = groups as f64 * 2.0 * wrong * (1.0 - wrong);
    let are_copies =
        groups >= MIN_GROUPS && expected >= MIN_EXPECTED && mixed as f64 <= MIXED_SHARE * expected;
    are_copies.then_some(Occurrence::Any)
}

fn greatest_common_divisor(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The rows of positive weight, by hash and label.
fn keys(sample: &Sample) -> Vec<Key> {
    let labels = sample.label_indices();
    let key = |row: usize| (sample.weight(row) > 0.0).then(|| (hash(sample, row), labels[row], row));
    let n = sample.n_rows();
    let pieces: Vec<Range<usize>> =
        (0..n).step_by(PIECE).map(|start| start..(start + PIECE).min(n)).collect();
    let keys = map_of_rows(n as u64, pieces, |rows| rows.filter_map(key).collect::<Vec<_>>());
    keys.into_iter().flatten().collect()
}

/// A hash of the probabilities and the features of a row, to the last bit. Each value is hashed with its place and on its own, so
/// that they do not wait for each other.
fn hash(sample: &Sample, row: usize) -> u64 {
    fn of(values: impl Iterator<Item = f64>, first: u64) -> u64 {
        let hashed = values.zip(first..).map(|(value, place)| mix(value.to_bits() ^ mix(place)));
        hashed.fold(0, u64::wrapping_add)
    }
    let features = |features: &Features| of(features.row(row), sample.n_classes() as u64);
    of(sample.probabilities().row(row), 0).wrapping_add(sample.features().map_or(0, features))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::data::Probabilities;

    /// Rows of a black box with `outputs` different outputs that is right about as often as its probabilities say.
    fn sample(n: usize, outputs: u64, seed: u64) -> Sample {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut values, mut labels) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let output = rng.random_range(0..outputs);
            let p = 0.02 + 0.96 * (mix(output) >> 11) as f64 / (1_u64 << 53) as f64;
            values.extend([p, 1.0 - p]);
            labels.push(Some(usize::from(rng.random::<f64>() > p)));
        }
        Sample::new(Probabilities::new(values, 2).unwrap(), labels).unwrap()
    }

    fn times(sample: &Sample, times: impl Fn(usize) -> usize) -> Sample {
        let rows: Vec<usize> = (0..sample.n_rows()).flat_map(|row| vec![row; times(row)]).collect();
        sample.select(&rows)
    }

    #[test]
    fn copies_of_all_rows_become_the_rows_with_their_weight() {
        for outputs in [u64::MAX, 60] {
            let once = sample(200, outputs, 1);
            assert_eq!(Copies::find(&once), None, "{outputs}");
            for k in [2, 4] {
                let copies = Copies::find(&times(&once, |_| k)).unwrap();
                assert_eq!(
                    copies.message(),
                    format!(
                        "{} of {} labelled rows repeat another row, with its label",
                        200 * (k - 1),
                        200 * k
                    )
                );
                let merged = copies.merged(&times(&once, |_| k)).unwrap();
                assert_eq!(merged.weights().unwrap(), vec![k as f64; 200]);
                let keyed =
                    |sample: &Sample| keys(sample).into_iter().map(|key| (key.0, key.1)).collect::<Vec<_>>();
                let sorted = |mut keys: Vec<_>| {
                    keys.sort_unstable();
                    keys
                };
                assert_eq!(sorted(keyed(&merged)), sorted(keyed(&once)), "{outputs}");
            }
        }
    }

    #[test]
    fn rows_that_occur_any_number_of_times_are_copies_if_their_labels_agree() {
        let once = sample(200, u64::MAX, 2);
        // Oversampled, joined, and drawn with replacement.
        for copied in [
            times(&once, |row| if once.label(row) == Some(1) { 3 } else { 1 }),
            times(&once, |row| 1 + usize::from(row % 4 == 0)),
            times(&once, |row| mix(row as u64) as usize % 4),
        ] {
            let merged = Copies::find(&copied).unwrap().merged(&copied).unwrap();
            assert_eq!(Copies::find(&merged), None);
            let total = merged.weights().unwrap().iter().sum::<f64>();
            assert!((total - copied.n_rows() as f64).abs() < 1e-9);
        }
    }

    #[test]
    fn few_copies_change_nothing() {
        let once = sample(200, u64::MAX, 3);
        assert_eq!(Copies::find(&times(&once, |row| 1 + usize::from(row % 20 == 0))), None);
        assert_eq!(Copies::find(&times(&sample(19, u64::MAX, 3), |_| 4)), None);
    }

    #[test]
    fn a_black_box_with_few_outputs_has_no_copies() {
        for outputs in [2, 8, 30, 100, 300] {
            for seed in 0..30 {
                assert_eq!(Copies::find(&sample(400, outputs, seed)), None, "{outputs} outputs, seed {seed}");
            }
        }
    }

    #[test]
    fn one_hot_rows_and_votes_have_no_copies() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for (votes, right) in [(1, 0.7), (1, 0.99), (5, 0.7), (20, 0.8), (20, 0.99)] {
            let (mut values, mut labels) = (Vec::new(), Vec::new());
            for _ in 0..600 {
                let label = rng.random_range(0..4);
                let mut counts = [0.5; 4];
                for _ in 0..votes {
                    let vote = if rng.random::<f64>() < right { label } else { rng.random_range(0..4) };
                    counts[vote] += 1.0;
                }
                values.extend(counts.map(|count| count / (f64::from(votes) + 2.0)));
                labels.push(Some(label));
            }
            let sample = Sample::new(Probabilities::new(values, 4).unwrap(), labels).unwrap();
            assert_eq!(Copies::find(&sample), None, "{votes} votes, {right} right");
        }
    }

    #[test]
    fn unlabelled_copies_are_merged_too_and_rows_without_weight_stay() {
        let once = sample(100, u64::MAX, 5);
        let twice = times(&once, |_| 2);
        let labels: Vec<Option<usize>> = (0..200).map(|row| twice.label(row).filter(|_| row >= 20)).collect();
        let weights = (0..200).map(|row| if (20..40).contains(&row) { 0.0 } else { 2.0 }).collect();
        let partly = twice.labels(labels).unwrap().with_weights(weights).unwrap();
        let merged = Copies::find(&partly).unwrap().merged(&partly).unwrap();
        assert_eq!((merged.n_labelled(), merged.n_unlabelled(), merged.n_rows()), (80, 10, 110));
        assert_eq!(merged.weights().unwrap().iter().sum::<f64>(), 360.0);
    }
}
