//! The exact search without sorting cuts that cannot be optimal.
//!
//! If the metric never decreases with a correct prediction, a bucket of cuts has an upper bound: all its rows of the class
//! move and none of the reference. A share of the rows shows which buckets can probably reach the best score. One pass over
//! all rows then counts cuts in narrow buckets and collects those of these buckets. The counts decide which buckets have to
//! be sorted; if the guess missed one, a second pass collects them. The result equals that of sorting all cuts, bit for
//! bit: the dropped cuts are worse by more than rounding.

mod buckets; // narrow buckets of odds
mod collect; // the pass over the rows
mod guess; // which buckets to collect

use buckets::Buckets;
use collect::{Collected, Share, collect};

use crate::data::Sample;
use crate::error::Error;
use crate::metric::Metric;
use crate::numeric::tolerance::cannot_reach;
use crate::plugin::Ties;
use crate::plugin::cuts::Cut as _;
use crate::plugin::sweep::{Pair, PairScore, Segment};

/// Below this number of rows sorting is faster than counting.
const WORTH_IT: u64 = 1 << 18;

/// The rows from which the buckets are guessed: spread over the sample, in case it is sorted.
const SHARE: Share = Share { rows: 1 << 9, every: 1 << 13 };

/// The remaining cuts of one pair; they contain every optimum.
#[derive(Default)]
pub(crate) struct Pruned {
    pub(crate) cuts: Vec<u64>,
    pub(crate) segments: Vec<Segment<u64>>,
    /// Evaluations of the metric so far.
    pub(crate) evaluations: usize,
}

/// The remaining cuts of every class against the reference; `None` if all cuts should be sorted instead.
pub(crate) fn curves(
    sample: &Sample,
    reference: usize,
    metric: &dyn Metric,
    ties: Ties,
) -> Result<Option<Vec<Pruned>>, Error> {
    if sample.n_labelled() < WORTH_IT || sample.weights().is_some() || !metric.is_monotone() {
        return Ok(None);
    }
    prune(sample, reference, metric, ties, SHARE)
}

fn prune(
    sample: &Sample,
    reference: usize,
    metric: &dyn Metric,
    ties: Ties,
    share: Share,
) -> Result<Option<Vec<Pruned>>, Error> {
    let (m, class_totals) = (sample.n_classes(), sample.class_totals());
    let buckets = Buckets::new(m);
    let guessed = guess::guess(sample, reference, metric, ties, &buckets, share);
    let Collected { counts, cuts, .. } = collect(sample, reference, &buckets, &guessed, Share::ALL);
    let mut is_chosen = vec![false; m * 2 * buckets.len()];
    let mut pruned = Vec::with_capacity(m);
    for class in 0..m {
        if class == reference || [class, reference].iter().any(|&class| class_totals.rows(class) == 0) {
            pruned.push(Pruned::default());
            continue;
        }
        let levels = levels(&buckets.of_class(&counts, class), ties);
        let chosen = &mut is_chosen[class * 2 * buckets.len()..][..2 * buckets.len()];
        let (of_class, of_reference) = chosen.split_at_mut(buckets.len());
        let mut pair = PairScore::new(metric, Pair { class, reference }, class_totals);
        let segments = choose(&levels, &mut pair, of_class);
        of_reference.copy_from_slice(of_class);
        pruned.push(Pruned { cuts: Vec::new(), segments, evaluations: pair.finish()? });
    }
    let chosen: usize = pruned.iter().flat_map(|pruned| &pruned.segments).map(|segment| segment.cuts).sum();
    let all: u64 = counts.iter().sum();
    if chosen as u64 * 2 > all || class_totals.rows(reference) == 0 {
        return Ok(None);
    }
    let is_covered = is_chosen.iter().zip(&guessed).all(|(&is_chosen, &is_guessed)| is_guessed || !is_chosen);
    let cuts = if is_covered {
        cuts
    } else {
        drop(cuts); // before others are collected
        collect(sample, reference, &buckets, &is_chosen, Share::ALL).cuts
    };
    for (class, (pruned, mut cuts)) in pruned.iter_mut().zip(cuts).enumerate() {
        let is_chosen = &is_chosen[class * 2 * buckets.len()..];
        keep(&mut cuts, |cut| is_chosen[buckets.of(f64::from_bits(cut.place()))]);
        pruned.cuts = cuts;
    }
    Ok(Some(pruned))
}

/// `Vec::retain` without a branch per cut.
fn keep(cuts: &mut Vec<u64>, is_kept: impl Fn(u64) -> bool) {
    let mut kept = 0;
    for i in 0..cuts.len() {
        let cut = cuts[i];
        cuts[kept] = cut;
        kept += usize::from(is_kept(cut));
    }
    cuts.truncate(kept);
}

/// A bucket that contains cuts.
struct Level {
    bucket: usize,
    /// Rows of class and reference that have moved before the bucket, and up to its end.
    before: [u64; 2],
    after: [u64; 2],
}

impl Level {
    fn rows(&self) -> usize {
        (self.after[0] - self.before[0] + self.after[1] - self.before[1]) as usize
    }
}

/// The non-empty buckets, and the rows that have moved before the first of them.
fn levels(counts: &[[u64; 2]], ties: Ties) -> (Vec<Level>, [u64; 2]) {
    let is_skipped = |bucket: usize| bucket == Buckets::ZERO && !ties.may_take_zero();
    let first = if ties.may_take_zero() { [0; 2] } else { counts[Buckets::ZERO] };
    let (mut levels, mut before) = (Vec::new(), first);
    for (bucket, rows) in counts.iter().enumerate() {
        if *rows != [0; 2] && !is_skipped(bucket) {
            let after = [before[0] + rows[0], before[1] + rows[1]];
            levels.push(Level { bucket, before, after });
            before = after;
        }
    }
    (levels, first)
}

/// Selects the buckets to sort: those that may contain an optimum, the bucket after each (where the last interval ends),
/// and the first and last bucket, whose outer intervals are unbounded.
fn choose(
    (levels, first): &(Vec<Level>, [u64; 2]),
    pair: &mut PairScore<'_>,
    chosen: &mut [bool],
) -> Vec<Segment<u64>> {
    let mut score = |moved: [u64; 2]| pair.score(moved.map(|rows| rows as f64));
    let at_first = score(*first);
    let best = levels.iter().map(|level| score(level.after)).fold(at_first, f64::max);
    let may_be_best: Vec<bool> =
        levels.iter().map(|level| !cannot_reach(score([level.after[0], level.before[1]]), best)).collect();
    let mut segments: Vec<Segment<u64>> = Vec::new();
    let mut was_chosen = false;
    for (i, level) in levels.iter().enumerate() {
        let is_end = i == 0 || i + 1 == levels.len();
        let is_chosen = may_be_best[i] || (i > 0 && may_be_best[i - 1]) || is_end;
        chosen[level.bucket] = is_chosen;
        match segments.last_mut() {
            _ if !is_chosen => {}
            Some(segment) if was_chosen => segment.cuts += level.rows(),
            _ => segments.push(Segment { cuts: level.rows(), before: level.before }),
        }
        was_chosen = is_chosen;
    }
    if segments.is_empty() {
        segments.push(Segment { cuts: 0, before: *first }); // nothing moves
    }
    segments
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::Probabilities;
    use crate::metric::{Accuracy, GMean, MacroF1, Mcc, MinRecall, OneClass, Rate};
    use crate::plugin::cuts::Ratio;
    use crate::plugin::tune::Curve;
    use crate::plugin::{Peak, cuts};

    /// Guesses from a quarter of the rows, from nearly none, and from all.
    const SHARES: [Share; 3] =
        [Share { rows: 4, every: 16 }, Share { rows: 1, every: 100 }, Share { rows: 1, every: 1 }];

    /// Compares the best α of each class against the last class with and without pruning; true if cuts were dropped.
    fn compare(sample: &Sample, metric: &dyn Metric, ties: Ties) -> bool {
        SHARES.map(|share| compare_guessed(sample, metric, ties, share)) == [true; 3]
    }

    fn compare_guessed(sample: &Sample, metric: &dyn Metric, ties: Ties, share: Share) -> bool {
        let m = sample.n_classes();
        let Some(pruned) = prune(sample, m - 1, metric, ties, share).unwrap() else { return false };
        let sorted = cuts::of_pairs::<u64>(sample, m - 1, &Ratio);
        for (class, (pruned, sorted)) in pruned.into_iter().zip(sorted).enumerate().take(m - 1) {
            let pair = Pair { class, reference: m - 1 };
            let best = |curve: Curve| -> Peak {
                let problem = PairScore::new(metric, pair, sample.class_totals());
                Peak { evaluations: 0, ..curve.maximise(problem, ties).unwrap() }
            };
            if sample.n_rows_of(class) > 0 {
                let (found, expected) = (best(Curve::Pruned(pruned)), best(Curve::Cuts(sorted)));
                assert_eq!(found, expected, "{} {ties} class {class}", metric.name());
            }
        }
        true
    }

    fn sample_of(rows: &[[f64; 3]], labels: &[usize]) -> Sample {
        let normal = |row: &[f64; 3]| row.map(|b| b / row.iter().sum::<f64>());
        let p = Probabilities::new(rows.iter().flat_map(normal).collect(), 3).unwrap();
        Sample::new(p, labels.iter().map(|&label| Some(label)).collect()).unwrap()
    }

    fn any_row() -> impl Strategy<Value = ([f64; 3], usize, bool)> {
        let decimal = || (0..=20_u32).prop_map(|i| f64::from(i) / 20.0);
        let number = || prop_oneof![8 => 0.0..1.0_f64, 2 => decimal(), 1 => Just(0.0), 1 => Just(1e-30)];
        let row = [number(), number(), number()].prop_filter("a sum", |row| row.iter().sum::<f64>() > 1e-6);
        (row, 0..3_usize, any::<bool>())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))] // each of 18 pairs of a metric and a rule

        #[test]
        fn what_is_not_sorted_is_not_missed(rows in proptest::collection::vec(any_row(), 3..400)) {
            let label = |&(row, label, is_informed): &([f64; 3], usize, bool)| {
                let top = (0..3).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap();
                if is_informed { top } else { label }
            };
            let numbers: Vec<[f64; 3]> = rows.iter().map(|row| row.0).collect();
            let mut labels: Vec<usize> = rows.iter().map(label).collect();
            labels[0] = 2; // the reference has a row
            let sample = sample_of(&numbers, &labels);
            let metrics: [&dyn Metric; 6] = [&Accuracy, &MacroF1, &Mcc, &GMean, &MinRecall,
                &OneClass::new("precision:x", 0, Rate::Precision)];
            for metric in metrics {
                for ties in [Ties::First, Ties::NearestHalf, Ties::Middle] {
                    compare(&sample, metric, ties);
                }
            }
        }
    }

    #[test]
    fn most_cuts_of_a_good_classifier_are_never_sorted() {
        let random = |i: usize| (i * 7919 % 10_007) as f64 / 10_007.0;
        let rows: Vec<[f64; 3]> =
            (1..9_000).map(|i| [random(i), random(3 * i + 1), random(5 * i + 2)]).collect();
        let label = |(i, row): (usize, &[f64; 3])| {
            let top = (0..3).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap();
            if i % 7 == 0 { i % 3 } else { top }
        };
        let labels: Vec<usize> = rows.iter().enumerate().map(label).collect();
        let sample = sample_of(&rows, &labels);
        for ties in [Ties::First, Ties::NearestHalf, Ties::Middle] {
            assert!(compare(&sample, &MacroF1, ties) && compare(&sample, &Mcc, ties));
        }
    }
}
