//! Precision, recall and F-beta of one class.

use super::{Metric, f_beta, precision, quoted, recall};
use crate::metric::Confusion;

/// The rate of [`OneClass`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rate {
    /// `C[k,k] / Σ_i C[i,k]`; 0 if the class is never predicted.
    Precision,
    /// `C[k,k] / Σ_j C[k,j]`; 0 if the class has no rows.
    Recall,
    /// `(1+β²)·C[k,k] / (β²·Σ_j C[k,j] + Σ_i C[i,k])`; 0 if the class has neither true nor predicted rows.
    FBeta(f64),
}

/// Precision, recall or F-beta of one class.
///
/// ```text
/// precision:K   C[k,k] / Σ_i C[i,k]                                 C[truth, predicted]
/// recall:K      C[k,k] / Σ_j C[k,j]
/// f-beta:β:K    (1+β²)·C[k,k] / (β²·Σ_j C[k,j] + Σ_i C[i,k])        f1:K is β = 1
/// ```
///
/// A ratio with denominator 0 is 0. On a pair without the class the score is 0 for every α, so only the pair of the class
/// (or every pair, if the class is the reference) is informative.
#[derive(Debug, Clone)]
pub struct OneClass {
    name: String,
    class: usize,
    rate: Rate,
}

impl OneClass {
    /// `rate` of the class with index `class`; `name` is the stable name, e.g. `f1:spam`.
    pub fn new(name: impl Into<String>, class: usize, rate: Rate) -> Self {
        Self { name: name.into(), class, rate }
    }
}

impl Metric for OneClass {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, c: &Confusion) -> f64 {
        let Some(position) = c.position(self.class) else {
            return 0.0;
        };
        let class = c.class(position);
        match self.rate {
            Rate::Precision => precision(class),
            Rate::Recall => recall(class),
            Rate::FBeta(beta) => f_beta(class, beta),
        }
    }
    fn formula(&self, classes: &[String]) -> Option<String> {
        let class = quoted(classes.get(self.class)?);
        Some(match self.rate {
            Rate::Precision => format!("precision[{class}]"),
            Rate::Recall => format!("recall[{class}]"),
            Rate::FBeta(beta) => {
                let b2 = beta * beta;
                format!("{}*tp[{class}]/({b2}*support[{class}]+predicted[{class}])", 1.0 + b2)
            }
        })
    }
    fn is_quasi_concave(&self) -> bool {
        true
    }
    fn is_monotone_by_class(&self) -> bool {
        true
    }
    fn is_about(&self, confusion: &Confusion) -> bool {
        confusion.position(self.class).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_is_by_column_and_recall_by_row() {
        let c = Confusion::from_rows(&[[6.0, 3.0], [1.0, 2.0]]);
        let score = |rate| OneClass::new("x", 0, rate).score(&c);
        assert!((score(Rate::Precision) - 6.0 / 7.0).abs() < 1e-15);
        assert!((score(Rate::Recall) - 6.0 / 9.0).abs() < 1e-15);
        assert!((score(Rate::FBeta(1.0)) - 12.0 / 16.0).abs() < 1e-15);
        assert!((score(Rate::FBeta(2.0)) - 30.0 / 43.0).abs() < 1e-15);
    }

    #[test]
    fn a_pair_without_the_class_scores_zero() {
        let mut pair = Confusion::pair(3, 1);
        pair.set_pair([1.0, 0.0], [2.0, 2.0]);
        assert!(OneClass::new("x", 0, Rate::Recall).score(&pair).abs() < 1e-15);
        assert!((OneClass::new("x", 3, Rate::Recall).score(&pair) - 0.5).abs() < 1e-15);
    }
}
