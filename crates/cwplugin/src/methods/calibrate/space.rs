//! Principal components of features: an equivalent regression that is easier to solve.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::select::Choice;

/// Relative eigenvalue below which a direction is rounding error.
const ROUNDING: f64 = 1e-14;

/// Maps slopes on principal components back to features.
///
/// A ridge penalty is invariant under rotation and keeps the slopes in the span of the rows. A regression on the principal
/// components therefore has the same optimum, with at most as many slopes per class as there are rows. Components are
/// uncorrelated, so the Hessian is nearly diagonal and conjugate gradients converge quickly.
#[derive(Debug, Clone)]
pub(crate) struct Space {
    /// Features × components.
    directions: DMatrix<f64>,
}

impl Space {
    /// The principal components of the rows, and the map back.
    pub(crate) fn of(z: &DMatrix<f64>) -> (DMatrix<f64>, Self) {
        let is_wide = z.ncols() > z.nrows();
        // Both Gram matrices have the same nonzero eigenvalues; the smaller one is faster to decompose.
        let products = if is_wide { z * z.transpose() } else { z.transpose() * z };
        let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(products);
        let most = eigenvalues.max();
        let kept: Vec<usize> = (0..eigenvalues.len()).filter(|&i| eigenvalues[i] > ROUNDING * most).collect();
        let vectors = eigenvectors.select_columns(&kept);
        if !is_wide {
            return (z * &vectors, Self { directions: vectors });
        }
        // Z·Zᵀ = U·Λ·Uᵀ: components U·√Λ, directions Zᵀ·U/√Λ.
        let lengths = DVector::from_iterator(kept.len(), kept.iter().map(|&i| eigenvalues[i].sqrt()));
        let (mut components, mut directions) = (vectors.clone(), z.transpose() * vectors);
        for (i, &length) in lengths.iter().enumerate() {
            components.column_mut(i).scale_mut(length);
            directions.column_mut(i).unscale_mut(length);
        }
        (components, Self { directions })
    }

    /// The slopes on the features, one row per class of the softmax.
    pub(crate) fn slopes(&self, choice: &Choice) -> DMatrix<f64> {
        let (k, inputs) = (choice.form.classes(), choice.form.inputs);
        let slopes = &choice.optimum.parameters.as_slice()[..k * inputs];
        (&self.directions * DMatrix::from_column_slice(inputs, k, slopes)).transpose()
    }
}
