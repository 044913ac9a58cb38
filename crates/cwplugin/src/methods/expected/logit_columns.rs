//! Sums over the rows of a matrix of logits, column by column: a column is a class.
//!
//! Few passes over the matrix, and the same bits as one operation after the other.

use crate::numeric::kernel::Kernel;

/// Multiplies the change of the logits by the Hessian of every row, `weight·(diag p − p·pᵀ)`.
pub(super) struct TimesRows<'a> {
    /// The changes of the shared slope and of all biases.
    pub(super) own: &'a [f64],
    pub(super) logs: &'a [f64],
    pub(super) p: &'a [f64],
    pub(super) weights: &'a [f64],
    /// The change by the slopes; replaced by the product.
    pub(super) change: &'a mut [f64],
}

impl Kernel for TimesRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { own, logs, p, weights, change } = self;
        let n = weights.len();
        let (shared, biases) = (own[0], &own[1..]);
        let mut means = vec![0.0; n];
        let columns = change.chunks_exact_mut(n).zip(p.chunks_exact(n)).zip(logs.chunks_exact(n));
        for (((change, p), logs), bias) in columns.zip(biases) {
            let cells = change.iter_mut().zip(p).zip(logs).zip(&mut means);
            for (((change, p), log), mean) in cells {
                *change = (shared * log + *change + bias) * p;
                *mean += *change;
            }
        }
        for (change, p) in change.chunks_exact_mut(n).zip(p.chunks_exact(n)) {
            for (((change, p), mean), weight) in change.iter_mut().zip(p).zip(&means).zip(weights) {
                *change = weight * (*change - p * mean);
            }
        }
    }
}

/// Columns that are summed together. Each is added up in order, so one alone would wait for every addition.
const TOGETHER: usize = 8;

/// The sum of every column of `n` cells.
pub(super) fn sum_columns(cells: &[f64], n: usize, sums: &mut [f64]) {
    let mut groups = sums.chunks_exact_mut(TOGETHER);
    for (cells, sums) in cells.chunks_exact(n * TOGETHER).zip(&mut groups) {
        let columns: [&[f64]; TOGETHER] = std::array::from_fn(|column| &cells[column * n..][..n]);
        let mut found = [0.0; TOGETHER];
        for row in 0..n {
            found.iter_mut().zip(columns).for_each(|(sum, column)| *sum += column[row]);
        }
        sums.copy_from_slice(&found);
    }
    let rest = cells.chunks_exact(n * TOGETHER).remainder().chunks_exact(n);
    groups.into_remainder().iter_mut().zip(rest).for_each(|(sum, column)| *sum = column.iter().sum());
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    use super::*;
    use crate::numeric::kernel;

    /// One operation after the other.
    fn times_rows(
        own: &[f64],
        logs: &DMatrix<f64>,
        p: &DMatrix<f64>,
        weights: &[f64],
        change: &mut DMatrix<f64>,
    ) {
        for (class, mut column) in change.column_iter_mut().enumerate() {
            column.axpy(own[0], &logs.column(class), 1.0);
            column.add_scalar_mut(own[1 + class]);
        }
        change.component_mul_assign(p);
        let means: DVector<f64> = change.column_sum();
        for class in 0..p.ncols() {
            for row in 0..p.nrows() {
                let centred = change[(row, class)] - p[(row, class)] * means[row];
                change[(row, class)] = weights[row] * centred;
            }
        }
    }

    proptest! {
        #[test]
        fn few_passes_have_the_bits_of_many(
            n in 1usize..40,
            m in 2usize..20,
            numbers in prop::collection::vec(-5.0..5.0f64, 97),
        ) {
            let number = |i: usize| numbers[i % numbers.len()];
            let matrix = |seed: usize| DMatrix::from_fn(n, m, |i, k| number(seed + 31 * i + 7 * k));
            let (logs, p, change) = (matrix(0), matrix(1).abs() / 5.0, matrix(2));
            let weights: Vec<f64> = (0..n).map(|i| number(3 + i).abs()).collect();
            let own: Vec<f64> = (0..=m).map(|k| number(40 + k)).collect();
            let (mut plain, mut fast) = (change.clone(), change);
            times_rows(&own, &logs, &p, &weights, &mut plain);
            let (logs, p) = (logs.as_slice(), p.as_slice());
            kernel::run(TimesRows { own: &own, logs, p, weights: &weights, change: fast.as_mut_slice() });
            prop_assert_eq!(&plain, &fast);
            let mut sums = vec![0.0; m];
            sum_columns(fast.as_slice(), n, &mut sums);
            prop_assert_eq!(sums, plain.column_iter().map(|column| column.sum()).collect::<Vec<_>>());
        }
    }
}
