//! Approximately logarithmic buckets of positive numbers.

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

    /// The upper end of a bucket, where the next one starts.
    pub(crate) fn end(self, bucket: usize) -> f64 {
        f64::from_bits(((self.first + bucket as i64 + 1) << self.shift).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
