//! Loops on one or many threads, with the same results.

use std::ops::Range;

/// Rows per task.
pub(crate) const PIECE: usize = 1 << 15;

/// Below this number of rows, starting threads takes longer than the work.
const FEW_ROWS: u64 = 2_000;

/// [`map`], on one thread if there are fewer than [`FEW_ROWS`] rows.
pub(crate) fn map_of_rows<I: Send, T: Send>(
    rows: u64,
    items: Vec<I>,
    f: impl Fn(I) -> T + Send + Sync,
) -> Vec<T> {
    if rows < FEW_ROWS { items.into_iter().map(f).collect() } else { map(items, f) }
}

/// Applies `f` to every item; the results keep the order of `items`.
pub(crate) fn map<I: Send, T: Send>(items: Vec<I>, f: impl Fn(I) -> T + Send + Sync) -> Vec<T> {
    if items.len() < 2 {
        return items.into_iter().map(f).collect();
    }
    #[cfg(feature = "parallel")]
    let mapped = {
        use rayon::prelude::*;
        // After a panic, no further item is started.
        items.into_par_iter().map(f).panic_fuse().collect()
    };
    #[cfg(not(feature = "parallel"))]
    let mapped = items.into_iter().map(f).collect();
    mapped
}

/// Runs `run` inside the thread pool, so that many small parallel loops do not each enter it from outside.
pub(crate) fn among_threads<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    let done = rayon::scope(|_| run());
    #[cfg(not(feature = "parallel"))]
    let done = run();
    done
}

/// Counts over `0..n` in pieces of length `piece`: `count` adds a piece to a count, `merge` adds two counts.
///
/// The grouping of pieces is not deterministic, so `merge` must be exactly associative and commutative.
pub(crate) fn count<C: Send>(
    n: usize,
    piece: usize,
    empty: impl Fn() -> C + Send + Sync,
    count: impl Fn(&mut C, Range<usize>) + Send + Sync,
    merge: impl Fn(&mut C, &C) + Send + Sync,
) -> C {
    let piece_of = |i: usize| i * piece..((i + 1) * piece).min(n);
    let count_piece = |mut counted: C, i: usize| {
        count(&mut counted, piece_of(i));
        counted
    };
    if n <= piece {
        return count_piece(empty(), 0); // most samples have a few hundred rows
    }
    let pieces = 0..n.div_ceil(piece);
    #[cfg(feature = "parallel")]
    let counted = {
        use rayon::prelude::*;
        pieces.into_par_iter().fold(&empty, count_piece).reduce(&empty, |mut ours, theirs| {
            merge(&mut ours, &theirs);
            ours
        })
    };
    #[cfg(not(feature = "parallel"))]
    let counted = {
        let _ = merge;
        pieces.fold(empty(), count_piece)
    };
    counted
}

/// Sorts, not stably.
pub(crate) fn sort<T: Ord + Send>(numbers: &mut [T]) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        numbers.par_sort_unstable();
    }
    #[cfg(not(feature = "parallel"))]
    numbers.sort_unstable();
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn after_a_panic_no_item_is_started() {
        let started = AtomicUsize::new(0);
        let run = std::panic::AssertUnwindSafe(|| {
            map((0..10_000).collect(), |_: usize| {
                started.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(std::time::Duration::from_millis(1));
                std::panic::resume_unwind(Box::new("enough"))
            })
        });
        let ended: Result<Vec<()>, _> = std::panic::catch_unwind(run);
        assert!(ended.is_err());
        assert!(started.load(Ordering::Relaxed) < 1_000, "one for each thread, and a few that were quick");
    }
}
