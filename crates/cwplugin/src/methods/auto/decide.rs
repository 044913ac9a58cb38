//! What to make of forecast and trials.

use serde::{Deserialize, Serialize};

use super::rivals::{RIVALS, Rival};
use super::trials::Trials;
use crate::report::Estimate;
use crate::report::estimate::Expectation;

/// How many standard deviations of the forecast a larger gain must be worth, when the share of the way is chosen.
const CAUTION: f64 = 0.5;

/// The share of a forecast gain that it may be off by because the mended probabilities are not right either.
const OFF: f64 = 0.3;

/// … and more with few rows, for the weights are best on these very rows: with so many its square is doubled.
const FEW: f64 = 200.0;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

/// One rule between the unadjusted black box and that of `expected`.
pub(super) struct Way {
    pub(super) forecast: Expectation,
    /// Rows that the forecast is over.
    pub(super) rows: usize,
}

pub(super) struct Decision {
    /// Which of the shares of the way to `expected` it is about.
    pub(super) way: usize,
    /// The method that takes the place of `expected`, if one does.
    pub(super) rival: Option<Rival>,
    /// What `expected` gains, by forecast and trial together.
    pub(super) gain: Estimate,
    pub(super) reason: Reason,
    pub(super) rows_needed: Option<u64>,
}

/// A gain that was forecast from so many rows, with what the forecast itself may be off by.
pub(super) fn doubted(forecast: Estimate, rows: usize) -> Estimate {
    let off = OFF * (1.0 + FEW / rows as f64).sqrt();
    forecast.doubted_by(off * forecast.mean)
}

/// Weighs forecast against trial, `expected` against the black box, and both against the others; the shares of the way
/// to `expected` are increasing.
pub(super) fn decide(trials: &Trials, ways: &[Way], level: Estimate, rows: u64) -> Decision {
    let worth = WORTH * level.mean.abs();
    let gain_of = |way: usize| {
        let doubted = doubted(ways[way].forecast.gain, ways[way].rows);
        trials.gain_of_way(way).map_or(doubted, |trial| doubted.and(trial))
    };
    let is_reliable = |way: &usize| {
        let gain = gain_of(*way);
        gain.mean > SURE * gain.sd && gain.mean > worth
    };
    let cautious = |way: usize| ways[way].forecast.gain.mean - CAUTION * ways[way].forecast.gain.sd;
    let best = (0..ways.len()).rev().max_by(|&a, &b| cautious(a).total_cmp(&cautious(b))).unwrap_or(0);
    // A gain grows less with the share of the way than its uncertainty does: thin evidence may carry a part of the way.
    let reliable = (0..=best).rev().find(is_reliable);
    let (way, is_gain) = (reliable.unwrap_or(best), reliable.is_some());
    let gain = gain_of(way);
    let clearly = |rival: &&Rival| {
        let gap = trials.gap_to(rival.name, reliable);
        gap.is_some_and(|gap| gap.mean > CLEARLY * gap.sd && gap.mean > worth)
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
    Decision { way, rival, gain, reason, rows_needed: rows_needed.filter(in_sight) }
}
