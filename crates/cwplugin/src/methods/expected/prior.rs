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
    /// Standard deviation of a power of the class shares by which all of them are off, around 0: a label shift from or to
    /// equal shares, for example.
    pub(super) shift: f64,
    /// Standard deviation of every extra slope of a class on itself around 0.
    pub(super) own: f64,
    /// Standard deviation of every extra slope on another class around 0.
    pub(super) other: f64,
}

/// Confidence about right, or of any size.
const SLOPES: [f64; 2] = [0.1, 1.0];

/// From class shares that are right to class shares that are off by a factor of twelve.
const BIASES: [f64; 4] = [0.1, 0.3, 1.0, 2.5];

/// Class shares may be off by any power up to the first or so, unless confidence is about right.
const SHIFT: f64 = 1.0;

/// Standard deviation of a prior under which the black box is calibrated.
const CALIBRATED: f64 = 0.03;

const PER_CLASS: [f64; 2] = [0.1, 0.3];
const MATRIX: [f64; 3] = [0.05, 0.15, 0.4];

/// Biases with a matrix for many classes: fewer, because these fits are slow.
const MATRIX_BIASES: [f64; 2] = [0.3, 1.0];

/// Maximum number of classes for the exact Hessian of a full matrix.
pub(super) const EXACT_CLASSES: usize = 12;

/// Maximum number of classes for a dense Hessian of at most one slope per class. What is computed instead is exact too, but
/// rounded differently.
pub(super) const EXACT_SLOPES: usize = 50;

/// Maximum number of classes for a full matrix.
const MATRIX_CLASSES: usize = 100;

impl Prior {
    /// A prior with the same standard deviation for all extra slopes.
    const fn new(structure: SlopeStructure, slope: f64, bias: f64, extra: f64) -> Self {
        let shift = if slope > SLOPES[0] { SHIFT } else { 0.0 };
        Self { structure, slope, bias, shift, own: extra, other: extra }
    }

    /// The penalty of structured matrix scaling: together, the slopes on other classes may change a logit as much as the
    /// slope of the class itself.
    fn structured(n_classes: usize, bias: Option<f64>) -> Self {
        let m = n_classes as f64;
        let (own, other) = ((2.0 * m).sqrt().recip(), (2.0 * m * (m - 1.0)).sqrt().recip());
        Self {
            structure: SlopeStructure::Matrix,
            slope: SLOPES[1],
            bias: bias.unwrap_or(own),
            shift: SHIFT,
            own,
            other,
        }
    }
}

/// All priors; those with the same slope structure are adjacent.
pub(super) fn priors(n_classes: usize) -> Vec<Prior> {
    let mut priors = vec![Prior::new(SlopeStructure::Shared, SLOPES[0], CALIBRATED, 0.0)];
    for slope in SLOPES {
        priors.extend(BIASES.map(|bias| Prior::new(SlopeStructure::Shared, slope, bias, 0.0)));
    }
    let mut more = |structure, biases: &[f64], extras: &[f64]| {
        for &extra in extras {
            priors.extend(biases.iter().map(|&bias| Prior::new(structure, SLOPES[1], bias, extra)));
        }
    };
    more(SlopeStructure::PerClass, &BIASES, &PER_CLASS);
    if n_classes > MATRIX_CLASSES {
        return priors;
    }
    let biases = if n_classes <= EXACT_CLASSES { &BIASES[..] } else { &MATRIX_BIASES };
    more(SlopeStructure::Matrix, biases, &MATRIX);
    priors.extend([None, Some(1.0)].map(|bias| Prior::structured(n_classes, bias)));
    priors
}

/// One prior of each slope structure, for choosing the floor.
pub(super) fn representatives(n_classes: usize) -> Vec<Prior> {
    let mut priors = vec![
        Prior::new(SlopeStructure::Shared, 1.0, 1.0, 0.0),
        Prior::new(SlopeStructure::PerClass, 1.0, 1.0, 0.3),
    ];
    if n_classes <= MATRIX_CLASSES {
        priors.push(Prior::new(SlopeStructure::Matrix, 1.0, 1.0, 0.15));
    }
    priors
}
