//! Counts in one pass where rows move.

use std::ops::Range;

use crate::data::Sample;
use crate::data::probabilities::{Real, with_values};
use crate::numeric::kernel::{BLOCK, Kernel};
use crate::numeric::tally::{Count, Tally};
use crate::numeric::{kernel, parallel};
use crate::plugin::pairs::{Pairs, ReferenceRows};

/// Divides the line of cuts into places, each with a counter.
pub(crate) trait Locate: Sync {
    /// Returned by [`Locate::quick_place`] if only [`Locate::place`] can decide; larger than every place.
    const NEAR: u32 = u32::MAX;

    /// The number of places.
    fn places(&self) -> usize;

    /// The place of a row.
    fn place(&self, b_class: f64, b_reference: f64) -> usize;

    /// The same in single precision and without a branch, so that the loop vectorises; `base` is the index of the first
    /// place. [`Locate::NEAR`] if the row is too close to the end of a place.
    fn quick_place(&self, b_class: f32, b_reference: f32, base: u32) -> u32;
}

/// Counts where the labelled rows of a sample move, per class, side (0: rows of the class, 1: rows of the reference) and
/// place, in a tally of length `m·2·places`.
pub(crate) fn count_sample<L: Locate>(locate: &L, sample: &Sample, reference: usize, tally: &mut Tally) {
    let m = sample.n_classes();
    let count = |tally: &mut Tally, rows: Range<usize>| {
        let labels = &sample.label_indices()[rows.clone()];
        with_values!(sample.probabilities(), values => {
            let values = &values[rows.start * m..rows.end * m];
            let pass = Pass { locate, m, reference, values, labels };
            match sample.weights() {
                None => kernel::run(CountCuts { pass, counter: tally.ones() }),
                Some(weights) => kernel::run(CountCuts { pass, counter: tally.weighed(&weights[rows]) }),
            }
        });
    };
    if sample.n_rows() <= parallel::PIECE {
        count(tally, 0..sample.n_rows()); // a chunk of a stream
    } else {
        let (places, is_weighted) = (tally.places(), sample.weights().is_some());
        let empty = || Tally::new(places, is_weighted);
        tally.merge(&parallel::count(sample.n_rows(), parallel::PIECE, empty, count, Tally::merge));
    }
    // The reference has no pair with itself; its counters collected the rows without a pair.
    let unused = reference * 2 * locate.places();
    tally.clear(unused..unused + 2 * locate.places());
}

/// The rows of a pass and the places to count them in.
pub(crate) struct Pass<'a, T, L> {
    pub(crate) locate: &'a L,
    pub(crate) m: usize,
    pub(crate) reference: usize,
    pub(crate) values: &'a [T],
    pub(crate) labels: &'a [u32],
}

impl<T: Real, L: Locate> Pass<'_, T, L> {
    /// The place of a row in the pair of a class, computed in double precision if the quick place is unknown.
    #[inline(always)]
    fn place(&self, quick: u32, row: usize, class: usize, base: u32) -> usize {
        if quick != L::NEAR {
            return quick as usize;
        }
        let b = &self.values[row * self.m..][..self.m];
        base as usize + self.locate.place(b[class].into(), b[self.reference].into())
    }
}

/// Counts every row in the pair of its class, and rows of the reference in all pairs. Rows without a pair go to the unused
/// counters of the reference against itself, which saves a branch.
pub(crate) struct CountCuts<'a, T, L, C> {
    pub(crate) pass: Pass<'a, T, L>,
    pub(crate) counter: C,
}

impl<T: Real, L: Locate, C: Count> Kernel for CountCuts<'_, T, L, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { pass, mut counter } = self;
        let &Pass { locate, m, reference, values, labels } = &pass;
        let of_class = 2 * locate.places() as u32;
        let mut pairs = Pairs::<f32>::new(m, reference);
        let base = |class| class as u32 * of_class + of_class / 2;
        let mut references = ReferenceRows::new(m, reference, base);
        for first in (0..labels.len()).step_by(BLOCK) {
            let (values, labels) = (&values[first * m..], &labels[first..]);
            pairs.gather(values, labels, Real::single);
            let places = pairs.map(|b_class, b_reference, class| {
                locate.quick_place(b_class, b_reference, class * of_class)
            });
            if labels.len() < places.len() || !counter.count_all(&places, |i| first + i) {
                let rows = places.iter().zip(pairs.classes()).take(labels.len());
                for (i, (&quick, &class)) in rows.enumerate() {
                    counter.count(pass.place(quick, first + i, class as usize, class * of_class), first + i);
                }
            }
            let mut left = pairs.of_reference();
            while left != 0 {
                if references.push(first, &mut left) {
                    count_references(&pass, &mut references, &mut counter, base);
                }
            }
        }
        count_references(&pass, &mut references, &mut counter, base);
    }
}

#[inline(always)]
fn count_references<T: Real, L: Locate>(
    pass: &Pass<T, L>,
    references: &mut ReferenceRows<f32, u32>,
    counter: &mut impl Count,
    base: impl Fn(usize) -> u32,
) {
    let quick_place = |b_class, b_reference, base| pass.locate.quick_place(b_class, b_reference, base);
    references.map(pass.values, Real::single, quick_place);
    if !counter.count_all(references.mapped(), |i| references.row(i)) {
        for (row, places) in references.rows() {
            for (class, &quick) in places.iter().enumerate() {
                counter.count(pass.place(quick, row, class, base(class)), row);
            }
        }
    }
    references.clear();
}
