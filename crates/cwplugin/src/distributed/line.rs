//! The best place on the line of one class, from counters.

use super::pass::Look;
use super::stand::Stand;
use crate::methods::ascent::{IncrementalConfusion, Moving, Units};
use crate::metric::{Confusion, Metric};
use crate::plugin::Ties;
use crate::plugin::ties::{Points, Shape};

/// The best place on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) class: usize,
    /// The logarithm of what the weight is to be multiplied with.
    pub(super) log_factor: f64,
    /// The metric there, if no other weight moves.
    pub(super) score: f64,
}

/// The confusion matrix of a stand.
pub(super) fn confusion(stand: &Stand, look: &Look) -> Confusion {
    let m = look.is_free.len();
    Confusion::from_cells(m, |truth, predicted| stand.cells[truth * m + predicted] * look.unit)
}

/// The best boundary between buckets for every class whose weight makes a difference, and how often the metric was
/// evaluated. A row whose cut is at a boundary itself may be counted on the wrong side of it.
pub(super) fn best_places<M: Metric + ?Sized>(stand: &Stand, look: &Look, metric: &M) -> (Vec<Place>, usize) {
    let m = look.is_free.len();
    let mut confusion = IncrementalConfusion::of_cells(look, metric, &stand.cells, m, look.is_by_class);
    let mut places = Vec::new();
    for class in (0..m).filter(|&class| look.is_free[class]) {
        let scores = sweep(stand, look, class, &mut confusion);
        let log_factor = |bucket: usize| look.cuts().end(bucket).ln();
        let choice = Ties::Middle.choose(&Points { scores: &scores, log_odds: log_factor });
        if choice.shape != Shape::Flat {
            places.push(Place { class, log_factor: log_factor(choice.index), score: scores[choice.index] });
        }
    }
    (places, confusion.evaluations())
}

/// Counters are whole multiples of the look's unit.
impl Units for Look {
    type Sum = f64;

    fn value(&self, sum: f64) -> f64 {
        sum * self.unit
    }
}

/// The score at every boundary between two buckets.
fn sweep<M: Metric + ?Sized>(
    stand: &Stand,
    look: &Look,
    class: usize,
    confusion: &mut IncrementalConfusion<'_, Look, M>,
) -> Vec<f64> {
    let per_bucket = look.is_free.len() * look.kinds();
    let (mut scores, mut moving) = (Vec::new(), Vec::new());
    confusion.sweep_boundaries(
        look.buckets,
        |confusion, bucket, is_back| {
            let first = (class * look.buckets + bucket) * per_bucket;
            let counts = &stand.lines[first..first + per_bucket];
            if look.is_by_class {
                moving.clear();
                moving.extend(counts.chunks_exact(look.kinds()).map(|kinds| Moving {
                    total: kinds.iter().sum(),
                    of_class: kinds[0],
                    of_rival: kinds[1],
                }));
                confusion.move_rows(&moving, class, is_back);
            } else {
                confusion.move_cells(counts, class, is_back);
            }
            // Behind an empty bucket the score is as before it.
            bucket == 0 || counts.iter().any(|&count| count > 0.0)
        },
        |_, score| {
            // A place where the metric means nothing is no place to go.
            let score = score.map(|score| if score.is_finite() { score } else { f64::NEG_INFINITY });
            scores.push(score.or(scores.last().copied()).unwrap_or(f64::NEG_INFINITY));
        },
    );
    scores
}
