//! What to make of forecast and trials.

use super::trials::{RIVALS, Rival, Trials};
use crate::{Estimate, Forecast};

/// The share of a forecast gain that it may be off by because the mended probabilities are not right either.
const OFF: f64 = 0.3;

/// A gain must be larger than so many of its standard deviations.
const SURE: f64 = 1.0;

/// … and than this share of what the black box scores: less is not worth a change.
const WORTH: f64 = 0.01;

/// Another method must be better by so many standard deviations, on rows held out: it is one of several, and the best
/// of several is better by chance alone.
const CLEARLY: f64 = 5.0;

/// So many times the labelled rows are foreseen, and no more.
const IN_SIGHT: u64 = 20;

/// Why `auto` did what it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The gain is larger than its uncertainty.
    Gain,
    /// Another method was clearly better on rows held out.
    Rival,
    /// The gain is smaller than its uncertainty, or not worth a change.
    NoReliableGain,
    /// All labels are of one class.
    OneClass,
    /// No class has two rows, so that none can be held out.
    TooFewRows,
}

impl Reason {
    /// Stable name, as it stands in model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gain => "gain",
            Self::Rival => "rival",
            Self::NoReliableGain => "no-reliable-gain",
            Self::OneClass => "one-class",
            Self::TooFewRows => "too-few-rows",
        }
    }
}

pub(super) struct Decision {
    /// The method that takes the place of `expected`, if one does.
    pub(super) rival: Option<Rival>,
    /// What `expected` gains, by forecast and trial together.
    pub(super) gain: Estimate,
    pub(super) reason: Reason,
    pub(super) rows_needed: Option<u64>,
}

/// Weighs forecast against trial, `expected` against the black box, and both against the others.
pub(super) fn decide(trials: &Trials, forecast: &Forecast, level: Estimate, rows: u64) -> Decision {
    let doubted = forecast.gain.doubted_by(OFF * forecast.gain.mean);
    let gain = trials.difference("expected", "clean").map_or(doubted, |trial| doubted.and(trial));
    let worth = WORTH * level.mean.abs();
    let is_gain = gain.mean > SURE * gain.sd && gain.mean > worth;
    let taken = if is_gain { "expected" } else { "clean" };
    let clearly = |rival: &&Rival| {
        trials
            .difference(rival.name, taken)
            .is_some_and(|gap| gap.mean > CLEARLY * gap.sd && gap.mean > worth)
    };
    let rival = RIVALS
        .iter()
        .filter(clearly)
        .copied()
        .max_by(|a, b| trials.gain_of(a.name).mean.total_cmp(&trials.gain_of(b.name).mean));
    let reason = match (rival, is_gain) {
        (Some(_), _) => Reason::Rival,
        (None, true) => Reason::Gain,
        (None, false) => Reason::NoReliableGain,
    };
    // Uncertainty falls with the root of the rows.
    let rows_needed = (reason == Reason::NoReliableGain && gain.mean > worth && gain.mean > 0.0).then(|| {
        let ratio = SURE * gain.sd / gain.mean;
        #[allow(clippy::cast_sign_loss)] // a square is not negative
        let needed = (rows as f64 * ratio * ratio).ceil() as u64;
        needed
    });
    // Further than that nobody sees: where the black box scores next to nothing, any number may come out.
    let in_sight = |needed: &u64| *needed > rows && *needed <= rows.saturating_mul(IN_SIGHT);
    Decision { rival, gain, reason, rows_needed: rows_needed.filter(in_sight) }
}
