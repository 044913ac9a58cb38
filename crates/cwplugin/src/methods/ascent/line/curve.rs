//! The intervals between neighbouring cuts, each with its score.

use crate::numeric::tolerance::EQUAL;
use crate::plugin::ties::Candidates;

/// A step function; interval `i` reaches from cut `i − 1` to cut `i`.
#[derive(Debug)]
pub(super) struct Curve {
    cuts: Vec<f64>,
    pub(super) scores: Vec<f64>,
}

impl Curve {
    /// Starts with the score before the first cut.
    pub(super) fn new(first: f64) -> Self {
        Self { cuts: Vec::new(), scores: vec![first] }
    }

    /// Adds a cut and the score after it.
    pub(super) fn push(&mut self, cut: f64, score: f64) {
        self.cuts.push(cut);
        self.scores.push(score);
    }

    /// Marks a gap: cuts that follow are not scored, so the score of the last interval is ignored.
    pub(super) fn mark_gap(&mut self) {
        if let Some(score) = self.scores.last_mut() {
            *score = f64::NEG_INFINITY;
        }
    }

    /// Moves a logarithm off a cut, to the middle of the wider neighbouring interval. On the cut itself each row's own tie
    /// decides, so its score is that of neither interval.
    pub(super) fn off_cuts(&self, log: f64) -> f64 {
        let is_near = |cut: f64| (cut.ln() - log).abs() <= 4.0 * EQUAL;
        let after = self.cuts.partition_point(|&cut| cut.ln() < log);
        let Some(on) = [after.saturating_sub(1), after]
            .into_iter()
            .find(|&i| self.cuts.get(i).is_some_and(|&cut| is_near(cut)))
        else {
            return log;
        };
        // An open end is closed one unit past the last cut, as in `plugin/ties`.
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
    fn a_place_on_a_cut_goes_to_the_middle_of_the_wider_interval() {
        let curve = Curve { cuts: vec![0.5, 1.0, 8.0], scores: vec![1.0; 4] };
        assert_eq!(curve.off_cuts(0.3), 0.3);
        assert_eq!(curve.off_cuts(0.0), 0.5 * 8.0_f64.ln());
        assert_eq!(curve.off_cuts(1e-13), 0.5 * 8.0_f64.ln());
        assert_eq!(curve.off_cuts(0.5_f64.ln()), 0.5_f64.ln() - 0.5);
        assert_eq!(curve.off_cuts(8.0_f64.ln()), 0.5 * 8.0_f64.ln());
        assert_eq!(Curve::new(1.0).off_cuts(0.0), 0.0);
    }
}
