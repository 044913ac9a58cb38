//! The two best classes of one row.

use std::hint::select_unpredictable;

use crate::data::probabilities::Real;

/// The classes with the largest and second largest product `w_k·b_k` of a row; ties rank the lower index first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TopTwo {
    pub(crate) top: f64,
    pub(crate) next: f64,
    /// Upper bound on the products of all other classes. A class that stays above it keeps its rank, and the row need not be
    /// scanned again.
    pub(super) rest: f64,
    pub(crate) first: u32,
    pub(crate) second: u32,
}

impl TopTwo {
    #[inline(always)]
    pub(crate) fn of<T: Real>(row: &[T], weights: &[f64]) -> Self {
        let none = f64::NEG_INFINITY;
        let mut top_two = Self { top: none, next: none, rest: none, first: 0, second: 0 };
        for (k, (&b, &w)) in (0..).zip(row.iter().zip(weights)) {
            // Conditional moves instead of branches, which would be unpredictable.
            let Self { top, next, rest, first, second } = top_two;
            let product = b.into() * w;
            top_two.rest = rest.max(product.min(next));
            let (is_top, is_next) = (product > top, product > next);
            top_two.second = if is_top { first } else { second };
            top_two.second = if !is_top & is_next { k } else { top_two.second };
            top_two.next = if is_next { product } else { next };
            top_two.next = if is_top { top } else { top_two.next };
            top_two.first = if is_top { k } else { first };
            top_two.top = if is_top { product } else { top };
        }
        top_two
    }

    /// Sets the product of class `k`; false if the whole row must be scanned again.
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // a lazy one is a branch
    pub(super) fn update(&mut self, k: u32, product: f64) -> bool {
        let Self { top, next, rest, first, second } = *self;
        let (was_first, was_second) = (first == k, second == k);
        let was_ahead = was_first | was_second;
        // Not `if`: these would be branches, which the processor cannot predict.
        let (competitor, competing) = select_unpredictable(was_first, (second, next), (first, top));
        let is_first = beats(product, k, competing, competitor);
        let is_next = was_ahead | beats(product, k, next, second);
        let (behind, behind_product) = select_unpredictable(is_next, (k, product), (second, next));
        let below = select_unpredictable(product > rest, product, rest);
        let below = select_unpredictable(is_first | is_next, next, below);
        *self = Self {
            top: select_unpredictable(is_first, product, competing),
            next: select_unpredictable(is_first, competing, behind_product),
            rest: select_unpredictable(was_ahead, rest, below),
            first: select_unpredictable(is_first, k, competitor),
            second: select_unpredictable(is_first, competitor, behind),
        };
        // Else another class may be the second now.
        is_first | !was_ahead | (product > rest)
    }
}

/// Whether the product of class `k` ranks above that of class `j`; ties rank the lower index first.
#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // a lazy one is a branch
fn beats(product: f64, k: u32, other: f64, j: u32) -> bool {
    (product > other) | ((product >= other) & (k < j))
}
