//! More features than rows: the same regression in the space that the rows span.

use nalgebra::{Cholesky, DMatrix, Dyn};

use super::select::Choice;

/// Added to the diagonal of the Gram matrix, as a share of its mean, so that rows that occur twice have a factor too.
const JITTER: f64 = 1e-13;

/// Where a regression on n rows of d features takes place.
///
/// A ridge keeps the slopes in the span of the rows. With `Z·Zᵀ = L·Lᵀ` the n × n matrix L has rows of the same lengths
/// and angles as Z, so that a regression on L has the same optimum, with n slopes for each class instead of d.
#[derive(Debug, Clone)]
pub(crate) enum Space {
    /// In the features themselves.
    Features,
    /// In the span of the rows Z, by the factor of their Gram matrix.
    Rows { z: DMatrix<f64>, factor: Cholesky<f64, Dyn> },
}

impl Space {
    /// The inputs of the regression, and the way back from it.
    pub(crate) fn of(z: DMatrix<f64>) -> (DMatrix<f64>, Self) {
        if z.ncols() <= z.nrows() {
            return (z, Self::Features);
        }
        let gram = &z * z.transpose();
        let mean = gram.trace() / gram.nrows() as f64;
        let mut jitter = JITTER * mean;
        // A Gram matrix is not positive definite by rounding only; more than a share of 1e-6 would change the optimum.
        while jitter > 0.0 && jitter <= 1e-6 * mean {
            let mut raised = gram.clone();
            for i in 0..raised.nrows() {
                raised[(i, i)] += jitter;
            }
            if let Some(factor) = Cholesky::new(raised) {
                return (factor.l(), Self::Rows { z, factor });
            }
            jitter *= 10.0;
        }
        (z, Self::Features) // such as rows that are all the same
    }

    /// The slopes on the features, a row for each class of the softmax.
    pub(crate) fn slopes(&self, choice: &Choice) -> DMatrix<f64> {
        let (k, inputs) = (choice.form.classes(), choice.form.inputs);
        let slopes = &choice.optimum.parameters.as_slice()[..k * inputs];
        let transposed = DMatrix::from_column_slice(inputs, k, slopes);
        match self {
            Self::Features => transposed.transpose(),
            Self::Rows { z, factor } => {
                // A = C·Z with C·L = A' has the logits and the length of A'.
                let mut c = transposed;
                factor.l_dirty().tr_solve_lower_triangular_mut(&mut c);
                z.tr_mul(&c).transpose()
            }
        }
    }
}
