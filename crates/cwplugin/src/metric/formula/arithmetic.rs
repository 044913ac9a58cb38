//! What the operators and functions mean, odd cases included.
//!
//! What is not finite is NaN, and whatever is made of a NaN is one: a division or a comparison must not hide that
//! something went wrong. Only `if` passes over what it does not choose.

use std::cmp::Ordering;

use super::names::{Operator, Reduction, Unary};

fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { f64::NAN }
}

#[inline]
pub(super) fn unary(function: Unary, x: f64) -> f64 {
    match function {
        Unary::Negate => -x,
        Unary::Square => finite(x * x),
        // Rounding may leave a little less than nothing.
        Unary::Sqrt if x < 0.0 => 0.0,
        Unary::Sqrt => x.sqrt(),
        Unary::Log if x < f64::MIN_POSITIVE => f64::MIN_POSITIVE.ln(),
        Unary::Log => x.ln(),
        Unary::Exp => finite(x.exp()),
        Unary::Abs => x.abs(),
    }
}

#[inline]
pub(super) fn binary(operator: Operator, x: f64, y: f64) -> f64 {
    match operator {
        Operator::Add => finite(x + y),
        Operator::Subtract => finite(x - y),
        Operator::Multiply => finite(x * y),
        Operator::Divide if y == 0.0 && !x.is_nan() => 0.0,
        Operator::Divide => finite(x / y),
        Operator::Power => power(x, y),
        Operator::Least => pick(x, y, Ordering::is_lt),
        Operator::Greatest => pick(x, y, Ordering::is_gt),
        Operator::Below => truth(x, y, Ordering::is_lt),
        Operator::AtMost => truth(x, y, Ordering::is_le),
        Operator::Above => truth(x, y, Ordering::is_gt),
        Operator::AtLeast => truth(x, y, Ordering::is_ge),
        Operator::Equal => truth(x, y, Ordering::is_eq),
        Operator::Differs => truth(x, y, Ordering::is_ne),
    }
}

/// 1 raised to a NaN is 1 elsewhere, as is a NaN raised to 0.
fn power(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { finite(x.powf(y)) }
}

/// 1 if the comparison holds, 0 if not.
fn truth(x: f64, y: f64, holds: fn(Ordering) -> bool) -> f64 {
    x.partial_cmp(&y).map_or(f64::NAN, |ordering| if holds(ordering) { 1.0 } else { 0.0 })
}

fn pick(x: f64, y: f64, first: fn(Ordering) -> bool) -> f64 {
    x.partial_cmp(&y).map_or(f64::NAN, |ordering| if first(ordering) { x } else { y })
}

pub(super) fn choose(condition: f64, then: f64, otherwise: f64) -> f64 {
    if condition.is_nan() {
        f64::NAN
    } else if condition == 0.0 {
        otherwise
    } else {
        then
    }
}

/// One number out of those of the present classes; 0 out of none.
#[inline]
pub(super) fn reduce(reduction: Reduction, mut values: impl Iterator<Item = f64>) -> f64 {
    match reduction {
        Reduction::Sum => finite(values.fold(0.0, |sum, x| sum + x)),
        Reduction::Mean => {
            let (sum, count) = values.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
            binary(Operator::Divide, finite(sum), count)
        }
        Reduction::GMean => geometric_mean(values),
        Reduction::Least => extreme(&mut values, Operator::Least),
        Reduction::Greatest => extreme(&mut values, Operator::Greatest),
    }
}

fn extreme(values: &mut impl Iterator<Item = f64>, operator: Operator) -> f64 {
    values.reduce(|x, y| binary(operator, x, y)).unwrap_or(0.0)
}

/// 0 as soon as one of the numbers is 0 or below.
fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut logs, mut count, mut zero) = (0.0, 0.0, false);
    for x in values {
        if x <= 0.0 {
            zero = true;
        } else {
            logs += x.ln();
        }
        count += 1.0;
    }
    if logs.is_nan() {
        f64::NAN
    } else if zero || count == 0.0 {
        0.0
    } else {
        (logs / count).exp()
    }
}
