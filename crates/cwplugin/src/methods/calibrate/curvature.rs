//! Gradient and exact Hessian of the softmax problem; only the lower triangle of the Hessian is computed.
//!
//! With J the derivative of a row's logits and p its probabilities, the Hessian is a weighted mean of covariances:
//!
//! ```text
//! H = Σ_i w_i·( Σ_j p_j·J_jᵀJ_j − gᵀg ),   g = Σ_j p_j·J_j
//! ```

use nalgebra::{DMatrix, DVector};

use super::form::{Form, Slopes};
use super::softmax::{BLOCK, Block, Softmax};

/// Maximum size of the table of products of one block, so that it fits the cache.
const TABLE: usize = 1 << 15;

impl Softmax<'_> {
    /// Value and gradient `Jᵀ·w·(p − y) + 2·strength·(θ − centre)`; with at most `dense` parameters also the Hessian, if
    /// every class depends on its own input only: it then costs less than the probabilities.
    pub(crate) fn derivatives(
        &self,
        theta: &DVector<f64>,
        dense: usize,
    ) -> (f64, DVector<f64>, Option<DMatrix<f64>>) {
        let size = self.form.n_parameters();
        let has_hessian = self.form.slopes != Slopes::Matrix && size <= dense;
        let empty = || has_hessian.then(|| DMatrix::zeros(size, size));
        let parts = self.sum_pieces(|rows| {
            let (mut value, mut gradient, mut hessian) = (0.0, DVector::zeros(size), empty());
            for range in self.blocks(rows) {
                let mut block = self.predict(theta, range);
                value += block.loss;
                if let Some(hessian) = &mut hessian {
                    add_covariance(self.form, &block, hessian);
                }
                for (row, &label) in block.labels.iter().enumerate() {
                    block.p[(row, label as usize)] -= 1.0;
                }
                for mut column in block.p.column_iter_mut() {
                    column.iter_mut().zip(block.weights).for_each(|(r, w)| *r *= w);
                }
                self.form.pull_back(&block.p, &block.x, &mut gradient);
            }
            (value, gradient, hessian)
        });
        let mut value = self.penalty.value(theta);
        let mut gradient = (theta - &self.penalty.centre).component_mul(&self.penalty.strength) * 2.0;
        let mut hessian = empty();
        for (part_value, part_gradient, part_hessian) in parts {
            value += part_value;
            gradient += part_gradient;
            if let (Some(hessian), Some(part)) = (&mut hessian, part_hessian) {
                *hessian += part;
            }
        }
        if let Some(hessian) = &mut hessian {
            self.penalty.add_curvature(hessian);
        }
        (value, gradient, hessian)
    }

    /// The Hessian at θ for a full matrix of slopes.
    ///
    /// The entry of the slopes (a, q) and (b, r) is `Σ_i w_i·p_a·(δ_ab − p_b) · x_q·x_r`: the product of a table over pairs of
    /// inputs and a table over pairs of classes.
    pub(crate) fn matrix_hessian(&self, theta: &DVector<f64>) -> DMatrix<f64> {
        let (k, d) = (self.form.classes(), self.form.inputs);
        let width = d + usize::from(self.form.has_biases); // the bias is a slope on a constant 1
        let sizes = (width * (width + 1) / 2, k * (k + 1) / 2);
        let parts = self.sum_pieces(|rows| {
            let mut sum = DMatrix::zeros(sizes.0, sizes.1);
            for range in self.blocks(rows) {
                let block = self.predict(theta, range);
                let step = (TABLE / sizes.0).max(1);
                for first in (0..block.labels.len()).step_by(step) {
                    let n = step.min(block.labels.len() - first);
                    let classes = class_products(&block, first, n);
                    sum.gemm(1.0, &input_products(&block, first, n, width), &classes, 1.0);
                }
            }
            sum
        });
        let sum = parts.into_iter().fold(DMatrix::zeros(sizes.0, sizes.1), |sum, part| sum + part);

        let place = |class: usize, input: usize| if input < d { class * d + input } else { k * d + class };
        let size = self.form.n_parameters();
        let mut hessian = DMatrix::zeros(size, size);
        for (column, (a, b)) in half(k).enumerate() {
            for (row, (q, r)) in half(width).enumerate() {
                for (one, other) in [(place(a, q), place(b, r)), (place(a, r), place(b, q))] {
                    hessian[(one.max(other), one.min(other))] = sum[(row, column)];
                }
            }
        }
        self.penalty.add_curvature(&mut hessian);
        hessian
    }
}

/// Indices of the lower triangle, row by row.
fn half(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..size).flat_map(|row| (0..=row).map(move |column| (row, column)))
}

/// `w·p_a·(δ_ab − p_b)`: one row per row of data, one column per pair of classes.
fn class_products(block: &Block<'_>, first: usize, n: usize) -> DMatrix<f64> {
    let k = block.p.ncols();
    let mut products = DMatrix::zeros(n, k * (k + 1) / 2);
    for (mut column, (a, b)) in products.column_iter_mut().zip(half(k)) {
        let one = f64::from(u8::from(a == b));
        let (p_a, p_b) = (block.p.column(a), block.p.column(b));
        let pairs = p_a.iter().zip(p_b.iter()).zip(block.weights).skip(first);
        for (product, ((p_a, p_b), weight)) in column.iter_mut().zip(pairs) {
            *product = weight * p_a * (one - p_b);
        }
    }
    products
}

/// `x_q·x_r`: one column per row of data, one row per pair of inputs; the input past the last is 1.
fn input_products(block: &Block<'_>, first: usize, n: usize, width: usize) -> DMatrix<f64> {
    let mut x = vec![1.0; width];
    let mut products = DMatrix::zeros(width * (width + 1) / 2, n);
    for (row, mut column) in products.column_iter_mut().enumerate() {
        x.iter_mut().zip(block.x.row(first + row).iter()).for_each(|(x, &input)| *x = input);
        let mut rest = column.as_mut_slice();
        for q in 0..width {
            let (line, below) = rest.split_at_mut(q + 1);
            line.iter_mut().zip(&x).for_each(|(product, x_r)| *product = x[q] * x_r);
            rest = below;
        }
    }
    products
}

/// Adds the covariance of a block to the Hessian, for forms in which a class depends on its own input only.
fn add_covariance(form: &Form, block: &Block<'_>, hessian: &mut DMatrix<f64>) {
    let n = block.labels.len();
    let slopes = form.n_slopes();
    let mut means = DMatrix::<f64>::zeros(n, form.n_parameters());
    let mut roots = [0.0; BLOCK];
    for (root, weight) in roots.iter_mut().zip(block.weights) {
        *root = weight.sqrt();
    }
    for (j, (&class, p)) in form.present.iter().zip(block.p.column_iter()).enumerate() {
        let slope = if form.slopes == Slopes::Shared { 0 } else { j };
        let (mut square, mut product, mut mass) = (0.0, 0.0, 0.0);
        let x = block.x.column(class);
        for ((p, x), weight) in p.iter().zip(x.iter()).zip(block.weights) {
            let share = weight * p;
            square += share * x * x;
            product += share * x;
            mass += share;
        }
        for (((mean, p), x), root) in
            means.column_mut(slope).iter_mut().zip(p.iter()).zip(x.iter()).zip(&roots)
        {
            *mean += root * p * x;
        }
        if form.has_biases {
            for ((mean, p), root) in means.column_mut(slopes + j).iter_mut().zip(p.iter()).zip(&roots) {
                *mean = root * p;
            }
        }
        hessian[(slope, slope)] += square;
        if form.has_biases {
            hessian[(slopes + j, slope)] += product;
            hessian[(slopes + j, slopes + j)] += mass;
        }
    }
    // Computes both triangles: twice the operations, but the matrix product is faster.
    hessian.gemm(-1.0, &means.transpose(), &means, 1.0);
}
