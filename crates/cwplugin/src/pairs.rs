//! Some rows at a time, each reduced to the probabilities that decide between a class and the reference.

use crate::kernel::{self, BLOCK, Gathered, Meanings, OfLabel};
use crate::probabilities::Real;

/// Numbers of rows of the reference that are computed with at once.
const NUMBERS: usize = 128;

/// A block of rows, each with its own class and the reference.
///
/// Rows of the reference take part in every pair and are put on a list. In the place of their own pair, and of that of
/// rows without a label, stands some pair with the base of the reference, which nobody asks for.
pub(crate) struct Pairs {
    reference: usize,
    meanings: Meanings,
    rows: Gathered,
}

impl Pairs {
    pub(crate) const BLOCK: usize = BLOCK;

    /// `base` says where the rows of a class are counted, or whatever else is to be known of it.
    pub(crate) fn new(m: usize, reference: usize, base: impl Fn(usize) -> u32) -> Self {
        // Another column than the reference: equal probabilities would lie on α = ½, where the grid has a point.
        let nowhere = OfLabel { column: u32::from(reference == 0), base: base(reference) };
        let of_label = |class: usize| {
            let is_pair = class != reference && class != m;
            if is_pair { OfLabel { column: class as u32, base: base(class) } } else { nowhere }
        };
        Self {
            reference,
            meanings: Meanings::new((0..=m).map(of_label).collect()),
            rows: Gathered {
                first: [0.5; BLOCK],
                second: [0.25; BLOCK],
                base: [0; BLOCK],
                marked: [0; BLOCK],
                n_marked: 0,
            },
        }
    }

    /// Takes the first block of these rows.
    #[inline(always)]
    pub(crate) fn gather<T: Real>(&mut self, values: &[T], labels: &[u32]) {
        kernel::gather(values, labels, &self.meanings, self.reference, &mut self.rows);
    }

    /// Applies `f` to the probabilities of class and reference and the base of every row.
    #[inline(always)]
    pub(crate) fn map(&self, f: impl Fn(f64, f64, u32) -> u64) -> [u64; BLOCK] {
        let mut mapped = [0; BLOCK];
        let rows = self.rows.first.iter().zip(&self.rows.second).zip(&self.rows.base);
        for (mapped, ((&b_class, &b_reference), &base)) in mapped.iter_mut().zip(rows) {
            *mapped = f(b_class, b_reference, base);
        }
        mapped
    }

    /// The probabilities of class and reference of one row, and its base.
    pub(crate) fn get(&self, row: usize) -> (f64, f64, u32) {
        (self.rows.first[row], self.rows.second[row], self.rows.base[row])
    }

    /// For each row of the block the base of its class.
    #[inline(always)]
    pub(crate) fn bases(&self) -> &[u32; BLOCK] {
        &self.rows.base
    }

    /// The rows of the reference, by their place in the block.
    #[inline(always)]
    pub(crate) fn of_reference(&self) -> &[u16] {
        &self.rows.marked[..self.rows.n_marked]
    }
}

/// Rows of the reference, which are compared with every class; with itself too, which nobody asks for.
pub(crate) struct ReferenceRows {
    m: usize,
    reference: usize,
    capacity: usize,
    b_class: Vec<f64>,
    b_reference: Vec<f64>,
    bases: Vec<u32>,
    mapped: Vec<u64>,
    rows: Vec<usize>,
}

impl ReferenceRows {
    /// `base` says where rows of the reference are counted in the pair of a class.
    pub(crate) fn new(m: usize, reference: usize, base: impl Fn(usize) -> u32) -> Self {
        let capacity = (NUMBERS / m).max(1);
        let numbers = capacity * m;
        Self {
            m,
            reference,
            capacity,
            b_class: vec![0.5; numbers],
            b_reference: vec![0.25; numbers],
            bases: (0..numbers).map(|i| base(i % m)).collect(),
            mapped: vec![0; numbers],
            rows: Vec::with_capacity(capacity),
        }
    }

    /// Takes a row; says whether there is no room for another.
    #[inline(always)]
    pub(crate) fn push<T: Real>(&mut self, row: usize, b: &[T]) -> bool {
        let places = self.rows.len() * self.m..(self.rows.len() + 1) * self.m;
        let b_reference: f64 = b[self.reference].into();
        for (to, &from) in self.b_class[places.clone()].iter_mut().zip(b) {
            *to = from.into();
        }
        self.b_class[places.start + self.reference] = 2.0 * b_reference; // not on α = ½
        self.b_reference[places].fill(b_reference);
        self.rows.push(row);
        self.rows.len() == self.capacity
    }

    /// Applies `f` to the probabilities of class and reference and the base, for every class and row.
    #[inline(always)]
    pub(crate) fn map(&mut self, f: impl Fn(f64, f64, u32) -> u64) {
        let numbers = self.b_class.iter().zip(&self.b_reference).zip(&self.bases);
        for (mapped, ((&b_class, &b_reference), &base)) in self.mapped.iter_mut().zip(numbers) {
            *mapped = f(b_class, b_reference, base);
        }
    }

    /// Each row, by its number in the sample, with what became of its classes.
    #[inline(always)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, usize, &[u64])> {
        let mapped = self.mapped.chunks_exact(self.m).enumerate();
        self.rows.iter().zip(mapped).map(|(&row, (i, mapped))| (row, i * self.m, mapped))
    }

    /// The probabilities of class and reference, and the base, at a place.
    pub(crate) fn get(&self, place: usize) -> (f64, f64, u32) {
        (self.b_class[place], self.b_reference[place], self.bases[place])
    }

    /// There is room again.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }
}
