//! The two best classes of every row: all that one class's weight has to beat.

use crate::parallel;
use crate::probabilities::Real;

/// Rows that one thread looks at: few enough for two threads at a hundred thousand rows.
pub(super) const PIECE: usize = 1 << 14;

/// The classes with the largest and the second largest product `w_k·b_k` of a row; of equal ones the lower index is the
/// larger.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    top: f64,
    next: f64,
    pub(super) first: u32,
    second: u32,
}

impl Standing {
    pub(super) fn of<T: Real>(row: &[T], weights: &[f64]) -> Self {
        let mut standing = Self { top: f64::NEG_INFINITY, next: f64::NEG_INFINITY, first: 0, second: 0 };
        for (k, (&b, &w)) in (0..).zip(row.iter().zip(weights)) {
            let product = b.into() * w;
            if product > standing.top {
                let Self { top, first, .. } = standing;
                standing = Self { top: product, next: top, first: k, second: first };
            } else if product > standing.next {
                (standing.next, standing.second) = (product, k);
            }
        }
        standing
    }

    /// The best class but this one, and its product.
    #[inline(always)]
    pub(super) fn rival(&self, k: u32) -> (u32, f64) {
        if self.first == k { (self.second, self.next) } else { (self.first, self.top) }
    }

    /// Takes in another product of class `k`; false if that cannot be done without looking at the whole row.
    #[inline(always)]
    fn update(&mut self, k: u32, product: f64) -> bool {
        let Self { top, next, first, second } = *self;
        if k == first {
            self.top = product;
            return beats(product, k, next, second);
        }
        if beats(product, k, top, first) {
            *self = Self { top: product, next: top, first: k, second: first };
        } else if k == second {
            self.next = product;
            return product >= next; // else a third class may be the second now
        } else if beats(product, k, next, second) {
            (self.next, self.second) = (product, k);
        }
        true
    }
}

/// Whether a product of class `k` is larger than one of class `j`; of equal ones the lower index is.
#[inline(always)]
fn beats(product: f64, k: u32, other: f64, j: u32) -> bool {
    product > other || (product >= other && k < j)
}

/// The standings of all rows.
pub(super) fn all<T: Real>(values: &[T], weights: &[f64]) -> Vec<Standing> {
    let m = weights.len();
    let pieces = values.chunks(PIECE * m).collect();
    let standings = parallel::map(pieces, |values: &[T]| {
        values.chunks_exact(m).map(|row| Standing::of(row, weights)).collect::<Vec<_>>()
    });
    standings.concat()
}

/// A row that is predicted as another class.
pub(super) struct Moved {
    pub(super) row: usize,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Brings the standings up to date once class `k`, whose probabilities are `column`, has another weight; returns the rows whose prediction it changes.
pub(super) fn update<T: Real>(
    standings: &mut [Standing],
    values: &[T],
    column: &[T],
    weights: &[f64],
    k: usize,
) -> Vec<Moved> {
    let (m, weight) = (weights.len(), weights[k]);
    let pieces = standings.chunks_mut(PIECE).zip(column.chunks(PIECE)).enumerate().collect();
    let moved = parallel::map(pieces, |(piece, (standings, column)): (usize, (&mut [Standing], &[T]))| {
        let mut moved = Vec::new();
        for (row, (standing, &b)) in (piece * PIECE..).zip(standings.iter_mut().zip(column)) {
            let from = standing.first;
            if !standing.update(k as u32, b.into() * weight) {
                *standing = Standing::of(&values[row * m..(row + 1) * m], weights);
            }
            if standing.first != from {
                moved.push(Moved { row, from, to: standing.first });
            }
        }
        moved
    });
    moved.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_update_is_as_good_as_looking_again(
            row in proptest::collection::vec(0..4_u32, 2..6),
            old in 1..5_u32,
            new in 1..5_u32,
            k in 0..6_usize,
        ) {
            let row: Vec<f64> = row.into_iter().map(f64::from).collect();
            let k = k % row.len();
            let mut weights = vec![2.0; row.len()];
            weights[k] = f64::from(old);
            let mut standings = all(&row, &weights);
            weights[k] = f64::from(new);
            let moved = update(&mut standings, &row, &row[k..=k], &weights, k);
            prop_assert_eq!(&standings, &all(&row, &weights));
            prop_assert_eq!(standings[0].first as usize, crate::argmax_weighted(&row, &weights));
            prop_assert!(moved.len() <= 1);
        }
    }
}
