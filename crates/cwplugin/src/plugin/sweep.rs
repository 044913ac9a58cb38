//! The cuts of one pair in order, and the score of every interval between two cuts.

use crate::data::class_totals::ClassTotals;
use crate::error::Error;
use crate::metric::scorer::Scorer;
use crate::metric::{Confusion, Metric};
use crate::numeric::parallel;
use crate::numeric::tolerance::is_one_cut;
use crate::plugin::cuts::{Cut, Ratio, Sum};
use crate::plugin::ties::{Candidates, Ties};

/// One class and the reference it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The class `k` that is tuned.
    pub(crate) class: usize,
    /// The reference class `r`.
    pub(crate) reference: usize,
}

/// The objective of a search: the metric on one pair, as rows move from the reference to the class.
///
/// Only rows labelled with one of the two classes count (the paper's `S_k`). The restricted classifier is
///
/// ```text
/// h_α(x) = k  if  α·b_k > (1−α)·b_r,  else r
/// ```
///
/// Every row moves once as α grows, and the metric depends on α only through the weight of the rows of either class that
/// have moved.
pub(crate) struct PairScore<'a> {
    scorer: Scorer<'a>,
    confusion: Confusion,
    totals: [f64; 2],
}

impl<'a> PairScore<'a> {
    pub(crate) fn new(metric: &'a dyn Metric, pair: Pair, class_totals: &ClassTotals) -> Self {
        let totals = [pair.class, pair.reference].map(|class| class_totals.weight(class));
        let confusion = Confusion::pair(pair.class, pair.reference);
        Self { scorer: Scorer::new(metric), confusion, totals }
    }

    /// The metric when this weight of rows of the class and of the reference has moved.
    pub(crate) fn score(&mut self, moved: [f64; 2]) -> f64 {
        self.confusion.set_pair(moved, self.totals);
        self.scorer.score(&self.confusion)
    }

    /// Adds evaluations made elsewhere.
    pub(crate) fn add_evaluations(&mut self, evaluations: usize) {
        self.scorer.evaluations += evaluations;
    }

    /// The number of evaluations; an error if the metric ever was not finite.
    pub(crate) fn finish(self) -> Result<usize, Error> {
        self.scorer.check()?;
        Ok(self.scorer.evaluations)
    }
}

/// The intervals between neighbouring distinct cuts, each with its score.
///
/// Interval `i` reaches from cut `i − 1` to cut `i`. A cut takes at most sixteen bytes. If it has no room for the score of
/// the interval after it, the scores are in a separate list.
#[derive(Debug)]
pub(crate) struct Curve<C> {
    cuts: Vec<C>,
    first: f64,
    scores: Vec<f64>,
}

/// Neighbouring cuts, and the weight of the rows that have moved before them.
pub(crate) struct Segment<C: Cut> {
    pub(crate) cuts: usize,
    pub(crate) before: [C::Sum; 2],
}

impl<C: Cut> Curve<C> {
    /// Sorts the cuts and scores every interval that `ties` may take.
    pub(crate) fn new(mut cuts: Vec<C>, ties: Ties, score: impl FnMut([f64; 2]) -> f64) -> Self {
        cuts.retain(|cut| cut.place() < Ratio::NEVER);
        let before = take_zeros(&mut cuts, ties);
        let all = Segment { cuts: cuts.len(), before };
        Self::of_segments(cuts, vec![all], score)
    }

    /// Sorts the cuts and scores the intervals in these segments. The last interval of every segment but the last spans
    /// cuts that were dropped; its score is ignored.
    pub(crate) fn of_segments(
        mut cuts: Vec<C>,
        segments: Vec<Segment<C>>,
        mut score: impl FnMut([f64; 2]) -> f64,
    ) -> Self {
        parallel::sort(&mut cuts);
        let (mut curve, mut first, mut kept, mut seen) = (Vec::new(), None, 0, 0);
        let n_segments = segments.len();
        for (number, segment) in segments.into_iter().enumerate() {
            let mut passed = segment.before;
            let mut score_now = |passed: &[C::Sum; 2]| score(passed.each_ref().map(Sum::value));
            first.get_or_insert_with(|| score_now(&passed));
            for i in seen..seen + segment.cuts {
                let cut = cuts[i];
                passed[cut.side()].add(cut.weight());
                if cuts.get(i + 1).is_some_and(|&next| is_one_cut(ratio(cut), ratio(next))) {
                    continue;
                }
                let is_gap = i + 1 == seen + segment.cuts && number + 1 < n_segments;
                let score = if is_gap { f64::NEG_INFINITY } else { score_now(&passed) };
                // `kept` never passes the cut being read, so no unread cut is overwritten.
                cuts[kept] = cut.with_score(score, &mut curve);
                kept += 1;
            }
            seen += segment.cuts;
        }
        cuts.truncate(kept);
        Self { cuts, first: first.unwrap_or(f64::NEG_INFINITY), scores: curve }
    }

    /// The log-odds of a cut.
    fn log_odds(&self, cut: usize) -> f64 {
        ratio(self.cuts[cut]).ln()
    }
}

impl<C: Cut> Candidates for Curve<C> {
    fn len(&self) -> usize {
        self.cuts.len() + 1
    }

    fn score(&self, i: usize) -> f64 {
        if i == 0 { self.first } else { self.cuts[i - 1].score(i - 1, &self.scores) }
    }

    fn span(&self, i: usize) -> (f64, f64) {
        let low = if i == 0 { f64::NEG_INFINITY } else { self.log_odds(i - 1) };
        (low, if i < self.cuts.len() { self.log_odds(i) } else { f64::INFINITY })
    }
}

/// Removes the rows that every weight moves, unless α = 0 is a candidate; returns the weight moved by them.
fn take_zeros<C: Cut>(cuts: &mut Vec<C>, ties: Ties) -> [C::Sum; 2] {
    let mut moved = [C::Sum::default(), C::Sum::default()];
    if !ties.may_take_zero() {
        cuts.retain(|cut| {
            let is_zero = cut.place() == 0;
            if is_zero {
                moved[cut.side()].add(cut.weight());
            }
            !is_zero
        });
    }
    moved
}

/// The odds α/(1−α) of a cut.
fn ratio<C: Cut>(cut: C) -> f64 {
    f64::from_bits(cut.place())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A curve whose scores are the moved rows of the class minus those of the reference.
    fn curve(rows: &[(f64, f64, u64)], ties: Ties) -> Curve<u64> {
        use crate::plugin::cuts::Place as _;
        let cuts = rows.iter().map(|&(k, r, side)| u64::new(Ratio.of(k, r), side, 1.0)).collect();
        Curve::new(cuts, ties, |[a, b]| a - b)
    }

    fn scores<C: Cut>(curve: &Curve<C>) -> Vec<f64> {
        (0..curve.len()).map(|i| curve.score(i)).collect()
    }

    #[test]
    fn rows_move_in_the_order_of_their_odds() {
        let curve = curve(&[(0.25, 0.75, 1), (0.5, 0.5, 0)], Ties::Middle);
        assert_eq!(scores(&curve), [0.0, 1.0, 0.0]);
        assert_eq!([curve.span(0).1, curve.span(2).0], [0.0, 3.0_f64.ln()]);
    }

    #[test]
    fn zero_probabilities_move_at_once_or_never() {
        let rows = [(1.0, 0.0, 0), (0.0, 1.0, 0), (0.0, 0.0, 0), (1e-18, 1.0, 0), (1e-200, 1.0, 0)];
        assert_eq!(scores(&curve(&rows, Ties::Middle)), [1.0, 2.0], "only the fourth row's weight matters");
        assert_eq!(scores(&curve(&rows, Ties::First)), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn cuts_that_differ_by_rounding_are_one() {
        let curve = curve(&[(0.7, 1.0 - 0.7, 0), (0.7, 0.3, 1), (0.4, 0.6, 0)], Ties::Middle);
        assert_eq!(scores(&curve), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn weights_are_added_exactly_and_leave_room_for_the_scores() {
        let cut = |ratio: f64, weight| <(u64, u64)>::new(ratio.to_bits(), 0, weight);
        let cuts = (1..=10).map(|i| cut(f64::from(i), 0.1)).collect();
        let curve = Curve::new(cuts, Ties::Middle, |[a, _]| a);
        assert_eq!((curve.len(), curve.score(10), curve.score(3)), (11, 1.0, 0.1 + 0.2));
        assert!(curve.scores.is_empty());
    }
}
