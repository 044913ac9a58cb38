//! The line of odds in narrow pieces: equal steps between powers of two.

use std::ops::Range;

use crate::data::Sample;
use crate::data::probabilities::with_values;
use crate::numeric::tally::Tally;
use crate::numeric::{kernel, parallel};
use crate::plugin::count_cuts::Pass;
use crate::plugin::count_cuts::{CountCuts, Locate};
use crate::plugin::cuts::Ratio;

/// Odds beyond these powers of two are not told apart.
const LAST_POWER: i32 = 64;

/// Buckets of all classes together: they should fit a cache.
const MOST: usize = 1 << 20;

/// The odds of smaller probabilities are not computed in single precision.
const SMALLEST_SINGLE: f32 = 1e-30;

/// Odds of single precision that are so near to the end of a bucket, in units of their last place, may be in either: three
/// roundings move them by no more than 4.
const NEAR: u32 = 6;

/// The pieces: 0 for odds of 0, then increasing, the last for rows that never move.
pub(crate) struct Buckets {
    /// Steps between two powers of two, as a power of two.
    bits: u32,
}

impl Buckets {
    /// Of rows that every weight moves.
    pub(super) const ZERO: usize = 0;

    pub(super) fn new(m: usize) -> Self {
        let steps = MOST / (m * 2 * LAST_POWER as usize);
        Self { bits: steps.max(4).ilog2().min(6) }
    }

    pub(super) fn len(&self) -> usize {
        self.places()
    }

    /// The bucket of odds: a few bits of the number, once it is in bounds.
    ///
    /// One power of two beyond the bounds on either side are odds of 0 and of never.
    #[inline(always)]
    pub(super) fn of(&self, odds: f64) -> u64 {
        const LOW: f64 = power_of_two(-LAST_POWER);
        const HIGH: f64 = power_of_two(LAST_POWER);
        let bounded = if odds < LOW { LOW } else { odds };
        let bounded = if bounded > HIGH { HIGH } else { bounded };
        let bounded = if odds <= 0.0 { LOW / 2.0 } else { bounded };
        let bounded = if odds == f64::INFINITY { HIGH * 2.0 } else { bounded };
        self.step(bounded) - self.step(LOW / 2.0)
    }

    #[inline(always)]
    fn step(&self, odds: f64) -> u64 {
        odds.to_bits() >> (52 - self.bits)
    }

    /// How many rows of a sample move where: for each class, side and bucket.
    pub(super) fn count(&self, sample: &Sample, reference: usize) -> Vec<u64> {
        let m = sample.n_classes();
        let empty = || Tally::new(m * 2 * self.len(), false);
        let count = |tally: &mut Tally, rows: Range<usize>| {
            let labels = &sample.label_indices()[rows.clone()];
            with_values!(sample.probabilities(), values => {
                let values = &values[rows.start * m..rows.end * m];
                let pass = Pass { locate: self, m, reference, values, labels };
                kernel::run(CountCuts { pass, counter: tally.ones() });
            });
        };
        let mut tally = parallel::count(sample.n_rows(), parallel::PIECE, empty, count, Tally::merged);
        let nowhere = reference * 2 * self.len();
        tally.clear(nowhere..nowhere + 2 * self.len());
        (0..tally.places()).map(|place| tally.rows(place)).collect()
    }

    /// Rows of class and reference in each bucket in which rows move.
    pub(super) fn of_class(&self, counts: &[u64], class: usize) -> Vec<[u64; 2]> {
        let [class_rows, reference_rows] =
            [0, 1].map(|side| &counts[(class * 2 + side) * self.len()..][..self.len() - 1]);
        class_rows.iter().zip(reference_rows).map(|(&a, &b)| [a, b]).collect()
    }
}

#[allow(clippy::cast_sign_loss)] // above −1023
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

impl Locate for Buckets {
    fn places(&self) -> usize {
        self.of(f64::INFINITY) as usize + 1
    }

    fn place(&self, b_class: f64, b_reference: f64) -> usize {
        self.of(Ratio.odds(b_class, b_reference)) as usize
    }

    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // a lazy one is a branch
    fn quick_place(&self, b_class: f32, b_reference: f32, base: u32) -> u32 {
        const LOW: f32 = power_of_two(-LAST_POWER) as f32;
        const HIGH: f32 = power_of_two(LAST_POWER) as f32;
        let odds = b_reference / b_class;
        let shift = 23 - self.bits;
        let beyond = (odds.to_bits() + NEAR) & ((1 << shift) - 1);
        let is_far = (beyond > 2 * NEAR) & (b_class >= SMALLEST_SINGLE) & (b_reference >= SMALLEST_SINGLE);
        let bounded = if odds < LOW { LOW } else { odds };
        let bounded = if bounded > HIGH { HIGH } else { bounded };
        let bucket = (bounded.to_bits() >> shift) - ((LOW / 2.0).to_bits() >> shift);
        if is_far { base + bucket } else { Self::NEAR }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(b_class: f64, b_reference: f64) {
        for m in [2, 10, 1000, 100_000] {
            let buckets = Buckets::new(m);
            let expected = 7 + buckets.place(b_class, b_reference) as u32;
            let quick = buckets.quick_place(b_class as f32, b_reference as f32, 7);
            assert!(quick == Buckets::NEAR || quick == expected, "{b_class} {b_reference} {m}: {quick}");
        }
    }

    #[test]
    fn the_smallest_numbers_have_the_bucket_of_double_precision() {
        let numbers = [0.0, 5e-324, 1e-310, 1e-100, 1e-46, 1e-44, 1e-38, 1e-30, 1e-25, 1e-19, 1e-9, 0.3, 1.0];
        for a in numbers {
            for b in numbers {
                check(a, b);
            }
        }
    }

    proptest! {
        #[test]
        fn every_row_has_the_bucket_of_double_precision(
            b_class in 0.0..1.0_f64,
            b_reference in prop_oneof![0.0..1.0_f64, (-60.0..0.0_f64).prop_map(|x| 10.0_f64.powf(x))],
        ) {
            check(b_class, b_reference);
        }

        #[test]
        fn rows_at_the_end_of_a_bucket_have_that_of_double_precision(
            b_class in 1e-9..1.0_f64,
            step in 0..64_u32,
            power in -70..70_i32,
            nudge in -1e-6..1e-6_f64,
            digits in 0..9_i32,
        ) {
            let odds = (1.0 + f64::from(step) / 64.0) * f64::from(power).exp2();
            check(b_class, b_class * odds * (1.0 + nudge * 10.0_f64.powi(-digits)));
        }
    }

    #[test]
    fn larger_odds_are_in_no_smaller_bucket() {
        for m in [2, 10, 100, 1000, 100_000] {
            let buckets = Buckets::new(m);
            let odds = [
                0.0,
                1e-100,
                1e-30,
                1e-19,
                0.1,
                0.5,
                0.999,
                1.0,
                1.001,
                2.0,
                1e5,
                1e19,
                1e30,
                1e129,
                f64::INFINITY,
            ];
            let found: Vec<u64> = odds.iter().map(|&odds| buckets.of(odds)).collect();
            assert!(found.is_sorted(), "{found:?}");
            assert_eq!((found[0], found[14] as usize), (0, buckets.len() - 1));
            assert!(found[13] < found[14] && found[1] > 0 && found[4] < found[5] && found[8] < found[9]);
        }
    }
}
