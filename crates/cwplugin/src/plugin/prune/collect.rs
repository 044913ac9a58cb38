//! One pass that counts all cuts in buckets and collects those of some buckets.

use std::ops::Range;

use super::buckets::Buckets;
use crate::data::Sample;
use crate::data::probabilities::{Real, with_values};
use crate::numeric::tally::Count;
use crate::numeric::{kernel, parallel};
use crate::plugin::count_cuts::{CountCuts, Pass};
use crate::plugin::cuts::{Cut as _, Place as _, Ratio};

/// Set in the counters of wanted buckets.
const WANTED: u64 = kernel::LISTED;

/// Cuts that are collected together: few enough for their rows to be still in the cache.
const LISTED: usize = 256;

/// Which rows a pass visits: the first `rows` of every `every`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    pub(super) rows: usize,
    pub(super) every: usize,
}

impl Share {
    pub(super) const ALL: Self = Self { rows: parallel::PIECE, every: parallel::PIECE };
}

/// The number of cuts and the cuts collected.
pub(super) struct Collected {
    /// Per class, side and bucket.
    pub(super) counts: Vec<u64>,
    /// The cuts of every class in wanted buckets, unsorted.
    pub(super) cuts: Vec<Vec<u64>>,
    /// The first `n_listed` are wanted cuts that are not collected yet: place and row.
    listed: Vec<[u32; 2]>,
    n_listed: usize,
}

/// Counts the cuts of these rows, and collects those whose bucket is wanted.
pub(super) fn collect(
    sample: &Sample,
    reference: usize,
    buckets: &Buckets,
    is_wanted: &[bool],
    share: Share,
) -> Collected {
    let (m, n) = (sample.n_classes(), sample.n_rows());
    let visit = |collected: &mut Collected, rows: Range<usize>| {
        let labels = &sample.label_indices()[rows.clone()];
        with_values!(sample.probabilities(), values => {
            let values = &values[rows.start * m..rows.end * m];
            let pass = Pass { locate: buckets, m, reference, values, labels };
            let rows = Rows { values, m, reference, buckets: buckets.len() as u32 };
            kernel::run(CountCuts { pass, counter: Counter { rows, collected } });
            collected.take_listed(rows);
        });
    };
    let mut collected = parallel::count(
        n.div_ceil(share.every),
        (parallel::PIECE / share.every).max(1),
        || Collected {
            counts: is_wanted.iter().map(|&is_wanted| if is_wanted { WANTED } else { 0 }).collect(),
            cuts: vec![Vec::new(); m],
            listed: Vec::new(),
            n_listed: 0,
        },
        |collected, blocks| {
            for first in blocks.map(|block| block * share.every) {
                visit(collected, first..(first + share.rows).min(n));
            }
        },
        |ours, theirs| {
            ours.counts.iter_mut().zip(&theirs.counts).for_each(|(ours, theirs)| *ours += theirs & !WANTED);
            ours.cuts.iter_mut().zip(&theirs.cuts).for_each(|(ours, theirs)| ours.extend(theirs));
        },
    );
    collected.counts.iter_mut().for_each(|count| *count &= !WANTED);
    // The reference has no pair with itself; its counters counted the rows without a pair.
    collected.counts[reference * 2 * buckets.len()..][..2 * buckets.len()].fill(0);
    collected
}

/// Counts cuts and collects the wanted ones. Nobody can predict which rows are wanted, so they are first listed without a
/// branch.
struct Counter<'a, T> {
    rows: Rows<'a, T>,
    collected: &'a mut Collected,
}

/// The rows of a pass.
#[derive(Clone, Copy)]
struct Rows<'a, T> {
    values: &'a [T],
    m: usize,
    reference: usize,
    /// Per class and side.
    buckets: u32,
}

impl Collected {
    /// Collects the cuts of the listed rows.
    #[inline(always)]
    fn take_listed<T: Real>(&mut self, rows: Rows<'_, T>) {
        for &[place, row] in &self.listed[..self.n_listed] {
            let pair = place / rows.buckets;
            let b = &rows.values[row as usize * rows.m..][..rows.m];
            let class = (pair / 2) as usize;
            let cut = Ratio.of(b[class].into(), b[rows.reference].into());
            self.cuts[class].push(u64::new(cut, (pair % 2).into(), 1.0));
        }
        self.n_listed = 0;
    }
}

impl<T: Real> Count for Counter<'_, T> {
    #[inline(always)]
    fn count(&mut self, place: usize, row: usize) {
        if !self.count_all(&[place as u32], |_| row) {
            self.collected.counts[place] += 1; // out of range: panics
        }
    }

    #[inline(always)]
    fn count_all(&mut self, places: &[u32], row: impl Fn(usize) -> usize) -> bool {
        let Collected { counts, listed, n_listed, .. } = &mut *self.collected;
        if listed.len() < *n_listed + places.len() {
            listed.resize(*n_listed + places.len() + LISTED, [0; 2]);
        }
        let Some(found) = kernel::count_and_list(counts, places, row, &mut listed[*n_listed..]) else {
            return false;
        };
        *n_listed += found;
        if *n_listed >= LISTED {
            self.collected.take_listed(self.rows);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::Probabilities;
    use crate::plugin::count_cuts::Locate as _;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))] // of up to 40,000 numbers

        #[test]
        fn one_pass_counts_and_collects_what_a_loop_over_the_rows_does(
            m in 2..40_usize,
            n in 1..1000_usize,
            seed in any::<u32>(),
            levels in prop_oneof![Just(3_u64), Just(1 << 20)],
            is_single in any::<bool>(),
            share in prop_oneof![Just(Share::ALL), Just(Share { rows: 40, every: 100 })],
            one_in in prop_oneof![Just(1_usize), Just(2), Just(50)],
        ) {
            let number = |i: usize| (i as u64 + u64::from(seed)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            let mut values: Vec<f64> = (0..n * m).map(|i| (number(i) % levels) as f64).collect();
            for row in values.chunks_exact_mut(m) {
                row[0] += 1.0;
                let sum: f64 = row.iter().sum();
                for value in row {
                    *value = f64::from((*value / sum) as f32);
                }
            }
            let labels: Vec<usize> = (0..n).map(|i| number(i * 7 + 3) as usize % (m + 1)).collect();
            let reference = seed as usize % m;
            let probabilities = if is_single {
                Probabilities::from_f32(values.iter().map(|&value| value as f32).collect(), m)
            } else {
                Probabilities::new(values.clone(), m)
            };
            let known = labels.iter().map(|&label| Some(label).filter(|&label| label < m)).collect();
            let sample = Sample::new(probabilities.unwrap(), known).unwrap();
            let buckets = Buckets::new(m);
            let of_class = 2 * buckets.len();
            let is_wanted: Vec<bool> =
                (0..m * of_class).map(|place| place / of_class != reference && place % one_in == 0).collect();

            let (mut counts, mut cuts) = (vec![0; m * of_class], vec![Vec::new(); m]);
            for (row, &label) in labels.iter().enumerate().filter(|(row, _)| row % share.every < share.rows) {
                let b = &values[row * m..][..m];
                for class in (0..m).filter(|&class| class != reference) {
                    if label == class || label == reference {
                        let side = usize::from(label == reference);
                        let place = class * of_class + side * buckets.len() + buckets.place(b[class], b[reference]);
                        counts[place] += 1;
                        if is_wanted[place] {
                            cuts[class].push(u64::new(Ratio.of(b[class], b[reference]), side as u64, 1.0));
                        }
                    }
                }
            }
            let mut found = collect(&sample, reference, &buckets, &is_wanted, share);
            for cuts in found.cuts.iter_mut().chain(&mut cuts) {
                cuts.sort_unstable();
            }
            prop_assert_eq!(found.counts, counts);
            prop_assert_eq!(found.cuts, cuts);
        }
    }
}
