//! When two scores count as equal.

/// Scores closer than this (relative, or absolute below 1) are equal: rounding must not choose a weight.
pub(crate) const EQUAL: f64 = 1e-12;

/// Whether a score equals the best one, or exceeds it, up to rounding.
pub(crate) fn is_as_good(score: f64, best: f64) -> bool {
    score >= best - EQUAL * best.abs().max(1.0)
}
