//! The stretches between neighbouring cuts, each with its score.

use crate::numeric::tolerance::EQUAL;
use crate::plugin::ties::Candidates;

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

    /// A place, as a logarithm, that is on no cut: beside it, if need be, in the middle of the wider stretch. On a cut
    /// itself each row goes by its own tie, which neither stretch tells.
    pub(super) fn beside_cuts(&self, log: f64) -> f64 {
        let is_near = |cut: f64| (cut.ln() - log).abs() <= 4.0 * EQUAL;
        let behind = self.cuts.partition_point(|&cut| cut.ln() < log);
        let Some(on) = [behind.saturating_sub(1), behind]
            .into_iter()
            .find(|&i| self.cuts.get(i).is_some_and(|&cut| is_near(cut)))
        else {
            return log;
        };
        // An open end is closed one unit past the last cut, as everywhere.
        let cut = self.cuts[on].ln();
        let low = if on == 0 { cut - 1.0 } else { self.cuts[on - 1].ln() };
        let high = self.cuts.get(on + 1).map_or(cut + 1.0, |next| next.ln());
        if cut - low > high - cut { low.midpoint(cut) } else { cut.midpoint(high) }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_on_a_cut_goes_to_the_middle_of_the_wider_stretch() {
        let curve = Curve { cuts: vec![0.5, 1.0, 8.0], scores: vec![1.0; 4] };
        assert_eq!(curve.beside_cuts(0.3), 0.3);
        assert_eq!(curve.beside_cuts(0.0), 0.5 * 8.0_f64.ln());
        assert_eq!(curve.beside_cuts(1e-13), 0.5 * 8.0_f64.ln());
        assert_eq!(curve.beside_cuts(0.5_f64.ln()), 0.5_f64.ln() - 0.5);
        assert_eq!(curve.beside_cuts(8.0_f64.ln()), 0.5 * 8.0_f64.ln());
        assert_eq!(Curve::new(1.0).beside_cuts(0.0), 0.0);
    }
}
