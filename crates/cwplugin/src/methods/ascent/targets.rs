//! Label and weight of a row, in integers.

use std::ops::{AddAssign, SubAssign};

/// A sum of integers: subtraction is exact and the order does not matter.
pub(crate) trait Sum: Copy + Default + PartialEq + AddAssign + SubAssign + Send + Sync {}

impl Sum for i64 {}
impl Sum for i128 {}
impl Sum for f64 {} // whole numbers below 2^53

/// The weight of rows that move to a class: in total, and the parts whose label is that class or the class they leave.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moving<S> {
    pub(crate) total: S,
    pub(crate) of_class: S,
    pub(crate) of_competitor: S,
}

impl<S: Sum> AddAssign for Moving<S> {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.of_class += other.of_class;
        self.of_competitor += other.of_competitor;
    }
}

/// Sums of [`Moving`] over a piece of the rows, in compact form.
pub(crate) trait Packed<S>: Copy + Default + AddAssign + Send {
    fn pack(moving: Moving<S>) -> Self;

    fn unpack(self) -> Moving<S>;
}

/// Three fields of 21 bits; a piece has fewer than 2^21 rows.
impl Packed<i64> for u64 {
    #[inline(always)]
    fn pack(moving: Moving<i64>) -> Self {
        (moving.total | moving.of_class << 21 | moving.of_competitor << 42).unsigned_abs()
    }

    fn unpack(self) -> Moving<i64> {
        let part = |shift: u32| (self >> shift & ((1 << 21) - 1)) as i64;
        Moving { total: part(0), of_class: part(21), of_competitor: part(42) }
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

/// Converts a sum to a double.
pub(crate) trait Units {
    type Sum: Sum;

    fn value(&self, sum: Self::Sum) -> f64;
}

/// Labels and weights in the form that loops over rows need.
pub(crate) trait Truth: Units + Sync {
    /// Compact sum of [`Moving`] over a piece of the rows.
    type Packed: Packed<Self::Sum>;

    /// Identifies a row for counting: its label if all weights are 1, else its index.
    fn tag(&self, row: usize) -> u32;

    /// The tags of consecutive rows.
    fn tags(&self, first_row: usize, tags: &mut [u32]);

    fn label(&self, tag: u32) -> usize;

    fn weight(&self, tag: u32) -> Self::Sum;

    /// The contribution of a row that moves from its competing class to `class`.
    #[inline(always)]
    fn moving(&self, tag: u32, class: usize, competitor: usize) -> Moving<Self::Sum> {
        // Reads the weight once: converting a double to 128 bits dominates the cost.
        let (label, total) = (self.label(tag), self.weight(tag));
        let part = |is_right: bool| if is_right { total } else { Self::Sum::default() };
        Moving { total, of_class: part(label == class), of_competitor: part(label == competitor) }
    }
}

/// One label per row, all weights 1.
pub(super) struct UnitWeights<'a>(pub(super) &'a [u32]);

impl Units for UnitWeights<'_> {
    type Sum = i64;

    #[inline(always)]
    fn value(&self, sum: i64) -> f64 {
        sum as f64
    }
}

impl Truth for UnitWeights<'_> {
    type Packed = u64;

    #[inline(always)]
    fn tag(&self, row: usize) -> u32 {
        self.0[row]
    }

    #[inline(always)]
    fn tags(&self, first_row: usize, tags: &mut [u32]) {
        tags.copy_from_slice(&self.0[first_row..first_row + tags.len()]);
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

/// One label and one weight per row.
pub(super) struct RowWeights<'a> {
    pub(super) labels: &'a [u32],
    pub(super) weights: &'a [f64],
    pub(super) unit: Unit,
}

impl Units for RowWeights<'_> {
    type Sum = i128;

    #[inline(always)]
    fn value(&self, sum: i128) -> f64 {
        self.unit.value(sum)
    }
}

impl Truth for RowWeights<'_> {
    type Packed = Moving<i128>;

    #[inline(always)]
    fn tag(&self, row: usize) -> u32 {
        row as u32
    }

    #[inline(always)]
    fn tags(&self, first_row: usize, tags: &mut [u32]) {
        for (tag, row) in tags.iter_mut().zip(first_row..) {
            *tag = row as u32;
        }
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

/// A power of two of which all weights are multiples, up to the precision of a double sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    per_one: f64,
    one: f64,
}

impl Unit {
    /// The unit for a sum of non-negative numbers.
    pub(super) fn of(numbers: &[f64]) -> Self {
        let sum: f64 = numbers.iter().sum();
        // Sums stay below 2^121: 53 bits for a double, and 68 bits for the range of the numbers.
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
