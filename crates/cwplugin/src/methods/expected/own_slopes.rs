//! The posterior of maps with at most one slope per class, for many classes.
//!
//! Newton's system is solved by conjugate gradients, which only multiply by the Hessian: that takes one pass over the rows.
//! Without the outer products of the rows, the Hessian is an arrow matrix, which is the preconditioner.

use nalgebra::{DMatrix, DVector};

use super::arrow::{Arrow, ArrowBlock, ArrowLess};
use super::evidence::Evidence;
use super::precision::Precision;
use super::prior::SlopeStructure;
use crate::numeric::exponential::exp_all;
use crate::numeric::kernel::{self, Kernel};
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

    /// A logit, or its change, is a linear function of the log-probability: the factor and the constant of every class.
    fn logit_lines(&self, parameters: &[f64]) -> [Vec<f64>; 2] {
        let (biases, slopes) = parameters[1..].split_at(self.n_classes());
        let mut lines = [vec![parameters[0]; biases.len()], biases.to_vec()];
        for (class, slope) in slopes.iter().enumerate() {
            lines[0][class] += slope;
            lines[1][class] -= slope * self.evidence.centre[class];
        }
        lines
    }

    /// The gradient of the parameters, given the sums over the rows of the gradient of the logits, and of the same times the
    /// log-probabilities.
    fn add_gradient(&self, sums: &[Vec<f64>; 2], gradient: &mut [f64]) {
        let (shared, own) = gradient.split_at_mut(1);
        let (biases, slopes) = own.split_at_mut(self.n_classes());
        shared[0] += sums[1].iter().sum::<f64>();
        biases.iter_mut().zip(&sums[0]).for_each(|(bias, sum)| *bias += sum);
        for (class, slope) in slopes.iter_mut().enumerate() {
            *slope += sums[1][class] - self.evidence.centre[class] * sums[0][class];
        }
    }

    fn zero_sums(&self) -> [Vec<f64>; 2] {
        [(); 2].map(|()| vec![0.0; self.n_classes()])
    }

    /// Multiplies by the Hessian: per row, `diag p − p·pᵀ` times the change of the logits.
    pub(super) fn times_hessian(&self, p: &[f64], direction: &DVector<f64>) -> DVector<f64> {
        let mut product = self.precision.times(direction);
        let lines = self.logit_lines(direction.as_slice());
        let (mut sums, mut change) = (self.zero_sums(), vec![0.0; self.n_classes()]);
        for (logs, p, _, weight) in self.rows(p) {
            kernel::run(TimesRow { lines: &lines, logs, p, weight, change: &mut change, sums: &mut sums });
        }
        self.add_gradient(&sums, product.as_mut_slice());
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
        let mut of_row = self.zero_sums();
        for ((logs, p, _, weight), mut column) in self.rows(p).zip(products.column_iter_mut()) {
            let [sums, with_logs] = &mut of_row;
            for (class, (p, log)) in p.iter().zip(logs).enumerate() {
                sums[class] = weight.sqrt() * p;
                with_logs[class] = sums[class] * log;
            }
            self.add_gradient(&of_row, column.as_mut_slice());
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
        let [factors, constants] = self.logit_lines(at.as_slice());
        for ((logs, label, weight), p) in self.evidence.rows().zip(p.chunks_exact_mut(self.n_classes())) {
            let logits = logs.iter().zip(&factors).zip(&constants);
            let logits = logits.map(|((log, factor), constant)| log + factor * log + constant);
            p.iter_mut().zip(logits).for_each(|(p, logit)| *p = logit);
            let largest = p.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for p in p.iter_mut() {
                *p -= largest;
            }
            exp_all(p);
            let sum: f64 = p.iter().sum();
            for p in p.iter_mut() {
                *p /= sum;
            }
            loss -= weight * p[label].max(1e-300).ln();
        }
        (loss, move || {
            let mut gradient = self.precision.times(at);
            let mut sums = self.zero_sums();
            for (logs, p, label, weight) in self.rows(&p) {
                let [sums, with_logs] = &mut sums;
                for (class, (p, log)) in p.iter().zip(logs).enumerate() {
                    sums[class] += weight * p;
                    with_logs[class] += weight * p * log;
                }
                sums[label] -= weight;
                with_logs[label] -= weight * logs[label];
            }
            self.add_gradient(&sums, gradient.as_mut_slice());
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

/// One row's part of a product with the Hessian.
struct TimesRow<'a> {
    lines: &'a [Vec<f64>; 2],
    logs: &'a [f64],
    p: &'a [f64],
    weight: f64,
    change: &'a mut [f64],
    sums: &'a mut [Vec<f64>; 2],
}

impl Kernel for TimesRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { lines: [factors, constants], logs, p, weight, change, sums: [sums, with_logs] } = self;
        for (((change, log), factor), constant) in change.iter_mut().zip(logs).zip(factors).zip(constants) {
            *change = factor * log + constant;
        }
        let mean = dot(change, p);
        for ((((change, p), log), sum), with_log) in
            change.iter().zip(p).zip(logs).zip(sums.iter_mut()).zip(with_logs.iter_mut())
        {
            let gradient = weight * p * (change - mean);
            *sum += gradient;
            *with_log += gradient * log;
        }
    }
}

/// The sum of products, eight at a time: one at a time waits for every addition.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}
