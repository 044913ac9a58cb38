//! The stretches between neighbouring cuts, each with its score.

use crate::ties::Candidates;

/// Cuts that differ by no more (relatively) are one: no weight can tell them apart once it is multiplied.
const ROUNDING: f64 = 1e-12;

/// Whether there is room for a weight between two neighbouring cuts.
#[inline(always)]
pub(super) fn differ(cut: f64, next: f64) -> bool {
    next - cut > ROUNDING * cut
}

/// Stretch `i` reaches from cut `i − 1` to cut `i`.
#[derive(Debug)]
pub(super) struct Curve {
    cuts: Vec<f64>,
    pub(super) scores: Vec<f64>,
}

impl Curve {
    /// The score before the first cut.
    pub(super) fn new(first: f64) -> Self {
        Self { cuts: Vec::new(), scores: vec![first] }
    }

    /// The next cut, and the score behind it.
    pub(super) fn push(&mut self, cut: f64, score: f64) {
        self.cuts.push(cut);
        self.scores.push(score);
    }

    /// Cuts that are not looked at follow: the last stretch reaches over them, and counts for nothing.
    pub(super) fn break_off(&mut self) {
        if let Some(score) = self.scores.last_mut() {
            *score = f64::NEG_INFINITY;
        }
    }

    pub(super) fn best(&self) -> f64 {
        self.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Candidates for Curve {
    fn len(&self) -> usize {
        self.scores.len()
    }

    fn score(&self, i: usize) -> f64 {
        self.scores[i]
    }

    fn span(&self, i: usize) -> (f64, f64) {
        let low = if i == 0 { f64::NEG_INFINITY } else { self.cuts[i - 1].ln() };
        (low, self.cuts.get(i).map_or(f64::INFINITY, |cut| cut.ln()))
    }

    fn is_points(&self) -> bool {
        false
    }
}
