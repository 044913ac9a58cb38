//! The two best classes of every row: sufficient to find the cut of any class.

use std::hint::select_unpredictable;

use super::columns::column_of;
use super::selected_rows::SelectedRows;
use super::top_two::TopTwo;
use crate::data::probabilities::Real;
use crate::numeric::kernel::{BLOCK, Kernel};
use crate::numeric::{kernel, parallel};

/// Rows per piece: small enough to use two threads at 100,000 rows.
pub(super) const PIECE: usize = 1 << 14;

/// The two best classes of all rows, as a structure of arrays, so that loops vectorise.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct TopTwos {
    pub(super) top: Vec<f64>,
    pub(super) next: Vec<f64>,
    rest: Vec<f64>,
    pub(super) first: Vec<u32>,
    pub(super) second: Vec<u32>,
}

impl TopTwos {
    /// Scans all rows of a matrix in column-major order.
    pub(super) fn of<T: Real>(columns: &[T], weights: &[f64]) -> Self {
        let n = columns.len() / weights.len();
        let products = || vec![0.0; n];
        let (top, next, rest) = (products(), products(), products());
        let mut all = Self { top, next, rest, first: vec![0; n], second: vec![0; n] };
        let pieces = all.pieces().into_iter().enumerate().collect();
        parallel::map(pieces, |(piece, top_twos): (usize, Piece<'_>)| {
            kernel::run(Scan { top_twos, columns, weights, n, first_row: piece * PIECE });
        });
        all
    }

    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    /// The best other class of a row, and its product.
    #[inline(always)]
    pub(super) fn competitor(&self, row: usize, k: u32) -> (u32, f64) {
        let (first, second, top, next) = (self.first[row], self.second[row], self.top[row], self.next[row]);
        // Not `if`, which would be a branch that the processor cannot predict.
        let competitor = select_unpredictable(first == k, second, first);
        (competitor, select_unpredictable(first == k, next, top))
    }

    fn pieces(&mut self) -> Vec<Piece<'_>> {
        let products =
            self.top.chunks_mut(PIECE).zip(self.next.chunks_mut(PIECE)).zip(self.rest.chunks_mut(PIECE));
        let classes = self.first.chunks_mut(PIECE).zip(self.second.chunks_mut(PIECE));
        products
            .zip(classes)
            .map(|(((top, next), rest), (first, second))| Piece { top, next, rest, first, second })
            .collect()
    }

    /// Updates all rows after the weight of class `k` changed; returns the rows whose prediction changes.
    pub(super) fn update<T: Real>(&mut self, columns: &[T], weights: &[f64], k: usize) -> Vec<Moved> {
        let n = self.len();
        let pieces = self.pieces().into_iter().enumerate().collect();
        let moved = parallel::map(pieces, |(piece, top_twos): (usize, Piece<'_>)| {
            kernel::run(Update { top_twos, columns, weights, n, k, first_row: piece * PIECE })
        });
        moved.into_iter().flatten().collect()
    }
}

/// Consecutive rows.
struct Piece<'a> {
    top: &'a mut [f64],
    next: &'a mut [f64],
    rest: &'a mut [f64],
    first: &'a mut [u32],
    second: &'a mut [u32],
}

impl Piece<'_> {
    #[inline(always)]
    fn get(&self, row: usize) -> TopTwo {
        TopTwo {
            top: self.top[row],
            next: self.next[row],
            rest: self.rest[row],
            first: self.first[row],
            second: self.second[row],
        }
    }

    #[inline(always)]
    fn set(&mut self, row: usize, top_two: TopTwo) {
        self.top[row] = top_two.top;
        self.next[row] = top_two.next;
        self.rest[row] = top_two.rest;
        self.first[row] = top_two.first;
        self.second[row] = top_two.second;
    }
}

/// Rows scanned at once, one per vector lane.
const LANES: usize = 8;

/// The two best classes of as many rows as there are lanes.
struct Lanes {
    top: [f64; LANES],
    next: [f64; LANES],
    rest: [f64; LANES],
    first: [u64; LANES],
    second: [u64; LANES],
}

impl Lanes {
    /// Scans rows, class by class: the same steps as [`TopTwo::of`], in arrays, so that they become vector instructions.
    #[inline(always)]
    fn of<T: Real>(classes: impl Iterator<Item = [T; LANES]>, weights: &[f64]) -> Self {
        let none = [f64::NEG_INFINITY; LANES]; // below every product
        let (mut top, mut next, mut rest) = (none, none, none);
        let (mut first, mut second) = ([0_u64; LANES], [0_u64; LANES]);
        for (k, (b, &w)) in (0..).zip(classes.zip(weights)) {
            for lane in 0..LANES {
                let product = b[lane].into() * w;
                let (is_top, is_next) = (product > top[lane], product > next[lane]);
                let third = if product > rest[lane] { product } else { rest[lane] };
                rest[lane] = if is_next { next[lane] } else { third };
                let (ahead, product_ahead) = if is_top { (first[lane], top[lane]) } else { (k, product) };
                second[lane] = if is_next { ahead } else { second[lane] };
                next[lane] = if is_next { product_ahead } else { next[lane] };
                first[lane] = if is_top { k } else { first[lane] };
                top[lane] = if is_top { product } else { top[lane] };
            }
        }
        Self { top, next, rest, first, second }
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> TopTwo {
        TopTwo {
            top: self.top[lane],
            next: self.next[lane],
            rest: self.rest[lane],
            first: self.first[lane] as u32, // a class: below m
            second: self.second[lane] as u32,
        }
    }
}

/// The scan of one piece.
struct Scan<'a, T> {
    top_twos: Piece<'a>,
    columns: &'a [T],
    weights: &'a [f64],
    n: usize,
    first_row: usize,
}

impl<T: Real> Kernel for Scan<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let Self { columns, weights, n, first_row, .. } = self;
        let columns_from = |row: usize| columns.chunks_exact(n).map(move |column| &column[row..]);
        let rows = self.top_twos.first.len();
        let whole = rows - rows % LANES;
        for row in (0..whole).step_by(LANES) {
            let classes = columns_from(first_row + row).map_while(|column| column.first_chunk().copied());
            let lanes = Lanes::of(classes, weights);
            let rows = row..row + LANES;
            self.top_twos.top[rows.clone()].copy_from_slice(&lanes.top);
            self.top_twos.next[rows.clone()].copy_from_slice(&lanes.next);
            self.top_twos.rest[rows].copy_from_slice(&lanes.rest);
            for lane in 0..LANES {
                self.top_twos.first[row + lane] = lanes.first[lane] as u32; // a class: below m
                self.top_twos.second[row + lane] = lanes.second[lane] as u32;
            }
        }
        for row in whole..rows {
            let values: Vec<T> = columns_from(first_row + row).map(|column| column[0]).collect();
            self.top_twos.set(row, TopTwo::of(&values, weights));
        }
    }
}

/// A row whose prediction changes.
pub(super) struct Moved {
    pub(super) row: usize,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The update of one piece after the weight of one class changed.
struct Update<'a, T> {
    top_twos: Piece<'a>,
    columns: &'a [T],
    weights: &'a [f64],
    n: usize,
    k: usize,
    first_row: usize,
}

impl<T: Real> Kernel for Update<'_, T> {
    type Output = Vec<Moved>;

    #[inline(always)]
    fn run(mut self) -> Vec<Moved> {
        let (columns, weights, weight) = (self.columns, self.weights, self.weights[self.k]);
        let (k, n, n_rows) = (self.k as u32, self.n, self.top_twos.first.len());
        let column = &column_of(columns, self.k, n)[self.first_row..][..n_rows];
        let (mut moved, mut rescanned) = (Vec::new(), Vec::new());
        for block in (0..n_rows).step_by(BLOCK) {
            // In most rows the class is below the top two and nothing changes; a whole block is tested at once.
            let rows = block..(block + BLOCK).min(n_rows);
            let classes = self.top_twos.first[rows.clone()].iter().zip(&self.top_twos.second[rows.clone()]);
            let products = column[rows.clone()].iter().zip(&self.top_twos.rest[rows]);
            let concerned =
                SelectedRows::of(classes.zip(products).map(|((&first, &second), (&b, &rest))| {
                    b.into() * weight >= rest || first == k || second == k
                }));
            for row in concerned.rows(block) {
                let mut top_two = self.top_twos.get(row);
                let from = top_two.first;
                if !top_two.update(k, column[row].into() * weight) {
                    rescanned.push((row, from));
                    continue;
                }
                self.top_twos.set(row, top_two);
                if top_two.first != from {
                    moved.push(Moved { row: self.first_row + row, from, to: top_two.first });
                }
            }
        }
        for group in rescanned.chunks(LANES) {
            // Lanes without a row repeat the last one.
            let places: [usize; LANES] =
                std::array::from_fn(|lane| self.first_row + group[lane.min(group.len() - 1)].0);
            let lanes =
                Lanes::of(columns.chunks_exact(n).map(|column| places.map(|row| column[row])), weights);
            for (lane, &(row, from)) in group.iter().enumerate() {
                let top_two = lanes.get(lane);
                self.top_twos.set(row, top_two);
                if top_two.first != from {
                    moved.push(Moved { row: self.first_row + row, from, to: top_two.first });
                }
            }
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::columns::by_column;
    use super::*;

    proptest! {
        #[test]
        fn updates_equal_a_full_scan(
            rows in proptest::collection::vec(proptest::collection::vec(0..4_u32, 4), 1..80),
            steps in proptest::collection::vec((0..4_usize, 1..5_u32), 1..8),
        ) {
            let values: Vec<f64> = rows.iter().flatten().copied().map(f64::from).collect();
            let mut weights = vec![2.0; 4];
            let columns = by_column(&values, 4);
            let mut top_twos = TopTwos::of(&columns, &weights);
            for (k, weight) in steps {
                weights[k] = f64::from(weight);
                let mut predicted = top_twos.first.clone();
                for moved in top_twos.update(&columns, &weights, k) {
                    prop_assert_eq!(predicted[moved.row], moved.from);
                    predicted[moved.row] = moved.to;
                }
                prop_assert_eq!(&predicted, &top_twos.first);
                for (row, values) in values.chunks_exact(4).enumerate() {
                    prop_assert_eq!(predicted[row] as usize, crate::rule::argmax_weighted(values, &weights));
                }
                let scanned = TopTwos::of(&columns, &weights);
                prop_assert!(top_twos.rest.iter().zip(&scanned.rest).all(|(limit, rest)| limit >= rest));
                // `rest` is an upper bound and need not be tight.
                prop_assert_eq!(&TopTwos { rest: scanned.rest.clone(), ..top_twos.clone() }, &scanned);
            }
        }
    }
}
