//! The best place on the line of one class, from counters.

use super::pass::Look;
use super::stand::Stand;
use crate::metric::{Confusion, Metric};
use crate::plugin::Ties;
use crate::plugin::ties::{Candidates, Shape};

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
    let mut evaluations = 0;
    let free = (0..look.is_free.len()).filter(|&class| look.is_free[class]);
    let best = |class| {
        let line = Line::new(stand, look, class);
        let boundaries = line.sweep(metric);
        evaluations += boundaries.evaluations;
        let choice = Ties::Middle.choose(&boundaries);
        let score = boundaries.scores[choice.index];
        let log_factor = boundaries.logs[choice.index];
        (choice.shape != Shape::Flat).then_some(Place { class, log_factor, score })
    };
    let places = free.filter_map(best).collect();
    (places, evaluations)
}

/// One class, and the matrix while its weight grows from nothing.
struct Line<'a> {
    stand: &'a Stand,
    look: &'a Look,
    class: usize,
    /// `[truth, predicted]`; for a metric by class only the diagonal is kept up to date.
    cells: Vec<f64>,
    predicted: Vec<f64>,
    confusion: Confusion,
}

impl<'a> Line<'a> {
    fn new(stand: &'a Stand, look: &'a Look, class: usize) -> Self {
        let m = look.is_free.len();
        let cells = stand.cells.clone();
        let predicted = (0..m).map(|k| cells.iter().skip(k).step_by(m).sum()).collect();
        Self { stand, look, class, cells, predicted, confusion: confusion(stand, look) }
    }

    fn sweep<M: Metric + ?Sized>(mut self, metric: &M) -> Boundaries {
        let cuts = self.look.cuts();
        let buckets = self.look.buckets;
        // From the present weight down to none, and up again from there.
        for bucket in 0..buckets / 2 {
            self.pass(bucket, -1.0);
        }
        let mut boundaries = Boundaries::default();
        for bucket in 0..buckets - 1 {
            let is_passed = self.pass(bucket, 1.0);
            let score = match boundaries.scores.last() {
                Some(&score) if !is_passed => score,
                _ => self.score(metric, &mut boundaries),
            };
            boundaries.logs.push(cuts.end(bucket).ln());
            boundaries.scores.push(score);
        }
        boundaries
    }

    /// The rows of a bucket go from their rivals to the class, or back; says whether there are any.
    fn pass(&mut self, bucket: usize, sign: f64) -> bool {
        let (m, kinds, class) = (self.look.is_free.len(), self.look.kinds(), self.class);
        let first = (class * self.look.buckets + bucket) * m * kinds;
        let mut is_any = false;
        for (rival, counts) in self.stand.lines[first..first + m * kinds].chunks_exact(kinds).enumerate() {
            let total: f64 = counts.iter().sum();
            if total <= 0.0 {
                continue;
            }
            is_any = true;
            self.predicted[class] += sign * total;
            self.predicted[rival] -= sign * total;
            if self.look.is_by_class {
                self.cells[class * m + class] += sign * counts[0];
                self.cells[rival * m + rival] -= sign * counts[1];
            } else {
                for (truth, &count) in counts.iter().enumerate() {
                    self.cells[truth * m + class] += sign * count;
                    self.cells[truth * m + rival] -= sign * count;
                }
            }
        }
        is_any
    }

    fn score<M: Metric + ?Sized>(&mut self, metric: &M, boundaries: &mut Boundaries) -> f64 {
        let (m, unit) = (self.look.is_free.len(), self.look.unit);
        for class in 0..m {
            self.confusion.set_predicted(class, self.predicted[class] * unit);
            let truths = if self.look.is_by_class { class..class + 1 } else { 0..m };
            for truth in truths {
                self.confusion.set_cell(truth, class, self.cells[truth * m + class] * unit);
            }
        }
        boundaries.evaluations += 1;
        let score = metric.score(&self.confusion);
        // A place where the metric means nothing is no place to go.
        if score.is_finite() { score } else { f64::NEG_INFINITY }
    }
}

/// The boundaries between buckets, each with the metric there.
#[derive(Default)]
struct Boundaries {
    logs: Vec<f64>,
    scores: Vec<f64>,
    evaluations: usize,
}

impl Candidates for Boundaries {
    fn len(&self) -> usize {
        self.scores.len()
    }

    fn score(&self, i: usize) -> f64 {
        self.scores[i]
    }

    fn span(&self, i: usize) -> (f64, f64) {
        (self.logs[i], self.logs[i])
    }

    fn is_points(&self) -> bool {
        true
    }
}
