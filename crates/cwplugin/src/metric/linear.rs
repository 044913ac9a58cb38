//! Metrics linear in the cells: linear-diagonal metrics and cost matrices.

use super::{Metric, quoted, share, weighted_diagonal};
use crate::error::Error;
use crate::metric::Confusion;

/// Linear-diagonal metric: the share of correct rows, weighted by class.
///
/// ```text
/// f(C) = Σ_k β_k·C[k,k] / Σ_ij C[i,j],     β ≥ 0, Σ_k β_k = 1
/// ```
///
/// The weights are divided by their sum. An empty matrix scores 0.
#[derive(Debug, Clone)]
pub struct LinearDiagonal {
    name: String,
    beta: Vec<f64>,
}

impl LinearDiagonal {
    /// One weight per class.
    ///
    /// # Errors
    ///
    /// If a weight is negative or not finite, or all are 0.
    pub fn new(beta: Vec<f64>) -> Result<Self, Error> {
        let list = beta.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let name = format!("linear-diagonal:{list}");
        let sum: f64 = beta.iter().sum();
        if beta.iter().any(|b| !b.is_finite() || *b < 0.0) || sum <= 0.0 || !sum.is_finite() {
            let expected = "the weights must be finite numbers >= 0, not all 0";
            return Err(Error::MetricParameter { name, expected });
        }
        Ok(Self { name, beta: beta.into_iter().map(|b| b / sum).collect() })
    }
}

impl Metric for LinearDiagonal {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, c: &Confusion) -> f64 {
        let weighted = |(&class, counts): (&usize, crate::metric::ClassCounts)| {
            self.beta.get(class).copied().unwrap_or(0.0) * counts.correct
        };
        share(c.classes().iter().zip(c.per_class()).map(weighted).sum(), c.total())
    }
    fn formula(&self, classes: &[String]) -> Option<String> {
        Some(format!("{}/n", weighted_diagonal(&self.beta, classes)))
    }
    fn is_quasi_concave(&self) -> bool {
        true
    }
    fn n_classes(&self) -> Option<usize> {
        Some(self.beta.len())
    }
    fn is_monotone_by_class(&self) -> bool {
        true
    }
}

/// Minus the expected cost of a prediction.
///
/// ```text
/// f(C) = − Σ_ij cost[i,j]·C[i,j] / Σ_ij C[i,j]                        cost[truth, predicted]
/// ```
///
/// Negative costs are gains. An empty matrix scores 0.
#[derive(Debug, Clone)]
pub struct Cost {
    name: String,
    costs: Vec<f64>,
    n_classes: usize,
}

impl Cost {
    /// An m × m cost matrix in row-major order, `costs[truth·m + predicted]`; `name` is the stable name, e.g.
    /// `cost:costs.csv`.
    ///
    /// # Errors
    ///
    /// If the matrix is not m × m or holds a value that is not finite.
    pub fn new(name: impl Into<String>, costs: Vec<f64>, n_classes: usize) -> Result<Self, Error> {
        let name = name.into();
        if costs.len() != n_classes * n_classes {
            let expected = "the cost matrix must have one row and one column per class";
            return Err(Error::MetricParameter { name, expected });
        }
        if costs.iter().any(|cost| !cost.is_finite()) {
            return Err(Error::MetricParameter { name, expected: "every cost must be a finite number" });
        }
        Ok(Self { name, costs, n_classes })
    }

    fn cost(&self, truth: usize, predicted: usize) -> f64 {
        self.costs.get(truth * self.n_classes + predicted).copied().unwrap_or(0.0)
    }
}

impl Metric for Cost {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, c: &Confusion) -> f64 {
        let mut sum = 0.0;
        for (&truth, row) in c.classes().iter().zip(c.rows()) {
            for (&predicted, count) in c.classes().iter().zip(row) {
                sum += self.cost(truth, predicted) * count;
            }
        }
        0.0 - share(sum, c.total()) // avoids -0
    }
    fn formula(&self, classes: &[String]) -> Option<String> {
        let cells = classes.iter().enumerate().flat_map(|(i, truth)| {
            let costs = classes.iter().enumerate().map(move |(j, predicted)| (self.cost(i, j), predicted));
            costs
                .filter(|(cost, _)| *cost != 0.0)
                .map(move |(cost, predicted)| format!("({cost})*C[{},{}]", quoted(truth), quoted(predicted)))
        });
        let sum = cells.collect::<Vec<_>>().join("+");
        Some(if sum.is_empty() { "0".into() } else { format!("-({sum})/n") })
    }
    /// On a pair the cost is linear in the two diagonal cells, and non-decreasing if a correct prediction costs no more than
    /// an error.
    fn is_quasi_concave(&self) -> bool {
        (0..self.n_classes).all(|i| (0..self.n_classes).all(|j| self.cost(i, i) <= self.cost(i, j)))
    }
    fn is_monotone(&self) -> bool {
        // If large costs cancel, rounding exceeds the tolerance of the exact search.
        self.is_quasi_concave() && self.costs.iter().all(|cost| cost.abs() <= 1e3)
    }
    fn n_classes(&self) -> Option<usize> {
        Some(self.n_classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_normalised() {
        let c = Confusion::from_rows(&[[6.0, 3.0], [1.0, 2.0]]);
        let metric = LinearDiagonal::new(vec![3.0, 1.0]).unwrap();
        assert!((metric.score(&c) - (0.75 * 6.0 + 0.25 * 2.0) / 12.0).abs() < 1e-15);
        assert_eq!(metric.name(), "linear-diagonal:3,1");
        for bad in [vec![-1.0, 2.0], vec![0.0, 0.0], vec![f64::NAN, 1.0]] {
            assert!(LinearDiagonal::new(bad).is_err());
        }
    }

    #[test]
    fn cost_is_by_truth_and_prediction() {
        let c = Confusion::from_rows(&[[6.0, 3.0], [1.0, 2.0]]);
        let cost = Cost::new("cost:x", vec![0.0, 1.0, 5.0, 0.0], 2).unwrap();
        assert!((cost.score(&c) + (3.0 + 5.0) / 12.0).abs() < 1e-15);
        assert!(cost.is_quasi_concave());
        assert!(!Cost::new("cost:x", vec![2.0, 1.0, 5.0, 0.0], 2).unwrap().is_quasi_concave());
        assert!(Cost::new("cost:x", vec![0.0; 3], 2).is_err());
        assert!(Cost::new("cost:x", vec![f64::NAN; 4], 2).is_err());
    }

    #[test]
    fn no_cost_is_zero_and_not_minus_zero() {
        let cost = Cost::new("cost:x", vec![0.0, 1.0, 5.0, 0.0], 2).unwrap();
        assert_eq!(cost.score(&Confusion::from_rows(&[[3.0, 0.0], [0.0, 2.0]])).to_bits(), 0);
    }

    #[test]
    fn a_pair_uses_the_costs_of_its_own_classes() {
        let mut pair = Confusion::pair(2, 0);
        pair.set_pair([1.0, 2.0], [4.0, 5.0]); // 3 rows of class 2 stay with 0, 2 rows of 0 move to 2
        let costs = vec![0.0, 9.0, 1.0, 9.0, 0.0, 9.0, 7.0, 9.0, 0.0];
        let cost = Cost::new("cost:x", costs, 3).unwrap();
        assert!((cost.score(&pair) + (3.0 * 7.0 + 2.0 * 1.0) / 9.0).abs() < 1e-15);
    }
}
