//! Approximately logarithmic buckets of positive numbers.

use std::ops::RangeInclusive;

/// Distance to the end of a bucket, in units in the last place, within which a quotient in single precision is not trusted:
/// five roundings move it by at most 5.
const NEAR: u32 = 6;

/// In this range a single has its full precision, also after a division.
const SAFE: RangeInclusive<f32> = 1e-30..=1e30;

/// Buckets of equal width between consecutive powers of two: the leading bits of a double are its bucket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogBuckets {
    /// Number of trailing bits that are ignored.
    shift: u32,
    /// The leading bits of the numbers in bucket 0.
    first: i64,
    pub(crate) len: usize,
}

impl LogBuckets {
    /// Two buckets: below 1, and 1 or above.
    pub(crate) const HALVES: Self = Self { shift: 63, first: -1, len: 2 };

    /// `len` buckets, half of them below 1, with `2^digits` buckets per power of two.
    pub(crate) fn around_one(digits: u32, len: usize) -> Self {
        let one = Self::from(digits, 1.0);
        Self { first: one.first - len as i64 / 2, len, ..one }
    }

    /// Buckets from the one that starts at `low` to the one that starts at `high`.
    pub(crate) fn between(digits: u32, low: f64, high: f64) -> Self {
        let buckets = Self::from(digits, low);
        Self { len: buckets.position(high).unsigned_abs() as usize + 1, ..buckets }
    }

    fn from(digits: u32, low: f64) -> Self {
        let shift = 52 - digits;
        Self { shift, first: (low.to_bits() >> shift) as i64, len: 0 }
    }

    /// The bucket of a positive number; negative or at least `len` if the number is out of range.
    #[inline(always)]
    pub(crate) fn position(self, number: f64) -> i64 {
        (number.to_bits() >> self.shift) as i64 - self.first
    }

    /// The bucket of a number, clamped to the outermost buckets; `len` for 0, infinity and NaN.
    ///
    /// The caller passes the side of 1, because rounding may hide it.
    #[inline(always)]
    pub(crate) fn place(self, number: f64, is_below_one: bool) -> u16 {
        let half = self.len as i64 / 2;
        let least = if is_below_one { 0 } else { half };
        let place = self.position(number).max(least).min(least + half - 1);
        (if number > 0.0 && number < f64::INFINITY { place } else { self.len as i64 }).unsigned_abs() as u16
    }

    /// [`Self::place`] of `number / (factor · weight)` in single precision, with a factor of at most 1, and whether it is certain
    /// to be that in double precision of numbers that round to these. If not, the quotient is too close to the end of a
    /// bucket, or the numbers are too large or too small.
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // a lazy one is a branch
    pub(crate) fn quick_place(
        self,
        number: f32,
        factor: f32,
        weight: f32,
        is_below_one: bool,
    ) -> (u32, bool) {
        let divisor = factor * weight;
        let digits = 52 - self.shift;
        let (shift, half) = (23 - digits, self.len as i32 / 2);
        let first = self.first as i32 - ((1023 - 127) << digits);
        let bits = (number / divisor).to_bits();
        let least = if is_below_one { 0 } else { half };
        let place = ((bits >> shift) as i32 - first).max(least).min(least + half - 1);
        let beyond = (bits + NEAR) & ((1 << shift) - 1);
        let is_safe = SAFE.contains(&number) & SAFE.contains(&factor) & SAFE.contains(&divisor);
        (place.unsigned_abs(), is_safe & (beyond > 2 * NEAR))
    }

    /// The upper end of a bucket, where the next one starts.
    pub(crate) fn end(self, bucket: usize) -> f64 {
        f64::from_bits(((self.first + bucket as i64 + 1) << self.shift).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_quick(number: f64, b: f64, weight: f64) {
        for digits in 0..=5 {
            let buckets = LogBuckets::around_one(digits, 16 << digits);
            let quotient = number / (b * weight);
            for is_below_one in [false, true] {
                let (place, is_certain) =
                    buckets.quick_place(number as f32, b as f32, weight as f32, is_below_one);
                let expected = u32::from(buckets.place(quotient, is_below_one));
                assert!(
                    !is_certain || place == expected,
                    "{number} {b} {weight} {digits}: {place} {expected}"
                );
            }
        }
    }

    #[test]
    fn a_quick_place_of_extreme_numbers_is_the_exact_one_or_uncertain() {
        let numbers =
            [0.0, 5e-324, 1e-310, 1e-45, 1e-38, 1e-30, 1e-29, 1e-16, 1e-9, 0.3, 1.0, 1e9, 1e29, 1e39, 1e300];
        for number in numbers {
            for b in numbers.into_iter().filter(|b| *b <= 1.0) {
                for weight in numbers {
                    check_quick(number, b, weight);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_quick_place_is_the_exact_one_or_uncertain(
            b in prop_oneof![1e-9..1.0_f64, (-40.0..0.0_f64).prop_map(|x| 10.0_f64.powf(x))],
            weight in (-9.0..9.0_f64).prop_map(f64::exp),
            quotient in prop_oneof![
                (-70.0..70.0_f64).prop_map(f64::exp2),
                (0..64_u32, -10..10_i32).prop_map(|(step, power)| (1.0 + f64::from(step) / 64.0) * f64::from(power).exp2()),
            ],
            nudge in -1e-6..1e-6_f64,
            digits in 0..9_i32,
        ) {
            check_quick(b * weight * quotient * (1.0 + nudge * 10.0_f64.powi(-digits)), b, weight);
        }
    }

    #[test]
    fn a_bucket_ends_where_the_next_starts() {
        for digits in 0..=5 {
            let buckets = LogBuckets::around_one(digits, 16 << digits);
            assert_eq!(buckets.end(buckets.len / 2 - 1), 1.0);
            for bucket in 0..buckets.len - 1 {
                let (below, at) = (buckets.end(bucket).next_down(), buckets.end(bucket));
                let place = |number: f64| usize::from(buckets.place(number, number < 1.0));
                assert_eq!((place(below), place(at)), (bucket, bucket + 1), "{digits}");
            }
        }
    }

    #[test]
    fn the_caller_decides_the_side_of_one() {
        for buckets in [LogBuckets::HALVES, LogBuckets::around_one(2, 32)] {
            let half = buckets.len as u16 / 2;
            assert_eq!((buckets.place(1.0, true), buckets.place(1.0, false)), (half - 1, half));
            assert_eq!((buckets.place(1e-99, true), buckets.place(1e99, false)), (0, 2 * half - 1));
            for none in [0.0, f64::INFINITY, f64::NAN] {
                assert_eq!(buckets.place(none, false), 2 * half);
            }
        }
    }
}
