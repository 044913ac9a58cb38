//! Some rows at a time: the two probabilities that decide between a row's own class and the reference.

use crate::probabilities::Real;

/// Rows that are first gathered, then computed with, many at once.
const BLOCK: usize = 128;

/// A block of rows, each reduced to its pair.
///
/// Rows of the reference take part in every pair and are put on a list. In the place of their own pair, and of that of
/// rows without a label, stands some pair that nobody should look at: a branch on the label cannot be foreseen by the
/// processor and costs more than the work.
pub(crate) struct Pairs {
    m: usize,
    reference: usize,
    /// For each label, and behind them for "none", the class in the row's pair.
    columns: Vec<usize>,
    b_class: [f64; BLOCK],
    b_reference: [f64; BLOCK],
    references: [u16; BLOCK],
    n_references: usize,
}

impl Pairs {
    pub(crate) const BLOCK: usize = BLOCK;

    pub(crate) fn new(m: usize, reference: usize) -> Self {
        // Another class than the reference: equal probabilities would lie on α = ½, where the grid has a point.
        let any = usize::from(reference == 0);
        let columns =
            (0..=m).map(|class| if class == reference || class == m { any } else { class }).collect();
        let (b_class, b_reference) = ([0.5; BLOCK], [0.25; BLOCK]);
        Self { m, reference, columns, b_class, b_reference, references: [0; BLOCK], n_references: 0 }
    }

    /// Takes up to a block of rows.
    #[inline(always)]
    pub(crate) fn gather<T: Real>(&mut self, values: &[T], labels: &[u32]) {
        let mut n_references = 0;
        for (i, (b, &label)) in values.chunks_exact(self.m).zip(labels).enumerate().take(BLOCK) {
            let label = (label as usize).min(self.m);
            self.b_class[i] = b[self.columns[label]].into();
            self.b_reference[i] = b[self.reference].into();
            self.references[n_references] = i as u16; // overwritten unless the next line counts it
            n_references += usize::from(label == self.reference);
        }
        self.n_references = n_references;
    }

    /// Applies `f` to the probabilities of class and reference of every row of the block.
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

    /// The class whose pair a row of this label is counted in; the reference, which has none, stands for nowhere.
    #[inline(always)]
    pub(crate) fn class(&self, label: u32) -> usize {
        if (label as usize) < self.m { label as usize } else { self.reference }
    }

    /// The rows of the reference, by their place in the block.
    pub(crate) fn of_reference(&self) -> &[u16] {
        &self.references[..self.n_references]
    }
}
