//! The Cholesky factor of a symmetric matrix, bit for bit that of nalgebra, several columns at once.

use nalgebra::{Cholesky, DMatrix, Dyn};

use super::kernel::{self, Kernel};

/// Columns subtracted in one pass.
const TOGETHER: usize = 4;

/// The factor; reads only the lower triangle. `None` if the matrix is not positive definite.
pub(crate) fn cholesky(mut matrix: DMatrix<f64>) -> Option<Cholesky<f64, Dyn>> {
    let n = matrix.nrows();
    kernel::run(Factor { cells: matrix.as_mut_slice(), n }).then(|| Cholesky::pack_dirty(matrix))
}

/// Replaces the lower triangle by that of the factor; false if the matrix is not positive definite.
struct Factor<'a> {
    cells: &'a mut [f64],
    n: usize,
}

impl Kernel for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { cells, n } = self;
        for j in 0..n {
            // Every column before is subtracted in its order, so it does not matter how many at once.
            let (before, column) = cells.split_at_mut(j * n);
            let column = &mut column[j..n];
            let mut groups = before.chunks_exact(n * TOGETHER);
            for group in &mut groups {
                let rows: [&[f64]; TOGETHER] =
                    std::array::from_fn(|k| &group[k * n + j..(k + 1) * n][..column.len()]);
                let [a, b, c, d] = rows.map(|row| row[0]);
                for (i, cell) in column.iter_mut().enumerate() {
                    *cell = *cell - a * rows[0][i] - b * rows[1][i] - c * rows[2][i] - d * rows[3][i];
                }
            }
            for row in groups.remainder().chunks_exact(n).map(|column| &column[j..]) {
                let a = row[0];
                column.iter_mut().zip(row).for_each(|(cell, x)| *cell -= a * x);
            }
            let square = column[0];
            if square <= 0.0 || square.is_nan() {
                return false;
            }
            column[0] = square.sqrt();
            let (root, below) = (column[0], &mut column[1..]);
            for cell in below {
                *cell /= root;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_factor_has_the_bits_of_nalgebra(
            n in 1usize..40,
            numbers in prop::collection::vec(-3.0..3.0f64, 101),
            ridge in prop::sample::select(vec![0.0, 1e-3, 1.0]),
        ) {
            let root = DMatrix::from_fn(n, n, |i, k| numbers[(17 * i + 5 * k) % numbers.len()]);
            let matrix = &root * root.transpose() + DMatrix::identity(n, n) * ridge;
            let expected = Cholesky::new(matrix.clone());
            prop_assert_eq!(cholesky(matrix).map(|found| found.l()), expected.map(|expected| expected.l()));
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        for diagonal in [[1.0, 0.0], [1.0, -1.0], [f64::NAN, 1.0], [0.0, 1.0]] {
            assert!(cholesky(DMatrix::from_diagonal(&diagonal.to_vec().into())).is_none(), "{diagonal:?}");
        }
    }
}
