//! Comparisons with a tolerance, so that rounding decides nothing.

/// Scores, widths and cuts closer than this count as equal; relative for values above 1.
pub(crate) const EQUAL: f64 = 1e-12;

/// Whether a score equals or exceeds the best one, up to rounding.
pub(crate) fn is_as_good(score: f64, best: f64) -> bool {
    score >= best - EQUAL * best.abs().max(1.0)
}

/// Whether two scores are equal, up to rounding.
pub(crate) fn is_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= EQUAL * a.abs().max(b.abs()).max(1.0)
}

/// Whether no score up to this upper bound can be as good as the best. Allows for rounding in the bound.
pub(crate) fn cannot_reach(bound: f64, best: f64) -> bool {
    bound < best - 2.0 * EQUAL * best.abs().max(1.0)
}

/// Whether two neighbouring cuts (ratios of probabilities) are the same up to rounding.
///
/// `0.3` and `1 − 0.7` are different doubles. A few doubles lie between the cuts of two such rows, but no weight
/// separates the rows once it is multiplied by their probabilities.
#[inline(always)]
pub(crate) fn is_one_cut(cut: f64, next: f64) -> bool {
    next - cut <= EQUAL * cut
}
