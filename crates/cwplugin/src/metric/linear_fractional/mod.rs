//! Ratios of two linear functions of the diagonal.

use super::{Metric, weighted_diagonal};
use crate::error::Error;
use crate::metric::Confusion;

/// A denominator below this share of its coefficients counts as 0.
const NO_DENOMINATOR: f64 = 1e-9;

/// Largest absolute coefficient; products with counts would overflow beyond it.
const LARGEST: f64 = 1e100;

/// Relative rounding error allowed when the sign of a slope is checked.
const ROUNDING: f64 = 1e-12;

/// Linear-fractional-diagonal metric: a ratio of two linear functions of the shares of correct rows.
///
/// ```text
/// f(C) = (Σ_k a_k·x_k + b) / (Σ_k c_k·x_k + d),     x_k = C[k,k] / Σ_ij C[i,j]
/// ```
///
/// The shares x are at least 0 and sum to at most 1, so the smallest denominator is `d + min(0, min_k c_k)`; it must be
/// above 0. An empty matrix scores 0. On a pair, only its two classes count, with shares of the rows of the pair.
///
/// ```
/// use cwplugin::metric::LinearFractional;
/// use cwplugin::{Confusion, Metric};
///
/// // Micro-averaged Jaccard index: correct rows / (correct rows + 2 · errors).
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
    is_well_conditioned: bool,
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
        // A ratio of linear functions has its extremes at the vertices: all shares 0, or one share 1.
        let vertices = a.iter().zip(&c).map(|(a, c)| [b + a, d + c]);
        let value = |[above, below]: [f64; 2]| above / below;
        let (low, high) = vertices.fold(([b, d], [b, d]), |(low, high), vertex| {
            let (is_low, is_high) = (value(vertex) < value(low), value(vertex) > value(high));
            (if is_low { vertex } else { low }, if is_high { vertex } else { high })
        });
        let rises =
            a.iter().zip(&c).all(|(&a, &c)| [low, high].iter().all(|&at| is_non_decreasing(a, c, at)));
        let above = largest(&a).max(b.abs());
        let below = largest(&c).max(d.abs()) * value(low).abs().max(value(high).abs());
        let is_well_conditioned = above + below <= 1e3 * least_denominator(&c, d);
        Ok(Self { name, a, b, c, d, rises, is_well_conditioned })
    }
}

fn least_denominator(c: &[f64], d: f64) -> f64 {
    d + c.iter().fold(0.0, |least: f64, &c| least.min(c))
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()))
}

/// Whether the ratio is non-decreasing in a share with coefficients `a` and `c`, at the value f = above / below: its slope
/// has the sign of a − c·f.
fn is_non_decreasing(a: f64, c: f64, [above, below]: [f64; 2]) -> bool {
    let (gain, loss) = (a * below, c * above);
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
        // Numerator and denominator times n: integer counts add up exactly, so equal scores compare equal.
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
    /// A ratio of linear functions is quasi-concave for any coefficients. It is non-decreasing in the diagonal cell of class k
    /// if `a_k − c_k·f ≥ 0` for every value f of the metric.
    fn is_quasi_concave(&self) -> bool {
        self.rises
    }
    fn is_monotone(&self) -> bool {
        // If large coefficients cancel, rounding exceeds the tolerance of the exact search.
        self.rises && self.is_well_conditioned
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
