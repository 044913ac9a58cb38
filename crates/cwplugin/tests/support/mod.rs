//! What several test files need: random tables, every metric, fits, and Algorithm 1 written a second time.
#![allow(dead_code)] // oracle.rs uses a part of it

pub(crate) mod fits;
pub(crate) mod fixtures;
pub(crate) mod metrics;
pub(crate) mod naive;
pub(crate) mod strategies;
pub(crate) mod tables;
pub(crate) mod tie_rules;

/// Whether two numbers agree to 1e-12, relative above 1.
pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

/// Whether two lists agree to 1e-12.
pub(crate) fn all_close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| close(a, b))
}
