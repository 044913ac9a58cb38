//! One loop, on one thread or many: the results are the same.

use std::ops::Range;

/// Rows that one thread counts at a time.
pub(crate) const PIECE: usize = 1 << 15;

/// Applies `f` to every item; the results keep the order of `items`.
pub(crate) fn map<I: Send, T: Send>(items: Vec<I>, f: impl Fn(I) -> T + Send + Sync) -> Vec<T> {
    if items.len() < 2 {
        return items.into_iter().map(f).collect(); // no thread is worth waking
    }
    #[cfg(feature = "parallel")]
    let mapped = {
        use rayon::prelude::*;
        items.into_par_iter().map(f).collect()
    };
    #[cfg(not(feature = "parallel"))]
    let mapped = items.into_iter().map(f).collect();
    mapped
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
