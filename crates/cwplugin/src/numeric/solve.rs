//! Linear systems with a symmetric positive definite matrix: the Newton systems of convex problems.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// The Cholesky factor of a Hessian, of which only the lower half is read. Where rounding has cost the Hessian its
/// definiteness, its diagonal is raised (Levenberg).
pub(crate) fn factor(hessian: &DMatrix<f64>) -> Cholesky<f64, Dyn> {
    let largest = hessian.diagonal().amax().max(f64::MIN_POSITIVE);
    let mut raised = 0.0;
    loop {
        let mut matrix = hessian.clone();
        for p in 0..matrix.nrows() {
            matrix[(p, p)] += raised;
        }
        // Past its own largest entry the diagonal dominates: only a Hessian that is not finite fails then.
        if raised > largest * 1e3 {
            return Cholesky::pack_dirty(DMatrix::identity(hessian.nrows(), hessian.nrows()));
        }
        if let Some(factor) = Cholesky::new(matrix) {
            return factor;
        }
        raised = if raised > 0.0 { raised * 10.0 } else { largest * 1e-14 };
    }
}

/// Solves `H·x = b` by conjugate gradients, until the residual's norm is at most `goal`; `times` multiplies by H.
///
/// `scale` is about the inverse of H's diagonal (Jacobi's preconditioner). `None` if H is flat along the first direction.
pub(crate) fn conjugate_gradients(
    b: &DVector<f64>,
    scale: &DVector<f64>,
    goal: f64,
    times: impl Fn(&DVector<f64>) -> DVector<f64>,
) -> Option<DVector<f64>> {
    let mut x = DVector::zeros(b.len());
    let mut residual = b.clone();
    let mut scaled = residual.component_mul(scale);
    let mut direction = scaled.clone();
    let mut square = residual.dot(&scaled);
    for _ in 0..b.len() {
        let product = times(&direction);
        let bend = direction.dot(&product);
        if bend <= 0.0 {
            break; // flat up to rounding: what there is of x is good
        }
        let length = square / bend;
        x.axpy(length, &direction, 1.0);
        residual.axpy(-length, &product, 1.0);
        if residual.norm() <= goal {
            break;
        }
        scaled = residual.component_mul(scale);
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
    fn both_ways_solve_the_same_system() {
        let root = DMatrix::from_fn(5, 5, |i, j| ((3 * i + 7 * j) % 5) as f64 - 1.5);
        let hessian = &root * root.transpose() + DMatrix::identity(5, 5);
        let b = DVector::from_fn(5, |i, _| i as f64 - 2.0);
        let scale = hessian.diagonal().map(|bend| 1.0 / bend);
        let found = conjugate_gradients(&b, &scale, 1e-12, |v| &hessian * v).unwrap();
        assert!((found - factor(&hessian).solve(&b)).amax() < 1e-9);
        assert_eq!(conjugate_gradients(&b, &scale, 1e-12, |v| v * 0.0), None);
    }
}
