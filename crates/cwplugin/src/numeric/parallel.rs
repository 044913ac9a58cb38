//! One loop, on one thread or many: the results are the same.

use std::ops::Range;
#[cfg(feature = "parallel")]
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows that one thread counts at a time.
pub(crate) const PIECE: usize = 1 << 15;

/// Fewer rows than these are gone through sooner than another thread is awake.
const FEW_ROWS: u64 = 2_000;

/// Applies `f` to every item; the results keep the order of `items`. So few rows wake no thread.
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
        return items.into_iter().map(f).collect(); // no thread is worth waking
    }
    #[cfg(feature = "parallel")]
    let mapped = {
        use rayon::prelude::*;
        let given_up = AtomicBool::new(false);
        items.into_par_iter().map(|item| unless(&given_up, || f(item))).collect()
    };
    #[cfg(not(feature = "parallel"))]
    let mapped = items.into_iter().map(f).collect();
    mapped
}

/// Rayon goes on with the other items when one of them panics; here they are not even begun.
#[cfg(feature = "parallel")]
fn unless<T>(given_up: &AtomicBool, run: impl FnOnce() -> T) -> T {
    /// Dropped by whoever leaves in an orderly way or not.
    struct Leaving<'a>(&'a AtomicBool);

    impl Drop for Leaving<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                self.0.store(true, Ordering::Relaxed);
            }
        }
    }

    if given_up.load(Ordering::Relaxed) {
        std::panic::resume_unwind(Box::new("another item panicked"));
    }
    let _leaving = Leaving(given_up);
    run()
}

/// Runs many small loops in a row on the threads' own ground: calling from outside wakes and waits for each of them.
pub(crate) fn among_threads<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    let done = rayon::scope(|_| run());
    #[cfg(not(feature = "parallel"))]
    let done = run();
    done
}

/// Counts over `0..n` in pieces of `piece`: `count` adds a piece to what `empty` makes, `merge` adds two such counts.
///
/// Which pieces are counted together is left to chance, so `merge` must not care for order.
pub(crate) fn count<C: Send>(
    n: usize,
    piece: usize,
    empty: impl Fn() -> C + Send + Sync,
    count: impl Fn(&mut C, Range<usize>) + Send + Sync,
    merge: impl Fn(C, C) -> C + Send + Sync,
) -> C {
    let piece_of = |i: usize| i * piece..((i + 1) * piece).min(n);
    let count_piece = |mut counted: C, i: usize| {
        count(&mut counted, piece_of(i));
        counted
    };
    if n <= piece {
        return count_piece(empty(), 0); // a few hundred rows are the rule: no thread is worth waking
    }
    let pieces = 0..n.div_ceil(piece);
    #[cfg(feature = "parallel")]
    let counted = {
        use rayon::prelude::*;
        pieces.into_par_iter().fold(&empty, count_piece).reduce(&empty, merge)
    };
    #[cfg(not(feature = "parallel"))]
    let counted = {
        let _ = merge;
        pieces.fold(empty(), count_piece)
    };
    counted
}

/// Sorts numbers.
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
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn behind_a_panic_nothing_is_begun() {
        let begun = AtomicUsize::new(0);
        let run = std::panic::AssertUnwindSafe(|| {
            map((0..10_000).collect(), |_: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(std::time::Duration::from_millis(1));
                std::panic::resume_unwind(Box::new("enough"))
            })
        });
        let ended: Result<Vec<()>, _> = std::panic::catch_unwind(run);
        assert!(ended.is_err());
        assert!(begun.load(Ordering::Relaxed) < 1_000, "one for each thread, and a few that were quick");
    }
}
