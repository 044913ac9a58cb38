//! Cuts by size.

/// Buckets reach from 2^−8 to 2^8 times the present weight, the outermost ones further: beyond are the rows of which
/// the black box is sure.
const OCTAVES: usize = 16;

/// At most 2^5 buckets for each doubling: with more, their counters leave the cache and cost more than they save.
const DIGITS: u32 = 5;

/// Cuts by size, in about even steps of their logarithm; one boundary is the present weight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Buckets {
    /// Of a cut's bits, the last so many do not matter.
    shift: u32,
    pub(crate) len: usize,
}

impl Buckets {
    /// Two: below the present weight, and the others.
    pub(super) const TWO: Self = Self { shift: 63, len: 2 };

    /// As many as pay, if each counter is to stand for so many rows; `None` if none do.
    pub(super) fn new(n_rows: usize, n_classes: usize, rows_each: usize) -> Option<Self> {
        let pays = |digits: &u32| (OCTAVES * n_classes * rows_each) << digits <= n_rows;
        (0..=DIGITS).rev().find(pays).map(Self::with_digits)
    }

    /// `2^digits` buckets for each doubling.
    pub(super) fn with_digits(digits: u32) -> Self {
        Self::around_one(digits, OCTAVES << digits)
    }

    /// So many buckets around the present weight, `2^digits` of them for each doubling.
    pub(crate) fn around_one(digits: u32, len: usize) -> Self {
        Self { shift: 52 - digits, len }
    }

    #[inline(always)]
    pub(super) fn of(self, key: u64) -> usize {
        let half = self.len / 2;
        let one = 1.0_f64.to_bits() >> self.shift;
        let place = ((key >> 1 >> self.shift) + half as u64).saturating_sub(one) as usize;
        if key & 1 == 0 { place.min(half - 1) } else { place.clamp(half, self.len - 1) }
    }

    /// The bucket of a cut, `is_below` the present weight or not; `len` for what is none: 0, infinity, not a number.
    #[inline(always)]
    pub(crate) fn place(self, cut: f64, is_below: bool) -> u16 {
        let half = self.len as i64 / 2;
        let one = (1.0_f64.to_bits() >> self.shift) as i64;
        let place = (cut.to_bits() >> self.shift) as i64 - one + half;
        let least = if is_below { 0 } else { half };
        let place = place.max(least).min(least + half - 1);
        (if cut > 0.0 && cut < f64::INFINITY { place } else { self.len as i64 }).unsigned_abs() as u16
    }

    /// The cut that is between a bucket and the next.
    pub(crate) fn end(self, bucket: usize) -> f64 {
        let one = 1.0_f64.to_bits() >> self.shift;
        f64::from_bits((one + bucket as u64 + 1 - self.len as u64 / 2) << self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_ends_where_the_next_begins() {
        for digits in 0..=DIGITS {
            let buckets = Buckets::with_digits(digits);
            assert_eq!(buckets.end(buckets.len / 2 - 1), 1.0);
            for bucket in 0..buckets.len - 1 {
                let (below, at) = (buckets.end(bucket).next_down(), buckets.end(bucket));
                let key = |cut: f64| cut.to_bits() << 1 | u64::from(cut >= 1.0);
                assert_eq!(usize::from(buckets.place(below, below < 1.0)), bucket);
                assert_eq!((buckets.of(key(below)), buckets.of(key(at))), (bucket, bucket + 1), "{digits}");
            }
        }
    }
}
