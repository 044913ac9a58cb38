//! The decision rule, shared by fits, models, evaluations and predictions.

use std::borrow::Cow;

use crate::data::{Features, Probabilities, Sample, check_length};
use crate::error::Error;
use crate::metric::Confusion;
use crate::rule::{AffineMap, MapInput, Mixture, Weights};

/// A decision rule: predict `argmax_k w_k·cal(b)_k`, with an optional calibration and one weight per class.
///
/// ```
/// use cwplugin::{Probabilities, Rule, Sample, Weights};
///
/// let rule = Rule::from(Weights::new(vec![1.0, 3.0])?);
/// let p = Probabilities::new(vec![0.7, 0.3, 0.8, 0.2], 2)?;
/// assert_eq!(rule.predict(&Sample::unlabelled(p))?, [1, 0]);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    calibration: Option<Calibration>,
    weights: Weights,
}

/// The calibration applied to a row before the weights.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Calibration {
    /// The softmax of an affine map of probabilities or features.
    Affine {
        /// The calibrator that fitted it.
        kind: MapKind,
        /// The map.
        map: AffineMap,
        /// Names of the features, if the map takes named features.
        features: Option<Vec<String>>,
    },
    /// Weighted votes of several lists of factors.
    Mixture(Mixture),
}

/// The calibrator that fitted an affine map; it does not affect predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapKind {
    /// Temperature scaling: one slope.
    Temperature,
    /// Bias-corrected temperature scaling: one slope, and a bias per class.
    Bcts,
    /// Vector scaling: a slope and a bias per class.
    Vector,
    /// Dirichlet calibration: a slope matrix and biases with a penalty.
    Dirichlet,
    /// Structured scaling: a temperature step, then slopes and biases with a penalty that depends on the numbers of rows and
    /// classes.
    Structured,
    /// Logistic regression on features.
    Logistic,
    /// Slopes and biases under the prior of the method `expected`.
    Expected,
}

impl MapKind {
    /// All kinds.
    pub(crate) const ALL: [Self; 7] = [
        Self::Temperature,
        Self::Bcts,
        Self::Vector,
        Self::Dirichlet,
        Self::Structured,
        Self::Logistic,
        Self::Expected,
    ];

    /// Stable name used in model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Temperature => "temperature",
            Self::Bcts => "bcts",
            Self::Vector => "vector",
            Self::Dirichlet => "dirichlet",
            Self::Structured => "structured",
            Self::Logistic => "logistic",
            Self::Expected => "expected",
        }
    }
}

impl Calibration {
    fn n_classes(&self) -> usize {
        match self {
            Self::Affine { map, .. } => map.n_classes(),
            Self::Mixture(mixture) => mixture.n_classes(),
        }
    }

    /// `cal(b)` of every row.
    fn apply(&self, b: &Probabilities, features: Option<&Features>) -> Result<Probabilities, Error> {
        match self {
            Self::Affine { map, .. } if map.input() == MapInput::Features => {
                map.apply_to_features(features.ok_or(Error::NoFeatures)?)
            }
            Self::Affine { map, .. } => map.apply(b),
            Self::Mixture(mixture) => mixture.apply(b),
        }
    }
}

impl From<Weights> for Rule {
    fn from(weights: Weights) -> Self {
        Self { calibration: None, weights }
    }
}

impl Rule {
    /// The unadjusted black box ("clean" in the paper): no calibration, equal weights.
    ///
    /// # Errors
    ///
    /// If there are fewer than two classes.
    pub fn clean(n_classes: usize) -> Result<Self, Error> {
        Weights::uniform(n_classes).map(Self::from)
    }

    /// An optional calibration followed by weights.
    ///
    /// # Errors
    ///
    /// If the two are for different numbers of classes.
    pub fn new(calibration: Option<Calibration>, weights: Weights) -> Result<Self, Error> {
        if let Some(calibration) = &calibration {
            check_length("classes of the calibration", calibration.n_classes(), weights.n_classes())?;
        }
        Ok(Self { calibration, weights })
    }

    /// A calibration with equal weights.
    ///
    /// # Errors
    ///
    /// If there are fewer than two classes.
    pub fn calibrated(calibration: Calibration) -> Result<Self, Error> {
        let weights = Weights::uniform(calibration.n_classes())?;
        Self::new(Some(calibration), weights)
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.weights.n_classes()
    }

    /// One weight per class, applied after the calibration.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The calibration applied before the weights, if any.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// Number of features, if the rule takes features instead of probabilities.
    pub fn n_features(&self) -> Option<usize> {
        match &self.calibration {
            Some(Calibration::Affine { map, .. }) if map.input() == MapInput::Features => {
                Some(map.n_inputs())
            }
            _ => None,
        }
    }

    /// `cal(b)` of every row, or the probabilities themselves without a calibration.
    ///
    /// # Errors
    ///
    /// If the sample has another number of classes, or lacks the features that the rule needs.
    pub fn calibrated_probabilities<'a>(&self, sample: &'a Sample) -> Result<Cow<'a, Probabilities>, Error> {
        self.calibrated_of(sample.probabilities(), sample.features())
    }

    fn calibrated_of<'a>(
        &self,
        b: &'a Probabilities,
        features: Option<&Features>,
    ) -> Result<Cow<'a, Probabilities>, Error> {
        check_length("classes", b.n_classes(), self.n_classes())?;
        match &self.calibration {
            None => Ok(Cow::Borrowed(b)),
            Some(calibration) => calibration.apply(b, features).map(Cow::Owned),
        }
    }

    /// The class predicted for every row, labelled or not.
    ///
    /// # Errors
    ///
    /// As [`Rule::calibrated_probabilities`].
    pub fn predict(&self, sample: &Sample) -> Result<Vec<usize>, Error> {
        self.weights.predict(&*self.calibrated_probabilities(sample)?)
    }

    /// The class predicted for every row, from probabilities without features.
    pub(crate) fn predict_probabilities(&self, b: &Probabilities) -> Result<Vec<usize>, Error> {
        self.weights.predict(&*self.calibrated_of(b, None)?)
    }

    /// The score of every class in every row, labelled or not: `w_k·cal(b)_k` divided by its sum over classes. If all
    /// products of a row are zero, every class scores `1/m`, and the prediction is the first class.
    ///
    /// # Errors
    ///
    /// As [`Rule::calibrated_probabilities`].
    pub fn scores(&self, sample: &Sample) -> Result<Probabilities, Error> {
        self.scores_of(&*self.calibrated_probabilities(sample)?)
    }

    /// [`Rule::predict`] and [`Rule::scores`] with a single calibration pass.
    ///
    /// # Errors
    ///
    /// As [`Rule::calibrated_probabilities`].
    pub fn predict_with_scores(&self, sample: &Sample) -> Result<(Vec<usize>, Probabilities), Error> {
        let calibrated = self.calibrated_probabilities(sample)?;
        Ok((self.weights.predict(&calibrated)?, self.scores_of(&calibrated)?))
    }

    fn scores_of(&self, calibrated: &Probabilities) -> Result<Probabilities, Error> {
        let (m, weights) = (self.n_classes(), self.weights.as_slice());
        let mut scores = Vec::with_capacity(calibrated.n_rows() * m);
        for row in 0..calibrated.n_rows() {
            let first = scores.len();
            scores.extend(calibrated.row(row).zip(weights).map(|(p, w)| p * w));
            let sum: f64 = scores[first..].iter().sum();
            let even = 1.0 / m as f64;
            scores[first..].iter_mut().for_each(|score| *score = if sum > 0.0 { *score / sum } else { even });
        }
        Probabilities::new(scores, m)
    }

    /// The confusion matrix of the labelled rows.
    ///
    /// # Errors
    ///
    /// As [`Rule::calibrated_probabilities`].
    pub fn confusion(&self, sample: &Sample) -> Result<Confusion, Error> {
        let calibrated = self.calibrated_probabilities(sample)?;
        let [confusion] = sample.confusions_of(&calibrated, [&self.weights])?;
        Ok(confusion)
    }
}
