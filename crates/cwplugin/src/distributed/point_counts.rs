//! The confusion matrix and the cuts of all classes at one set of weights.

use serde::{Deserialize, Serialize};

use super::pass::Resolution;
use crate::data::probabilities::{Real, with_values};
use crate::data::{Probabilities, Sample};
use crate::methods::ascent::TopTwo;

/// The confusion matrix at some weights, and the cuts of every class in buckets. All counts are multiples of the unit below
/// 2^53, so that sums are exact and do not depend on the order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PointCounts {
    /// `[truth, predicted]`.
    pub(super) cells: Vec<f64>,
    /// By class, bucket, competing class and kind: rows that move to the class once its weight passes the bucket.
    pub(super) lines: Vec<f64>,
}

impl PointCounts {
    pub(super) fn empty(resolution: &Resolution) -> Self {
        let m = resolution.is_free.len();
        Self { cells: vec![0.0; m * m], lines: vec![0.0; resolution.counters()] }
    }

    /// Counts the labelled rows of a sample with these calibrated probabilities.
    ///
    /// Runs on one thread: partitions run in parallel.
    pub(super) fn add(
        &mut self,
        sample: &Sample,
        probabilities: &Probabilities,
        weights: &[f64],
        resolution: &Resolution,
    ) {
        with_values!(probabilities, values => self.count(values, sample, weights, resolution));
    }

    fn count<T: Real>(&mut self, values: &[T], sample: &Sample, weights: &[f64], resolution: &Resolution) {
        let (m, kinds, cuts) = (weights.len(), resolution.kinds(), resolution.cuts());
        let free: Vec<usize> = (0..m).filter(|&class| resolution.is_free[class]).collect();
        let rows = values.chunks_exact(m).zip(sample.label_indices());
        for (row, (b, &label)) in rows.enumerate() {
            let truth = label as usize;
            let weight = (sample.weight(row) / resolution.unit).round();
            if truth >= m || weight <= 0.0 {
                continue;
            }
            let TopTwo { top, next, first, second, .. } = TopTwo::of(b, weights);
            let (first, second) = (first as usize, second as usize);
            self.cells[truth * m + first] += weight;
            for &class in &free {
                let is_first = first == class;
                let (competitor, product) = if is_first { (second, next) } else { (first, top) };
                let bucket = usize::from(cuts.place(product / (b[class].into() * weights[class]), is_first));
                if bucket < resolution.buckets {
                    let kind = if resolution.is_by_class { kind_of(truth, class, competitor) } else { truth };
                    self.lines[((class * resolution.buckets + bucket) * m + competitor) * kinds + kind] +=
                        weight;
                }
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let add = |ours: &mut [f64], theirs: &[f64]| {
            ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours += theirs);
        };
        add(&mut self.cells, &other.cells);
        add(&mut self.lines, &other.lines);
    }
}

/// The label is the class, the competing class, or neither.
fn kind_of(truth: usize, class: usize, competitor: usize) -> usize {
    if truth == class {
        0
    } else if truth == competitor {
        1
    } else {
        2
    }
}

/// The JSON form: most counters are 0.
#[derive(Serialize, Deserialize)]
pub(super) struct Counters {
    cells: Vec<u64>,
    /// Number of zeros before each nonzero counter.
    gaps: Vec<u32>,
    counts: Vec<u64>,
}

impl From<&PointCounts> for Counters {
    fn from(point: &PointCounts) -> Self {
        #[allow(clippy::cast_sign_loss)] // counts, below 2^53
        let whole = |number: f64| number as u64;
        let (mut gaps, mut counts, mut gap) = (Vec::new(), Vec::new(), 0);
        for &count in &point.lines {
            if count > 0.0 {
                gaps.push(std::mem::take(&mut gap));
                counts.push(whole(count));
            } else {
                gap += 1;
            }
        }
        Self { cells: point.cells.iter().copied().map(whole).collect(), gaps, counts }
    }
}

impl Counters {
    /// The counts, if they fit the resolution.
    pub(super) fn point_counts(&self, resolution: &Resolution) -> Option<PointCounts> {
        let mut point = PointCounts::empty(resolution);
        if self.cells.len() != point.cells.len() || self.gaps.len() != self.counts.len() {
            return None;
        }
        point.cells = self.cells.iter().map(|&count| count as f64).collect();
        let mut at = 0;
        for (&gap, &count) in self.gaps.iter().zip(&self.counts) {
            at += gap as usize;
            *point.lines.get_mut(at)? = count as f64;
            at += 1;
        }
        Some(point)
    }
}
