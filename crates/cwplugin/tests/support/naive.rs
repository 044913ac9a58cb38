//! Algorithm 1 a second time, from the paper's text: loops over classes, over α and over rows, nothing clever.

use cwplugin::{Absent, Confusion, Metric, Ties};

use super::tables::Table;
use super::tie_rules;

/// The largest α below 1.
const LAST_ALPHA: f64 = 1.0 - f64::EPSILON / 2.0;

/// Which α are tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tried {
    EveryCut,
    Grid(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Naive {
    pub(crate) reference: usize,
    /// α and score of the pair, for classes that were searched.
    pub(crate) peaks: Vec<Option<(f64, f64)>>,
    pub(crate) weights: Vec<f64>,
    pub(crate) clean: f64,
    pub(crate) fitted: f64,
}

/// `None` where the library should give an error: nothing is labelled, or the reference has no rows and must not be dropped.
pub(crate) fn fit(
    table: &Table,
    metric: &dyn Metric,
    tried: Tried,
    ties: Ties,
    absent: Absent,
    reference: usize,
) -> Option<Naive> {
    table.counted().next()?;
    if !has_rows(table, reference) && absent == Absent::Keep {
        return None;
    }
    Some(fit_against(table, metric, tried, ties, absent, reference))
}

/// Classes with rows, the heaviest first; the lower index among equals.
pub(crate) fn by_weight(table: &Table) -> Vec<usize> {
    let weight = |k| table.counted().filter(|row| row.1 == k).map(|row| row.2).sum::<f64>();
    let mut classes: Vec<usize> = (0..table.m).filter(|&k| has_rows(table, k)).collect();
    classes.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)).then(a.cmp(&b)));
    classes
}

/// Whether every class has rows, and no two have as many: no order of classes decides anything.
pub(crate) fn has_distinct_sizes(table: &Table) -> bool {
    let mut sizes: Vec<usize> =
        (0..table.m).map(|k| table.counted().filter(|row| row.1 == k).count()).collect();
    sizes.sort_unstable();
    sizes[0] > 0 && sizes.windows(2).all(|pair| pair[0] < pair[1])
}

fn has_rows(table: &Table, k: usize) -> bool {
    table.counted().any(|(_, label, _)| label == k)
}

fn fit_against(
    table: &Table,
    metric: &dyn Metric,
    tried: Tried,
    ties: Ties,
    absent: Absent,
    r: usize,
) -> Naive {
    let mut weights = vec![1.0; table.m];
    let mut peaks = vec![None; table.m];
    for k in (0..table.m).filter(|&k| k != r) {
        if !has_rows(table, k) {
            weights[k] = if absent == Absent::Keep { 1.0 } else { 0.0 };
        } else if table.counted().any(|(b, ..)| b[k] > 0.0) {
            let alpha = best_alpha(table, metric, tried, ties, k, r);
            weights[k] = alpha / (1.0 - alpha);
            peaks[k] = Some((alpha, pair_score(table, metric, k, r, alpha)));
        }
    }
    let sum: f64 = weights.iter().sum();
    for w in &mut weights {
        *w /= sum;
    }
    let clean = whole_score(table, metric, &vec![1.0; table.m]);
    let fitted = whole_score(table, metric, &weights);
    Naive { reference: r, peaks, weights, clean, fitted }
}

fn best_alpha(table: &Table, metric: &dyn Metric, tried: Tried, ties: Ties, k: usize, r: usize) -> f64 {
    let score = |alpha: f64| pair_score(table, metric, k, r, alpha);
    match tried {
        Tried::Grid(epsilon) => {
            let points = grid(epsilon);
            let scores: Vec<f64> = points.iter().map(|&alpha| score(alpha)).collect();
            tie_rules::among_points(&points, &scores, ties)
        }
        Tried::EveryCut => {
            let cuts = cuts(table, k, r);
            // The score of an interval is that just above its lower cut.
            let scores: Vec<f64> = cuts.iter().map(|cut| cut.max(1e-300).next_up()).map(score).collect();
            let scores: Vec<f64> = [score(0.0)].into_iter().chain(scores).collect();
            tie_rules::among_stretches(&cuts, &scores, ties)
        }
    }
}

/// 0, ε, 2ε, … below 1.
fn grid(epsilon: f64) -> Vec<f64> {
    let steps = (1.0 / epsilon).round();
    if (steps * epsilon - 1.0).abs() < 1e-9 {
        (0..1000_u32).map(f64::from).take_while(|&i| i < steps).map(|i| i / steps).collect()
    } else {
        (0..1000_u32).map(|i| f64::from(i) * epsilon).take_while(|&alpha| alpha < 1.0).collect()
    }
}

/// The restricted classifier, as in the paper.
fn says_class(alpha: f64, b: &[f64], k: usize, r: usize) -> bool {
    alpha * b[k] > (1.0 - alpha) * b[r]
}

/// The metric of `h_α` on the rows of both classes, on a matrix over all classes.
pub(crate) fn pair_score(table: &Table, metric: &dyn Metric, k: usize, r: usize, alpha: f64) -> f64 {
    let mut confusion = Confusion::zeros(table.m);
    for (b, label, weight) in table.counted().filter(|row| row.1 == k || row.1 == r) {
        confusion.add(label, if says_class(alpha, b, k, r) { k } else { r }, weight);
    }
    metric.score(&confusion)
}

/// The metric on all labelled rows when `argmax_k w_k·b_k` predicts, the lowest index among equals.
pub(crate) fn whole_score(table: &Table, metric: &dyn Metric, weights: &[f64]) -> f64 {
    let mut confusion = Confusion::zeros(table.m);
    for (b, label, weight) in table.counted() {
        let products: Vec<f64> = b.iter().zip(weights).map(|(b, w)| w * b).collect();
        let top = products.iter().copied().fold(0.0, f64::max);
        confusion.add(label, products.iter().position(|&p| p == top).unwrap(), weight);
    }
    metric.score(&confusion)
}

/// Where the prediction of some row changes, by bisection over the doubles from 0 to the last one below 1.
fn cuts(table: &Table, k: usize, r: usize) -> Vec<f64> {
    let mut cuts = Vec::new();
    for (b, ..) in table.counted().filter(|row| row.1 == k || row.1 == r) {
        if !says_class(LAST_ALPHA, b, k, r) {
            continue;
        }
        let (mut stays, mut moves) = (0_u64, LAST_ALPHA.to_bits());
        while moves - stays > 1 {
            let middle = u64::midpoint(stays, moves);
            if says_class(f64::from_bits(middle), b, k, r) {
                moves = middle;
            } else {
                stays = middle;
            }
        }
        // With b_r = 0 every α above 0 moves the row; in floating point the very smallest underflow.
        cuts.push(if b[r] > 0.0 { f64::from_bits(stays) } else { 0.0 });
    }
    cuts.sort_by(f64::total_cmp);
    // Cuts that differ by rounding only are one: the last of them.
    let log_odds = |alpha: f64| (alpha / (1.0 - alpha)).ln();
    let is_same = |a: f64, b: f64| a == b || (log_odds(a) - log_odds(b)).abs() <= 1e-12;
    let is_last = |i: &usize| cuts.get(i + 1).is_none_or(|&next| !is_same(cuts[*i], next));
    (0..cuts.len()).filter(is_last).map(|i| cuts[i]).collect()
}
