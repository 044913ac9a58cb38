//! Decision rules: weights, calibration maps and mixtures.

pub(crate) mod predict; // vectorised argmax of weighted rows
pub(crate) mod weights; // one weight per class
mod confusions; // confusion matrices of weights
mod matrix_rows; // a matrix times a vector
mod tempering; // temperature scaling before a map
pub(crate) mod affine_map; // softmax(A·x + c)
pub(crate) mod mixture; // weighted votes of several lists of factors
pub(crate) mod decision; // calibration, then weights

pub use affine_map::{AffineMap, MapInput, Slope};
pub use decision::{Calibration, MapKind, Rule};
pub use mixture::{Mixture, MixtureStep};
pub use predict::argmax_weighted;
pub use tempering::Tempering;
pub use weights::Weights;
