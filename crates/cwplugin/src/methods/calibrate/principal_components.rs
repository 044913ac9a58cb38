//! Principal components of features: an equivalent regression that is easier to solve.

use nalgebra::{DMatrix, SymmetricEigen};

/// Relative eigenvalue below which a direction is rounding error.
const ROUNDING: f64 = 1e-14;

/// The principal components of the rows, and their directions (features × components).
///
/// A ridge penalty is invariant under rotation and keeps the slopes in the span of the rows. A regression on the principal
/// components therefore has the same optimum, with at most as many slopes per class as there are rows. Components are
/// uncorrelated, so the Hessian is nearly diagonal and conjugate gradients converge quickly.
pub(super) fn principal_components(z: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let is_wide = z.ncols() > z.nrows();
    // Both Gram matrices have the same nonzero eigenvalues; the smaller one is faster to decompose.
    let products = if is_wide { z * z.transpose() } else { z.transpose() * z };
    let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(products);
    let most = eigenvalues.max();
    let kept: Vec<usize> = (0..eigenvalues.len()).filter(|&i| eigenvalues[i] > ROUNDING * most).collect();
    let vectors = eigenvectors.select_columns(&kept);
    if !is_wide {
        return (z * &vectors, vectors);
    }
    // Z·Zᵀ = U·Λ·Uᵀ: components U·√Λ, directions Zᵀ·U/√Λ.
    let (mut components, mut directions) = (vectors.clone(), z.transpose() * vectors);
    for (column, &i) in kept.iter().enumerate() {
        let length = eigenvalues[i].sqrt();
        components.column_mut(column).scale_mut(length);
        directions.column_mut(column).unscale_mut(length);
    }
    (components, directions)
}
