//! Blocks of rows, reduced to the probabilities of their own class and of the reference.

use crate::data::probabilities::Real;
use crate::numeric::kernel;
use crate::numeric::kernel::{BLOCK, Gathered};

/// Values of reference rows that are computed together.
const NUMBERS: usize = 128;

/// Values that are copied together.
const LANES: usize = 8;

/// Rows of the reference that are listed together.
const AT_ONCE: usize = 8;

/// A block of rows, each with the probabilities of its own class and of the reference.
///
/// Rows of the reference belong to every pair and are listed separately. Their entry in the block, and that of rows
/// without a label, is a placeholder that callers ignore.
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

    /// Reads the first block of these rows; `of` converts a value for `map`.
    #[inline(always)]
    pub(crate) fn gather<T: Real>(&mut self, values: &[T], labels: &[u32], of: impl Fn(T) -> N) {
        kernel::gather(values, labels, self.m, self.reference, of, &mut self.rows);
    }

    /// Applies `f` to the probabilities of class and reference, and to the class, of every row.
    #[inline(always)]
    pub(crate) fn map<U: Copy + Default>(&self, f: impl Fn(N, N, u32) -> U) -> [U; BLOCK] {
        map_block(&self.rows.first, &self.rows.second, &self.rows.class, f)
    }

    /// The class of every row.
    #[inline(always)]
    pub(crate) fn classes(&self) -> &[u32; BLOCK] {
        &self.rows.class
    }

    /// The rows of the reference, one bit per position in the block.
    #[inline(always)]
    pub(crate) fn of_reference(&self) -> u32 {
        self.rows.of_reference
    }
}

/// Rows of the reference, paired with every class. The pair of the reference with itself is a placeholder.
pub(crate) struct ReferenceRows<N, U> {
    m: usize,
    reference: usize,
    capacity: usize,
    b_class: Vec<N>,
    b_reference: Vec<N>,
    bases: Vec<u32>,
    mapped: Vec<U>,
    /// The first `len` are rows of the buffer.
    rows: Vec<usize>,
    len: usize,
    /// The row in the buffer of every number.
    positions: Vec<u32>,
}

impl<N: Copy + Default, U: Copy + Default> ReferenceRows<N, U> {
    /// `base` gives a value per class that [`ReferenceRows::map`] passes on, such as the index of its first counter.
    pub(crate) fn new(m: usize, reference: usize, base: impl Fn(usize) -> u32) -> Self {
        let capacity = (NUMBERS / m).max(1);
        // Rows are copied in whole vectors, so the last one needs room after it.
        let room = ((capacity + AT_ONCE) * m + LANES).next_multiple_of(BLOCK);
        Self {
            m,
            reference,
            capacity,
            b_class: vec![N::default(); room],
            b_reference: vec![N::default(); room],
            bases: (0..room).map(|i| base(i % m)).collect(),
            mapped: vec![U::default(); room],
            rows: vec![0; capacity + AT_ONCE],
            len: 0,
            positions: (0..room).map(|i| (i / m) as u32).collect(),
        }
    }

    /// Adds up to [`AT_ONCE`] rows of a block and removes them from `left`, one bit per position; true if the buffer is now
    /// full and must be cleared.
    #[inline(always)]
    pub(crate) fn push(&mut self, first: usize, left: &mut u32) -> bool {
        // All places are written, whether or not there are as many rows: their number cannot be predicted, and a branch on
        // it would stop the processor from loading the next blocks.
        if let Some(rows) = self.rows[self.len..].first_chunk_mut::<AT_ONCE>() {
            self.len += AT_ONCE.min(left.count_ones() as usize);
            for row in rows {
                *row = first + left.trailing_zeros() as usize;
                *left &= left.wrapping_sub(1);
            }
        }
        self.len >= self.capacity
    }

    /// Applies `f` to the probabilities of class and reference and to the base, for every class and row; `of` converts a
    /// value of the sample for `f`.
    #[inline(always)]
    pub(crate) fn map<T: Real>(&mut self, values: &[T], of: impl Fn(T) -> N, f: impl Fn(N, N, u32) -> U) {
        let (m, whole) = (self.m, self.m.next_multiple_of(LANES));
        let other = usize::from(self.reference == 0);
        for (i, &row) in self.rows[..self.len].iter().enumerate() {
            let values = &values[row * m..];
            let (b_reference, b_other) = (of(values[self.reference]), of(values[other]));
            let b_class = &mut self.b_class[i * m..][..whole];
            if values.len() >= whole {
                // Copies past the end of the row: whole vectors are faster, and the next row overwrites the excess.
                let from = values[..whole].as_chunks::<LANES>().0;
                for (to, from) in b_class.as_chunks_mut::<LANES>().0.iter_mut().zip(from) {
                    *to = from.map(&of);
                }
            } else {
                b_class.iter_mut().zip(values).for_each(|(to, &from)| *to = of(from));
            }
            // Placeholder for the pair with itself: equal values would lie on α = ½, a point of many grids.
            b_class[self.reference] = b_other;
            for to in self.b_reference[i * m..][..whole].as_chunks_mut::<LANES>().0 {
                *to = [b_reference; LANES];
            }
        }
        let blocks = (self.len * m).div_ceil(BLOCK);
        let inputs = self.b_class.as_chunks::<BLOCK>().0.iter().zip(self.b_reference.as_chunks::<BLOCK>().0);
        let inputs = inputs.zip(self.bases.as_chunks::<BLOCK>().0).take(blocks);
        let outputs = self.mapped.as_chunks_mut::<BLOCK>().0;
        for (mapped, ((b_class, b_reference), base)) in outputs.iter_mut().zip(inputs) {
            *mapped = map_block(b_class, b_reference, base, &f);
        }
    }

    /// The results for all classes of all rows.
    #[inline(always)]
    pub(crate) fn mapped(&self) -> &[U] {
        &self.mapped[..self.len * self.m]
    }

    /// The row in the sample of entry `i` of [`ReferenceRows::mapped`].
    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> usize {
        self.rows[self.positions[i] as usize]
    }

    /// Each row in the sample, with the results for its classes.
    #[inline(always)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &[U])> {
        self.rows[..self.len].iter().copied().zip(self.mapped.chunks_exact(self.m))
    }

    /// Empties the buffer.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }
}

/// Applies `f` to a whole block: long enough to vectorise, and without a branch.
#[inline(always)]
fn map_block<N: Copy, U: Copy + Default>(
    b_class: &[N; BLOCK],
    b_reference: &[N; BLOCK],
    third: &[u32; BLOCK],
    f: impl Fn(N, N, u32) -> U,
) -> [U; BLOCK] {
    let mut mapped = [U::default(); BLOCK];
    for i in 0..BLOCK {
        mapped[i] = f(b_class[i], b_reference[i], third[i]);
    }
    mapped
}
