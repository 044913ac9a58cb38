//! Ratios of two linear functions of the diagonal.

use super::{Metric, weighted_diagonal};
use crate::error::Error;
use crate::metric::Confusion;

/// A denominator below this share of its own coefficients is rounding error.
const NO_DENOMINATOR: f64 = 1e-9;

/// Coefficients beyond this would leave the numbers that a computer has, once multiplied by counts.
const LARGEST: f64 = 1e100;

/// How far below 0 a difference of products of the coefficients may be and still mean 0: decimals are rounded.
const ROUNDING: f64 = 1e-12;

/// Linear-fractional-diagonal metric: a ratio of what right answers earn and what they are measured by.
///
/// ```text
/// f(C) = (Σ_k a_k·x_k + b) / (Σ_k c_k·x_k + d),     x_k = C[k,k] / Σ_ij C[i,j]
/// ```
///
/// The shares x are at least 0 and sum to at most 1, so the least denominator is d + min(0, least c), and it must be above 0. An
/// empty matrix scores 0. On a pair only the two classes count, with shares of the pair's rows.
///
/// ```
/// use cwplugin::metric::LinearFractional;
/// use cwplugin::{Confusion, Metric};
///
/// // Jaccard's index of all rows: right answers over right answers and twice the mistakes.
/// let jaccard = LinearFractional::new("jaccard", vec![1.0, 1.0], 0.0, vec![-1.0, -1.0], 2.0)?;
/// let c = Confusion::from_rows(&[[5.0, 1.0], [2.0, 4.0]]);
/// assert_eq!(jaccard.score(&c), 9.0 / 15.0);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LinearFractional {
    name: String,
    a: Vec<f64>,
    b: f64,
    c: Vec<f64>,
    d: f64,
    rises: bool,
    is_steady: bool,
}

/// Numerator and denominator where every row of one class is right and there is no other, or where no row is right.
#[derive(Debug, Clone, Copy)]
struct Vertex {
    above: f64,
    below: f64,
}

impl Vertex {
    fn value(self) -> f64 {
        self.above / self.below
    }
}

impl LinearFractional {
    /// `a` and `c` have one number per class; `name` is the stable name, e.g. `linear-fractional:profit.json`.
    ///
    /// # Errors
    ///
    /// If `a` and `c` differ in length or are empty, a number is not from −10¹⁰⁰ to 10¹⁰⁰, or the denominator can be 0 or
    /// negative.
    pub fn new(name: impl Into<String>, a: Vec<f64>, b: f64, c: Vec<f64>, d: f64) -> Result<Self, Error> {
        let name = name.into();
        let wrong = |expected| Error::MetricParameter { name: name.clone(), expected };
        if a.len() != c.len() || a.is_empty() {
            return Err(wrong("a and c must have one number per class"));
        }
        let numbers = a.iter().chain(&c).chain([&b, &d]);
        if numbers.into_iter().any(|number| number.is_nan() || number.abs() > LARGEST) {
            return Err(wrong("a, b, c and d must be numbers from -1e100 to 1e100"));
        }
        if least_denominator(&c, d) <= NO_DENOMINATOR * (largest(&c) + d.abs()) {
            return Err(wrong("the denominator d + min(0, least c) must be above 0"));
        }
        // A ratio of linear functions has its extremes at the vertices of the shares: 0, and 1 for one class.
        let vertices = a.iter().zip(&c).map(|(a, c)| Vertex { above: b + a, below: d + c });
        let none = Vertex { above: b, below: d };
        let (low, high) = vertices.fold((none, none), |(low, high), vertex| {
            let is_low = vertex.value() < low.value();
            let is_high = vertex.value() > high.value();
            (if is_low { vertex } else { low }, if is_high { vertex } else { high })
        });
        let rises = a.iter().zip(&c).all(|(&a, &c)| [low, high].iter().all(|&at| does_rise(a, c, at)));
        let above = largest(&a).max(b.abs());
        let below = largest(&c).max(d.abs()) * low.value().abs().max(high.value().abs());
        let is_steady = above + below <= 1e3 * least_denominator(&c, d);
        Ok(Self { name, a, b, c, d, rises, is_steady })
    }
}

fn least_denominator(c: &[f64], d: f64) -> f64 {
    d + c.iter().fold(0.0, |least: f64, &c| least.min(c))
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()))
}

/// Whether the ratio does not fall with a share whose coefficients are `a` and `c` where it has the value of a vertex: its
/// slope has the sign of a − c·f.
fn does_rise(a: f64, c: f64, at: Vertex) -> bool {
    let (gain, loss) = (a * at.below, c * at.above);
    gain - loss >= -ROUNDING * (gain.abs() + loss.abs())
}

impl Metric for LinearFractional {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, confusion: &Confusion) -> f64 {
        let n = confusion.total();
        if n <= 0.0 {
            return 0.0;
        }
        // Both sides times n: whole counts are then added without rounding, and equal scores are equal.
        let (mut above, mut below) = (0.0, 0.0);
        for (&class, counts) in confusion.classes().iter().zip(confusion.per_class()) {
            let [a, c] = [&self.a, &self.c].map(|numbers| numbers.get(class).copied().unwrap_or(0.0));
            above += a * counts.correct;
            below += c * counts.correct;
        }
        (above + self.b * n) / (below + self.d * n)
    }
    fn formula(&self, classes: &[String]) -> Option<String> {
        let [above, below] = [&self.a, &self.c].map(|numbers| weighted_diagonal(numbers, classes));
        Some(format!("({above}+({})*n)/({below}+({})*n)", self.b, self.d))
    }
    /// A ratio of linear functions is quasi-concave whatever its coefficients; a diagonal cell of class k does not lower it
    /// if its a − c·f ≥ 0 for every value f that it can take.
    fn is_quasi_concave(&self) -> bool {
        self.rises
    }
    fn is_monotone(&self) -> bool {
        // Large coefficients that cancel leave more rounding than the exact search allows for.
        self.rises && self.is_steady
    }
    fn is_by_class(&self) -> bool {
        true
    }
    fn is_monotone_by_class(&self) -> bool {
        self.is_monotone()
    }
    fn n_classes(&self) -> Option<usize> {
        Some(self.a.len())
    }
}

#[cfg(test)]
mod tests;
