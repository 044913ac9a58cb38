//! Why each candidate was chosen or not.

use serde::{Deserialize, Serialize};

use super::alternatives::{ALTERNATIVES, Alternative};
use super::cross_validation::CrossValidation;
use super::decide::{CLEARLY_BETTER, RELIABLE};
use crate::report::Estimate;

/// Why a candidate was chosen or not. Each is compared with what it would replace: `expected` with the unadjusted black
/// box, another method with `expected` if that has a reliable gain, else with the unadjusted black box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Standing {
    /// The chosen method.
    Chosen,
    /// Its lead is not positive.
    NotBetter,
    /// Its lead is within the noise: at most one standard deviation for `expected`, five for another method.
    WithinNoise,
    /// Its lead is below 1% of the unadjusted score.
    TooSmall,
    /// It leads `expected` clearly, but not the unadjusted black box.
    NoGain,
    /// It leads clearly, but less than the chosen method.
    Second,
    /// The chosen method is better.
    Replaced,
}

impl Standing {
    /// The standing by a lead over what would be replaced; `None` if the lead is large enough.
    pub(super) fn short_of(lead: Estimate, deviations: f64, min_gain: f64) -> Option<Self> {
        if lead.mean > deviations * lead.sd && lead.mean > min_gain {
            None
        } else if lead.mean > deviations * lead.sd && lead.mean > 0.0 {
            Some(Self::TooSmall)
        } else if lead.mean > 0.0 {
            Some(Self::WithinNoise)
        } else {
            Some(Self::NotBetter)
        }
    }
}

/// Compares an alternative with `expected` at a reliable shrinkage, or else with the unadjusted black box: its lead in
/// cross-validation, and why it falls short, if it does. `None` if either could not be fitted.
pub(super) fn compare(
    cv: &CrossValidation,
    alternative: &Alternative,
    reliable: Option<usize>,
    min_gain: f64,
) -> Option<(Estimate, Option<Standing>)> {
    let lead = cv.gap_to(alternative.name, reliable)?;
    let falls_short = Standing::short_of(lead, CLEARLY_BETTER, min_gain);
    let gain = Standing::short_of(cv.gain_of(alternative.name), RELIABLE, min_gain);
    Some((lead, falls_short.or(gain.map(|_| Standing::NoGain))))
}

/// The alternative that is clearly better than `expected` or the unadjusted black box; of several the one with the
/// largest gain in cross-validation.
pub(super) fn clearly_better(
    cv: &CrossValidation,
    reliable: Option<usize>,
    min_gain: f64,
) -> Option<Alternative> {
    let is_better = |alternative: &&Alternative| {
        compare(cv, alternative, reliable, min_gain).is_some_and(|(_, falls_short)| falls_short.is_none())
    };
    let better = ALTERNATIVES.iter().filter(is_better).copied();
    better.max_by(|a, b| cv.gain_of(a.name).mean.total_cmp(&cv.gain_of(b.name).mean))
}
