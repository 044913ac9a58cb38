//! Priors on the calibration map, centred on the identity.

use serde::{Deserialize, Serialize};

/// The slopes of the calibration map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlopeStructure {
    /// One slope for all classes, and a bias per class.
    Shared,
    /// Also one slope per class.
    PerClass,
    /// Also a slope of every class on every other.
    Matrix,
}

impl SlopeStructure {
    /// Number of slopes besides the shared one.
    pub(super) fn n_extra(self, n_classes: usize) -> usize {
        match self {
            Self::Shared => 0,
            Self::PerClass => n_classes,
            Self::Matrix => n_classes * n_classes,
        }
    }
}

/// Independent normal priors on the parameters of a map, centred on the identity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prior {
    pub(crate) structure: SlopeStructure,
    /// Standard deviation of the shared slope around 1.
    pub(super) slope: f64,
    /// Standard deviation of every bias around 0.
    pub(super) bias: f64,
    /// Standard deviation of every extra slope around 0.
    pub(super) extra: f64,
}

/// Confidence about right, or of any size.
const SLOPES: [f64; 2] = [0.1, 1.0];

/// From class shares that are right to class shares that are off by a factor of twelve.
const BIASES: [f64; 4] = [0.1, 0.3, 1.0, 2.5];

/// Standard deviation of a prior under which the black box is calibrated.
const CALIBRATED: f64 = 0.03;

const PER_CLASS: [f64; 2] = [0.1, 0.3];
const MATRIX: [f64; 3] = [0.05, 0.15, 0.4];

/// Maximum number of classes for a full matrix: a few hundred rows do not determine m² slopes.
const MATRIX_CLASSES: usize = 12;

/// All priors; those with the same slope structure are adjacent.
pub(super) fn priors(n_classes: usize) -> Vec<Prior> {
    let prior = |structure, slope, bias, extra| Prior { structure, slope, bias, extra };
    let mut priors = vec![prior(SlopeStructure::Shared, SLOPES[0], CALIBRATED, 1.0)];
    for slope in SLOPES {
        priors.extend(BIASES.map(|bias| prior(SlopeStructure::Shared, slope, bias, 1.0)));
    }
    let mut more = |structure, extras: &[f64]| {
        for &extra in extras {
            priors.extend(BIASES.map(|bias| prior(structure, SLOPES[1], bias, extra)));
        }
    };
    more(SlopeStructure::PerClass, &PER_CLASS);
    if n_classes <= MATRIX_CLASSES {
        more(SlopeStructure::Matrix, &MATRIX);
    }
    priors
}

/// The prior for choosing the floor.
pub(super) const PLAIN: Prior =
    Prior { structure: SlopeStructure::Shared, slope: 1.0, bias: 1.0, extra: 1.0 };
