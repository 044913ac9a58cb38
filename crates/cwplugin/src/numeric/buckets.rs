//! Buckets of positive numbers, in about even steps of their logarithm.

/// Buckets of equal width between neighbouring powers of two: a bucket is the leading bits of a double.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogBuckets {
    /// The trailing bits of a double that do not matter.
    shift: u32,
    /// The leading bits of the numbers in bucket 0.
    first: i64,
    pub(crate) len: usize,
}

impl LogBuckets {
    /// Two buckets: below 1 and from 1 on.
    pub(crate) const HALVES: Self = Self { shift: 63, first: -1, len: 2 };

    /// So many buckets, half of them below 1, with `2^digits` for each doubling.
    pub(crate) fn around_one(digits: u32, len: usize) -> Self {
        let one = Self::from(digits, 1.0);
        Self { first: one.first - len as i64 / 2, len, ..one }
    }

    /// Buckets from the one that begins with `low` up to the one that begins with `high`.
    pub(crate) fn between(digits: u32, low: f64, high: f64) -> Self {
        let buckets = Self::from(digits, low);
        Self { len: buckets.position(high).unsigned_abs() as usize + 1, ..buckets }
    }

    fn from(digits: u32, low: f64) -> Self {
        let shift = 52 - digits;
        Self { shift, first: (low.to_bits() >> shift) as i64, len: 0 }
    }

    /// Which bucket a positive number is in; negative, or `len` and beyond, for one that is outside.
    #[inline(always)]
    pub(crate) fn position(self, number: f64) -> i64 {
        (number.to_bits() >> self.shift) as i64 - self.first
    }

    /// The bucket of a number around 1; the outermost ones hold everything beyond, too. Rounding may hide on which side of
    /// 1 a number is, so the caller says. `len` for what has no logarithm: 0, infinity, not a number.
    #[inline(always)]
    pub(crate) fn place(self, number: f64, is_below_one: bool) -> u16 {
        let half = self.len as i64 / 2;
        let least = if is_below_one { 0 } else { half };
        let place = self.position(number).max(least).min(least + half - 1);
        (if number > 0.0 && number < f64::INFINITY { place } else { self.len as i64 }).unsigned_abs() as u16
    }

    /// Where a bucket ends and the next begins.
    pub(crate) fn end(self, bucket: usize) -> f64 {
        f64::from_bits(((self.first + bucket as i64 + 1) << self.shift).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_ends_where_the_next_begins() {
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
    fn the_caller_says_on_which_side_of_one_a_number_is() {
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
