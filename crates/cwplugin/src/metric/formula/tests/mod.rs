//! Formulas compared with the named metrics and a reference evaluator, and on invalid input.

mod problems; // every error with its column
mod meaning; // precedence, edge cases, bindings
mod built_in; // formulas of the named metrics
mod reference; // a reference evaluator and random formulas
mod matrices; // random matrices, with absent classes and pairs
mod laws; // property tests: reference evaluator and invalid input
mod speed; // nanoseconds per evaluation

use super::Formula;
use crate::metric::{Confusion, Metric};

fn classes() -> Vec<String> {
    ["a", "b", "c"].map(String::from).to_vec()
}

fn formula(text: &str) -> Formula {
    Formula::new(text, &classes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The example of `docs/metrics.md`, over the classes a, b and c.
fn example() -> Confusion {
    Confusion::from_rows(&[[6.0, 3.0, 1.0], [0.0, 4.0, 1.0], [2.0, 0.0, 3.0]])
}

fn value(text: &str) -> f64 {
    formula(text).score(&example())
}
