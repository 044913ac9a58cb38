//! The loops over all rows, compiled a second time for processors that have AVX2.
//!
//! The one file with `unsafe` in it: Rust cannot know that a function for AVX2 is called on such a processor only.
//! `docs/benchmarks.md` says what it pays.
#![allow(unsafe_code)]

use std::hint::black_box;

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

/// Bytes that come from memory together.
const LINE: usize = 64;

/// A block of rows: two numbers of each, the class that its label stands for, and which rows are of the reference.
pub(crate) struct Gathered<T> {
    pub(crate) first: [T; BLOCK],
    pub(crate) second: [T; BLOCK],
    pub(crate) class: [u32; BLOCK],
    /// One bit for each row.
    pub(crate) of_reference: u32,
}

/// Takes from each of the first rows the column of its label and the column `reference`, and turns them by `of` into
/// what is computed with.
///
/// Rows of the reference and those without a label (m) have the class `reference`, and in the place of their first
/// number some other one. So have the rows that a block is short of; their numbers are any.
///
/// # Panics
///
/// If there are not m ≥ 2 values for each label, or a label is above m.
#[inline(always)]
pub(crate) fn gather<T: Copy, N>(
    values: &[T],
    labels: &[u32],
    m: usize,
    reference: usize,
    of: impl Fn(T) -> N,
    gathered: &mut Gathered<N>,
) {
    assert!(values.len() >= labels.len() * m && reference < m && m >= 2, "rows and labels differ");
    let (none, r) = (m as u32, reference as u32);
    let block = labels.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [none; BLOCK];
        block[..labels.len()].copy_from_slice(labels);
        block
    });
    let nowhere = u32::from(r == 0);
    let (mut columns, mut largest, mut of_reference) = ([0; BLOCK], 0, 0);
    for (i, &label) in block.iter().enumerate() {
        let class = if label == none { r } else { label };
        gathered.class[i] = class;
        columns[i] = if class == r { nowhere } else { class };
        largest = label.max(largest);
        of_reference |= u32::from(label == r) << i;
    }
    assert!(largest <= none, "no such label");
    gathered.of_reference = of_reference;
    let is_narrow = m * size_of::<T>() <= NARROW;
    let is_long = m * size_of::<T>() > LINE;
    let take = |i: usize, gathered: &mut Gathered<N>| {
        // SAFETY: i < labels.len() and i < BLOCK; there are m values for each label, and columns are below m: a label
        // that is neither `none` nor above it, the reference, or 0 or 1.
        unsafe {
            let row = values.as_ptr().add(i * m);
            *gathered.first.get_unchecked_mut(i) = of(*row.add(*columns.get_unchecked(i) as usize));
            *gathered.second.get_unchecked_mut(i) = of(*row.add(reference));
        }
        if is_narrow {
            prefetch(values, (AHEAD + i) * m);
            if is_long {
                prefetch(values, (AHEAD + i) * m + m - 1);
            }
        }
    };
    // Two loops: one of a known length takes fewer instructions.
    if labels.len() >= BLOCK {
        (0..BLOCK).for_each(|i| take(i, gathered));
    } else {
        (0..labels.len()).for_each(|i| take(i, gathered));
    }
    if !is_narrow {
        let later = &labels[labels.len().min(AHEAD)..labels.len().min(AHEAD + BLOCK)];
        for (row, &label) in (AHEAD..).zip(later) {
            prefetch(values, row * m + label as usize);
            prefetch(values, row * m + reference);
        }
    }
}

/// Adds one to the counter of every place; false, and nothing is counted, if there is no such counter.
#[inline(always)]
pub(crate) fn count_all(counters: &mut [u64], places: &[u32]) -> bool {
    let largest = places.iter().fold(0, |largest, &place| place.max(largest));
    let exist = (largest as usize) < counters.len();
    if exist {
        // Read from memory one by one; otherwise they are taken out of vectors one by one, which takes longer.
        let (eights, rest) = black_box(places).as_chunks::<8>();
        // SAFETY: no place is larger than the largest.
        let mut count = |place: u32| unsafe { *counters.get_unchecked_mut(place as usize) += 1 };
        for eight in eights {
            for &place in eight {
                count(place);
            }
        }
        for &place in rest {
            count(place);
        }
    }
    exist
}

/// Asks for a number that will soon be needed.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], i: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint; it reads nothing, changes nothing and does not fail, wherever it points.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(values.as_ptr().wrapping_add(i).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, i);
}
