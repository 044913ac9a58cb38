//! The loops over all rows, compiled a second time for processors that have AVX2.
//!
//! The one file with `unsafe` in it: Rust cannot know that a function for AVX2 is called on such a processor only.
//! `docs/benchmarks.md` says what it pays.
#![allow(unsafe_code)]

/// A loop that is worth compiling twice; `run` must be `#[inline(always)]`, or it is compiled once all the same.
pub(crate) trait Kernel {
    type Output;

    fn run(self) -> Self::Output;
}

/// Runs a loop with the widest instructions that this processor has; the results are the same bits.
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the line above asked the processor.
        return unsafe { run_avx2(kernel) };
    }
    kernel.run()
}

/// No fused multiply-add: it rounds once where everything else here rounds twice.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Rows that are gathered, and then computed with, several at once: few enough for the processor to overlap them with
/// the next.
pub(crate) const BLOCK: usize = 32;

/// So many rows ahead the memory is asked for: the loops below take what they need in leaps, which the processor does
/// not foresee.
const AHEAD: usize = 8 * BLOCK;

/// Bytes of a row of which nearly every piece is needed by some row.
const NARROW: usize = 512;

/// What a label means to a loop over rows.
#[derive(Clone, Copy)]
pub(crate) struct OfLabel {
    /// The column to take a number from.
    pub(crate) column: u32,
    /// Something to be taken along.
    pub(crate) base: u32,
}

/// For each of m labels, and behind them for "none", what it means; every column is below m.
pub(crate) struct Meanings(Vec<OfLabel>);

impl Meanings {
    /// # Panics
    ///
    /// If a column is not below m.
    pub(crate) fn new(meanings: Vec<OfLabel>) -> Self {
        let m = meanings.len() - 1;
        assert!(meanings.iter().all(|meaning| (meaning.column as usize) < m), "no such column");
        Self(meanings)
    }

    fn m(&self) -> usize {
        self.0.len() - 1
    }
}

/// A block of rows: two numbers of each, what its label brings along, and which rows have a certain label.
pub(crate) struct Gathered {
    pub(crate) first: [f64; BLOCK],
    pub(crate) second: [f64; BLOCK],
    pub(crate) base: [u32; BLOCK],
    pub(crate) marked: [u16; BLOCK],
    pub(crate) n_marked: usize,
}

/// Takes from each of the first rows the column of its label and the column `reference`, and marks the rows whose label
/// that is.
///
/// # Panics
///
/// If there are not m values for each label, or a label is above m.
#[inline(always)]
pub(crate) fn gather<T: Copy + Into<f64>>(
    values: &[T],
    labels: &[u32],
    meanings: &Meanings,
    reference: usize,
    gathered: &mut Gathered,
) {
    let m = meanings.m();
    let n = labels.len().min(BLOCK);
    let largest = |labels: &[u32]| labels.iter().fold(0, |largest, &label| largest.max(label)) as usize;
    assert!(
        values.len() >= labels.len() * m && reference < m && largest(&labels[..n]) <= m,
        "rows and labels differ"
    );
    if m * size_of::<T>() <= NARROW {
        // From end to end of the rows, in the order of memory, which goes best.
        for row in AHEAD..AHEAD + BLOCK {
            prefetch(values, row * m);
            prefetch(values, row * m + m - 1);
        }
    } else {
        let later = &labels[labels.len().min(AHEAD)..labels.len().min(AHEAD + BLOCK)];
        for (row, &label) in (AHEAD..).zip(later) {
            let column = meanings.0.get(label as usize).map_or(0, |meaning| meaning.column as usize);
            prefetch(values, row * m + column);
            prefetch(values, row * m + reference);
        }
    }
    let mut n_marked = 0;
    for i in 0..n {
        // Without a branch on the label, which cannot be foreseen: a mark is overwritten unless it is counted.
        // SAFETY: i < n ≤ labels.len() and i < BLOCK; a label is at most m, so it has a meaning, with a column below
        // m; there are m values for each label; n_marked ≤ i.
        unsafe {
            let label = *labels.get_unchecked(i) as usize;
            let OfLabel { column, base } = *meanings.0.get_unchecked(label);
            *gathered.first.get_unchecked_mut(i) = (*values.get_unchecked(i * m + column as usize)).into();
            *gathered.second.get_unchecked_mut(i) = (*values.get_unchecked(i * m + reference)).into();
            *gathered.base.get_unchecked_mut(i) = base;
            *gathered.marked.get_unchecked_mut(n_marked) = i as u16;
            n_marked += usize::from(label == reference);
        }
    }
    gathered.n_marked = n_marked;
}

/// Asks for a number that will soon be needed.
#[inline(always)]
fn prefetch<T>(values: &[T], i: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint; it reads nothing, changes nothing and does not fail, wherever it points.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(values.as_ptr().wrapping_add(i).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, i);
}
