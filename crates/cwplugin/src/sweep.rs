//! Every cut of one pair.

use std::cmp::Ordering;

use crate::{Confusion, Metric, Sample};

/// The largest α below 1.
pub(crate) const LAST_ALPHA: f64 = 1.0 - f64::EPSILON / 2.0;

/// Cuts whose log-odds differ by no more are one cut to the exact search.
const ROUNDING: f64 = 1e-12;

/// A row that only a weight above e³⁰⁰ would move is never moved, one that even e⁻³⁰⁰ moves is moved by every weight:
/// weights further apart leave no room for the others.
const LAST_LOG_ODDS: f64 = 300.0;

/// How many neighbouring floats a cut may be corrected by; one or two are the rule.
const MAX_NUDGES: usize = 8;

/// One class and the reference it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The class `k` whose weight is searched.
    pub class: usize,
    /// The class `r` that stays fixed.
    pub reference: usize,
}

/// The problem that a search solves: the metric on one pair as α grows.
///
/// Only rows labelled with one of the two classes take part (the paper's `S_k`). The restricted classifier says
///
/// ```text
/// h_α(x) = k  if  α·b_k > (1−α)·b_r,  else r
/// ```
///
/// so every row moves from `r` to `k` once, when α passes the row's *cut*: the largest α at which the inequality is
/// still false. Between two neighbouring cuts nothing changes. The inequality is evaluated in double precision as it is
/// written, so a cut agrees with a plain loop over α to the last bit.
///
/// Near 1 doubles are too coarse to tell over-confident rows apart (`b_k` = 1e-17 or 1e-19), so each cut also has its
/// log-odds, `ln(b_r / b_k)`, in which the exact search thinks.
#[derive(Debug)]
pub struct PairSweep<'a, M: ?Sized> {
    metric: &'a M,
    /// Distinct cuts, increasing; 1 for those that only their log-odds tell apart.
    cuts: Vec<f64>,
    log_odds: Vec<f64>,
    /// `moved[j]`: weight of the rows of class and reference that `j` cuts have moved.
    moved: Vec<[f64; 2]>,
    totals: [f64; 2],
    evaluations: usize,
    confusion: Confusion,
}

impl<'a, M: Metric + ?Sized> PairSweep<'a, M> {
    /// Sorts the cuts of all rows labelled with either class of the pair.
    ///
    /// # Panics
    ///
    /// If a class of the pair is not a class of the sample.
    pub fn new(sample: &Sample, pair: Pair, metric: &'a M) -> Self {
        let (of_class, of_reference) = (sample.rows_of(pair.class), sample.rows_of(pair.reference));
        let mut rows = Vec::with_capacity(of_class.len() + of_reference.len());
        for (side, rows_of_side) in [of_class, of_reference].into_iter().enumerate() {
            rows.extend(rows_of_side.iter().map(|&row| {
                let b = sample.probabilities().row(row);
                let (b_class, b_reference) = (b[pair.class], b[pair.reference]);
                let log_odds = match (b_reference / b_class).ln() {
                    x if x < -LAST_LOG_ODDS => f64::NEG_INFINITY,
                    x => x,
                };
                let cut = cut(b_class, b_reference);
                Row { cut, log_odds, side, weight: sample.weight(row) }
            }));
        }
        rows.sort_unstable_by(Row::total_cmp);

        let (mut cuts, mut log_odds, mut moved) = (Vec::new(), Vec::new(), vec![[0.0; 2]]);
        let mut passed = [0.0; 2];
        for rows_at_cut in rows.chunk_by(|a, b| a.place().eq(&b.place())) {
            for row in rows_at_cut {
                passed[row.side] += row.weight;
            }
            // With b_k = 0 the log-odds are infinite or, for 0/0, no number: such a row never moves.
            if let Some(row) = rows_at_cut.first().filter(|row| row.log_odds < LAST_LOG_ODDS) {
                cuts.push(row.cut);
                log_odds.push(row.log_odds);
                moved.push(passed);
            }
        }
        let confusion = Confusion::pair(pair.class, pair.reference);
        Self { metric, cuts, log_odds, moved, totals: passed, evaluations: 0, confusion }
    }

    /// The metric of `h_α` on the pair's rows.
    pub fn score(&mut self, alpha: f64) -> f64 {
        self.score_after(self.cuts_below(alpha))
    }

    /// The metric once the first `passed` cuts have moved their rows.
    pub(crate) fn score_after(&mut self, passed: usize) -> f64 {
        self.evaluations += 1;
        self.confusion.set_pair(self.moved[passed], self.totals);
        self.metric.score(&self.confusion)
    }

    /// How many cuts lie strictly below α.
    pub(crate) fn cuts_below(&self, alpha: f64) -> usize {
        self.cuts.partition_point(|&cut| cut < alpha)
    }

    /// The distinct cuts below 1, increasing.
    pub fn cuts(&self) -> &[f64] {
        &self.cuts[..self.cuts_below(1.0)]
    }

    /// The log-odds of the cuts that a weight can tell apart, and how many cuts have been passed behind each.
    ///
    /// `0.3` and `1 − 0.7` are not the same double. Between the cuts of two such rows lie a few values of α, but no
    /// weight that tells the rows apart once it is multiplied with their probabilities.
    pub(crate) fn distinguishable(&self) -> (Vec<f64>, Vec<usize>) {
        let is_last = |&(i, log_odds): &(usize, f64)| {
            self.log_odds.get(i + 1).is_none_or(|next| next - log_odds > ROUNDING)
        };
        let last_of_each = self.log_odds.iter().copied().enumerate().filter(is_last);
        last_of_each.map(|(i, log_odds)| (log_odds, i + 1)).unzip()
    }

    pub(crate) fn metric_name(&self) -> &str {
        self.metric.name()
    }

    /// How often the metric was evaluated so far.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }
}

/// A row of the pair, on its way into the sweep.
struct Row {
    cut: f64,
    log_odds: f64,
    side: usize,
    weight: f64,
}

impl Row {
    /// Where the row moves, as bits that are equal only for the same place.
    fn place(&self) -> (u64, u64) {
        (self.cut.to_bits(), self.log_odds.to_bits())
    }

    /// A total order: sums in it are the same bits for any order of the rows.
    fn total_cmp(&self, other: &Self) -> Ordering {
        let by_place = self.cut.total_cmp(&other.cut).then(self.log_odds.total_cmp(&other.log_odds));
        by_place.then(self.side.cmp(&other.side)).then(self.weight.total_cmp(&other.weight))
    }
}

/// The largest α in [0, 1] at which a row stays with the reference; 1 if no α below 1 moves it.
fn cut(b_class: f64, b_reference: f64) -> f64 {
    let moves = |alpha: f64| alpha * b_class > (1.0 - alpha) * b_reference;
    if b_class <= 0.0 || !moves(LAST_ALPHA) {
        return 1.0;
    }
    if b_reference <= 0.0 {
        return 0.0;
    }
    // The quotient is the cut up to rounding; the inequality itself decides between neighbouring floats.
    let mut cut = (b_reference / (b_class + b_reference)).min(LAST_ALPHA);
    for _ in 0..MAX_NUDGES {
        if moves(cut) {
            cut = cut.next_down();
        } else if !moves(cut.next_up()) {
            cut = cut.next_up();
        } else {
            break;
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Probabilities;
    use crate::metric::Accuracy;

    fn sweep_of(rows: &[[f64; 2]], labels: &[usize]) -> PairSweep<'static, Accuracy> {
        let p = Probabilities::new(rows.concat(), 2).unwrap();
        let sample = Sample::new(p, labels.iter().map(|&label| Some(label)).collect()).unwrap();
        PairSweep::new(&sample, Pair { class: 0, reference: 1 }, &Accuracy)
    }

    #[test]
    fn a_row_moves_strictly_above_its_cut() {
        let mut sweep = sweep_of(&[[0.5, 0.5], [0.25, 0.75]], &[0, 1]);
        assert_eq!(sweep.cuts(), [0.5, 0.75]);
        assert_eq!(sweep.score(0.5), 0.5, "a tie stays with the reference");
        assert_eq!(sweep.score(0.5_f64.next_up()), 1.0);
        assert_eq!(sweep.score(0.75), 1.0);
        assert_eq!(sweep.score(0.75_f64.next_up()), 0.5);
        assert_eq!(sweep.evaluations(), 4);
    }

    #[test]
    fn zero_probabilities_move_at_once_or_never() {
        let mut sweep = sweep_of(&[[1.0, 0.0], [0.0, 1.0], [1e-18, 1.0]], &[0, 0, 0]);
        assert_eq!(sweep.cuts(), [0.0], "the last two rows are moved by no double below 1");
        assert_eq!(sweep.distinguishable().1, [1, 2], "but a weight can move the third");
        assert_eq!(sweep.score(0.0), 0.0);
        assert_eq!(sweep.score(LAST_ALPHA), 1.0 / 3.0);
    }

    #[test]
    fn the_cut_is_the_last_alpha_at_which_the_inequality_is_false() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for i in 0..20_000 {
            // Every other pair is made of round decimals, where exact ties are common.
            let (a, b) = (random(), random() * 10.0_f64.powi(-(i % 17)));
            let (a, b) =
                if i % 2 == 0 { (a, b) } else { ((a * 100.0).round() / 100.0, (b * 100.0).round() / 100.0) };
            let cut = cut(a, b);
            // With b_r = 0 the cut is 0, though the very smallest α underflow.
            if cut > 0.0 && cut < 1.0 {
                let moves = |alpha: f64| alpha * a > (1.0 - alpha) * b;
                assert!(!moves(cut), "{a} {b}");
                assert!(moves(cut.next_up()), "{a} {b}");
            }
        }
    }

    #[test]
    fn the_smallest_numbers_do_not_hang() {
        for a in [f64::MIN_POSITIVE, 5e-324, 1e-310] {
            for b in [f64::MIN_POSITIVE, 5e-324, 1e-310, 0.0, 1.0] {
                assert!((0.0..=1.0).contains(&cut(a, b)));
            }
        }
    }
}
