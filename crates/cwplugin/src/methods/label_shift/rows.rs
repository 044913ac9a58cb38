//! Sums over reweighted rows, in an order independent of the threads.

use crate::data::Sample;
use crate::data::probabilities::{Real, with_values};
use crate::numeric::parallel;

/// Rows per piece: a fixed size, so that the sums do not depend on the number of threads.
const PIECE: usize = 1 << 13;

/// Rows of a sample, with weights scaled to mean 1 over the whole sample.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    pub(super) sample: &'a Sample,
    pub(super) places: Vec<usize>,
    /// The factor on the weights.
    pub(super) scale: f64,
}

/// Sums over rows, where `p_k = w_k·b_k / Σ_j w_j·b_j` and `u` is the row's weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sums {
    /// `Σ u·p_k`: expected number of rows per class.
    pub(super) rows: Vec<f64>,
    /// `Σ u·p_k²`.
    pub(super) squares: Vec<f64>,
    /// `Σ u·log Σ_j w_j·b_j`.
    pub(super) log: f64,
}

impl Rows<'_> {
    /// The sums at these class weights.
    pub(super) fn sums(&self, w: &[f64]) -> Sums {
        let m = w.len();
        let mut sums = self.sum(w, 2 * m + 1, |sums, u, p, total| {
            for (k, p) in p.iter().enumerate() {
                sums[k] += u * p;
                sums[m + k] += u * p * p;
            }
            sums[2 * m] += u * total.ln();
        });
        let log = sums[2 * m];
        let squares = sums[m..2 * m].to_vec();
        sums.truncate(m);
        Sums { rows: sums, squares, log }
    }

    /// `Σ u·p·(p·v)`: the matrix of products of the `p`, times a vector.
    pub(super) fn products(&self, w: &[f64], v: &[f64]) -> Vec<f64> {
        self.sum(w, w.len(), |sums, u, p, _| {
            let along: f64 = p.iter().zip(v).map(|(p, v)| p * v).sum();
            sums.iter_mut().zip(p).for_each(|(sum, p)| *sum += u * along * p);
        })
    }

    /// Sums `add` over the rows; it gets each row's weight, `p` and `Σ_j w_j·b_j`.
    fn sum(
        &self,
        w: &[f64],
        size: usize,
        add: impl Fn(&mut [f64], f64, &[f64], f64) + Send + Sync,
    ) -> Vec<f64> {
        let parts = parallel::map(self.places.chunks(PIECE).collect(), |rows: &[usize]| {
            let mut sums = vec![0.0; size];
            let b = self.sample.probabilities();
            with_values!(b, values => self.piece(values, rows, w, |u, p, total| add(&mut sums, u, p, total)));
            sums
        });
        let mut sums = vec![0.0; size];
        for part in parts {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        sums
    }

    fn piece<T: Real>(&self, values: &[T], rows: &[usize], w: &[f64], mut add: impl FnMut(f64, &[f64], f64)) {
        let m = w.len();
        let mut p = vec![0.0; m];
        for &row in rows {
            let mut total = 0.0;
            for ((p, w), b) in p.iter_mut().zip(w).zip(&values[row * m..(row + 1) * m]) {
                let b: f64 = (*b).into();
                *p = w * b;
                total += *p;
            }
            // A row with probability only in classes that are not estimated contributes nothing.
            let total = total.max(f64::MIN_POSITIVE);
            for p in &mut p {
                *p /= total;
            }
            add(self.sample.weight(row) * self.scale, &p, total);
        }
    }
}
