//! What is believed of the black box before any label is seen: that it is right, more or less.

use serde::{Deserialize, Serialize};

/// How freely the log-probabilities may be bent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlopeStructure {
    /// One slope for all classes, and a bias per class.
    Shared,
    /// … and a slope per class.
    PerClass,
    /// … and a slope of every class on every other.
    Matrix,
}

impl SlopeStructure {
    /// Slopes besides the shared one.
    pub(super) fn n_extra(self, n_classes: usize) -> usize {
        match self {
            Self::Shared => 0,
            Self::PerClass => n_classes,
            Self::Matrix => n_classes * n_classes,
        }
    }
}

/// Independent normal beliefs about the parameters of a map, all centred on the map that changes nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prior {
    pub(crate) structure: SlopeStructure,
    /// Standard deviation of the shared slope around 1.
    pub(super) slope: f64,
    /// … of every bias around 0.
    pub(super) bias: f64,
    /// … of every further slope around 0.
    pub(super) extra: f64,
}

/// A black box whose confidence is about right, and one whose confidence may be anything.
const SLOPES: [f64; 2] = [0.1, 1.0];

/// From "its class shares are right" to "they may be off by a factor of twelve".
const BIASES: [f64; 4] = [0.1, 0.3, 1.0, 2.5];

/// The black box is right but for what no sample could show.
const RIGHT: f64 = 0.03;

const PER_CLASS: [f64; 2] = [0.1, 0.3];
const MATRIX: [f64; 3] = [0.05, 0.15, 0.4];

/// Classes up to which a whole matrix is tried: beyond, a few hundred rows say nothing of its m² slopes.
const MATRIX_CLASSES: usize = 12;

/// Every belief that is tried; those of one slope structure follow each other.
pub(super) fn priors(n_classes: usize) -> Vec<Prior> {
    let prior = |structure, slope, bias, extra| Prior { structure, slope, bias, extra };
    let mut priors = vec![prior(SlopeStructure::Shared, SLOPES[0], RIGHT, 1.0)];
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

/// The belief under which inputs are compared before anything else is known.
pub(super) const PLAIN: Prior =
    Prior { structure: SlopeStructure::Shared, slope: 1.0, bias: 1.0, extra: 1.0 };
