//! Which α to try.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::numeric::tolerance::is_as_good;
use crate::plugin::bins::Moved;
use crate::plugin::sweep::PairScore;
use crate::plugin::ties::{Candidates, Points, Shape, from_log_odds, log_odds};
use crate::plugin::{Step, Ties};

/// The largest α below 1.
const LAST_ALPHA: f64 = 1.0 - f64::EPSILON / 2.0;

/// How to search for the best α of a pair. Deterministic.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Search {
    /// Scores every distinct cut: no α above 0 is better on the pair. Cuts that differ only by rounding are merged.
    #[default]
    Exact,
    /// The line search of the paper over 0, ε, 2ε, … below 1.
    Grid(Step),
    /// The binary search of the paper: O(log 1/ε) evaluations, for metrics that rise to one peak and then fall.
    Binary(Step),
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Grid(step) => write!(f, "grid:{}", step.epsilon()),
            Self::Binary(step) => write!(f, "binary:{}", step.epsilon()),
        }
    }
}

impl FromStr for Search {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownOption { option: "search", value: text.into() };
        if text == "exact" {
            return Ok(Self::Exact);
        }
        let (kind, epsilon) = text.split_once(':').ok_or_else(unknown)?;
        let step = || epsilon.trim().parse::<f64>().map_err(|_| unknown()).and_then(Step::try_from);
        match kind {
            "grid" => Ok(Self::Grid(step()?)),
            "binary" => Ok(Self::Binary(step()?)),
            _ => Err(unknown()),
        }
    }
}

/// The best α of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Peak {
    /// The selected α, in [0, 1).
    pub alpha: f64,
    /// `α / (1 − α)`, the weight relative to the reference; exact even where α rounds to 1.
    pub odds: f64,
    /// The metric on the pair at that α.
    pub score: f64,
    /// The range of α with the same score; a grid knows only its own points.
    pub plateau: [f64; 2],
    /// Evaluations of the metric.
    pub evaluations: usize,
    /// The best α include the smallest or the largest.
    pub at_border: bool,
    /// All α above 0 that were tried score the same.
    pub is_flat: bool,
}

/// The exact search: the best interval between cuts.
pub(crate) fn best_interval(curve: &impl Candidates, pair: PairScore<'_>, ties: Ties) -> Result<Peak, Error> {
    let evaluations = pair.finish()?;
    let choice = ties.choose(curve);
    Ok(Peak {
        alpha: from_log_odds(choice.log_odds).min(LAST_ALPHA),
        odds: choice.log_odds.exp(),
        score: curve.score(choice.index),
        plateau: choice.edges.map(from_log_odds),
        evaluations,
        at_border: choice.shape == Shape::Border,
        is_flat: choice.shape == Shape::Flat,
    })
}

/// The line search of the paper: the best point of a grid.
pub(crate) fn line_search(
    step: Step,
    moved: &Moved,
    mut pair: PairScore<'_>,
    ties: Ties,
) -> Result<Peak, Error> {
    let alphas: Vec<f64> = (0..step.points()).map(|i| step.alpha(i)).collect();
    let scores: Vec<f64> = (0..step.points()).map(|i| pair.score(moved.at(i))).collect();
    best_point(pair, ties, &alphas, &scores)
}

/// The binary search of the paper, on the points of a grid.
pub(crate) fn binary_search(
    step: Step,
    moved: &Moved,
    mut pair: PairScore<'_>,
    ties: Ties,
) -> Result<Peak, Error> {
    let evaluated = peak_by_quartering(step.points(), |i| pair.score(moved.at(i)));
    let alphas: Vec<f64> = evaluated.keys().map(|&i| step.alpha(i)).collect();
    let scores: Vec<f64> = evaluated.into_values().collect();
    best_point(pair, ties, &alphas, &scores)
}

/// The best of the points that were tried.
fn best_point(pair: PairScore<'_>, ties: Ties, alphas: &[f64], scores: &[f64]) -> Result<Peak, Error> {
    let evaluations = pair.finish()?;
    let choice = ties.choose(&Points { scores, log_odds: |i: usize| log_odds(alphas[i]) });
    let alpha = alphas[choice.index];
    Ok(Peak {
        alpha,
        odds: alpha / (1.0 - alpha),
        score: scores[choice.index],
        plateau: [alphas[choice.run.0], alphas[choice.run.1]],
        evaluations,
        at_border: choice.shape == Shape::Border,
        is_flat: choice.shape == Shape::Flat,
    })
}

/// Finds the peak of a function that rises and then falls on `0..points`; returns every evaluation.
///
/// Five points quarter the bracket. The two quarters around the best point are the next bracket, so two evaluations halve
/// it. The ends are evaluated too: on a small sample the function is a step function, and points within one step see no
/// slope.
fn peak_by_quartering(points: usize, mut score: impl FnMut(usize) -> f64) -> BTreeMap<usize, f64> {
    let mut seen = BTreeMap::new();
    let (mut low, mut high) = (0, points - 1);
    while high - low > 2 {
        let middle = low.midpoint(high);
        let mut probes = vec![low, low.midpoint(middle), middle, middle.midpoint(high), high];
        probes.dedup();
        let scores: Vec<f64> = probes.iter().map(|&i| *seen.entry(i).or_insert_with(|| score(i))).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let tied: Vec<usize> = (0..probes.len()).filter(|&i| is_as_good(scores[i], best)).collect();
        let peak = tied[(tied.len() - 1) / 2];
        (low, high) = (probes[peak.saturating_sub(1)], probes[(peak + 1).min(probes.len() - 1)]);
    }
    for i in low..=high {
        seen.entry(i).or_insert_with(|| score(i));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_written_as_they_are_read() {
        for text in ["exact", "grid:0.01", "binary:0.001"] {
            assert_eq!(text.parse::<Search>().unwrap().to_string(), text);
        }
        for text in ["", "grid", "grid:", "grid:x", "line:0.1", "exact:0.1"] {
            assert!(text.parse::<Search>().is_err(), "{text}");
        }
    }

    #[test]
    fn quartering_finds_every_peak_in_logarithmically_many_evaluations() {
        for points in [2, 3, 4, 5, 7, 100, 1000, 1_000_000] {
            for peak in [0, 1, points / 3, points / 2, points - 2, points - 1] {
                let evaluated = peak_by_quartering(points, |i| -((i as f64) - (peak as f64)).abs());
                let best = evaluated.iter().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
                assert_eq!(*best.0, peak, "{points} points");
                assert!(
                    evaluated.len() as f64 <= 2.0 * (points as f64).log2() + 5.0,
                    "{points}: {}",
                    evaluated.len()
                );
            }
        }
    }
}
