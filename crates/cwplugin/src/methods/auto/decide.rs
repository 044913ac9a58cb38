//! Chooses between `expected`, the alternatives and the unadjusted black box.

use serde::{Deserialize, Serialize};

use super::alternatives::{Alternative, alternative_by_name};
use super::cross_validation::{Candidate, CrossValidation};
use super::standing::{Standing, clearly_better, compare};
use crate::report::Estimate;
use crate::report::estimate::Expectation;

/// Standard deviations of the forecast gain that are subtracted when the shrinkage is chosen.
const CAUTION: f64 = 0.5;

/// Relative error of a forecast gain, because the calibrated probabilities are uncertain.
const FORECAST_ERROR: f64 = 0.3;

/// Rows at which the squared relative error is doubled: with few rows the weights overfit.
const FEW_ROWS: f64 = 200.0;

/// Standard deviations that a gain must exceed.
pub(super) const RELIABLE: f64 = 1.0;

/// Fraction of the unadjusted score that a gain must exceed to justify a change.
pub(crate) const MIN_GAIN: f64 = 0.01;

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
    /// The gain is larger than its uncertainty.
    Gain,
    /// An alternative was clearly better in cross-validation.
    BetterAlternative,
    /// The gain is smaller than its uncertainty, or too small to justify a change.
    NoReliableGain,
    /// All labels are of one class.
    OneClass,
    /// No class has two labelled rows, so none can be held out.
    TooFewRows,
}

pub(super) struct Decision {
    /// Index of the shrinkage.
    pub(super) index: usize,
    /// The method that replaces `expected`, if any.
    pub(super) alternative: Option<Alternative>,
    /// The gain of `expected`, from forecast and cross-validation.
    pub(super) gain: Estimate,
    /// The gain of `expected` by the forecast alone, with its error.
    pub(super) forecast_gain: Estimate,
    pub(super) reason: Reason,
    pub(super) rows_needed: Option<u64>,
    /// The smallest gain that justifies a change.
    min_gain: f64,
}

/// A forecast gain from this many rows, with the error of the forecast itself added.
pub(super) fn with_forecast_error(forecast: Estimate, rows: usize) -> Estimate {
    let off = FORECAST_ERROR * (1.0 + FEW_ROWS / rows as f64).sqrt();
    forecast.with_added_sd(off * forecast.mean)
}

/// Compares `expected` at each shrinkage with the black box and with the alternatives.
///
/// `forecasts` are those of `expected` at increasing shrinkages, computed on `n_forecast` rows; `rows` are labelled.
pub(super) fn decide(
    cv: &CrossValidation,
    forecasts: &[Expectation],
    n_forecast: usize,
    clean_score: Estimate,
    rows: u64,
) -> Decision {
    let min_gain = MIN_GAIN * clean_score.mean.abs();
    let forecast_of = |index: usize| with_forecast_error(forecasts[index].gain, n_forecast);
    let gain_of = |index: usize| {
        let forecast = forecast_of(index);
        cv.gain_at(index).map_or(forecast, |cv| forecast.and(cv))
    };
    let is_reliable = |index: &usize| Standing::short_of(gain_of(*index), RELIABLE, min_gain).is_none();
    let cautious = |index: usize| forecasts[index].gain.mean - CAUTION * forecasts[index].gain.sd;
    let best = (0..forecasts.len()).rev().max_by(|&a, &b| cautious(a).total_cmp(&cautious(b))).unwrap_or(0);
    // Uncertainty grows faster with the shrinkage than the gain, so a smaller shrinkage may be reliable.
    let reliable = (0..=best).rev().find(is_reliable);
    let (index, is_gain) = (reliable.unwrap_or(best), reliable.is_some());
    let gain = gain_of(index);
    let alternative = clearly_better(cv, reliable, min_gain);
    let reason = match (alternative, is_gain) {
        (Some(_), _) => Reason::BetterAlternative,
        (None, true) => Reason::Gain,
        (None, false) => Reason::NoReliableGain,
    };
    // The standard deviation is proportional to 1/√rows.
    let rows_needed =
        (reason == Reason::NoReliableGain && gain.mean > min_gain && gain.mean > 0.0).then(|| {
            let ratio = RELIABLE * gain.sd / gain.mean;
            #[allow(clippy::cast_sign_loss)] // a square is not negative
            let needed = (rows as f64 * ratio * ratio).ceil() as u64;
            needed
        });
    // Larger values are unreliable: they occur where the unadjusted score is near 0.
    let is_plausible = |needed: &u64| *needed > rows && *needed <= rows.saturating_mul(MAX_EXTRAPOLATION);
    let rows_needed = rows_needed.filter(is_plausible);
    Decision { index, alternative, gain, forecast_gain: forecast_of(index), reason, rows_needed, min_gain }
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

    /// The estimated gain of the chosen method.
    pub(super) fn estimated(&self, cv: &CrossValidation) -> Estimate {
        match (self.alternative, self.reason) {
            (Some(alternative), _) => cv.gain_of(alternative.name),
            (None, Reason::Gain) => self.gain,
            (None, _) => Estimate { mean: 0.0, sd: 0.0 },
        }
    }

    /// Every method in cross-validation, with the reason why it was chosen or not.
    pub(super) fn candidates(&self, cv: &CrossValidation) -> Vec<Candidate> {
        let expected = Standing::short_of(self.gain, RELIABLE, self.min_gain);
        let reliable = expected.is_none().then_some(self.index);
        let chosen = self.chosen();
        let mut candidates = cv.candidates(self.index);
        for candidate in &mut candidates {
            let alternative = alternative_by_name(&candidate.method);
            let compared =
                alternative.and_then(|alternative| compare(cv, &alternative, reliable, self.min_gain));
            let (lead, standing) = match (&*candidate.method, compared) {
                ("expected", _) => (Some(self.gain), expected.unwrap_or(Standing::Replaced)),
                (_, Some((lead, falls_short))) => (Some(lead), falls_short.unwrap_or(Standing::Second)),
                _ => (None, Standing::Replaced),
            };
            candidate.lead = lead;
            candidate.standing = Some(if candidate.method == chosen { Standing::Chosen } else { standing });
        }
        candidates
    }
}
