//! Exact sums of doubles.

/// An exact sum of doubles, rounded only when read: any order and grouping gives the same bits.
///
/// Stored as parts whose bits do not overlap (Shewchuk, 1997). Sums of weights such as 1 or 0.5 need one part, of 0.1
/// two.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExactSum {
    top: f64,
    /// The part of the sum that `top` cannot represent, in increasing order.
    rest: Vec<f64>,
}

impl PartialEq for ExactSum {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl ExactSum {
    /// Adds a finite number.
    pub(crate) fn add(&mut self, number: f64) {
        let mut carried = number;
        if !self.rest.is_empty() {
            let mut kept = 0;
            for i in 0..self.rest.len() {
                let (sum, error) = two_sum(carried, self.rest[i]);
                carried = sum;
                if is_nonzero(error) {
                    self.rest[kept] = error;
                    kept += 1;
                }
            }
            self.rest.truncate(kept);
        }
        let (sum, error) = two_sum(carried, self.top);
        self.top = sum;
        if is_nonzero(error) {
            self.rest.push(error);
        }
    }

    /// Adds `count` times a number, without rounding the product.
    pub(crate) fn add_times(&mut self, count: u64, number: f64) {
        let count = count as f64; // below 2^53
        let product = count * number;
        self.add(product);
        self.add(count.mul_add(number, -product));
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        for &part in &other.rest {
            self.add(part);
        }
        self.add(other.top);
    }

    /// The sum of these numbers.
    pub(crate) fn of_parts(parts: Vec<f64>) -> Self {
        let mut sum = Self::default();
        for part in parts {
            sum.add(part);
        }
        sum
    }

    /// The sum of `count` ones.
    pub(crate) fn of_count(count: u64) -> Self {
        Self { top: count as f64, rest: Vec::new() }
    }

    /// The double nearest to the sum.
    pub(crate) fn value(&self) -> f64 {
        let mut parts = self.rest.iter().rev().copied();
        let (mut sum, mut error) = (self.top, 0.0);
        for part in parts.by_ref() {
            (sum, error) = two_sum(sum, part);
            if is_nonzero(error) {
                break;
            }
        }
        // Half-way between two doubles, the remaining parts decide the rounding.
        if let Some(next) = parts.next()
            && (error > 0.0) == (next > 0.0)
        {
            let doubled = error * 2.0;
            let up = sum + doubled;
            if !is_nonzero((up - sum) - doubled) {
                return up;
            }
        }
        sum
    }

    /// Doubles that add up exactly to the sum: the nearest double, then the one nearest to the remainder, and so on.
    ///
    /// Equal sums have equal parts.
    pub(crate) fn parts(&self) -> Vec<f64> {
        let (mut left, mut parts) = (self.clone(), Vec::new());
        loop {
            let nearest = left.value();
            if !is_nonzero(nearest) {
                return parts;
            }
            parts.push(nearest);
            left.add(-nearest);
        }
    }
}

/// The rounded sum of two numbers and its rounding error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_seen = sum - a;
    (sum, (a - (sum - b_seen)) + (b - b_seen))
}

/// Whether a number is neither 0 nor −0.
fn is_nonzero(x: f64) -> bool {
    x.abs() > 0.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum_of(numbers: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        for &x in numbers {
            sum.add(x);
        }
        sum
    }

    /// The sum of multiples of 2^-60, computed in integers without rounding.
    fn in_integers(numbers: &[f64]) -> f64 {
        let scale = 2.0_f64.powi(60);
        #[allow(clippy::cast_possible_truncation)]
        let sum: i128 = numbers.iter().map(|x| (x * scale) as i128).sum();
        sum as f64 / scale
    }

    #[test]
    fn ten_times_a_tenth_is_summed_exactly() {
        assert_eq!([0.1; 10].iter().sum::<f64>(), 1.0 - f64::EPSILON / 2.0);
        assert_eq!(sum_of(&[0.1; 10]).value(), 1.0);
    }

    #[test]
    fn half_way_between_doubles_the_smallest_part_decides() {
        let tiny = 2.0_f64.powi(-200);
        assert_eq!(sum_of(&[1.0, f64::EPSILON / 2.0]).value(), 1.0);
        assert_eq!(sum_of(&[1.0, f64::EPSILON / 2.0, tiny]).value(), 1.0 + f64::EPSILON);
        assert_eq!(sum_of(&[1.0 + f64::EPSILON, f64::EPSILON / 2.0, -tiny]).value(), 1.0 + f64::EPSILON);
    }

    #[test]
    fn a_sum_of_zero_has_no_parts() {
        assert_eq!(sum_of(&[]).parts(), [0.0; 0]);
        assert_eq!(sum_of(&[0.3, -0.3]).parts(), [0.0; 0]);
        assert_eq!(sum_of(&[]).value(), 0.0);
    }

    proptest! {
        #[test]
        fn the_value_is_the_double_nearest_to_the_sum(
            numbers in proptest::collection::vec((0_u64..1 << 50, 0..60_i32), 0..40),
        ) {
            // Up to 2^50 in steps of 2^-60: an i128 holds their sum.
            let numbers: Vec<f64> = numbers.iter().map(|&(x, e)| x as f64 * 2.0_f64.powi(-e)).collect();
            prop_assert_eq!(sum_of(&numbers).value(), in_integers(&numbers));
        }

        #[test]
        fn neither_order_nor_grouping_matters(
            numbers in proptest::collection::vec(prop_oneof![1e-100..1e100_f64, 0.0..1.0_f64, Just(0.1)], 1..40),
            at in any::<prop::sample::Index>(),
        ) {
            let whole = sum_of(&numbers);
            let mut backwards = numbers.clone();
            backwards.reverse();
            let (a, b) = numbers.split_at(at.index(numbers.len()));
            let mut merged = sum_of(b);
            merged.merge(&sum_of(a));
            for other in [sum_of(&backwards), merged] {
                prop_assert_eq!(other.value().to_bits(), whole.value().to_bits());
                prop_assert_eq!(other.parts(), whole.parts());
            }
            prop_assert_eq!(sum_of(&whole.parts()).parts(), whole.parts());
        }

        #[test]
        fn a_product_is_added_without_rounding(count in 0..1000_u64, number in 1e-100..1e100_f64) {
            let mut times = ExactSum::default();
            times.add_times(count, number);
            prop_assert_eq!(times.parts(), sum_of(&vec![number; count as usize]).parts());
        }
    }
}
