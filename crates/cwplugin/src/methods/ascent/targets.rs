//! What a row counts for: its label and weight.

use std::ops::{AddAssign, SubAssign};

/// What is counted: whole numbers, so that a row that is taken away leaves nothing behind, and no order matters.
pub(crate) trait Sum: Copy + Default + PartialEq + AddAssign + SubAssign + Send + Sync {}

impl Sum for i64 {}
impl Sum for i128 {}
impl Sum for f64 {} // whole numbers below 2^53

/// What rows that leave a rival for a class bring: all in all, and of their weight the part of either class.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moving<S> {
    pub(crate) total: S,
    pub(crate) of_class: S,
    pub(crate) of_rival: S,
}

impl<S: Sum> AddAssign for Moving<S> {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.of_class += other.of_class;
        self.of_rival += other.of_rival;
    }
}

/// Sums of [`Moving`] over a piece of the rows, as small as they can be.
pub(crate) trait Packed<S>: Copy + Default + AddAssign + Send {
    fn pack(moving: Moving<S>) -> Self;

    fn unpack(self) -> Moving<S>;
}

/// Three numbers of 21 bits: a piece has fewer rows.
impl Packed<i64> for u64 {
    #[inline(always)]
    fn pack(moving: Moving<i64>) -> Self {
        (moving.total | moving.of_class << 21 | moving.of_rival << 42).unsigned_abs()
    }

    fn unpack(self) -> Moving<i64> {
        let part = |shift: u32| (self >> shift & ((1 << 21) - 1)) as i64;
        Moving { total: part(0), of_class: part(21), of_rival: part(42) }
    }
}

impl Packed<i128> for Moving<i128> {
    #[inline(always)]
    fn pack(moving: Self) -> Self {
        moving
    }

    fn unpack(self) -> Self {
        self
    }
}

/// What a counted number stands for.
pub(crate) trait Units {
    type Sum: Sum;

    fn value(&self, sum: Self::Sum) -> f64;
}

/// Labels and weights as a loop over rows wants them.
pub(crate) trait Truth: Units + Sync {
    /// What rows that move bring, summed up over a piece of the rows.
    type Packed: Packed<Self::Sum>;

    /// What must be known of a row to count it: its label where that is all, else its number.
    fn tag(&self, row: usize) -> u32;

    fn label(&self, tag: u32) -> usize;

    fn weight(&self, tag: u32) -> Self::Sum;

    /// What the row brings if it moves from its rival to a class.
    #[inline(always)]
    fn moving(&self, tag: u32, class: usize, rival: usize) -> Moving<Self::Sum> {
        // The weight once: turning a double into a whole number of 128 bits takes longer than all else.
        let (label, total) = (self.label(tag), self.weight(tag));
        let part = |is_right: bool| if is_right { total } else { Self::Sum::default() };
        Moving { total, of_class: part(label == class), of_rival: part(label == rival) }
    }
}

/// A label per row; every row weighs 1.
pub(super) struct Ones<'a>(pub(super) &'a [u32]);

impl Units for Ones<'_> {
    type Sum = i64;

    #[inline(always)]
    fn value(&self, sum: i64) -> f64 {
        sum as f64
    }
}

impl Truth for Ones<'_> {
    type Packed = u64;

    #[inline(always)]
    fn tag(&self, row: usize) -> u32 {
        self.0[row]
    }

    #[inline(always)]
    fn label(&self, tag: u32) -> usize {
        tag as usize
    }

    #[inline(always)]
    fn weight(&self, _tag: u32) -> i64 {
        1
    }
}

/// A label and a weight per row.
pub(super) struct Weighed<'a> {
    pub(super) labels: &'a [u32],
    pub(super) weights: &'a [f64],
    pub(super) unit: Unit,
}

impl Units for Weighed<'_> {
    type Sum = i128;

    #[inline(always)]
    fn value(&self, sum: i128) -> f64 {
        self.unit.value(sum)
    }
}

impl Truth for Weighed<'_> {
    type Packed = Moving<i128>;

    #[inline(always)]
    fn tag(&self, row: usize) -> u32 {
        row as u32
    }

    #[inline(always)]
    fn label(&self, tag: u32) -> usize {
        self.labels[tag as usize] as usize
    }

    #[inline(always)]
    fn weight(&self, tag: u32) -> i128 {
        self.unit.count(self.weights[tag as usize])
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
