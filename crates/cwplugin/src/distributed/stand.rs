//! What all rows say about the weights of one stand: which class each is predicted as, and how far every class is from
//! taking it over.

use serde::{Deserialize, Serialize};

use super::pass::Look;
use crate::data::probabilities::{Real, with_values};
use crate::data::{Probabilities, Sample};
use crate::methods::ascent::TopTwo;

/// The confusion matrix at some weights, and the cuts of every class in buckets. All numbers are whole multiples of the
/// look's unit below 2^53, so that sums of them are exact and the order of adding does not matter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stand {
    /// `[truth, predicted]`.
    pub(super) cells: Vec<f64>,
    /// By class, bucket, rival and kind: rows that go from the rival to the class once its weight passes the bucket.
    pub(super) lines: Vec<f64>,
}

impl Stand {
    pub(super) fn empty(look: &Look) -> Self {
        let m = look.is_free.len();
        Self { cells: vec![0.0; m * m], lines: vec![0.0; look.counters()] }
    }

    /// Counts the labelled rows of a sample, of which the black box says `outlook` behind its calibration.
    ///
    /// On one thread: whoever has many partitions has other work for the others.
    pub(super) fn add(&mut self, sample: &Sample, outlook: &Probabilities, weights: &[f64], look: &Look) {
        with_values!(outlook, values => self.count(values, sample, weights, look));
    }

    fn count<T: Real>(&mut self, values: &[T], sample: &Sample, weights: &[f64], look: &Look) {
        let (m, kinds, cuts) = (weights.len(), look.kinds(), look.cuts());
        let free: Vec<usize> = (0..m).filter(|&class| look.is_free[class]).collect();
        let rows = values.chunks_exact(m).zip(sample.label_indices());
        for (row, (b, &label)) in rows.enumerate() {
            let truth = label as usize;
            let weight = (sample.weight(row) / look.unit).round();
            if truth >= m || weight <= 0.0 {
                continue;
            }
            let TopTwo { top, next, first, second, .. } = TopTwo::of(b, weights);
            let (first, second) = (first as usize, second as usize);
            self.cells[truth * m + first] += weight;
            for &class in &free {
                let is_first = first == class;
                let (rival, product) = if is_first { (second, next) } else { (first, top) };
                let bucket = usize::from(cuts.place(product / (b[class].into() * weights[class]), is_first));
                if bucket < look.buckets {
                    let kind = if look.is_by_class { kind_of(truth, class, rival) } else { truth };
                    self.lines[((class * look.buckets + bucket) * m + rival) * kinds + kind] += weight;
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

/// Of the class, of the rival, or neither.
fn kind_of(truth: usize, class: usize, rival: usize) -> usize {
    if truth == class {
        0
    } else if truth == rival {
        1
    } else {
        2
    }
}

/// A stand as it travels: most counters of most lines are 0.
#[derive(Serialize, Deserialize)]
pub(super) struct Counters {
    cells: Vec<u64>,
    /// How many counters of 0 stand before each of the others.
    gaps: Vec<u32>,
    counts: Vec<u64>,
}

impl From<&Stand> for Counters {
    fn from(stand: &Stand) -> Self {
        #[allow(clippy::cast_sign_loss)] // counts, below 2^53
        let whole = |number: f64| number as u64;
        let (mut gaps, mut counts, mut gap) = (Vec::new(), Vec::new(), 0);
        for &count in &stand.lines {
            if count > 0.0 {
                gaps.push(std::mem::take(&mut gap));
                counts.push(whole(count));
            } else {
                gap += 1;
            }
        }
        Self { cells: stand.cells.iter().copied().map(whole).collect(), gaps, counts }
    }
}

impl Counters {
    /// The stand, if it is one of such a look.
    pub(super) fn stand(&self, look: &Look) -> Option<Stand> {
        let mut stand = Stand::empty(look);
        if self.cells.len() != stand.cells.len() || self.gaps.len() != self.counts.len() {
            return None;
        }
        stand.cells = self.cells.iter().map(|&count| count as f64).collect();
        let mut at = 0;
        for (&gap, &count) in self.gaps.iter().zip(&self.counts) {
            at += gap as usize;
            *stand.lines.get_mut(at)? = count as f64;
            at += 1;
        }
        Some(stand)
    }
}
