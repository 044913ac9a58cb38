//! Curvature of maps with at most one slope per class, for many classes: an arrow matrix minus one outer product per row.
//!
//! The Hessian is `D − M·Mᵀ`. D connects the parameters of a class with each other and with the shared slope, and nothing
//! else: its shape is an arrow. M has a column per row and one for the common direction of the prior. With `D = L·Lᵀ` and
//! `W = L⁻¹·M`, the Hessian is `L·(I − W·Wᵀ)·Lᵀ`. Its determinant and noise need a matrix of the size of M's shorter side,
//! and are exact.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use crate::numeric::solve::factor;

/// The Cholesky factor of an arrow matrix, with the shared slope last. The parameters are the shared slope, the bias of every
/// class and, perhaps, its slope.
#[derive(Debug, Clone)]
pub(super) struct Arrow {
    classes: Vec<OfClass>,
    /// The last entry on the diagonal of the factor.
    shared: f64,
    has_slopes: bool,
}

/// What the factor has of one class: bias and slope.
#[derive(Debug, Clone, Copy)]
struct OfClass {
    /// The lower triangle: bias, bias and slope, slope.
    block: [f64; 3],
    /// The row of the shared slope.
    shared: [f64; 2],
}

/// The entries of an arrow matrix in the rows of one class.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ArrowBlock {
    /// Bias, bias and slope, slope.
    pub(super) own: [f64; 3],
    /// Bias and slope with the shared slope.
    pub(super) shared: [f64; 2],
}

impl Arrow {
    /// Factors an arrow matrix; `shared` is the entry of the shared slope.
    pub(super) fn new(shared: f64, blocks: &[ArrowBlock], has_slopes: bool) -> Self {
        let of_class = |block: &ArrowBlock| {
            let [bias, both, slope] = block.own;
            let bias = bias.sqrt();
            let (both, slope) = if has_slopes {
                let both = both / bias;
                (both, (slope - both * both).max(f64::MIN_POSITIVE).sqrt())
            } else {
                (0.0, 1.0)
            };
            let first = block.shared[0] / bias;
            let second = if has_slopes { (block.shared[1] - both * first) / slope } else { 0.0 };
            OfClass { block: [bias, both, slope], shared: [first, second] }
        };
        let classes: Vec<OfClass> = blocks.iter().map(of_class).collect();
        let less: f64 = classes.iter().map(|class| class.shared[0].powi(2) + class.shared[1].powi(2)).sum();
        // The matrix is positive definite, so only rounding can reach 0.
        Self { classes, shared: (shared - less).max(f64::MIN_POSITIVE).sqrt(), has_slopes }
    }

    fn slope_place(&self, class: usize) -> Option<usize> {
        self.has_slopes.then_some(1 + self.classes.len() + class)
    }

    /// Multiplies by the inverse of the factor.
    fn solve_lower(&self, vector: &mut [f64]) {
        let mut less = 0.0;
        for (class, of) in self.classes.iter().enumerate() {
            let bias = vector[1 + class] / of.block[0];
            vector[1 + class] = bias;
            less += of.shared[0] * bias;
            if let Some(place) = self.slope_place(class) {
                let slope = (vector[place] - of.block[1] * bias) / of.block[2];
                vector[place] = slope;
                less += of.shared[1] * slope;
            }
        }
        vector[0] = (vector[0] - less) / self.shared;
    }

    /// Multiplies by the inverse of the transposed factor.
    fn solve_upper(&self, vector: &mut [f64]) {
        let shared = vector[0] / self.shared;
        vector[0] = shared;
        for (class, of) in self.classes.iter().enumerate() {
            let mut bias = vector[1 + class] - of.shared[0] * shared;
            if let Some(place) = self.slope_place(class) {
                let slope = (vector[place] - of.shared[1] * shared) / of.block[2];
                vector[place] = slope;
                bias -= of.block[1] * slope;
            }
            vector[1 + class] = bias / of.block[0];
        }
    }

    /// Solves a system with the arrow matrix.
    pub(super) fn solve(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut x = b.clone();
        self.solve_lower(x.as_mut_slice());
        self.solve_upper(x.as_mut_slice());
        x
    }

    fn half_log_determinant(&self) -> f64 {
        let of_class = |class: &OfClass| class.block[0].ln() + class.block[2].ln();
        self.shared.ln() + self.classes.iter().map(of_class).sum::<f64>()
    }
}

/// An arrow matrix minus outer products.
#[derive(Debug, Clone)]
pub(super) struct ArrowLess {
    arrow: Arrow,
    rest: Rest,
}

/// The Cholesky factor of what the outer products leave of the identity.
#[derive(Debug, Clone)]
enum Rest {
    /// Of `I − W·Wᵀ`: fewer parameters than outer products.
    Parameters(Cholesky<f64, Dyn>),
    /// W, and the factor of `I − Wᵀ·W`, which has the same determinant.
    Products(DMatrix<f64>, Cholesky<f64, Dyn>),
}

impl ArrowLess {
    /// The columns of `products` are the vectors whose outer products are subtracted.
    pub(super) fn new(arrow: Arrow, products: DMatrix<f64>) -> Self {
        let mut w = products;
        w.column_iter_mut().for_each(|mut column| arrow.solve_lower(column.as_mut_slice()));
        let less = |gram: DMatrix<f64>| factor(&(DMatrix::identity(gram.nrows(), gram.nrows()) - gram));
        let rest = if w.nrows() <= w.ncols() {
            Rest::Parameters(less(&w * w.transpose()))
        } else {
            let gram = w.transpose() * &w;
            Rest::Products(w, less(gram))
        };
        Self { arrow, rest }
    }

    /// Half the logarithm of the determinant.
    pub(super) fn half_log_determinant(&self) -> f64 {
        let (Rest::Parameters(rest) | Rest::Products(_, rest)) = &self.rest;
        self.arrow.half_log_determinant() + rest.l_dirty().diagonal().map(f64::ln).sum()
    }

    /// Turns standard normal noise into noise with the inverse as covariance; `standard` draws more standard normal numbers.
    pub(super) fn colour(&self, noise: &mut DVector<f64>, standard: impl FnMut() -> f64) {
        match &self.rest {
            Rest::Parameters(rest) => {
                rest.l_dirty().tr_solve_lower_triangular_mut(noise);
            }
            // I + W·(I − Wᵀ·W)⁻¹·Wᵀ is the inverse of I − W·Wᵀ (Woodbury).
            Rest::Products(w, rest) => {
                let mut more =
                    DVector::from_iterator(w.ncols(), std::iter::repeat_with(standard).take(w.ncols()));
                rest.l_dirty().tr_solve_lower_triangular_mut(&mut more);
                noise.gemv(1.0, w, &more, 1.0);
            }
        }
        self.arrow.solve_upper(noise.as_mut_slice());
    }
}
