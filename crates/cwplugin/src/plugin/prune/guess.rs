//! Guesses from a share of the rows which buckets can hold the best cut.

use super::buckets::Buckets;
use super::collect::{Share, collect};
use super::{Level, levels};
use crate::data::Sample;
use crate::metric::Metric;
use crate::plugin::Ties;
use crate::plugin::sweep::{Pair, PairScore};

/// Standard deviations by which the rows of either side may differ from those of the sample.
const DEVIATIONS: f64 = 2.0;

/// Per class, side and bucket: whether the bucket may have to be sorted. A wrong guess costs another pass, nothing else.
///
/// All false if a guess is not worth the memory: more than a quarter of the cuts would be collected.
pub(super) fn guess(
    sample: &Sample,
    reference: usize,
    metric: &dyn Metric,
    ties: Ties,
    buckets: &Buckets,
    share: Share,
) -> Vec<bool> {
    let (m, class_totals, len) = (sample.n_classes(), sample.class_totals(), buckets.len());
    let nothing = vec![false; m * 2 * len];
    let counts = collect(sample, reference, buckets, &nothing, share).counts;
    let mut is_wanted = nothing.clone();
    for class in (0..m).filter(|&class| class != reference) {
        let rows = [0, 1].map(|side| counts[(class * 2 + side) * len..][..len].iter().sum::<u64>());
        let (levels, first) = levels(&buckets.of_class(&counts, class), ties);
        if rows.contains(&0) || levels.is_empty() {
            continue;
        }
        let mut pair = PairScore::new(metric, Pair { class, reference }, class_totals);
        let totals = [class, reference].map(|class| class_totals.weight(class));
        let score = |moved: [f64; 2]| {
            // Whole rows, as a metric may expect.
            let scaled = |i: usize| (totals[i] * (moved[i] / rows[i] as f64).clamp(0.0, 1.0)).round();
            pair.score([scaled(0), scaled(1)])
        };
        let (of_class, of_reference) = is_wanted[class * 2 * len..][..2 * len].split_at_mut(len);
        want(&levels, first, score, ties, &mut of_class[..len - 1]);
        of_reference.copy_from_slice(of_class);
    }
    let wanted: u64 =
        counts.iter().zip(&is_wanted).map(|(&rows, &is_wanted)| rows * u64::from(is_wanted)).sum();
    if wanted * 4 > counts.iter().sum() { nothing } else { is_wanted }
}

/// Wants the buckets whose bound could reach the best score, with those around them that are empty in the share but
/// perhaps not in the sample, and both ends.
fn want(
    levels: &[Level],
    first: [u64; 2],
    mut score: impl FnMut([f64; 2]) -> f64,
    ties: Ties,
    is_wanted: &mut [bool],
) {
    let floats = |moved: [u64; 2]| moved.map(|rows| rows as f64);
    let mut best = (score(floats(first)), floats(first));
    for level in levels {
        let found = score(floats(level.after));
        if found > best.0 {
            best = (found, floats(level.after));
        }
    }
    // Only the rows between a level and the best one are uncertain.
    let slack = |moved: f64, best: f64| DEVIATIONS * ((moved - best).abs().sqrt() + 1.0);
    let last = is_wanted.len() - 1;
    let lowest = if ties.may_take_zero() { Buckets::ZERO } else { Buckets::ZERO + 1 };
    for (i, level) in levels.iter().enumerate() {
        let [of_class, of_reference] = [level.after[0] as f64, level.before[1] as f64];
        let bound = [of_class + slack(of_class, best.1[0]), of_reference - slack(of_reference, best.1[1])];
        let may_be_best = score(bound) >= best.0;
        if i == 0 || may_be_best {
            let from = if i == 0 { lowest } else { levels[i - 1].bucket + 1 };
            is_wanted[from..=level.bucket].fill(true);
        }
        if may_be_best || i + 1 == levels.len() {
            let to = levels.get(i + 1).map_or(last, |next| next.bucket);
            is_wanted[level.bucket..=to].fill(true);
        }
    }
}
