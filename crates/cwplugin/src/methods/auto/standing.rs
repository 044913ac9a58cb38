//! Why each candidate was chosen or not.

use serde::{Deserialize, Serialize};

use super::alternatives::{Alternative, alternatives};
use super::cross_validation::CrossValidation;
use super::decide::{CLEARLY_BETTER, WORTH_IT};
use crate::report::Estimate;

/// Why a candidate was chosen or not. Each is compared with what it would replace: `expected` with the unadjusted black
/// box, another method with `expected` if that is worth it, else with the unadjusted black box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Standing {
    /// The chosen method.
    Chosen,
    /// Its lead is not positive.
    NotBetter,
    /// Its lead is within the noise: for `expected` it does not outweigh the risk of a loss, for another method it is at
    /// most five standard deviations.
    WithinNoise,
    /// It leads `expected` clearly, but not the unadjusted black box.
    NoGain,
    /// It leads clearly, but less than the chosen method.
    Second,
    /// The chosen method is better.
    Replaced,
}

impl Standing {
    /// The standing by a lead over what would be replaced; `None` if the lead is large enough.
    pub(super) fn short_of(lead: Estimate, deviations: f64) -> Option<Self> {
        if lead.mean > deviations * lead.sd && lead.mean > 0.0 {
            None
        } else if lead.mean > 0.0 {
            Some(Self::WithinNoise)
        } else {
            Some(Self::NotBetter)
        }
    }
}

/// Compares an alternative with `expected` at a shrinkage that is worth it, or else with the unadjusted black box: its lead in
/// cross-validation, and why it falls short, if it does. `None` if either could not be fitted.
pub(super) fn compare(
    cv: &CrossValidation,
    alternative: &Alternative,
    worth_it: Option<usize>,
) -> Option<(Estimate, Option<Standing>)> {
    let lead = cv.gap_to(alternative.name, worth_it)?;
    let falls_short = Standing::short_of(lead, CLEARLY_BETTER);
    let gain = Standing::short_of(cv.gain_of(alternative.name), WORTH_IT);
    Some((lead, falls_short.or(gain.map(|_| Standing::NoGain))))
}

/// The alternative that is clearly better than `expected` or the unadjusted black box; of several the one with the
/// largest gain in cross-validation.
pub(super) fn clearly_better(cv: &CrossValidation, worth_it: Option<usize>) -> Option<Alternative> {
    let is_better = |alternative: &Alternative| {
        compare(cv, alternative, worth_it).is_some_and(|(_, falls_short)| falls_short.is_none())
    };
    let better = alternatives().filter(is_better);
    better.max_by(|a, b| cv.gain_of(a.name).mean.total_cmp(&cv.gain_of(b.name).mean))
}
