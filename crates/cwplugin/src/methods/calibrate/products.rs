//! Products of a tall block with few columns: too narrow for a matrix library to be fast.

use nalgebra::{DMatrix, DMatrixView};

use crate::numeric::kernel::Kernel;

/// Independent partial sums, so that additions do not wait for each other.
const LANES: usize = 8;

/// `z += x·sᵀ`; the slopes of one column of z after the other.
pub(super) struct AddLogits<'a, 'b> {
    pub(super) x: &'a DMatrixView<'b, f64>,
    pub(super) slopes: &'a [f64],
    pub(super) z: &'a mut DMatrix<f64>,
}

impl Kernel for AddLogits<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (rows, inputs) = self.x.shape();
        for (input, x) in self.x.column_iter().enumerate() {
            for (z, slopes) in self.z.as_mut_slice().chunks_exact_mut(rows).zip(self.slopes.chunks(inputs)) {
                let slope = slopes[input];
                z.iter_mut().zip(x.as_slice()).for_each(|(z, x)| *z += slope * x);
            }
        }
    }
}

/// `sums += rᵀ·x`, in the layout of the slopes.
pub(super) struct AddPulledBack<'a, 'b> {
    pub(super) r: &'a DMatrix<f64>,
    pub(super) x: &'a DMatrixView<'b, f64>,
    pub(super) sums: &'a mut [f64],
}

impl Kernel for AddPulledBack<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (rows, inputs) = self.x.shape();
        for (input, x) in self.x.column_iter().enumerate() {
            for (r, sums) in self.r.as_slice().chunks_exact(rows).zip(self.sums.chunks_mut(inputs)) {
                sums[input] += dot(r, x.as_slice());
            }
        }
    }
}

#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::kernel;

    #[test]
    fn narrow_products_are_those_of_a_matrix_library() {
        let number = |i: usize, j: usize| ((i * 31 + j * 17) % 23) as f64 - 11.0;
        let matrix = DMatrix::from_fn(300, 7, number);
        for rows in [1, 8, 13, 128] {
            let x = matrix.rows(5, rows);
            let slopes = DMatrix::from_fn(7, 3, number);
            let mut z = DMatrix::from_element(rows, 3, 0.5);
            kernel::run(AddLogits { x: &x.as_view(), slopes: slopes.as_slice(), z: &mut z });
            assert_eq!(z, (x * &slopes).add_scalar(0.5));
            let mut sums = vec![0.25; 21];
            kernel::run(AddPulledBack { r: &z, x: &x.as_view(), sums: &mut sums });
            let expected = (x.transpose() * &z).add_scalar(0.25);
            assert!(sums.iter().zip(expected.iter()).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}
