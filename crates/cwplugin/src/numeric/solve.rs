//! Symmetric positive definite linear systems, as in Newton's method on convex problems.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::cholesky::cholesky;

/// The Cholesky factor of a Hessian; reads only the lower triangle. If rounding makes the Hessian indefinite, a multiple
/// of the identity is added (Levenberg).
pub(crate) fn factor(hessian: &DMatrix<f64>) -> Cholesky<f64, Dyn> {
    let largest = hessian.diagonal().amax().max(f64::MIN_POSITIVE);
    let mut raised = 0.0;
    loop {
        let mut matrix = hessian.clone();
        for p in 0..matrix.nrows() {
            matrix[(p, p)] += raised;
        }
        // By now the diagonal dominates, so only a Hessian that is not finite can fail.
        if raised > largest * 1e3 {
            return Cholesky::pack_dirty(DMatrix::identity(hessian.nrows(), hessian.nrows()));
        }
        if let Some(factor) = cholesky(matrix) {
            return factor;
        }
        raised = if raised > 0.0 { raised * 10.0 } else { largest * 1e-14 };
    }
}

/// Solves `H·x = b` by conjugate gradients until the norm of the residual is at most `goal`; `times` multiplies by H.
///
/// `precondition` multiplies by an approximate inverse of H. `None` if H is singular along the first direction.
pub(crate) fn conjugate_gradients(
    b: &DVector<f64>,
    precondition: impl Fn(&DVector<f64>) -> DVector<f64>,
    goal: f64,
    times: impl Fn(&DVector<f64>) -> DVector<f64>,
) -> Option<DVector<f64>> {
    let mut x = DVector::zeros(b.len());
    let mut residual = b.clone();
    let mut scaled = precondition(&residual);
    let mut direction = scaled.clone();
    let mut square = residual.dot(&scaled);
    for _ in 0..b.len() {
        let product = times(&direction);
        let curvature = direction.dot(&product);
        if curvature <= 0.0 {
            break; // singular up to rounding; keep the current x
        }
        let length = square / curvature;
        x.axpy(length, &direction, 1.0);
        residual.axpy(-length, &product, 1.0);
        if residual.norm() <= goal {
            break;
        }
        scaled = precondition(&residual);
        let next = residual.dot(&scaled);
        direction = &scaled + direction * (next / square);
        square = next;
    }
    (x.amax() > 0.0).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_solvers_agree() {
        let root = DMatrix::from_fn(5, 5, |i, j| ((3 * i + 7 * j) % 5) as f64 - 1.5);
        let hessian = &root * root.transpose() + DMatrix::identity(5, 5);
        let b = DVector::from_fn(5, |i, _| i as f64 - 2.0);
        let scale = hessian.diagonal().map(|curvature| 1.0 / curvature);
        let found = conjugate_gradients(&b, |v| v.component_mul(&scale), 1e-12, |v| &hessian * v).unwrap();
        assert!((found - factor(&hessian).solve(&b)).amax() < 1e-9);
        assert_eq!(conjugate_gradients(&b, |v| v.component_mul(&scale), 1e-12, |v| v * 0.0), None);
    }
}
