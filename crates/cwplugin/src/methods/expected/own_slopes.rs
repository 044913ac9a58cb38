//! The posterior of maps with at most one slope per class, for many classes.
//!
//! Newton's system is solved by conjugate gradients, which only multiply by the Hessian: that takes one pass over the rows.
//! Without the outer products of the rows, the Hessian is an arrow matrix, which is the preconditioner.

use nalgebra::{DMatrix, DVector};

use super::arrow::{Arrow, ArrowBlock, ArrowLess};
use super::laplace::{Evidence, apply};
use super::precision::Precision;
use super::prior::SlopeStructure;
use crate::numeric::newton::{Point, Problem};
use crate::numeric::solve::conjugate_gradients;

/// Norm of the residual of a Newton system, relative to the gradient.
const RESIDUAL: f64 = 0.01;

/// The labels with a prior. The parameters are ordered as in [`super::laplace::Learned`].
pub(super) struct OwnSlopes<'a> {
    evidence: &'a Evidence,
    pub(super) precision: Precision,
    has_slopes: bool,
}

impl<'a> OwnSlopes<'a> {
    pub(super) fn new(evidence: &'a Evidence, structure: SlopeStructure, precision: Precision) -> Self {
        Self { evidence, precision, has_slopes: structure == SlopeStructure::PerClass }
    }

    fn n_classes(&self) -> usize {
        self.evidence.centre.len()
    }

    /// Log-probabilities, calibrated probabilities, label and weight of every row.
    fn rows<'r>(&'r self, p: &'r [f64]) -> impl Iterator<Item = (&'r [f64], &'r [f64], usize, f64)> {
        let p = p.chunks_exact(self.n_classes());
        self.evidence.rows().zip(p).map(|((logs, label, weight), p)| (logs, p, label, weight))
    }

    /// Adds what a row contributes to a gradient of the parameters, given that of its logits.
    fn add_gradient(&self, logits: &[f64], logs: &[f64], gradient: &mut [f64]) {
        let (shared, own) = gradient.split_at_mut(1);
        let (biases, slopes) = own.split_at_mut(self.n_classes());
        for ((bias, logit), log) in biases.iter_mut().zip(logits).zip(logs) {
            *bias += logit;
            shared[0] += logit * log;
        }
        for (((slope, logit), log), centre) in
            slopes.iter_mut().zip(logits).zip(logs).zip(&self.evidence.centre)
        {
            *slope += logit * (log - centre);
        }
    }

    /// Multiplies by the Hessian: per row, `diag p − p·pᵀ` times the change of the logits.
    pub(super) fn times_hessian(&self, p: &[f64], direction: &DVector<f64>) -> DVector<f64> {
        let mut product = self.precision.times(direction);
        let (biases, slopes) = direction.as_slice()[1..].split_at(self.n_classes());
        let mut change = vec![0.0; self.n_classes()];
        for (logs, p, _, weight) in self.rows(p) {
            for ((change, log), bias) in change.iter_mut().zip(logs).zip(biases) {
                *change = direction[0] * log + bias;
            }
            for (((change, log), slope), centre) in
                change.iter_mut().zip(logs).zip(slopes).zip(&self.evidence.centre)
            {
                *change += slope * (log - centre);
            }
            let mean: f64 = change.iter().zip(p).map(|(change, p)| change * p).sum();
            change.iter_mut().zip(p).for_each(|(change, p)| *change = weight * p * (*change - mean));
            self.add_gradient(&change, logs, product.as_mut_slice());
        }
        product
    }

    /// The Hessian without the outer products of the rows and without the common direction of the prior.
    fn arrow(&self, p: &[f64]) -> Arrow {
        let m = self.n_classes();
        let mut shared = self.precision.diagonal[0];
        let mut blocks = vec![ArrowBlock::default(); m];
        for (class, block) in blocks.iter_mut().enumerate() {
            block.own[0] = self.precision.diagonal[1 + class];
            if self.has_slopes {
                block.own[2] = self.precision.diagonal[1 + m + class];
            }
        }
        for (logs, p, _, weight) in self.rows(p) {
            for (class, block) in blocks.iter_mut().enumerate() {
                let (p, log) = (weight * p[class], logs[class]);
                let x = log - self.evidence.centre[class];
                shared += p * log * log;
                let (own, shared) = ([p, p * x, p * x * x], [p * log, p * x * log]);
                block.own.iter_mut().zip(own).for_each(|(sum, part)| *sum += part);
                block.shared.iter_mut().zip(shared).for_each(|(sum, part)| *sum += part);
            }
        }
        Arrow::new(shared, &blocks, self.has_slopes)
    }

    /// The curvature at the mode.
    pub(super) fn curvature(&self, p: &[f64]) -> ArrowLess {
        let n = self.evidence.labels.len();
        let mut products = DMatrix::zeros(self.precision.diagonal.len(), n + 1);
        let mut scaled = vec![0.0; self.n_classes()];
        for ((logs, p, _, weight), mut column) in self.rows(p).zip(products.column_iter_mut()) {
            scaled.iter_mut().zip(p).for_each(|(scaled, p)| *scaled = weight.sqrt() * p);
            self.add_gradient(&scaled, logs, column.as_mut_slice());
        }
        products.set_column(n, &(&self.precision.direction * self.precision.less.sqrt()));
        ArrowLess::new(self.arrow(p), products)
    }
}

impl Problem for OwnSlopes<'_> {
    /// The calibrated probabilities, row by row.
    type Curvature = Vec<f64>;

    fn evaluate(&self, at: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, Vec<f64>)) {
        let mut p = vec![0.0; self.evidence.logs.len()];
        let mut loss = self.precision.penalty(at);
        for ((logs, label, weight), p) in self.evidence.rows().zip(p.chunks_exact_mut(self.n_classes())) {
            loss -= weight * apply(at.as_slice(), logs, &self.evidence.centre, p)[label].max(1e-300).ln();
        }
        (loss, move || {
            let mut gradient = self.precision.times(at);
            let mut residuals = vec![0.0; self.n_classes()];
            for (logs, p, label, weight) in self.rows(&p) {
                residuals.iter_mut().zip(p).for_each(|(residual, p)| *residual = weight * p);
                residuals[label] -= weight;
                self.add_gradient(&residuals, logs, gradient.as_mut_slice());
            }
            (gradient, p)
        })
    }

    fn solve(&self, point: &Point<Vec<f64>>) -> DVector<f64> {
        let arrow = self.arrow(&point.curvature);
        let goal = RESIDUAL * point.gradient.norm();
        let times = |direction: &DVector<f64>| self.times_hessian(&point.curvature, direction);
        conjugate_gradients(&point.gradient, |residual| arrow.solve(residual), goal, times)
            .unwrap_or_else(|| arrow.solve(&point.gradient))
    }
}
