//! What a row counts for: its label and weight, or a share of every class.

use std::ops::{AddAssign, SubAssign};

/// What is known of the rows; every row of it counts for something.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Targets<'a> {
    /// One class per row, with a weight if there are weights.
    Labels { labels: &'a [u32], weights: Option<&'a [f64]> },
    /// For each row what it counts for each class: n × m numbers, none negative.
    Soft(&'a [f64]),
}

/// What is counted: whole numbers, so that a row that is taken away leaves nothing behind, and no order matters.
pub(super) trait Sum: Copy + Default + PartialEq + AddAssign + SubAssign + Send + Sync {}

impl Sum for i64 {}
impl Sum for i128 {}

/// What rows that leave a rival for a class bring: all in all, and of their weight the part of either class.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moving<S> {
    pub(super) total: S,
    pub(super) of_class: S,
    pub(super) of_rival: S,
}

impl<S: Sum> AddAssign for Moving<S> {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.of_class += other.of_class;
        self.of_rival += other.of_rival;
    }
}

/// Targets as a loop over rows wants them.
pub(super) trait Truth: Sync {
    type Sum: Sum;

    /// What rows that leave a rival for a class bring, summed up over a piece of the rows.
    type Packed: Copy + Default + AddAssign + Send;

    fn pack(&self, tag: u32, class: usize, rival: usize) -> Self::Packed;

    fn unpack(packed: Self::Packed) -> Moving<Self::Sum>;

    /// What must be known of a row to count it: its label where that is all, else its number.
    fn tag(&self, row: usize) -> u32;

    fn total(&self, tag: u32) -> Self::Sum;

    /// What the row counts for one class.
    fn of(&self, tag: u32, class: usize) -> Self::Sum;

    /// Every class that the row counts for.
    fn each(&self, tag: u32, count: impl FnMut(usize, Self::Sum));

    fn value(&self, sum: Self::Sum) -> f64;
}

/// A label per row; every row weighs 1.
pub(super) struct Ones<'a>(pub(super) &'a [u32]);

impl Truth for Ones<'_> {
    type Sum = i64;

    /// Three numbers of 21 bits: a piece has fewer rows.
    type Packed = u64;

    #[inline(always)]
    fn pack(&self, tag: u32, class: usize, rival: usize) -> u64 {
        1 | u64::from(tag as usize == class) << 21 | u64::from(tag as usize == rival) << 42
    }

    fn unpack(packed: u64) -> Moving<i64> {
        let part = |shift: u32| (packed >> shift & ((1 << 21) - 1)) as i64;
        Moving { total: part(0), of_class: part(21), of_rival: part(42) }
    }

    #[inline(always)]
    fn tag(&self, row: usize) -> u32 {
        self.0[row]
    }

    #[inline(always)]
    fn total(&self, _tag: u32) -> i64 {
        1
    }

    #[inline(always)]
    fn of(&self, tag: u32, class: usize) -> i64 {
        i64::from(tag as usize == class)
    }

    #[inline(always)]
    fn each(&self, tag: u32, mut count: impl FnMut(usize, i64)) {
        count(tag as usize, 1);
    }

    #[inline(always)]
    fn value(&self, sum: i64) -> f64 {
        sum as f64
    }
}

/// A label and a weight per row.
pub(super) struct Weighed<'a> {
    pub(super) labels: &'a [u32],
    pub(super) weights: &'a [f64],
    pub(super) unit: Unit,
}

impl Truth for Weighed<'_> {
    type Sum = i128;

    type Packed = Moving<i128>;

    fn pack(&self, tag: u32, class: usize, rival: usize) -> Moving<i128> {
        Moving { total: self.total(tag), of_class: self.of(tag, class), of_rival: self.of(tag, rival) }
    }

    fn unpack(packed: Moving<i128>) -> Moving<i128> {
        packed
    }

    #[inline(always)]
    fn tag(&self, row: usize) -> u32 {
        row as u32
    }

    #[inline(always)]
    fn total(&self, tag: u32) -> i128 {
        self.unit.count(self.weights[tag as usize])
    }

    #[inline(always)]
    fn of(&self, tag: u32, class: usize) -> i128 {
        if self.labels[tag as usize] as usize == class { self.total(tag) } else { 0 }
    }

    #[inline(always)]
    fn each(&self, tag: u32, mut count: impl FnMut(usize, i128)) {
        count(self.labels[tag as usize] as usize, self.total(tag));
    }

    #[inline(always)]
    fn value(&self, sum: i128) -> f64 {
        self.unit.value(sum)
    }
}

/// A number per row and class.
pub(super) struct Shares<'a> {
    pub(super) targets: &'a [f64],
    pub(super) n_classes: usize,
    pub(super) unit: Unit,
}

impl Shares<'_> {
    fn row(&self, tag: u32) -> &[f64] {
        &self.targets[tag as usize * self.n_classes..][..self.n_classes]
    }
}

impl Truth for Shares<'_> {
    type Sum = i128;

    type Packed = Moving<i128>;

    fn pack(&self, tag: u32, class: usize, rival: usize) -> Moving<i128> {
        Moving { total: self.total(tag), of_class: self.of(tag, class), of_rival: self.of(tag, rival) }
    }

    fn unpack(packed: Moving<i128>) -> Moving<i128> {
        packed
    }

    #[inline(always)]
    fn tag(&self, row: usize) -> u32 {
        row as u32
    }

    #[inline(always)]
    fn total(&self, tag: u32) -> i128 {
        // The sum of the parts, not the parts' sum: what has left a class must be all that was in it.
        self.row(tag).iter().map(|&share| self.unit.count(share)).sum()
    }

    #[inline(always)]
    fn of(&self, tag: u32, class: usize) -> i128 {
        self.unit.count(self.row(tag)[class])
    }

    #[inline(always)]
    fn each(&self, tag: u32, mut count: impl FnMut(usize, i128)) {
        for (class, &share) in self.row(tag).iter().enumerate() {
            count(class, self.unit.count(share));
        }
    }

    #[inline(always)]
    fn value(&self, sum: i128) -> f64 {
        self.unit.value(sum)
    }
}

/// A power of two of which all weights are multiples, up to what a double could not tell in their sum anyway.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    per_one: f64,
    one: f64,
}

impl Unit {
    /// The unit of numbers, none negative, that are summed.
    pub(super) fn of(numbers: &[f64]) -> Self {
        let sum: f64 = numbers.iter().sum();
        // Sums stay below 2^121: room for a double of 53 digits, and 68 digits for how far the numbers are apart.
        let exponent = if sum > 0.0 { sum.log2().ceil() as i32 - 120 } else { 0 };
        Self { per_one: 2.0_f64.powi(-exponent), one: 2.0_f64.powi(exponent) }
    }

    #[inline(always)]
    fn count(self, number: f64) -> i128 {
        (number * self.per_one) as i128
    }

    #[inline(always)]
    fn value(self, sum: i128) -> f64 {
        sum as f64 * self.one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_whole_multiples_of_their_unit() {
        for numbers in [vec![0.1, 0.2, 0.3], vec![1e-100; 3], vec![1e100, 1.0, 1e90], vec![0.0]] {
            let unit = Unit::of(&numbers);
            for &number in &numbers {
                let counted = unit.value(unit.count(number));
                assert!((counted - number).abs() <= 1e-20 * numbers.iter().sum::<f64>(), "{number}");
            }
            let sum: i128 = numbers.iter().map(|&number| unit.count(number)).sum();
            assert!(sum < 1 << 121);
        }
    }
}
