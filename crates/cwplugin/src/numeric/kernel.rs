//! Loops over all rows, compiled a second time for AVX2.
//!
//! The only file with `unsafe`: Rust cannot check that AVX2 code runs only on a processor with AVX2.
//! `docs/benchmarks.md` has the speedup.
#![allow(unsafe_code)]

use std::hint::black_box;
use std::ops::AddAssign;

/// A loop to compile twice. `run` must be `#[inline(always)]`; otherwise it is compiled only once.
pub(crate) trait Kernel {
    type Output;

    fn run(self) -> Self::Output;
}

/// Runs a loop with AVX2 if the processor has it; the results are the same bits.
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was detected on the line above.
        return unsafe { run_avx2(kernel) };
    }
    kernel.run()
}

/// Does not enable fused multiply-add: it rounds differently, so results would depend on the processor.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Rows gathered and computed together; few enough for the processor to overlap with the next block.
pub(crate) const BLOCK: usize = 32;

/// Prefetch distance in rows: the loops below read with strides that the hardware prefetcher does not predict.
const AHEAD: usize = 8 * BLOCK;

/// Rows of at most this many bytes are prefetched whole: nearly every cache line of them is needed.
const NARROW: usize = 512;

/// Bytes per cache line.
const LINE: usize = 64;

/// A block of rows: two values per row, the class of its label, and which rows belong to the reference.
pub(crate) struct Gathered<T> {
    pub(crate) first: [T; BLOCK],
    pub(crate) second: [T; BLOCK],
    pub(crate) class: [u32; BLOCK],
    /// One bit per row.
    pub(crate) of_reference: u32,
}

/// Reads from each row of the first block the column of its label and the column `reference`, converted by `of`.
///
/// Rows of the reference and unlabelled rows (label m) get the class `reference` and an arbitrary first value. So do
/// the missing rows of an incomplete block; both their values are arbitrary.
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
    let needed = labels.len().checked_mul(m);
    assert!(
        needed.is_some_and(|needed| values.len() >= needed) && reference < m && m >= 2,
        "rows and labels differ"
    );
    let (none, r) = (m as u32, reference as u32);
    let block = labels.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [none; BLOCK];
        block[..labels.len()].copy_from_slice(labels);
        block
    });
    let other = u32::from(r == 0);
    let (mut columns, mut largest, mut of_reference) = ([0; BLOCK], 0, 0);
    for (i, &label) in block.iter().enumerate() {
        let class = if label == none { r } else { label };
        gathered.class[i] = class;
        columns[i] = if class == r { other } else { class };
        largest = label.max(largest);
        of_reference |= u32::from(label == r) << i;
    }
    assert!(largest <= none, "no such label");
    gathered.of_reference = of_reference;
    let is_narrow = m * size_of::<T>() <= NARROW;
    let is_long = m * size_of::<T>() > LINE;
    let take = |i: usize, gathered: &mut Gathered<N>| {
        // SAFETY: i < labels.len() and i < BLOCK. There are m values per label. Every column is below m: it is a label
        // below `none`, the reference, or 0 or 1.
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
    // Two loops: the one of constant length takes fewer instructions.
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

/// Adds one to the counter of every place. Returns false and counts nothing if a place is out of range.
#[inline(always)]
pub(crate) fn count_all(counters: &mut [u64], places: &[u32]) -> bool {
    let in_range = are_in_range(places, counters.len());
    if in_range {
        // `black_box` forces scalar loads; the compiler would otherwise extract the places from vectors, which is slower.
        let (eights, rest) = black_box(places).as_chunks::<8>();
        // SAFETY: every place is in range.
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
    in_range
}

/// Adds each number to the sum of its place. Returns false and adds nothing if a place is out of range.
#[inline(always)]
pub(crate) fn add_all<S: AddAssign + Copy>(
    sums: &mut [S],
    places: &[u32; BLOCK],
    numbers: &[S; BLOCK],
) -> bool {
    let in_range = are_in_range(places, sums.len());
    if in_range {
        for (&place, &number) in black_box(places).iter().zip(black_box(numbers)) {
            // SAFETY: every place is in range.
            unsafe { *sums.get_unchecked_mut(place as usize) += number };
        }
    }
    in_range
}

#[inline(always)]
fn are_in_range(places: &[u32], len: usize) -> bool {
    (places.iter().fold(0, |largest, &place| place.max(largest)) as usize) < len
}

/// Prefetches a value into the cache.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], i: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch is a hint; it does not access memory and is valid for any address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(values.as_ptr().wrapping_add(i).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, i);
}
