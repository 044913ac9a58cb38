//! The cuts of every pair: where rows move, found in one pass over the sample.

use crate::data::Sample;
use crate::data::probabilities::{Real, with_values};
use crate::numeric::exact_sum::ExactSum;
use crate::numeric::kernel::{BLOCK, Kernel};
use crate::numeric::{kernel, parallel};
use crate::plugin::grid::Grid;
use crate::plugin::pairs::{Pairs, ReferenceRows};

/// A row that needs a weight above e³⁰⁰ never moves; one that moves below e⁻³⁰⁰ always moves. Weights further apart would
/// underflow for the other classes.
const LAST_RATIO: f64 = 1.942_426_395_241_255_8e130;

/// The cut of one row: where it moves from the reference to the class, and its side.
///
/// Cuts sort in the order in which rows move. The last bit of `key` is the side: 0 for a row of the class, 1 for a row of
/// the reference.
pub(crate) trait Cut: Copy + Send + Sync + Ord {
    /// Sum of the weights of the rows that have moved.
    type Sum: Sum;

    fn new(place: u64, side: u64, weight: f64) -> Self;
    fn key(self) -> u64;
    fn weight(self) -> f64;

    /// Stores the score of the interval after this cut: in the cut itself if it has room, else in the list.
    fn with_score(self, score: f64, list: &mut Vec<f64>) -> Self;

    /// The stored score; `i` is the index in the list.
    fn score(self, i: usize, list: &[f64]) -> f64;

    fn side(self) -> usize {
        usize::from(self.key() & 1 == 1)
    }

    /// The value of [`Place::of`].
    fn place(self) -> u64 {
        self.key() >> 1
    }
}

/// A sum that does not depend on the order of the terms.
pub(crate) trait Sum: Default {
    fn add(&mut self, weight: f64);
    fn value(&self) -> f64;
}

/// For rows of weight 1.
impl Sum for u64 {
    fn add(&mut self, _weight: f64) {
        *self += 1;
    }
    fn value(&self) -> f64 {
        *self as f64
    }
}

impl Sum for ExactSum {
    fn add(&mut self, weight: f64) {
        self.add(weight);
    }
    fn value(&self) -> f64 {
        self.value()
    }
}

/// A row of weight 1, in eight bytes.
impl Cut for u64 {
    type Sum = Self;

    #[inline(always)]
    fn new(place: u64, side: u64, _weight: f64) -> Self {
        place << 1 | side
    }
    fn key(self) -> u64 {
        self
    }
    fn weight(self) -> f64 {
        1.0
    }
    fn with_score(self, score: f64, list: &mut Vec<f64>) -> Self {
        list.push(score);
        self
    }
    fn score(self, i: usize, list: &[f64]) -> f64 {
        list[i]
    }
}

/// A row with the bits of its weight, in sixteen bytes. Weights are not negative, so their bits sort like the weights.
impl Cut for (u64, u64) {
    type Sum = ExactSum;

    #[inline(always)]
    fn new(place: u64, side: u64, weight: f64) -> Self {
        (place << 1 | side, weight.to_bits())
    }
    fn key(self) -> u64 {
        self.0
    }
    fn weight(self) -> f64 {
        f64::from_bits(self.1)
    }
    fn with_score(self, score: f64, _list: &mut Vec<f64>) -> Self {
        (self.0, score.to_bits())
    }
    fn score(self, _i: usize, _list: &[f64]) -> f64 {
        f64::from_bits(self.1)
    }
}

/// Encodes where a row moves: below 2^63, and larger if it moves later.
pub(crate) trait Place: Sync {
    fn of(&self, b_class: f64, b_reference: f64) -> u64;
}

/// The bits of `b_r / b_k`, the odds α/(1−α) of the cut. Used by the exact search.
pub(crate) struct Ratio;

impl Ratio {
    /// The largest place: rows that no weight moves.
    pub(crate) const NEVER: u64 = f64::INFINITY.to_bits();

    /// The odds of the cut; infinite if no weight moves the row.
    #[inline(always)]
    pub(crate) fn odds(&self, b_class: f64, b_reference: f64) -> f64 {
        let ratio = b_reference / b_class;
        // NaN if both are 0: no weight makes a difference.
        let is_reached = ratio < LAST_RATIO;
        let ratio = if ratio < 1.0 / LAST_RATIO { 0.0 } else { ratio };
        if is_reached { ratio } else { f64::INFINITY }
    }
}

impl Place for Ratio {
    #[inline(always)]
    fn of(&self, b_class: f64, b_reference: f64) -> u64 {
        self.odds(b_class, b_reference).to_bits()
    }
}

/// The bin of a grid. Used by the line search and the binary search.
impl Place for Grid {
    #[inline(always)]
    fn of(&self, b_class: f64, b_reference: f64) -> u64 {
        self.bin(b_class, b_reference) as u64
    }
}

/// The cuts of every class against the reference, unsorted; empty for the reference itself.
///
/// `C` without row weights requires a sample whose rows all weigh 1.
pub(crate) fn of_pairs<C: Cut>(sample: &Sample, reference: usize, place: &impl Place) -> Vec<Vec<C>> {
    let m = sample.n_classes();
    let counts = rows_per_piece(sample);
    let of_pair = |class: usize, rows: &[u32]| {
        if class == reference { 0 } else { (rows[class] + rows[reference]) as usize }
    };
    let total = |class| counts.iter().map(|rows| of_pair(class, rows)).sum();
    let nothing = C::new(0, 0, 0.0);
    let mut cuts: Vec<Vec<C>> = (0..m).map(|class| vec![nothing; total(class)]).collect();
    // Every piece of the sample writes into its own part of each class's list.
    let mut slots: Vec<Vec<&mut [C]>> = counts.iter().map(|_| Vec::with_capacity(m)).collect();
    for (class, cuts) in cuts.iter_mut().enumerate() {
        let mut free = cuts.as_mut_slice();
        for (rows, slots) in counts.iter().zip(&mut slots) {
            let (slot, rest) = free.split_at_mut(of_pair(class, rows));
            slots.push(slot);
            free = rest;
        }
    }
    let pieces: Vec<_> = slots.into_iter().enumerate().collect();
    parallel::map(pieces, |(piece, slots)| {
        let first = piece * parallel::PIECE;
        let rows = first..(first + parallel::PIECE).min(sample.n_rows());
        let labels = &sample.label_indices()[rows.clone()];
        let weights = sample.weights().map(|weights| &weights[rows.clone()]);
        with_values!(sample.probabilities(), values => {
            let values = &values[rows.start * m..rows.end * m];
            kernel::run(Gather { values, labels, weights, m, reference, place, slots });
        });
    });
    cuts
}

/// The number of rows of each class in each piece of the sample, without rows of weight 0.
fn rows_per_piece(sample: &Sample) -> Vec<Vec<u32>> {
    let m = sample.n_classes();
    let pieces: Vec<usize> = (0..sample.n_rows()).step_by(parallel::PIECE).collect();
    parallel::map(pieces, |first| {
        let mut counts = vec![0; m + 1];
        let rows = first..(first + parallel::PIECE).min(sample.n_rows());
        match sample.weights() {
            None => sample.label_indices()[rows].iter().for_each(|&label| counts[label as usize] += 1),
            Some(weights) => rows.for_each(|row| {
                let label = sample.label_indices()[row] as usize;
                counts[label] += u32::from(weights[row] > 0.0);
            }),
        }
        counts
    })
}

/// The pass over one piece of the sample.
struct Gather<'a, T, C, P> {
    values: &'a [T],
    labels: &'a [u32],
    weights: Option<&'a [f64]>,
    m: usize,
    reference: usize,
    place: &'a P,
    slots: Vec<&'a mut [C]>,
}

impl<T: Real, C: Cut, P: Place> Kernel for Gather<'_, T, C, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { values: all, labels, weights, m, reference: r, place, slots } = self;
        // Rows without a pair are all written here: cheaper than a branch.
        let mut unused = [C::new(0, 0, 0.0)];
        let mut slots: Vec<&mut [C]> = slots;
        slots[r] = &mut unused;
        let (mut filled, mut step) = (vec![0; m], vec![1; m]);
        step[r] = 0;
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let mut pairs = Pairs::<f64>::new(m, r);
        let mut references = ReferenceRows::new(m, r, |_| 0);
        for first in (0..labels.len()).step_by(BLOCK) {
            let (values, labels) = (&all[first * m..], &labels[first..]);
            pairs.gather(values, labels, Into::into);
            let places = pairs.map(|b_class, b_reference, _| place.of(b_class, b_reference));
            let rows = (first..).zip(&places).zip(pairs.classes()).take(labels.len());
            for ((row, &place), &class) in rows {
                let (class, weight) = (class as usize, weight(row));
                if weight > 0.0 {
                    slots[class][filled[class]] = C::new(place, 0, weight);
                    filled[class] += step[class];
                }
            }
            let mut left =
                pairs.of_reference() & weights.map_or(u32::MAX, |weights| positive(&weights[first..]));
            while left != 0 {
                if references.push(first, &mut left) {
                    references.map(all, Into::into, |b_class, b_reference, _| place.of(b_class, b_reference));
                    for (row, places) in references.rows() {
                        write_reference(&mut slots, &mut filled, &step, places, weight(row));
                    }
                    references.clear();
                }
            }
        }
        references.map(all, Into::into, |b_class, b_reference, _| place.of(b_class, b_reference));
        for (row, places) in references.rows() {
            write_reference(&mut slots, &mut filled, &step, places, weight(row));
        }
    }
}

/// The rows of a block with a weight above 0, one bit per position.
fn positive(weights: &[f64]) -> u32 {
    weights.iter().take(BLOCK).enumerate().fold(0, |bits, (i, &weight)| bits | u32::from(weight > 0.0) << i)
}

/// Writes a row of the reference into the lists of all classes.
#[inline(always)]
fn write_reference<C: Cut>(
    slots: &mut [&mut [C]],
    filled: &mut [usize],
    step: &[usize],
    places: &[u64],
    weight: f64,
) {
    for (((slot, filled), step), &place) in slots.iter_mut().zip(filled).zip(step).zip(places) {
        slot[*filled] = C::new(place, 1, weight);
        *filled += step;
    }
}
