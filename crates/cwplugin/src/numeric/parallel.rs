//! Loops on one or many threads, with the same results.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
///
/// Items and results are passed through slots, so that the loop over threads is compiled once and not for every `f`.
pub(crate) fn map<I: Send, T: Send>(items: Vec<I>, f: impl Fn(I) -> T + Send + Sync) -> Vec<T> {
    if items.len() < 2 {
        return items.into_iter().map(f).collect();
    }
    let slots: Vec<Mutex<(Option<I>, Option<T>)>> =
        items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
    for_each(slots.len(), &|i| {
        let (item, result) = &mut *lock(&slots[i]);
        *result = item.take().map(&f);
    });
    slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner).1).collect()
}

/// A panic ends the whole loop, so what it leaves behind is never read.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `run` for every number below `n`, in any order.
fn for_each(n: usize, run: &(dyn Fn(usize) + Sync)) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        // After a panic, no further item is started.
        (0..n).into_par_iter().panic_fuse().for_each(run);
    }
    #[cfg(not(feature = "parallel"))]
    (0..n).for_each(run);
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
/// Which pieces share a count is not deterministic, so `merge` must be exactly associative and commutative.
pub(crate) fn count<C: Send>(
    n: usize,
    piece: usize,
    empty: impl Fn() -> C + Send + Sync,
    count: impl Fn(&mut C, Range<usize>) + Send + Sync,
    merge: impl Fn(&mut C, &C) + Send + Sync,
) -> C {
    if n <= piece {
        let mut counted = empty();
        count(&mut counted, 0..n); // most samples have a few hundred rows
        return counted;
    }
    let idle = Mutex::new(Vec::new());
    for_each(n.div_ceil(piece), &|i| {
        let taken = lock(&idle).pop();
        let mut counted = taken.unwrap_or_else(&empty);
        count(&mut counted, i * piece..((i + 1) * piece).min(n));
        lock(&idle).push(counted);
    });
    let counts = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
    let merged = counts.into_iter().reduce(|mut ours, theirs| {
        merge(&mut ours, &theirs);
        ours
    });
    merged.unwrap_or_else(empty)
}

/// Sorts, not stably.
pub(crate) fn sort<T: Ord + Send>(numbers: &mut [T]) {
    #[cfg(feature = "parallel")]
    if numbers.len() > PIECE {
        use rayon::prelude::*;
        numbers.par_sort_unstable();
        return;
    }
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
