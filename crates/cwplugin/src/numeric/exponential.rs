//! Vectorised exponential function.

use crate::numeric::kernel;
use crate::numeric::kernel::Kernel;

/// Below this the exponential is subnormal and set to 0.
const SMALLEST: f64 = -708.0;

/// 1.5 · 2^52: adding it rounds a small number to an integer, stored in the last bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// ln 2 in two parts. The first has few enough digits that its product with a small integer is exact.
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// 1/13!, 1/12!, …, 1/0!. Further terms are below the last digit for arguments up to ln 2 / 2.
const TERMS: [f64; 14] = {
    let mut terms = [1.0; 14];
    let mut i = 13;
    while i > 0 {
        terms[i - 1] = terms[i] / (14 - i) as f64;
        i -= 1;
    }
    terms
};

/// Replaces every number by its exponential, accurate to the last digit or two. No number may be above 0.
pub(crate) fn exp_all(values: &mut [f64]) {
    kernel::run(Exponentials(values));
}

struct Exponentials<'a>(&'a mut [f64]);

impl Kernel for Exponentials<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.iter_mut().for_each(|x| *x = exp(*x));
    }
}

/// `2^n · e^r` with an integer n and `|r| ≤ ln 2 / 2`, branch-free.
#[inline(always)]
fn exp(x: f64) -> f64 {
    let clipped = if x < SMALLEST { SMALLEST } else { x };
    let rounded = clipped * std::f64::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = clipped - n * LN_2[0] - n * LN_2[1];
    let mut sum = TERMS[0];
    for term in &TERMS[1..] {
        sum = sum * r + term;
    }
    // Builds 2^n from its exponent bits.
    let power = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
    if x < SMALLEST { 0.0 } else { sum * power }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(x: f64) {
        let mut values = [x; 5];
        exp_all(&mut values);
        let expected = if x < SMALLEST { 0.0 } else { x.exp() };
        assert!(values.iter().all(|value| (value - expected).abs() <= 4.0 * f64::EPSILON * expected), "{x}");
    }

    #[test]
    fn the_ends_of_the_range_are_exact() {
        let mut values = [0.0, -0.0, SMALLEST.next_down(), -1e300, f64::NEG_INFINITY];
        exp_all(&mut values);
        assert_eq!(values, [1.0, 1.0, 0.0, 0.0, 0.0]);
        [SMALLEST, -1e-300, -f64::EPSILON, -std::f64::consts::LN_2].into_iter().for_each(check);
    }

    proptest! {
        #[test]
        fn results_match_the_standard_library(x in prop_oneof![-708.0..=0.0_f64, -1.0..=0.0_f64]) {
            check(x);
        }
    }
}
