//! Features turned into the directions in which the rows differ: the same regression, and easier to solve.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::select::Choice;

/// Directions in which the rows differ by less than this share of the most are rounding.
const ROUNDING: f64 = 1e-14;

/// The way back from principal directions to features.
///
/// A ridge is the same in every turned coordinate system, and it keeps the slopes in the span of the rows. So a
/// regression on the rows' principal components has the same optimum, with at most as many slopes for each class as
/// there are rows. Components are uncorrelated, so the Hessian is nearly diagonal, which conjugate gradients like.
#[derive(Debug, Clone)]
pub(crate) struct Space {
    /// Features × components.
    directions: DMatrix<f64>,
}

impl Space {
    /// The principal components of the rows, and the way back from them.
    pub(crate) fn of(z: &DMatrix<f64>) -> (DMatrix<f64>, Self) {
        let is_wide = z.ncols() > z.nrows();
        // Either matrix of products has the squares that matter; the smaller one is the faster to take apart.
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

    /// The slopes on the features, a row for each class of the softmax.
    pub(crate) fn slopes(&self, choice: &Choice) -> DMatrix<f64> {
        let (k, inputs) = (choice.form.classes(), choice.form.inputs);
        let slopes = &choice.optimum.parameters.as_slice()[..k * inputs];
        (&self.directions * DMatrix::from_column_slice(inputs, k, slopes)).transpose()
    }
}
