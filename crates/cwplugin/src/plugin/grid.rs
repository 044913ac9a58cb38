//! The grid of α, and the grid point at which a row moves.

use crate::error::Error;
use crate::plugin::count_cuts::Locate;

/// Step ε of a line search: α takes the values 0, ε, 2ε, … below 1.
///
/// If 1/ε is a whole number, the points are `i / (1/ε)`, each the double nearest to its decimal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    epsilon: f64,
}

impl Step {
    /// 0.01, the value in the paper.
    pub const HUNDREDTH: Self = Self { epsilon: 0.01 };

    /// A grid of this many points, `1/points` apart, starting at 0.
    ///
    /// # Errors
    ///
    /// If there are fewer than 2 points or more than a million.
    pub fn bins(points: usize) -> Result<Self, Error> {
        Self::try_from(1.0 / points as f64)
    }

    /// ε.
    pub fn epsilon(self) -> f64 {
        self.epsilon
    }

    /// The number of points of the grid.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 2 to 1,000,000 points
    pub fn points(self) -> usize {
        let inverse = 1.0 / self.epsilon;
        let points = if self.is_reciprocal() { inverse.round() } else { inverse.ceil() };
        points as usize
    }

    /// Point `i` of the grid.
    pub fn alpha(self, i: usize) -> f64 {
        if self.is_reciprocal() { i as f64 / self.points() as f64 } else { i as f64 * self.epsilon }
    }

    fn is_reciprocal(self) -> bool {
        let inverse = 1.0 / self.epsilon;
        (inverse - inverse.round()).abs() < 1e-9 * inverse
    }
}

impl TryFrom<f64> for Step {
    type Error = Error;

    fn try_from(epsilon: f64) -> Result<Self, Error> {
        // Below 1e-6 a grid costs more than the exact search and finds nothing better.
        if (1e-6..=0.5).contains(&epsilon) {
            Ok(Self { epsilon })
        } else {
            Err(Error::BadStep { value: epsilon })
        }
    }
}

/// Below this sum of two probabilities, products may underflow and every point is tested.
const SMALLEST_SUM: f64 = 1e-290;

/// The same bound in single precision.
const SMALLEST_SINGLE: f32 = 1e-30;

/// Relative distance to a grid point below which a single-precision quotient is not trusted: the inequality decides in
/// double precision. Six roundings move the quotient by at most 6 · 2^−24. On a grid of 100 points this affects one row
/// in 20,000.
const NEAR: f32 = 8.0 * f32::EPSILON / 2.0;

/// 1.5 · 2^23: adding it to a number below 2^22 rounds that number to an integer, in the last bits of the sum.
const ROUND: f32 = 12_582_912.0;

/// A grid with its points computed.
///
/// A row moves from the reference to the class at the first point at which `α·b_k > (1−α)·b_r`, evaluated in double
/// precision exactly as written. That point is the row's *bin*. A row that moves at no point has the bin
/// [`Grid::points`]. The counts therefore equal those of a plain loop over α.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grid {
    /// α and 1 − α of each point.
    alphas: Vec<[f64; 2]>,
    inverse: f64,
    /// The largest quotient that moves at some point.
    last: f32,
}

impl Grid {
    pub(crate) fn new(step: Step) -> Self {
        let alphas = (0..step.points()).map(|i| step.alpha(i)).map(|alpha| [alpha, 1.0 - alpha]).collect();
        let inverse = if step.is_reciprocal() { step.points() as f64 } else { 1.0 / step.epsilon };
        let last = step.points() as f32 - 0.5;
        Self { alphas, inverse, last }
    }

    pub(crate) fn points(&self) -> usize {
        self.alphas.len()
    }

    /// The bin of a row.
    pub(crate) fn bin(&self, b_class: f64, b_reference: f64) -> usize {
        if b_class <= 0.0 {
            return self.points();
        }
        // Rounding is monotone: the inequality is false up to some point and true from then on.
        let stays = |[alpha, rest]: &[f64; 2]| {
            let moves = alpha * b_class > rest * b_reference;
            !moves
        };
        if b_class + b_reference >= SMALLEST_SUM {
            #[allow(clippy::cast_sign_loss)] // 0 to the number of points
            let near = self.quotient(b_class, b_reference).floor().min(self.points() as f64) as usize;
            // Rounding is far smaller than a step, so only three points are possible.
            let extra = self.alphas[near..].iter().take(2).take_while(|alpha| stays(alpha)).count();
            return near + extra;
        }
        self.alphas.partition_point(stays)
    }

    /// The cut `b_r / (b_k + b_r)` in units of the step.
    #[inline(always)]
    fn quotient(&self, b_class: f64, b_reference: f64) -> f64 {
        b_reference / (b_class + b_reference) * self.inverse
    }
}

impl Locate for Grid {
    fn places(&self) -> usize {
        self.points() + 1
    }

    fn place(&self, b_class: f64, b_reference: f64) -> usize {
        self.bin(b_class, b_reference)
    }

    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // a lazy one is a branch
    fn quick_place(&self, b_class: f32, b_reference: f32, base: u32) -> u32 {
        let sum = b_class + b_reference;
        let quotient = b_reference / sum * self.inverse as f32;
        let quotient = if quotient > self.last { self.last } else { quotient };
        let rounded = quotient + ROUND;
        let beyond = quotient - (rounded - ROUND);
        // No row moves at α = 0, so a quotient of 0 needs no test.
        let is_far = (beyond.abs() >= quotient * NEAR) & (sum >= SMALLEST_SINGLE);
        let bin = rounded.to_bits() - ROUND.to_bits() + u32::from(beyond >= 0.0);
        if is_far { base + bin } else { Self::NEAR }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_grid_of_a_hundredth_has_the_nearest_doubles() {
        let step = Step::try_from(0.01).unwrap();
        assert_eq!(step.points(), 100);
        assert_eq!(step.alpha(57), 0.57);
        assert_eq!(step.alpha(99), 0.99);
    }

    #[test]
    fn a_step_that_does_not_divide_one_stops_below_one() {
        let step = Step::try_from(0.3).unwrap();
        let alphas: Vec<_> = (0..step.points()).map(|i| step.alpha(i)).collect();
        assert_eq!(alphas, [0.0, 0.3, 0.6, 0.3 * 3.0]);
    }

    #[test]
    fn impossible_steps_are_refused() {
        for value in [0.0, -0.1, 0.6, 1e-7, f64::INFINITY] {
            assert_eq!(Step::try_from(value), Err(Error::BadStep { value }));
        }
        assert!(Step::try_from(f64::NAN).is_err());
    }

    /// A plain loop over the points.
    fn first_point(step: Step, b_class: f64, b_reference: f64) -> usize {
        let moves = |alpha: f64| alpha * b_class > (1.0 - alpha) * b_reference;
        (0..step.points()).find(|&i| moves(step.alpha(i))).unwrap_or(step.points())
    }

    fn check(step: Step, b_class: f64, b_reference: f64) {
        let grid = Grid::new(step);
        let expected = first_point(step, b_class, b_reference);
        assert_eq!(grid.bin(b_class, b_reference), expected, "{b_class} {b_reference} {step:?}");
        let quick = grid.quick_place(b_class as f32, b_reference as f32, 7);
        assert!(
            quick == Grid::NEAR || quick == expected as u32 + 7,
            "{b_class} {b_reference} {step:?}: {quick}"
        );
    }

    #[test]
    fn decimals_and_the_smallest_numbers_have_the_bin_of_a_plain_loop() {
        let odd = [0.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 1e-291, 1e-289, 1e-18, 1e-9, 1.0 - 1e-16, 1.0];
        let decimals = (0..=100).map(|i| f64::from(i) / 100.0);
        let numbers: Vec<f64> = odd.into_iter().chain(decimals).collect();
        for epsilon in [0.5, 0.3, 0.1, 0.05, 0.01, 0.007, 0.001] {
            for &a in &numbers {
                for &b in &numbers {
                    check(Step::try_from(epsilon).unwrap(), a, b);
                }
            }
        }
    }

    #[test]
    fn certain_rows_are_quick() {
        for points in [2, 100, 1000, 1_000_000] {
            let grid = Grid::new(Step::bins(points).unwrap());
            for (b_class, b_reference, expected) in
                [(1.0, 0.0, 1), (1.0, 1e-44, 1), (1.0, 1e-12, 1), (0.0, 1.0, points), (1e-12, 1.0, points)]
            {
                assert_eq!(grid.quick_place(b_class, b_reference, 0), expected as u32, "{points}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_row_has_the_bin_of_a_plain_loop(
            epsilon in prop_oneof![0.0005..0.5_f64, (2..2000_u32).prop_map(|n| 1.0 / f64::from(n))],
            b_class in 0.0..1.0_f64,
            b_reference in prop_oneof![0.0..1.0_f64, (-300.0..0.0_f64).prop_map(|x| 10.0_f64.powf(x))],
        ) {
            check(Step::try_from(epsilon).unwrap(), b_class, b_reference);
        }

        #[test]
        fn a_row_that_lies_on_a_point_has_the_bin_of_a_plain_loop(
            points in 2..1000_u32,
            i in 0..1000_u32,
            scale in 0.001..1.0_f64,
            nudges in -2..=2_i32,
            nudge in prop_oneof![Just(0.0), -1e-6..1e-6_f64],
        ) {
            let cut = f64::from(i % points) / f64::from(points);
            let mut b_reference = cut * scale;
            for _ in 0..nudges.abs() {
                b_reference = if nudges > 0 { b_reference.next_up() } else { b_reference.next_down().max(0.0) };
            }
            let b_class = (scale - cut * scale) * (1.0 + nudge);
            check(Step::try_from(1.0 / f64::from(points)).unwrap(), b_class, b_reference);
        }
    }
}
