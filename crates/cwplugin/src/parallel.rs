//! One loop, on one thread or many.

/// Applies `f` to every item; the results keep the order of `items`, so they do not depend on the number of threads.
pub(crate) fn map<I: Sync, T: Send>(items: &[I], f: impl Fn(&I) -> T + Send + Sync) -> Vec<T> {
    #[cfg(feature = "parallel")]
    let mapped = {
        use rayon::prelude::*;
        items.par_iter().map(f).collect()
    };
    #[cfg(not(feature = "parallel"))]
    let mapped = items.iter().map(f).collect();
    mapped
}
