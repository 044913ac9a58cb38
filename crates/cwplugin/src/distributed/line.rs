//! The maximum along the weight of one class, from counters.

use super::pass::Resolution;
use super::point_counts::PointCounts;
use crate::methods::ascent::{IncrementalConfusion, Moving, Units};
use crate::metric::{Confusion, Metric};
use crate::plugin::Ties;
use crate::plugin::ties::{Points, Shape};

/// The maximum of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) class: usize,
    /// The logarithm of the factor on the weight.
    pub(super) log_factor: f64,
    /// The metric there, if no other weight changes.
    pub(super) score: f64,
}

/// The confusion matrix at one set of weights.
pub(super) fn confusion(point: &PointCounts, resolution: &Resolution) -> Confusion {
    let m = resolution.is_free.len();
    Confusion::from_cells(m, |truth, predicted| point.cells[truth * m + predicted] * resolution.unit)
}

/// The best boundary between buckets for every class whose weight has an effect, and the number of evaluations. A row
/// whose cut lies on a boundary may be counted on the wrong side.
pub(super) fn best_places(
    point: &PointCounts,
    resolution: &Resolution,
    metric: &dyn Metric,
) -> (Vec<Place>, usize) {
    let m = resolution.is_free.len();
    let mut confusion =
        IncrementalConfusion::of_cells(resolution, metric, &point.cells, m, resolution.is_by_class);
    let mut places = Vec::new();
    for class in (0..m).filter(|&class| resolution.is_free[class]) {
        let scores = sweep(point, resolution, class, &mut confusion);
        let log_factor = |bucket: usize| resolution.cuts().end(bucket).ln();
        let choice = Ties::Middle.choose(&Points { scores: &scores, log_odds: log_factor });
        if choice.shape != Shape::Flat {
            places.push(Place { class, log_factor: log_factor(choice.index), score: scores[choice.index] });
        }
    }
    (places, confusion.evaluations())
}

/// Counters are multiples of the unit.
impl Units for Resolution {
    type Sum = f64;

    fn value(&self, sum: f64) -> f64 {
        sum * self.unit
    }
}

/// The score at every boundary between two buckets.
fn sweep(
    point: &PointCounts,
    resolution: &Resolution,
    class: usize,
    confusion: &mut IncrementalConfusion<'_, Resolution>,
) -> Vec<f64> {
    let per_bucket = resolution.is_free.len() * resolution.kinds();
    let (mut scores, mut moving) = (Vec::new(), Vec::new());
    confusion.sweep_boundaries(
        resolution.buckets,
        |confusion, bucket, is_back| {
            let first = (class * resolution.buckets + bucket) * per_bucket;
            let counts = &point.lines[first..first + per_bucket];
            if resolution.is_by_class {
                moving.clear();
                moving.extend(counts.chunks_exact(resolution.kinds()).map(|kinds| Moving {
                    total: kinds.iter().sum(),
                    of_class: kinds[0],
                    of_competitor: kinds[1],
                }));
                confusion.move_rows(&moving, class, is_back);
            } else {
                confusion.move_cells(counts, class, is_back);
            }
            // An empty bucket does not change the score.
            bucket == 0 || counts.iter().any(|&count| count > 0.0)
        },
        |_, score| {
            // Positions where the metric is not finite are excluded.
            let score = score.map(|score| if score.is_finite() { score } else { f64::NEG_INFINITY });
            scores.push(score.or(scores.last().copied()).unwrap_or(f64::NEG_INFINITY));
        },
    );
    scores
}
