//! Chooses between `expected`, the alternatives and the unadjusted black box.

use serde::{Deserialize, Serialize};

use super::alternatives::{Alternative, alternative_by_name};
use super::cross_validation::{Candidate, CrossValidation};
use super::standing::{Standing, clearly_better, compare};
use crate::report::Estimate;
use crate::report::estimate::Expectation;

/// Standard deviations by which a gain must exceed 0 to outweigh the risk of a loss: a probability of 73 %.
pub(crate) const WORTH_IT: f64 = 0.625;

/// Forecast and cross-validation learn from the same labels. The standard deviation of both together, as if they were
/// independent, is too small by this factor: √2 if one says what the other says, and more since the best of several
/// shrinkages is chosen.
const SAME_LABELS: f64 = 1.6;

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

/// The gain from a forecast and from cross-validation together.
pub(super) fn together(forecast: Estimate, cv: Estimate) -> Estimate {
    let gain = forecast.and(cv);
    Estimate { sd: SAME_LABELS * gain.sd, ..gain }
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
/// `forecasts` and `gains` are those of `expected` at increasing shrinkages, by calibrated probabilities alone and together
/// with cross-validation; there are no gains if it could not be cross-validated. `rows` are labelled.
pub(super) fn decide(
    cv: &CrossValidation,
    forecasts: &[Expectation],
    gains: &[Estimate],
    rows: u64,
) -> Decision {
    let cautious = |index: usize| gains[index].mean - WORTH_IT * gains[index].sd;
    // Of equal gains the smallest change.
    let best = (0..gains.len()).rev().max_by(|&a, &b| cautious(a).total_cmp(&cautious(b)));
    let worth_it = best.filter(|&index| cautious(index) > 0.0);
    let index = best.unwrap_or(forecasts.len() - 1);
    let forecast_gain = forecasts[index].gain;
    let gain = gains.get(index).copied().unwrap_or(forecast_gain);
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

    /// The gain of the chosen method; `None` if predictions stay unchanged.
    pub(super) fn gain_of_choice(&self, cv: &CrossValidation) -> Option<Estimate> {
        match (self.alternative, self.reason) {
            (Some(alternative), _) => Some(cv.gain_of(alternative.name)),
            (None, Reason::Gain) => Some(self.gain),
            (None, _) => None,
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

#[cfg(test)]
mod tests {
    use super::super::scored::Scored;
    use super::*;

    /// The decision on gains at increasing shrinkages, without alternatives.
    fn decided(gains: &[(f64, f64)]) -> (Reason, usize) {
        let scored = || Scored::of_replicates(0.5, vec![0.5; 4]);
        let cv = CrossValidation::of_scores(scored(), gains.iter().map(|_| scored()).collect(), Vec::new());
        let gains: Vec<Estimate> = gains.iter().map(|&(mean, sd)| Estimate { mean, sd }).collect();
        let none = Estimate { mean: 0.0, sd: 0.0 };
        let forecasts = [Expectation::of_gain(none, none, (0.0, 1.0)); 4];
        let decision = decide(&cv, &forecasts, &gains, 100);
        (decision.reason, decision.index)
    }

    #[test]
    fn the_gain_minus_its_risk_decides_and_of_equals_the_smallest_change() {
        assert_eq!(
            decided(&[(0.01, 0.02), (0.02, 0.04), (0.03, 0.05), (0.04, 0.07)]).0,
            Reason::NoReliableGain
        );
        assert_eq!(decided(&[(0.01, 0.01), (0.03, 0.02), (0.04, 0.05), (0.05, 0.09)]), (Reason::Gain, 1));
        assert_eq!(decided(&[(0.02, 0.01); 4]), (Reason::Gain, 0));
        assert_eq!(decided(&[(0.0, 0.0); 4]).0, Reason::NoReliableGain);
        assert_eq!(decided(&[]), (Reason::NoReliableGain, 3), "not cross-validated");
    }

    #[test]
    fn two_estimates_from_the_same_labels_are_hardly_more_certain_than_one() {
        let one = Estimate { mean: 0.04, sd: 0.02 };
        let both = together(one, Estimate { mean: 0.02, sd: 0.02 });
        assert!((both.mean - 0.03).abs() < 1e-12);
        assert!((0.02..0.025).contains(&both.sd), "{}", both.sd);
        let certain = together(one, Estimate { mean: 0.0, sd: 0.0 });
        assert!(certain.mean.abs() < 1e-12, "no held-out prediction changes: {certain:?}");
    }
}
