//! Arithmetic that does not depend on the order of the rows or the number of threads.

pub(crate) mod buckets; // positive numbers by their leading bits
pub(crate) mod exact_sum; // sums without rounding
pub(crate) mod exponential; // exp of many numbers at once
pub(crate) mod kernel; // loops over rows, compiled for the processor at hand
pub(crate) mod newton; // damped Newton
pub(crate) mod parallel; // one loop, on one thread or many
pub(crate) mod quantile; // quantiles of sorted values
pub(crate) mod solve; // linear systems
pub(crate) mod tally; // weighted counts
pub(crate) mod tolerance; // when two scores count as equal
