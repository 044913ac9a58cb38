//! Values with confidence intervals.

/// Predictions before or after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before: the unadjusted black box ("clean" in the paper), `argmax_k b_k`.
    Clean,
    /// After: the fitted rule, `argmax_k w_k·cal(b)_k`.
    Fitted,
}

/// A value with its 95% bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// The value on the rows.
    pub value: f64,
    /// The 2.5% quantile of the resamples.
    pub low: f64,
    /// The 97.5% quantile of the resamples.
    pub high: f64,
}

/// One metric before and after, and the difference.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ScoreInterval {
    /// The unadjusted black box.
    pub clean: Interval,
    /// The fitted rule.
    pub fitted: Interval,
    /// Fitted minus clean, paired on the same resamples.
    pub gain: Interval,
}
