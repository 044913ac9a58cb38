//! Narrow buckets of odds: equal steps between powers of two.

use crate::numeric::buckets::LogBuckets;
use crate::plugin::count_cuts::Locate;
use crate::plugin::cuts::Ratio;

/// Odds beyond 2^±64 share one bucket.
const LAST_POWER: i32 = 64;

/// Largest number of buckets of all classes together, so that they fit a cache.
const MOST: usize = 1 << 20;

/// Below this probability the odds are not computed in single precision.
const SMALLEST_SINGLE: f32 = 1e-30;

/// Distance to the end of a bucket, in units in the last place, within which single-precision odds are not trusted: three
/// roundings move them by at most 4.
const NEAR: u32 = 6;

/// Buckets of odds: bucket 0 holds odds of 0, then increasing; the last holds rows that never move.
pub(crate) struct Buckets {
    /// Binary logarithm of the number of steps between two powers of two.
    digits: u32,
    buckets: LogBuckets,
}

const LOW: f64 = power_of_two(-LAST_POWER);
const HIGH: f64 = power_of_two(LAST_POWER);

impl Buckets {
    /// The bucket of rows that every weight moves.
    pub(super) const ZERO: usize = 0;

    pub(super) fn new(m: usize) -> Self {
        let steps = MOST / (m * 2 * LAST_POWER as usize);
        let digits = steps.max(4).ilog2().min(6);
        // One power of two beyond each bound represents odds of 0 and rows that never move.
        Self { digits, buckets: LogBuckets::between(digits, LOW / 2.0, HIGH * 2.0) }
    }

    pub(super) fn len(&self) -> usize {
        self.buckets.len
    }

    /// The bucket of odds, after clamping.
    pub(super) fn of(&self, odds: f64) -> usize {
        let bounded = match odds {
            odds if odds <= 0.0 => LOW / 2.0,
            odds if odds == f64::INFINITY => HIGH * 2.0,
            odds => odds.clamp(LOW, HIGH),
        };
        self.buckets.position(bounded).unsigned_abs() as usize
    }

    /// Rows of class and reference in each bucket, without those that never move.
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
        self.len()
    }

    fn place(&self, b_class: f64, b_reference: f64) -> usize {
        self.of(Ratio.odds(b_class, b_reference))
    }

    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // a lazy one is a branch
    fn quick_place(&self, b_class: f32, b_reference: f32, base: u32) -> u32 {
        let (low, high) = (const { LOW as f32 }, const { HIGH as f32 });
        let odds = b_reference / b_class;
        let shift = 23 - self.digits;
        let beyond = (odds.to_bits() + NEAR) & ((1 << shift) - 1);
        let is_far = (beyond > 2 * NEAR) & (b_class >= SMALLEST_SINGLE) & (b_reference >= SMALLEST_SINGLE);
        let bounded = if odds < low { low } else { odds };
        let bounded = if bounded > high { high } else { bounded };
        let bucket = (bounded.to_bits() >> shift) - ((low / 2.0).to_bits() >> shift);
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
            let found: Vec<usize> = odds.iter().map(|&odds| buckets.of(odds)).collect();
            assert!(found.is_sorted(), "{found:?}");
            assert_eq!((found[0], found[14]), (0, buckets.len() - 1));
            assert!(found[13] < found[14] && found[1] > 0 && found[4] < found[5] && found[8] < found[9]);
        }
    }
}
