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

/// Asks for a number that will soon be needed, so that it is there by then; one that does not exist is ignored.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], i: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint; it reads nothing, changes nothing and does not fail, wherever it points.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(i).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, i);
}
