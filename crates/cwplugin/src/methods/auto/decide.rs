//! Chooses between `expected`, the alternatives and the unadjusted black box.

use serde::{Deserialize, Serialize};

use super::alternatives::{Alternative, alternative_by_name};
use super::cross_validation::{Candidate, CrossValidation};
use super::standing::{Standing, clearly_better, compare};
use crate::report::Estimate;
use crate::report::estimate::Expectation;

/// Standard deviations of the forecast gain that are subtracted when the shrinkage is chosen.
const CAUTION: f64 = 0.5;

/// How much more a loss counts than a gain of the same size.
pub(super) const LOSS_AVERSION: f64 = 3.0;

/// Standard deviations above 0 at which a gain outweighs the loss, if it is normally distributed: the root z of
/// `3·z − 2·z·Φ(z) = 2·φ(z)`.
pub(crate) const WORTH_IT: f64 = 0.436;

/// Standard deviations in cross-validation by which an alternative must be better: it is the best of several, which is
/// better by chance alone.
pub(crate) const CLEARLY_BETTER: f64 = 5.0;

/// Multiple of the labelled rows up to which `rows_needed` is reported.
pub(crate) const MAX_EXTRAPOLATION: u64 = 20;

/// The reason for the choice of `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// The expected gain outweighs the risk of a loss.
    Gain,
    /// An alternative was clearly better in cross-validation.
    BetterAlternative,
    /// The expected gain does not outweigh the risk of a loss.
    NoReliableGain,
    /// All labels are of one class, and the metric is undefined without the others.
    OneClass,
    /// No class has two labelled rows, so none can be held out.
    TooFewRows,
}

/// `expected` at one shrinkage, on new rows.
#[derive(Debug, Clone)]
pub(super) struct Prospect {
    pub(super) expectation: Expectation,
    pub(super) is_worth_it: bool,
}

pub(super) struct Decision {
    /// Index of the shrinkage.
    pub(super) index: usize,
    /// The method that replaces `expected`, if any.
    pub(super) alternative: Option<Alternative>,
    /// The gain of `expected`, from forecast and cross-validation.
    pub(super) gain: Estimate,
    /// The gain of `expected` by the forecast alone.
    pub(super) forecast_gain: Estimate,
    pub(super) reason: Reason,
    pub(super) rows_needed: Option<u64>,
    /// The index, if `expected` is worth it.
    worth_it: Option<usize>,
}

/// Compares `expected` at each shrinkage with the black box and with the alternatives.
///
/// `forecasts` and `prospects` are those of `expected` at increasing shrinkages, by calibrated probabilities alone and
/// together with cross-validation; there are no prospects if it could not be cross-validated. `rows` are labelled.
pub(super) fn decide(
    cv: &CrossValidation,
    forecasts: &[Expectation],
    prospects: &[Prospect],
    rows: u64,
) -> Decision {
    // The forecast has less noise than the few labels, so it chooses the shrinkage; the labels then decide whether to act.
    let cautious = |index: usize| forecasts[index].gain.mean - CAUTION * forecasts[index].gain.sd;
    let best = (0..forecasts.len()).rev().max_by(|&a, &b| cautious(a).total_cmp(&cautious(b))).unwrap_or(0);
    // Uncertainty grows faster with the shrinkage than the gain, so a smaller shrinkage may be worth it.
    let is_worth_it = |index: &usize| prospects.get(*index).is_some_and(|prospect| prospect.is_worth_it);
    let worth_it = (0..=best).rev().find(is_worth_it);
    let index = worth_it.unwrap_or(best);
    let forecast_gain = forecasts[index].gain;
    let gain = prospects.get(index).map_or(forecast_gain, |prospect| prospect.expectation.gain);
    let alternative = clearly_better(cv, worth_it);
    let reason = match (alternative, worth_it) {
        (Some(_), _) => Reason::BetterAlternative,
        (None, Some(_)) => Reason::Gain,
        (None, None) => Reason::NoReliableGain,
    };
    // The standard deviation is proportional to 1/√rows.
    let rows_needed = (reason == Reason::NoReliableGain && gain.mean > 0.0).then(|| {
        let ratio = WORTH_IT * gain.sd / gain.mean;
        #[allow(clippy::cast_sign_loss)] // a square is not negative
        let needed = (rows as f64 * ratio * ratio).ceil() as u64;
        needed
    });
    // Larger values are unreliable: they occur where the unadjusted score is near 0.
    let is_plausible = |needed: &u64| *needed > rows && *needed <= rows.saturating_mul(MAX_EXTRAPOLATION);
    let rows_needed = rows_needed.filter(is_plausible);
    Decision { index, alternative, gain, forecast_gain, reason, rows_needed, worth_it }
}

impl Decision {
    /// The name of the chosen method.
    pub(super) fn chosen(&self) -> &'static str {
        match (self.alternative, self.reason) {
            (Some(alternative), _) => alternative.name,
            (None, Reason::Gain) => "expected",
            (None, _) => "clean",
        }
    }

    /// Every method in cross-validation, with the reason why it was chosen or not.
    pub(super) fn candidates(&self, cv: &CrossValidation) -> Vec<Candidate> {
        let falls_short = if self.gain.mean > 0.0 { Standing::WithinNoise } else { Standing::NotBetter };
        let expected = if self.worth_it.is_some() { Standing::Replaced } else { falls_short };
        let chosen = self.chosen();
        let mut candidates = cv.candidates(self.index);
        for candidate in &mut candidates {
            let alternative = alternative_by_name(&candidate.method);
            let compared = alternative.and_then(|alternative| compare(cv, &alternative, self.worth_it));
            let (lead, standing) = match (&*candidate.method, compared) {
                ("expected", _) => (Some(self.gain), expected),
                (_, Some((lead, falls_short))) => (Some(lead), falls_short.unwrap_or(Standing::Second)),
                _ => (None, Standing::Replaced),
            };
            candidate.lead = lead;
            candidate.standing = Some(if candidate.method == chosen { Standing::Chosen } else { standing });
        }
        candidates
    }
}
