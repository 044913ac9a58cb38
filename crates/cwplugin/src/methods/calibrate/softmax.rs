//! Softmax regression with a quadratic penalty: the convex problem of every calibrator.

use std::ops::Range;

use nalgebra::{DMatrix, DMatrixView, DVector};

use super::form::Form;
use crate::numeric::exponential::exp_all;
use crate::numeric::parallel;

/// Rows computed together, so that they fit the cache.
pub(crate) const BLOCK: usize = 128;

/// Minimum number of rows per piece.
const PIECE: usize = 512;

/// Maximum number of pieces: each has its own sum.
const PIECES: usize = 64;

/// `Σ_p strength_p·(θ_p − centre_p)²`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Penalty {
    pub(crate) strength: DVector<f64>,
    pub(crate) centre: DVector<f64>,
}

impl Penalty {
    pub(crate) fn value(&self, theta: &DVector<f64>) -> f64 {
        let off = theta - &self.centre;
        off.component_mul(&off).dot(&self.strength)
    }

    pub(super) fn add_curvature(&self, hessian: &mut DMatrix<f64>) {
        for (p, strength) in self.strength.iter().enumerate() {
            hessian[(p, p)] += 2.0 * strength;
        }
    }
}

/// Weighted mean log loss of the rows plus the penalty, as a function of the parameters θ of a form.
#[derive(Debug, Clone)]
pub(crate) struct Softmax<'a> {
    pub(crate) inputs: &'a DMatrix<f64>,
    /// Classes of the softmax.
    pub(crate) labels: &'a [u32],
    /// They sum to 1; a row of weight 0 is ignored, whatever its label.
    pub(crate) weights: &'a [f64],
    pub(crate) form: &'a Form,
    pub(crate) penalty: Penalty,
}

/// A block of rows with its softmax.
pub(crate) struct Block<'a> {
    pub(crate) x: DMatrixView<'a, f64>,
    pub(crate) labels: &'a [u32],
    pub(crate) weights: &'a [f64],
    /// The probabilities, one column for each class.
    pub(crate) p: DMatrix<f64>,
    /// Weighted sum of the log losses.
    pub(crate) loss: f64,
}

impl Softmax<'_> {
    /// The mean log loss without the penalty.
    pub(crate) fn loss(&self, theta: &DVector<f64>) -> f64 {
        let loss = |range| self.predict(theta, range).loss;
        let parts = self.sum_pieces(|rows| self.blocks(rows).map(loss).sum::<f64>());
        parts.into_iter().sum()
    }

    /// The probabilities of all rows, for [`Softmax::hessian_times`].
    pub(crate) fn probabilities(&self, theta: &DVector<f64>) -> Vec<DMatrix<f64>> {
        let parts = self.sum_pieces(|rows| {
            self.blocks(rows).map(|range| self.predict(theta, range).p).collect::<Vec<_>>()
        });
        parts.into_iter().flatten().collect()
    }

    /// The Hessian times a direction, without forming the matrix: `Jᵀ·w·(p∘u − p·(p·u))` with `u = J·direction`.
    pub(crate) fn hessian_times(&self, p: &[DMatrix<f64>], direction: &DVector<f64>) -> DVector<f64> {
        let penalty = direction.component_mul(&self.penalty.strength) * 2.0;
        self.sum_blocks(p, penalty, |range, p, product| {
            let x = self.inputs.rows(range.start, range.len());
            let mut u = DMatrix::zeros(range.len(), self.form.classes());
            self.form.logits(direction, &x.as_view(), &mut u);
            for (row, &weight) in self.weights[range].iter().enumerate() {
                let mean: f64 = p.row(row).iter().zip(u.row(row).iter()).map(|(p, u)| p * u).sum();
                for (u, p) in u.row_mut(row).iter_mut().zip(p.row(row).iter()) {
                    *u = weight * p * (*u - mean);
                }
            }
            self.form.pull_back(&u, &x.as_view(), product);
        })
    }

    /// The diagonal of the Hessian, without forming the matrix; `p` as for [`Softmax::hessian_times`].
    pub(crate) fn hessian_diagonal(&self, p: &[DMatrix<f64>]) -> DVector<f64> {
        self.sum_blocks(p, &self.penalty.strength * 2.0, |range, p, diagonal| {
            let squares = self.inputs.rows(range.start, range.len()).map(|x| x * x);
            let mut variances = p.map(|p| p * (1.0 - p));
            for mut column in variances.column_iter_mut() {
                column.iter_mut().zip(&self.weights[range.clone()]).for_each(|(b, w)| *b *= w);
            }
            self.form.pull_back(&variances, &squares.as_view(), diagonal);
        })
    }

    /// `start` plus a sum over all blocks; `add` gets the rows of a block and their probabilities.
    fn sum_blocks(
        &self,
        p: &[DMatrix<f64>],
        start: DVector<f64>,
        add: impl Fn(Range<usize>, &DMatrix<f64>, &mut DVector<f64>) + Send + Sync,
    ) -> DVector<f64> {
        let parts = self.sum_pieces(|rows| {
            let mut sum = DVector::zeros(self.form.n_parameters());
            let first = rows.start / BLOCK; // pieces are whole blocks
            self.blocks(rows).zip(&p[first..]).for_each(|(range, p)| add(range, p, &mut sum));
            sum
        });
        parts.into_iter().fold(start, |sum, part| sum + part)
    }

    /// Applies `sum` to every piece of the rows. The pieces depend only on the number of rows, so that results added in order
    /// have the same bits for any number of threads.
    pub(crate) fn sum_pieces<T: Send>(&self, sum: impl Fn(Range<usize>) -> T + Send + Sync) -> Vec<T> {
        let n = self.labels.len();
        let piece = n.div_ceil(PIECES).max(PIECE).next_multiple_of(BLOCK);
        parallel::map((0..n).step_by(piece).map(|first| first..(first + piece).min(n)).collect(), sum)
    }

    pub(crate) fn blocks(&self, rows: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let end = rows.end;
        rows.step_by(BLOCK).map(move |first| first..(first + BLOCK).min(end))
    }

    /// Softmax and loss of a block; the largest logit of each row is subtracted first.
    pub(crate) fn predict(&self, theta: &DVector<f64>, range: Range<usize>) -> Block<'_> {
        let x = self.inputs.rows(range.start, range.len());
        let x = DMatrixView::from(x);
        let (labels, weights) = (&self.labels[range.clone()], &self.weights[range.clone()]);
        let mut p = DMatrix::zeros(range.len(), self.form.classes());
        self.form.logits(theta, &x, &mut p);

        let mut top = [f64::NEG_INFINITY; BLOCK];
        for column in p.as_slice().chunks_exact(labels.len()) {
            // Faster than `max`, which tests for NaN.
            top.iter_mut().zip(column).for_each(|(top, &z)| *top = if z > *top { z } else { *top });
        }
        let mut loss = 0.0;
        for (row, (&label, weight)) in labels.iter().zip(weights).enumerate() {
            loss += weight * (top[row] - p[(row, label as usize)]);
        }
        for column in p.as_mut_slice().chunks_exact_mut(labels.len()) {
            column.iter_mut().zip(&top).for_each(|(z, top)| *z -= top);
        }
        exp_all(p.as_mut_slice());
        let mut sum = [0.0; BLOCK];
        for column in p.as_slice().chunks_exact(labels.len()) {
            sum.iter_mut().zip(column).for_each(|(sum, e)| *sum += e);
        }
        loss += weights.iter().zip(&sum).map(|(weight, sum)| weight * sum.ln()).sum::<f64>();
        let scale = sum.map(|sum| 1.0 / sum);
        for column in p.as_mut_slice().chunks_exact_mut(labels.len()) {
            column.iter_mut().zip(&scale).for_each(|(p, scale)| *p *= scale);
        }
        Block { x, labels, weights, p, loss }
    }
}
