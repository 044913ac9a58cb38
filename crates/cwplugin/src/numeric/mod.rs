//! Arithmetic that does not depend on the order of the rows or the number of threads.

pub(crate) mod buckets; // logarithmic buckets of positive numbers
pub(crate) mod exact_sum; // sums without rounding
pub(crate) mod exponential; // vectorised exp
pub(crate) mod kernel; // loops over rows, compiled with and without AVX2
mod cholesky; // the factor of a matrix
pub(crate) mod newton; // damped Newton
pub(crate) mod parallel; // loops on one or many threads
pub(crate) mod quantile; // quantiles of sorted values
pub(crate) mod solve; // linear systems
pub(crate) mod tally; // weighted counts
pub(crate) mod tolerance; // when two scores count as equal
