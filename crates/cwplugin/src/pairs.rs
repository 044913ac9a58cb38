//! Some rows at a time, each reduced to the probabilities that decide between a class and the reference.

use crate::kernel;
use crate::probabilities::Real;

/// Rows that are first gathered, then computed with, many at once.
const BLOCK: usize = 128;

/// Numbers of rows of the reference that are computed with at once.
const NUMBERS: usize = 512;

/// A block of rows, each with its own class and the reference.
///
/// Rows of the reference take part in every pair and are put on a list. In the place of their own pair, and of that of
/// rows without a label, stands some pair that is counted nowhere: a branch on the label cannot be foreseen by the
/// processor and costs more than the work.
pub(crate) struct Pairs {
    m: usize,
    reference: usize,
    /// For each label, and behind them for "none", the column to compare with the reference, and the class to count
    /// for; the reference, which has no pair, stands for nowhere.
    of_label: Vec<(usize, usize)>,
    b_class: [f64; BLOCK],
    b_reference: [f64; BLOCK],
    classes: [u32; BLOCK],
    references: [u16; BLOCK],
    n_rows: usize,
    n_references: usize,
}

impl Pairs {
    pub(crate) const BLOCK: usize = BLOCK;

    pub(crate) fn new(m: usize, reference: usize) -> Self {
        // Another column than the reference: equal probabilities would lie on α = ½, where the grid has a point.
        let nowhere = (usize::from(reference == 0), reference);
        let of_label = |class| if class == reference || class == m { nowhere } else { (class, class) };
        Self {
            m,
            reference,
            of_label: (0..=m).map(of_label).collect(),
            b_class: [0.5; BLOCK],
            b_reference: [0.25; BLOCK],
            classes: [0; BLOCK],
            references: [0; BLOCK],
            n_rows: 0,
            n_references: 0,
        }
    }

    /// Takes the first block of these rows, and asks for the next.
    #[inline(always)]
    pub(crate) fn gather<T: Real>(&mut self, values: &[T], labels: &[u32]) {
        let (m, r) = (self.m, self.reference);
        let last = labels.len() - 1;
        self.n_rows = labels.len().min(BLOCK);
        self.n_references = 0;
        for (i, (b, &label)) in values.chunks_exact(m).zip(labels).take(BLOCK).enumerate() {
            // Only two numbers of a row are needed: by the time its block comes, they have arrived.
            let later = i + BLOCK;
            let (column, _) = self.of_label[(labels[later.min(last)] as usize).min(m)];
            kernel::prefetch(values, later * m + column);
            kernel::prefetch(values, later * m + r);
            let label = (label as usize).min(m);
            let (column, class) = self.of_label[label];
            self.b_class[i] = b[column].into();
            self.b_reference[i] = b[r].into();
            self.classes[i] = class as u32;
            self.references[self.n_references] = i as u16; // overwritten unless the next line counts it
            self.n_references += usize::from(label == r);
        }
    }

    /// Applies `f` to the probabilities of class and reference of every row.
    #[inline(always)]
    pub(crate) fn map(&self, f: impl Fn(f64, f64) -> u64) -> [u64; BLOCK] {
        let mut mapped = [0; BLOCK];
        for i in 0..BLOCK {
            mapped[i] = f(self.b_class[i], self.b_reference[i]);
        }
        mapped
    }

    /// The probabilities of class and reference of one row.
    pub(crate) fn get(&self, row: usize) -> (f64, f64) {
        (self.b_class[row], self.b_reference[row])
    }

    /// For each row the class in whose pair it is counted.
    #[inline(always)]
    pub(crate) fn classes(&self) -> &[u32] {
        &self.classes[..self.n_rows]
    }

    /// The rows of the reference, by their place in the block.
    #[inline(always)]
    pub(crate) fn of_reference(&self) -> &[u16] {
        &self.references[..self.n_references]
    }
}

/// Rows of the reference, which are compared with every class; with itself too, which is counted nowhere.
pub(crate) struct ReferenceRows {
    m: usize,
    reference: usize,
    capacity: usize,
    b_class: Vec<f64>,
    b_reference: Vec<f64>,
    mapped: Vec<u64>,
    rows: Vec<usize>,
}

impl ReferenceRows {
    pub(crate) fn new(m: usize, reference: usize) -> Self {
        let capacity = (NUMBERS / m).max(1);
        let (b_class, b_reference) = (vec![0.5; capacity * m], vec![0.25; capacity * m]);
        Self { m, reference, capacity, b_class, b_reference, mapped: vec![0; capacity * m], rows: Vec::new() }
    }

    /// Takes a row.
    #[inline(always)]
    pub(crate) fn push<T: Real>(&mut self, row: usize, b: &[T]) {
        let first = self.rows.len() * self.m;
        let b_reference: f64 = b[self.reference].into();
        for (to, &from) in self.b_class[first..].iter_mut().zip(b) {
            *to = from.into();
        }
        self.b_class[first + self.reference] = 2.0 * b_reference; // not on α = ½
        self.b_reference[first..first + self.m].fill(b_reference);
        self.rows.push(row);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() == self.capacity
    }

    /// Applies `f` to the probabilities of every class and the reference, and shows `visit` each row with the results;
    /// then there is room again.
    #[inline(always)]
    pub(crate) fn drain(
        &mut self,
        f: impl Fn(f64, f64) -> u64,
        mut visit: impl FnMut(usize, &[f64], f64, &[u64]),
    ) {
        for ((mapped, &b_class), &b_reference) in
            self.mapped.iter_mut().zip(&self.b_class).zip(&self.b_reference)
        {
            *mapped = f(b_class, b_reference);
        }
        let rows = self.b_class.chunks_exact(self.m).zip(self.mapped.chunks_exact(self.m));
        for (&row, (b, mapped)) in self.rows.iter().zip(rows) {
            visit(row, b, b[self.reference] / 2.0, mapped);
        }
        self.rows.clear();
    }
}
