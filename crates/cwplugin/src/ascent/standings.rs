//! The two best classes of every row: all that one class's weight has to beat.

use crate::kernel::{self, BLOCK, Kernel};
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
    #[inline(always)]
    pub(super) fn of<T: Real>(row: &[T], weights: &[f64]) -> Self {
        let mut standing = Self { top: f64::NEG_INFINITY, next: f64::NEG_INFINITY, first: 0, second: 0 };
        for (k, (&b, &w)) in (0..).zip(row.iter().zip(weights)) {
            // Choices, no jumps: which class is better no processor can foresee.
            let Self { top, next, first, second } = standing;
            let product = b.into() * w;
            let (is_top, is_next) = (product > top, product > next);
            standing.second = if is_top { first } else { second };
            standing.second = if !is_top & is_next { k } else { standing.second };
            standing.next = if is_next { product } else { next };
            standing.next = if is_top { top } else { standing.next };
            standing.first = if is_top { k } else { first };
            standing.top = if is_top { product } else { top };
        }
        standing
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

/// The standings of all rows, each number in a list of its own: most loops need some of them, of several rows at once.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Standings {
    pub(super) top: Vec<f64>,
    pub(super) next: Vec<f64>,
    pub(super) first: Vec<u32>,
    pub(super) second: Vec<u32>,
}

impl Standings {
    pub(super) fn of<T: Real>(values: &[T], weights: &[f64]) -> Self {
        let (n, m) = (values.len() / weights.len(), weights.len());
        let mut all = Self { top: vec![0.0; n], next: vec![0.0; n], first: vec![0; n], second: vec![0; n] };
        let pieces = all.pieces().into_iter().zip(values.chunks(PIECE * m)).collect();
        parallel::map(pieces, |(mut piece, values): (Piece<'_>, &[T])| {
            for (row, values) in values.chunks_exact(m).enumerate() {
                piece.set(row, Standing::of(values, weights));
            }
        });
        all
    }

    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    /// The best class of a row but this one, and its product.
    #[inline(always)]
    pub(super) fn rival(&self, row: usize, k: u32) -> (u32, f64) {
        if self.first[row] == k {
            (self.second[row], self.next[row])
        } else {
            (self.first[row], self.top[row])
        }
    }

    fn pieces(&mut self) -> Vec<Piece<'_>> {
        let products = self.top.chunks_mut(PIECE).zip(self.next.chunks_mut(PIECE));
        let classes = self.first.chunks_mut(PIECE).zip(self.second.chunks_mut(PIECE));
        products
            .zip(classes)
            .map(|((top, next), (first, second))| Piece { top, next, first, second })
            .collect()
    }

    /// Brings everything up to date once class `k`, whose probabilities are `column`, has another weight; returns the
    /// rows whose prediction it changes.
    pub(super) fn update<T: Real>(
        &mut self,
        values: &[T],
        column: &[T],
        weights: &[f64],
        k: usize,
    ) -> Vec<Moved> {
        let pieces = self.pieces().into_iter().zip(column.chunks(PIECE)).enumerate().collect();
        let moved = parallel::map(pieces, |(piece, (standings, column)): (usize, (Piece<'_>, &[T]))| {
            let first_row = piece * PIECE;
            let values = &values[first_row * weights.len()..];
            kernel::run(Update { standings, values, column, weights, k, first_row })
        });
        moved.into_iter().flatten().collect()
    }
}

/// Some rows that follow each other.
struct Piece<'a> {
    top: &'a mut [f64],
    next: &'a mut [f64],
    first: &'a mut [u32],
    second: &'a mut [u32],
}

impl Piece<'_> {
    #[inline(always)]
    fn get(&self, row: usize) -> Standing {
        Standing {
            top: self.top[row],
            next: self.next[row],
            first: self.first[row],
            second: self.second[row],
        }
    }

    #[inline(always)]
    fn set(&mut self, row: usize, standing: Standing) {
        self.top[row] = standing.top;
        self.next[row] = standing.next;
        self.first[row] = standing.first;
        self.second[row] = standing.second;
    }
}

/// A row that is predicted as another class.
pub(super) struct Moved {
    pub(super) row: usize,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// One class has another weight.
struct Update<'a, T> {
    standings: Piece<'a>,
    values: &'a [T],
    column: &'a [T],
    weights: &'a [f64],
    k: usize,
    first_row: usize,
}

impl<T: Real> Kernel for Update<'_, T> {
    type Output = Vec<Moved>;

    #[inline(always)]
    fn run(mut self) -> Vec<Moved> {
        let (k, m, weight) = (self.k as u32, self.weights.len(), self.weights[self.k]);
        let mut moved = Vec::new();
        for block in (0..self.column.len()).step_by(BLOCK) {
            // Most rows have two better classes, and nothing changes: to see that, several are looked at at once.
            let rows = block..(block + BLOCK).min(self.column.len());
            let (mut concerns, mut concerned) = ([0_u8; BLOCK], [0_u32; BLOCK]);
            let standings = self.standings.next[rows.clone()]
                .iter()
                .zip(&self.standings.first[rows.clone()])
                .zip(&self.standings.second[rows.clone()]);
            for ((concerns, &b), ((&next, &first), &second)) in
                concerns.iter_mut().zip(&self.column[rows.clone()]).zip(standings)
            {
                *concerns =
                    u8::from(b.into() * weight >= next) | u8::from(first == k) | u8::from(second == k);
            }
            let mut len = 0;
            for (i, concerns) in (0..).zip(concerns) {
                concerned[len] = i;
                len += usize::from(concerns);
            }
            for &i in &concerned[..len] {
                let row = block + i as usize;
                let mut standing = self.standings.get(row);
                let from = standing.first;
                if !standing.update(k, self.column[row].into() * weight) {
                    standing = Standing::of(&self.values[row * m..(row + 1) * m], self.weights);
                }
                if standing.first != from {
                    moved.push(Moved { row: self.first_row + row, from, to: standing.first });
                }
                self.standings.set(row, standing);
            }
        }
        moved
    }
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
            let mut standings = Standings::of(&row, &weights);
            weights[k] = f64::from(new);
            let moved = standings.update(&row, &row[k..=k], &weights, k);
            prop_assert_eq!(&standings, &Standings::of(&row, &weights));
            prop_assert_eq!(standings.first[0] as usize, crate::argmax_weighted(&row, &weights));
            prop_assert!(moved.len() <= 1);
        }
    }
}
