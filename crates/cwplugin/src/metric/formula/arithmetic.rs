//! Arithmetic of operators and functions.
//!
//! Results that are not finite become NaN, and NaN propagates, also through divisions and comparisons. Only `if` ignores
//! the branch that it does not choose.

use super::names::{Operator, Reduction, Unary};

/// Values of several classes, one per lane, for vectorised steps.
pub(super) type Lanes<const L: usize> = [f64; L];

#[inline(always)]
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { f64::NAN }
}

/// Applies a function in place; lanes from `used` on are undefined.
#[inline(always)]
pub(super) fn unary<const L: usize>(function: Unary, x: &mut Lanes<L>, used: usize) {
    match function {
        Unary::Negate => each(x, |x| -x),
        Unary::Square => each(x, |x| finite(x * x)),
        // Rounding may make a zero slightly negative.
        Unary::Sqrt => each(x, |x| if x < 0.0 { 0.0 } else { x.sqrt() }),
        Unary::Abs => each(x, f64::abs),
        Unary::Log => each(&mut x[..used], logarithm),
        Unary::Exp => each(&mut x[..used], |x| finite(x.exp())),
    }
}

/// Replaces each `y` by `x operator y`.
#[inline(always)]
pub(super) fn binary<const L: usize>(operator: Operator, x: &Lanes<L>, y: &mut Lanes<L>, used: usize) {
    match operator {
        Operator::Add => both(x, y, |x, y| finite(x + y)),
        Operator::Subtract => both(x, y, |x, y| finite(x - y)),
        Operator::Multiply => both(x, y, |x, y| finite(x * y)),
        Operator::Divide => both(x, y, divide),
        Operator::Power => both(&x[..used], &mut y[..used], power),
        Operator::Least => both(x, y, least),
        Operator::Greatest => both(x, y, greatest),
        Operator::Below => both(x, y, |x, y| truth(x, y, x < y)),
        Operator::AtMost => both(x, y, |x, y| truth(x, y, x <= y)),
        Operator::Above => both(x, y, |x, y| truth(x, y, x > y)),
        Operator::AtLeast => both(x, y, |x, y| truth(x, y, x >= y)),
        // The difference of distinct doubles is never 0.
        Operator::Equal => both(x, y, |x, y| truth(x, y, x - y == 0.0)),
        Operator::Differs => both(x, y, |x, y| truth(x, y, x - y != 0.0)),
    }
}

/// Replaces each `otherwise` by `then` where the condition is not 0.
#[inline(always)]
pub(super) fn choose<const L: usize>(condition: &Lanes<L>, then: &Lanes<L>, otherwise: &mut Lanes<L>) {
    for i in 0..L {
        otherwise[i] = match condition[i] {
            condition if condition.is_nan() => f64::NAN,
            0.0 => otherwise[i],
            _ => then[i],
        };
    }
}

#[inline(always)]
fn each(x: &mut [f64], f: impl Fn(f64) -> f64) {
    for x in x {
        *x = f(*x);
    }
}

#[inline(always)]
fn both(x: &[f64], y: &mut [f64], f: impl Fn(f64, f64) -> f64) {
    for (x, y) in x.iter().zip(y) {
        *y = f(*x, *y);
    }
}

#[inline(always)]
fn divide(x: f64, y: f64) -> f64 {
    if y == 0.0 && !x.is_nan() { 0.0 } else { finite(x / y) }
}

fn logarithm(x: f64) -> f64 {
    if x < f64::MIN_POSITIVE { f64::MIN_POSITIVE.ln() } else { x.ln() }
}

/// Propagates NaN; `powf` returns 1 for 1^NaN and NaN^0.
fn power(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { finite(x.powf(y)) }
}

/// 1 if the comparison holds, 0 if not.
#[inline(always)]
fn truth(x: f64, y: f64, holds: bool) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if holds {
        1.0
    } else {
        0.0
    }
}

#[inline(always)]
fn least(x: f64, y: f64) -> f64 {
    if x < y || x.is_nan() { x } else { y }
}

#[inline(always)]
fn greatest(x: f64, y: f64) -> f64 {
    if x > y || x.is_nan() { x } else { y }
}

/// Accumulator of a reduction.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Accumulator {
    /// The sum of the values or of their logarithms, or their minimum or maximum.
    value: f64,
    count: f64,
    has_zero: bool,
}

impl Accumulator {
    #[inline(always)]
    pub(super) fn add(&mut self, reduction: Reduction, numbers: &[f64]) {
        for &x in numbers {
            match reduction {
                Reduction::Sum | Reduction::Mean => self.value += x,
                Reduction::GMean if x <= 0.0 => self.has_zero = true,
                Reduction::GMean => self.value += x.ln(),
                Reduction::Min | Reduction::Max if self.count == 0.0 => self.value = x,
                Reduction::Min => self.value = least(self.value, x),
                Reduction::Max => self.value = greatest(self.value, x),
            }
            self.count += 1.0;
        }
    }

    /// The result; 0 if nothing was added.
    pub(super) fn finish(self, reduction: Reduction) -> f64 {
        let value = finite(self.value);
        match reduction {
            Reduction::Sum | Reduction::Min | Reduction::Max => value,
            Reduction::Mean => divide(value, self.count),
            Reduction::GMean if value.is_nan() => f64::NAN,
            // Any value of 0 makes the product 0; negative values count as 0.
            Reduction::GMean if self.has_zero || self.count == 0.0 => 0.0,
            Reduction::GMean => (value / self.count).exp(),
        }
    }
}
