//! The exact search without sorting what cannot be the best.
//!
//! If no right prediction lowers the metric, the best that can happen between two places of the line is that all rows of
//! the class move there and none of the reference. So the cuts are counted in narrow buckets, and only the buckets
//! whose bound reaches the best score seen are sorted. The result is the same as that of sorting everything, to the
//! last bit: what is left out is worse than the best by more than rounding.

use crate::cuts::{Cut as _, Ratio};
use crate::metric::Metric;
use crate::parallel;
use crate::sweep::{Curve, PairScore, Segment, Zero, take_zeros};
use crate::ties::is_hopeless;

/// Fewer cuts are sorted faster than they are counted.
const WORTH_IT: usize = 1 << 14;

/// Buckets: as many as still fit a cache, twice over for class and reference.
const BUCKETS: u64 = 1 << 15;

/// The stretches of a pair among which the best are, each with its score.
pub(crate) fn curve<M: Metric + ?Sized>(
    mut cuts: Vec<u64>,
    zero: Zero,
    pair: &mut PairScore<M>,
) -> Curve<u64> {
    if cuts.len() >= WORTH_IT && pair.is_monotone() {
        cuts.retain(|cut| cut.place() < Ratio::NEVER);
        let before = take_zeros(&mut cuts, zero);
        if let Some(curve) = prune(&cuts, before, pair) {
            return curve;
        }
        let all = Segment { cuts: cuts.len(), before };
        return Curve::of_segments(cuts, vec![all], |moved| pair.score(moved));
    }
    Curve::new(cuts, zero, |moved| pair.score(moved))
}

/// The curve of the best buckets; nothing if they are too many.
fn prune<M: Metric + ?Sized>(cuts: &[u64], before: [u64; 2], pair: &mut PairScore<M>) -> Option<Curve<u64>> {
    let buckets = Buckets::of(cuts)?;
    let levels = levels(&buckets.count(cuts), before);
    let is_chosen = choose(&levels, before, pair);
    let mut in_chosen = vec![false; buckets.len()];
    let mut n_chosen = 0;
    for (level, &is_chosen) in levels.iter().zip(&is_chosen) {
        in_chosen[level.bucket] = is_chosen;
        n_chosen += if is_chosen { level.rows() } else { 0 };
    }
    if n_chosen * 2 > cuts.len() {
        return None;
    }
    let chosen = parallel::count(
        cuts.len(),
        parallel::PIECE,
        Vec::new,
        |chosen: &mut Vec<u64>, piece| {
            chosen.extend(cuts[piece].iter().filter(|&&cut| in_chosen[buckets.index(cut)]));
        },
        |mut a, b| {
            a.extend(b);
            a
        },
    );
    Some(Curve::of_segments(chosen, segments(&levels, &is_chosen), |moved| pair.score(moved)))
}

/// Equal steps in the bits of the odds, which are nearly equal steps in log-odds.
struct Buckets {
    low: u64,
    high: u64,
    shift: u32,
}

impl Buckets {
    /// From the first cut to the last; nothing if there is none.
    fn of(cuts: &[u64]) -> Option<Self> {
        let widen = |(low, high): &mut (u64, u64), piece: std::ops::Range<usize>| {
            for &cut in &cuts[piece] {
                // A cut at 0 would stretch the line over a thousand powers of two: it is put into the first bucket.
                *low = (*low).min(if cut.place() == 0 { u64::MAX } else { cut.place() });
                *high = (*high).max(cut.place());
            }
        };
        let wider = |a: (u64, u64), b: (u64, u64)| (a.0.min(b.0), a.1.max(b.1));
        let (low, high) = parallel::count(cuts.len(), parallel::PIECE, || (u64::MAX, 0), widen, wider);
        let shift = (64 - high.checked_sub(low)?.leading_zeros()).saturating_sub(BUCKETS.ilog2());
        Some(Self { low, high, shift })
    }

    fn len(&self) -> usize {
        self.index(self.high << 1) + 1
    }

    #[inline(always)]
    fn index(&self, cut: u64) -> usize {
        (cut.place().saturating_sub(self.low) >> self.shift) as usize
    }

    /// Rows of class and reference in each bucket.
    fn count(&self, cuts: &[u64]) -> Vec<[u32; 2]> {
        parallel::count(
            cuts.len(),
            1 << 18,
            || vec![[0; 2]; self.len()],
            |counts: &mut Vec<[u32; 2]>, piece| {
                for &cut in &cuts[piece] {
                    counts[self.index(cut)][cut.side()] += 1;
                }
            },
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a = [a[0] + b[0], a[1] + b[1]]);
                a
            },
        )
    }
}

/// A bucket with cuts in it.
struct Level {
    bucket: usize,
    /// Rows of class and reference that have moved before it, and with it.
    before: [u64; 2],
    after: [u64; 2],
}

impl Level {
    fn rows(&self) -> usize {
        (self.after[0] - self.before[0] + self.after[1] - self.before[1]) as usize
    }
}

fn levels(counts: &[[u32; 2]], mut before: [u64; 2]) -> Vec<Level> {
    let mut levels = Vec::new();
    for (bucket, &rows) in counts.iter().enumerate().filter(|(_, rows)| **rows != [0; 2]) {
        let after = [before[0] + u64::from(rows[0]), before[1] + u64::from(rows[1])];
        levels.push(Level { bucket, before, after });
        before = after;
    }
    levels
}

/// Which buckets must be looked into: those that may hold a best stretch, the one behind each of them, where its last
/// stretch ends, and the first and the last of all, beyond which the line is open.
fn choose<M: Metric + ?Sized>(levels: &[Level], before: [u64; 2], pair: &mut PairScore<M>) -> Vec<bool> {
    let mut score = |moved: [u64; 2]| pair.score(moved.map(|rows| rows as f64));
    let at_first = score(before);
    let best = levels.iter().map(|level| score(level.after)).fold(at_first, f64::max);
    let may_be_best: Vec<bool> =
        levels.iter().map(|level| !is_hopeless(score([level.after[0], level.before[1]]), best)).collect();
    let behind_one = |i: usize| i > 0 && may_be_best[i - 1];
    let is_end = |i: usize| i == 0 || i + 1 == levels.len();
    (0..levels.len()).map(|i| may_be_best[i] || behind_one(i) || is_end(i)).collect()
}

/// Runs of chosen neighbours.
fn segments(levels: &[Level], is_chosen: &[bool]) -> Vec<Segment<u64>> {
    let mut segments: Vec<Segment<u64>> = Vec::new();
    for (i, level) in levels.iter().enumerate().filter(|(i, _)| is_chosen[*i]) {
        match segments.last_mut() {
            Some(segment) if i > 0 && is_chosen[i - 1] => segment.cuts += level.rows(),
            _ => segments.push(Segment { cuts: level.rows(), before: level.before }),
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Ties;
    use crate::cuts::Place as _;
    use crate::metric::{Accuracy, GMean, MacroF1, Mcc, MinRecall, OneClass, Rate};
    use crate::sweep::Pair;

    /// What a rule takes from a curve, with the place's edges and the score.
    fn choice(ties: Ties, curve: &Curve<u64>) -> (f64, [f64; 2], f64) {
        use crate::ties::Candidates as _;
        let choice = ties.choose(curve);
        (choice.log_odds, choice.edges, curve.score(choice.index))
    }

    fn check(rows: &[(f64, f64, u64)], metric: &dyn Metric, ties: Ties, zero: Zero) -> usize {
        let mut cuts: Vec<u64> =
            rows.iter().map(|&(k, r, side)| u64::new(Ratio.of(k, r), side, 1.0)).collect();
        let totals = [0, 1].map(|side| rows.iter().filter(|row| row.2 == side).count() as f64);
        let problem = || PairScore::new(metric, Pair { class: 0, reference: 1 }, totals);
        let mut plain = problem();
        let expected = Curve::new(cuts.clone(), zero, |moved| plain.score(moved));
        cuts.retain(|cut| cut.place() < Ratio::NEVER);
        let before = take_zeros(&mut cuts, zero);
        let Some(found) = prune(&cuts, before, &mut problem()) else { return 0 };
        assert_eq!(choice(ties, &found), choice(ties, &expected), "{} {ties} {rows:?}", metric.name());
        1
    }

    fn any_row() -> impl Strategy<Value = (f64, f64, u64)> {
        let decimal = || (0..=20_u32).prop_map(|i| f64::from(i) / 20.0);
        let number = || prop_oneof![8 => 0.0..1.0_f64, 2 => decimal(), 1 => Just(0.0), 1 => Just(1e-30)];
        (number(), number(), 0..2_u64)
    }

    proptest! {
        #[test]
        fn what_is_not_sorted_is_not_missed(
            rows in proptest::collection::vec(any_row(), 2..300),
            informative in any::<bool>(),
        ) {
            let metrics: [&dyn Metric; 6] = [&Accuracy, &MacroF1, &Mcc, &GMean, &MinRecall,
                &OneClass::new("precision:x", 0, Rate::Precision)];
            let mut rows = rows;
            if informative {
                rows.iter_mut().for_each(|row| if row.0 > row.1 + 0.2 { row.2 = 0 });
            }
            rows.extend([(0.5, 0.4, 0), (0.4, 0.5, 1)]); // both classes have rows
            for metric in metrics {
                for ties in [Ties::First, Ties::NearestHalf, Ties::Middle] {
                    for zero in [Zero::Counts, Zero::Skipped] {
                        check(&rows, metric, ties, zero);
                    }
                }
            }
        }
    }

    #[test]
    fn most_cuts_of_a_good_classifier_are_never_sorted() {
        let row = |i: u32| {
            let b = f64::from(i * 7919 % 10_007) / 10_007.0;
            (b, 1.0 - b, u64::from(b * b < f64::from(i % 101) / 101.0))
        };
        let rows: Vec<_> = (1..10_000).map(row).collect();
        assert_eq!(check(&rows, &MacroF1, Ties::Middle, Zero::Skipped), 1);
    }
}
