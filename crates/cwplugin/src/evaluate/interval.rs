//! Numbers with confidence intervals, before and after.

/// Whose predictions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The black box's own: `argmax_k b_k`.
    Clean,
    /// Those of the fitted rule: `argmax_k w_k·cal(b)_k`.
    Fitted,
}

/// A number with its 95 % bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// The number on the rows themselves.
    pub value: f64,
    /// 2.5 % of the resamples are below.
    pub low: f64,
    /// 2.5 % of the resamples are above.
    pub high: f64,
}

/// One metric before and after, and the difference, on the same resamples.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ScoreInterval {
    /// The black box as it is.
    pub clean: Interval,
    /// With the fitted rule.
    pub fitted: Interval,
    /// Fitted minus clean, row by row on the same resamples.
    pub gain: Interval,
}
