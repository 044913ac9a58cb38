//! Some rows at a time, each reduced to the probabilities that decide between a class and the reference.

use crate::kernel::{self, BLOCK, Gathered};
use crate::probabilities::Real;

/// Numbers of rows of the reference that are computed with at once.
const NUMBERS: usize = 128;

/// Numbers that are copied at once.
const LANES: usize = 8;

/// A block of rows, each with its own class and the reference.
///
/// Rows of the reference take part in every pair and are put on a list. In the place of their own pair, and of that of
/// rows without a label, stands some pair with the reference for a class, which nobody asks for.
pub(crate) struct Pairs<N> {
    m: usize,
    reference: usize,
    rows: Gathered<N>,
}

impl<N: Copy + Default> Pairs<N> {
    pub(crate) fn new(m: usize, reference: usize) -> Self {
        let any = [N::default(); BLOCK];
        Self { m, reference, rows: Gathered { first: any, second: any, class: [0; BLOCK], of_reference: 0 } }
    }

    /// Takes the first block of these rows; `of` turns a number into what `map` is given.
    #[inline(always)]
    pub(crate) fn gather<T: Real>(&mut self, values: &[T], labels: &[u32], of: impl Fn(T) -> N) {
        kernel::gather(values, labels, self.m, self.reference, of, &mut self.rows);
    }

    /// Applies `f` to the probabilities of class and reference, and the class, of every row.
    #[inline(always)]
    pub(crate) fn map<U: Copy + Default>(&self, f: impl Fn(N, N, u32) -> U) -> [U; BLOCK] {
        let mut mapped = [U::default(); BLOCK];
        let rows = self.rows.first.iter().zip(&self.rows.second).zip(&self.rows.class);
        for (mapped, ((&b_class, &b_reference), &class)) in mapped.iter_mut().zip(rows) {
            *mapped = f(b_class, b_reference, class);
        }
        mapped
    }

    /// The class of every row.
    #[inline(always)]
    pub(crate) fn classes(&self) -> &[u32; BLOCK] {
        &self.rows.class
    }

    /// The rows of the reference, by their place in the block.
    #[inline(always)]
    pub(crate) fn of_reference(&self) -> impl Iterator<Item = usize> + use<N> {
        let mut left = self.rows.of_reference;
        std::iter::from_fn(move || {
            let row = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (row < BLOCK).then_some(row)
        })
    }
}

/// Rows of the reference, which are compared with every class; with itself too, which nobody asks for.
pub(crate) struct ReferenceRows<N, U> {
    m: usize,
    reference: usize,
    capacity: usize,
    b_class: Vec<N>,
    b_reference: Vec<N>,
    bases: Vec<u32>,
    mapped: Vec<U>,
    rows: Vec<usize>,
}

impl<N: Copy + Default, U: Copy + Default> ReferenceRows<N, U> {
    /// `base` says where rows of the reference are counted in the pair of a class, or whatever else is to be known of it.
    pub(crate) fn new(m: usize, reference: usize, base: impl Fn(usize) -> u32) -> Self {
        let capacity = (NUMBERS / m).max(1);
        let numbers = capacity * m;
        // Behind the last row there is room for what is copied with it.
        let room = numbers.next_multiple_of(LANES) + LANES;
        Self {
            m,
            reference,
            capacity,
            b_class: vec![N::default(); room],
            b_reference: vec![N::default(); room],
            bases: (0..numbers).map(|i| base(i % m)).collect(),
            mapped: vec![U::default(); numbers],
            rows: Vec::with_capacity(capacity),
        }
    }

    /// Takes the first of these rows; says whether there is no room for another. `of` turns a number into what `map` is
    /// given.
    #[inline(always)]
    pub(crate) fn push<T: Real>(&mut self, row: usize, values: &[T], of: impl Fn(T) -> N) -> bool {
        let m = self.m;
        let first = self.rows.len() * m;
        let b_reference = of(values[self.reference]);
        let (whole, end) = (m.next_multiple_of(LANES), first + m.next_multiple_of(LANES));
        if values.len() >= whole {
            // More than the row: whole vectors are faster, and what is too much is soon overwritten.
            let to = self.b_class[first..end].as_chunks_mut::<LANES>().0;
            for (to, from) in to.iter_mut().zip(values[..whole].as_chunks::<LANES>().0) {
                *to = from.map(&of);
            }
            let to = self.b_reference[first..end].as_chunks_mut::<LANES>().0;
            to.iter_mut().for_each(|to| *to = [b_reference; LANES]);
        } else {
            self.b_class[first..].iter_mut().zip(&values[..m]).for_each(|(to, &from)| *to = of(from));
            self.b_reference[first..first + m].fill(b_reference);
        }
        // In the pair of the reference with itself some other number: equal ones would lie on α = ½, a point of grids.
        self.b_class[first + self.reference] = of(values[usize::from(self.reference == 0)]);
        self.rows.push(row);
        self.rows.len() == self.capacity
    }

    /// Applies `f` to the probabilities of class and reference and the base, for every class and row.
    #[inline(always)]
    pub(crate) fn map(&mut self, f: impl Fn(N, N, u32) -> U) {
        let numbers = self.b_class.iter().zip(&self.b_reference).zip(&self.bases);
        for (mapped, ((&b_class, &b_reference), &base)) in self.mapped.iter_mut().zip(numbers) {
            *mapped = f(b_class, b_reference, base);
        }
    }

    /// What became of all classes of all rows.
    #[inline(always)]
    pub(crate) fn mapped(&self) -> &[U] {
        &self.mapped[..self.rows.len() * self.m]
    }

    /// The row, by its number in the sample, of a place in [`ReferenceRows::mapped`].
    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> usize {
        self.rows[i / self.m]
    }

    /// Each row, by its number in the sample, with what became of its classes.
    #[inline(always)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &[U])> {
        self.rows.iter().copied().zip(self.mapped.chunks_exact(self.m))
    }

    /// There is room again.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }
}
