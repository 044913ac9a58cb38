//! When two numbers count as equal: differences of rounding must decide nothing.

/// Scores, widths and cuts closer than this (relatively, above 1) count as equal.
pub(crate) const EQUAL: f64 = 1e-12;

/// Whether a score is the best one, up to rounding.
pub(crate) fn is_as_good(score: f64, best: f64) -> bool {
    score >= best - EQUAL * best.abs().max(1.0)
}

/// Whether two scores are equal, up to rounding.
pub(crate) fn is_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= EQUAL * a.abs().max(b.abs()).max(1.0)
}

/// Whether no score below an upper bound can be as good as the best, even if the bound is off by some rounding.
pub(crate) fn cannot_reach(bound: f64, best: f64) -> bool {
    bound < best - 2.0 * EQUAL * best.abs().max(1.0)
}

/// Whether no weight can tell two neighbouring cuts (ratios of probabilities) apart.
///
/// `0.3` and `1 − 0.7` are not the same double. Between the cuts of two such rows lie a few doubles, but no weight that
/// tells the rows apart once it is multiplied with their probabilities.
#[inline(always)]
pub(crate) fn is_one_cut(cut: f64, next: f64) -> bool {
    next - cut <= EQUAL * cut
}
