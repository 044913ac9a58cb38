//! How a row becomes a class: one place for fits, models, evaluations and predictions.

use std::borrow::Cow;

use crate::{Confusion, Error, Probabilities, Sample, Weights};

/// Predict `argmax_k w_k·cal(b)_k`: a calibration or none, and one weight per class.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    weights: Weights,
}

impl From<Weights> for Rule {
    fn from(weights: Weights) -> Self {
        Self { weights }
    }
}

impl Rule {
    /// The black box as it is.
    ///
    /// # Errors
    ///
    /// If there are fewer than two classes.
    pub fn clean(n_classes: usize) -> Result<Self, Error> {
        Weights::uniform(n_classes).map(Self::from)
    }

    /// m.
    pub fn n_classes(&self) -> usize {
        self.weights.n_classes()
    }

    /// One weight per class, behind the calibration.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What the weights are applied to: `cal(b)` of every row, or the probabilities themselves.
    ///
    /// # Errors
    ///
    /// If the sample has another number of classes.
    pub fn outlook<'a>(&self, sample: &'a Sample) -> Result<Cow<'a, Probabilities>, Error> {
        self.outlook_of(sample.probabilities())
    }

    fn outlook_of<'a>(&self, probabilities: &'a Probabilities) -> Result<Cow<'a, Probabilities>, Error> {
        let (found, expected) = (probabilities.n_classes(), self.n_classes());
        if found != expected {
            return Err(Error::LengthMismatch { what: "classes", found, expected });
        }
        Ok(Cow::Borrowed(probabilities))
    }

    /// The class predicted for every row, labelled or not.
    ///
    /// # Errors
    ///
    /// As [`Rule::outlook`].
    pub fn predict(&self, sample: &Sample) -> Result<Vec<usize>, Error> {
        self.weights.predict(&*self.outlook(sample)?)
    }

    /// The class predicted for every row, if nothing but the probabilities is known.
    pub(crate) fn predict_probabilities(&self, probabilities: &Probabilities) -> Result<Vec<usize>, Error> {
        self.weights.predict(&*self.outlook_of(probabilities)?)
    }

    /// The confusion matrix of the labelled rows.
    ///
    /// # Errors
    ///
    /// As [`Rule::outlook`].
    pub fn confusion(&self, sample: &Sample) -> Result<Confusion, Error> {
        let outlook = self.outlook(sample)?;
        let [confusion] = sample.confusions_of(&outlook, [&self.weights])?;
        Ok(confusion)
    }
}
