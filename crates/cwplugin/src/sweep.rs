//! Every cut of one pair.

use crate::{Confusion, Metric, Sample};

/// The largest α below 1.
pub(crate) const LAST_ALPHA: f64 = 1.0 - f64::EPSILON / 2.0;

/// Cuts whose log-odds differ by no more are one cut to the exact search.
const ROUNDING: f64 = 1e-12;

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
#[derive(Debug)]
pub struct PairSweep<'a, M: ?Sized> {
    metric: &'a M,
    /// Distinct cuts below 1, increasing.
    cuts: Vec<f64>,
    /// `moved[j]`: weight of the rows of class and reference that `j` cuts have moved.
    moved: Vec<[f64; 2]>,
    totals: [f64; 2],
    evaluations: usize,
    confusion: Confusion,
}

impl<'a, M: Metric + ?Sized> PairSweep<'a, M> {
    /// Sorts the cuts of all rows labelled with either class of the pair.
    pub fn new(sample: &Sample, pair: Pair, metric: &'a M) -> Self {
        let mut rows =
            Vec::with_capacity(sample.rows_of(pair.class).len() + sample.rows_of(pair.reference).len());
        for (side, class) in [pair.class, pair.reference].into_iter().enumerate() {
            rows.extend(sample.rows_of(class).iter().map(|&row| {
                let b = sample.probabilities().row(row);
                (cut(b[pair.class], b[pair.reference]), side, sample.weight(row))
            }));
        }
        // A total order: the sums below are then the same bits for any order of the rows.
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2)));

        let (mut cuts, mut moved, mut passed) = (Vec::new(), vec![[0.0; 2]], [0.0; 2]);
        for rows_at_cut in rows.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
            for &(_, side, weight) in rows_at_cut {
                passed[side] += weight;
            }
            if let Some(&(cut, ..)) = rows_at_cut.first().filter(|row| row.0 < LAST_ALPHA) {
                cuts.push(cut);
                moved.push(passed);
            }
        }
        let confusion = Confusion::pair(pair.class, pair.reference);
        Self { metric, cuts, moved, totals: passed, evaluations: 0, confusion }
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

    /// The distinct cuts, increasing; rows that no α below 1 moves have none.
    pub fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    /// How many cuts have been passed at the end of each group of cuts that differ by rounding only.
    ///
    /// `0.3` and `1 − 0.7` are not the same double. Between the cuts of two such rows lie a few values of α, but no
    /// weight that tells the rows apart once it is multiplied with their probabilities.
    pub(crate) fn distinguishable(&self) -> Vec<usize> {
        let is_last = |passed: &usize| {
            let cut = self.cuts[passed - 1];
            self.cuts.get(*passed).is_none_or(|next| next - cut > ROUNDING * cut * (1.0 - cut))
        };
        (1..=self.cuts.len()).filter(is_last).collect()
    }

    pub(crate) fn metric_name(&self) -> &str {
        self.metric.name()
    }

    /// How often the metric was evaluated so far.
    pub fn evaluations(&self) -> usize {
        self.evaluations
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
        assert_eq!(sweep.cuts(), [0.0], "the last two rows are moved by no α below 1");
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
