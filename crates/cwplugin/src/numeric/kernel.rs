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
    if has_avx2() {
        // SAFETY: AVX2, BMI1 and POPCNT were detected on the line above.
        return unsafe { run_avx2(kernel) };
    }
    kernel.run()
}

/// Whether the processor has AVX2, and the instructions on bits that come with it.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected;
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt")
}

/// Does not enable fused multiply-add: it rounds differently, so results would depend on the processor.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
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

/// In a counter: [`count_and_list`] lists the rows in its place. The bits below count.
pub(crate) const LISTED: u64 = 1 << 63;

/// Adds one to the counter of every place, and writes place and row of those whose counter is [`LISTED`] to the start of
/// `listed`; `row(i)` is the row of place `i`. Returns how many these are. `None`, and nothing is counted, if a place is out of
/// range. Takes no branch per row.
///
/// # Panics
///
/// If `listed` is shorter than `places`.
#[inline(always)]
pub(crate) fn count_and_list(
    counters: &mut [u64],
    places: &[u32],
    row: impl Fn(usize) -> usize,
    listed: &mut [[u32; 2]],
) -> Option<usize> {
    assert!(listed.len() >= places.len(), "no room for all places");
    are_in_range(places, counters.len()).then(|| {
        let mut found = 0;
        for (i, &place) in black_box(places).iter().enumerate() {
            let row = row(i) as u32;
            // SAFETY: every place is in range. At most i places were found, so `found` is below the number of places.
            unsafe {
                let counter = counters.get_unchecked_mut(place as usize);
                *listed.get_unchecked_mut(found) = [place, row];
                found += usize::from(*counter >= LISTED);
                *counter += 1;
            }
        }
        found
    })
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

/// Predicts eight rows in single precision: one row per lane of a vector.
///
/// Loads four columns of eight rows at a time and brings each column into one vector by shuffles. A row is certain if exactly
/// one product is within eight roundings of the largest one, which no underflow can have hidden: the same class then has the
/// largest product in double precision.
pub(crate) struct EightRows {
    m: usize,
    lanes: [Lanes; Self::CLASSES],
}

/// The numbers of a class, next to each other: in arrays of their own, stores of products would delay loads of weights that
/// are a multiple of 4,096 bytes away.
#[repr(align(32))]
struct Lanes {
    /// The weight divided by the largest one.
    weight: [f32; 8],
    /// One and the class in two halves of a number.
    code: [u32; 8],
    product: [f32; 8],
}

impl EightRows {
    /// The largest number of classes.
    const CLASSES: usize = 64;

    /// Smallest product that is certain to have lost nothing to underflow.
    #[cfg(target_arch = "x86_64")]
    const SMALLEST: f32 = 1e-30;

    /// One minus eight roundings. Each product is off by at most three: of the weight, of its quotient and of the product.
    #[cfg(target_arch = "x86_64")]
    const NEAR: f32 = 1.0 - 8.0 * f32::EPSILON / 2.0;

    /// `None` if the processor has no AVX2, or the number of classes or the weights are out of range.
    pub(crate) fn new(weights: &[f64]) -> Option<Self> {
        let m = weights.len();
        let largest = weights.iter().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
        let is_usual = (1e-200..1e200).contains(&largest) && weights.iter().all(|weight| weight.is_finite());
        if !(4..=Self::CLASSES).contains(&m) || !is_usual || !Self::is_supported() {
            return None;
        }
        let weight = |class: usize| weights.get(class).map_or(0.0, |weight| (weight / largest) as f32);
        let lanes = |class: usize| Lanes {
            weight: [weight(class); 8],
            code: [1 << 16 | class as u32; 8],
            product: [0.0; 8],
        };
        Some(Self { m, lanes: std::array::from_fn(lanes) })
    }

    #[cfg(target_arch = "x86_64")]
    fn is_supported() -> bool {
        has_avx2()
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_supported() -> bool {
        false
    }

    /// Writes the classes of eight rows after eight, and which of them are certain, one bit per row.
    ///
    /// # Panics
    ///
    /// If there are fewer rows or bits than classes to write.
    #[inline(always)]
    pub(crate) fn predict(&mut self, rows: &[f32], classes: &mut [[u32; 8]], are_certain: &mut [u8]) {
        assert!(rows.len() >= classes.len() * 8 * self.m, "too few rows");
        assert!(are_certain.len() >= classes.len(), "too few bits");
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `new` found AVX2, and there are enough rows.
        unsafe {
            self.predict_avx2(rows.as_ptr(), classes, are_certain);
        }
    }

    /// # Safety
    ///
    /// `rows` must point to eight rows for each of `classes`.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,popcnt")]
    #[allow(clippy::wildcard_imports, clippy::cast_sign_loss)] // thirty instructions; a mask of eight bits
    unsafe fn predict_avx2(&mut self, rows: *const f32, classes: &mut [[u32; 8]], are_certain: &mut [u8]) {
        use std::arch::x86_64::*;
        let m = self.m;
        let lanes = &mut self.lanes[..m];
        for (block, (classes, are_certain)) in classes.iter_mut().zip(are_certain).enumerate() {
            // SAFETY: the caller promises these rows.
            let rows = unsafe { rows.add(block * 8 * m) };
            let mut largest = _mm256_setzero_ps();
            let mut multiply = |class: usize, column: __m256| {
                // SAFETY: aligned arrays of 8 numbers; `class` is below m.
                unsafe {
                    let lanes = lanes.get_unchecked_mut(class);
                    let product = _mm256_mul_ps(column, _mm256_load_ps(lanes.weight.as_ptr()));
                    _mm256_store_ps(lanes.product.as_mut_ptr(), product);
                    largest = _mm256_max_ps(product, largest);
                }
            };
            let mut class = 0;
            while class + 4 <= m {
                // SAFETY: reads columns `class` to `class + 3`, below m, of rows 0 to 7.
                let four = |row: usize| unsafe {
                    let at = rows.add(row * m + class);
                    let low = _mm256_castps128_ps256(_mm_loadu_ps(at));
                    _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(at.add(4 * m)))
                };
                let (a, b, c, d) = (four(0), four(1), four(2), four(3));
                let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
                multiply(class, _mm256_shuffle_ps::<0x44>(ab, cd));
                multiply(class + 1, _mm256_shuffle_ps::<0xEE>(ab, cd));
                let (ab, cd) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
                multiply(class + 2, _mm256_shuffle_ps::<0x44>(ab, cd));
                multiply(class + 3, _mm256_shuffle_ps::<0xEE>(ab, cd));
                class += 4;
            }
            while class < m {
                // The last column together with the one before it, if it is alone.
                let first = class.min(m - 2);
                // SAFETY: reads columns `first` and `first + 1`, below m, of rows 0 to 7.
                let two = |row: usize| unsafe {
                    let at = rows.add(row * m + first);
                    let low = _mm_castps_pd(_mm_castsi128_ps(_mm_loadl_epi64(at.cast())));
                    _mm_castpd_ps(_mm_loadh_pd(low, at.add(m).cast()))
                };
                let four =
                    |row: usize| _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(two(row)), two(row + 4));
                let (ab, cd) = (four(0), four(2));
                multiply(first, _mm256_shuffle_ps::<0x88>(ab, cd));
                multiply(first + 1, _mm256_shuffle_ps::<0xDD>(ab, cd));
                class = first + 2;
            }
            let near = _mm256_mul_ps(largest, _mm256_set1_ps(Self::NEAR));
            let mut found = _mm256_setzero_si256();
            for lanes in &*lanes {
                // SAFETY: aligned arrays of 8 numbers.
                let (product, code) = unsafe {
                    (_mm256_load_ps(lanes.product.as_ptr()), _mm256_load_si256(lanes.code.as_ptr().cast()))
                };
                let is_near = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GE_OQ>(product, near));
                found = _mm256_add_epi32(found, _mm256_and_si256(is_near, code));
            }
            let is_one = _mm256_cmpgt_epi32(_mm256_set1_epi32(2 << 16), found);
            let is_safe = _mm256_cmp_ps::<_CMP_GE_OQ>(largest, _mm256_set1_ps(Self::SMALLEST));
            let class = _mm256_and_si256(found, _mm256_set1_epi32(0xFFFF));
            // SAFETY: `classes` has room for 8 numbers.
            unsafe { _mm256_storeu_si256(classes.as_mut_ptr().cast(), class) };
            *are_certain = _mm256_movemask_ps(_mm256_and_ps(_mm256_castsi256_ps(is_one), is_safe)) as u8;
        }
    }
}
