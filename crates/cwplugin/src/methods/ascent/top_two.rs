//! The two best classes of one row.

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
        let (competitor, competing) = if was_first { (second, next) } else { (first, top) };
        // Conditional moves instead of branches, which would be unpredictable.
        let is_first = beats(product, k, competing, competitor);
        let is_next = was_ahead | beats(product, k, next, second);
        let (behind, behind_product) = if is_next { (k, product) } else { (second, next) };
        let below = if is_first | is_next { next } else { rest.max(product) };
        *self = Self {
            top: if is_first { product } else { competing },
            next: if is_first { competing } else { behind_product },
            rest: if was_ahead { rest } else { below },
            first: if is_first { k } else { competitor },
            second: if is_first { competitor } else { behind },
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
