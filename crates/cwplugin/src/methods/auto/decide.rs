//! Chooses between `expected`, the alternatives and the unadjusted black box.

use serde::{Deserialize, Serialize};

use super::alternatives::{Alternative, alternative_by_name};
use super::cross_validation::{Candidate, CrossValidation};
use super::standing::{Standing, clearly_better, compare};
use crate::report::Estimate;
use crate::report::estimate::Expectation;

/// Standard deviations by which a gain must exceed 0 to outweigh the risk of a loss.
pub(crate) const WORTH_IT: f64 = 1.0;

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
    /// The gain, from forecast and cross-validation.
    pub(super) gain: Estimate,
    /// What is reported, with the uncertainty that few labels leave.
    pub(super) expectation: Expectation,
}

impl Prospect {
    /// The gain minus what its uncertainty costs.
    fn cautious_gain(&self) -> f64 {
        self.gain.mean - WORTH_IT * self.gain.sd
    }

    /// A rule is worth it if its gain exceeds the uncertainty, and if the report promises a gain.
    fn is_worth_it(&self) -> bool {
        self.cautious_gain() > 0.0 && self.expectation.gain.mean > 0.0
    }
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
    let cautious = |index: &usize| prospects[*index].cautious_gain();
    // Of equal gains the smallest change.
    let best =
        |indices: &[usize]| indices.iter().copied().rev().max_by(|a, b| cautious(a).total_cmp(&cautious(b)));
    let all: Vec<usize> = (0..prospects.len()).collect();
    let worth: Vec<usize> = all.iter().copied().filter(|&index| prospects[index].is_worth_it()).collect();
    let worth_it = best(&worth);
    let index = worth_it.or_else(|| best(&all)).unwrap_or(forecasts.len() - 1);
    let forecast_gain = forecasts[index].gain;
    let gain = prospects.get(index).map_or(forecast_gain, |prospect| prospect.gain);
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
