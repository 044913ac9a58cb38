//! Probabilities, labels and weights from Python become a sample.

use cwplugin::model::InputOptions;
use cwplugin::{Features, RowSums, Sample, Scores};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::convert::{Reading, probabilities};
use crate::errors::Columns;

/// The attributes of `cwplugin._rows.Rows`.
#[derive(FromPyObject)]
pub(crate) struct Rows<'py> {
    probabilities: Bound<'py, PyAny>,
    labels: Option<Labels<'py>>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    features: Option<PyReadonlyArray2<'py, f64>>,
    feature_names: Option<Vec<String>>,
    /// The names of the classes, as models know them.
    pub(crate) classes: Vec<String>,
    /// What the columns are called.
    columns: Vec<String>,
    label: String,
    weight: String,
    scores: String,
    normalize: bool,
}

/// The attributes of `cwplugin._labels.Codes`: a code for every row, and for each code the index of its class, or
/// [`Sample::UNLABELLED`].
#[derive(FromPyObject)]
struct Labels<'py> {
    codes: PyReadonlyArray1<'py, u32>,
    indices: PyReadonlyArray1<'py, u32>,
}

impl Labels<'_> {
    fn classes(&self) -> PyResult<Vec<u32>> {
        let indices = self.indices.as_slice()?;
        Ok(self.codes.as_slice()?.iter().map(|&code| indices[code as usize]).collect())
    }
}

impl<'py> Rows<'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.probabilities.py()
    }

    pub(crate) fn columns(&self) -> Columns {
        Columns {
            classes: self.classes.clone(),
            probabilities: self.columns.clone(),
            label: self.label.clone(),
            weight: self.weight.clone(),
        }
    }

    /// How the rows become probabilities, for the model; as the program stores it.
    pub(crate) fn input(&self) -> PyResult<InputOptions> {
        let Reading { scores, sums } = Reading::new(self.py(), &self.scores, self.normalize)?;
        let mut input = InputOptions::default();
        input.scores = Some(scores).filter(|scores| *scores != Scores::Probabilities);
        input.normalize = sums == RowSums::Normalize;
        Ok(input)
    }

    pub(crate) fn sample(&self) -> PyResult<Sample> {
        let py = self.probabilities.py();
        let columns = self.columns();
        let wrong = |error| columns.error(py, &error);
        let reading = Reading::new(py, &self.scores, self.normalize)?;
        let probabilities = probabilities(&self.probabilities, self.classes.len(), reading, &columns)?;
        let mut sample = match &self.labels {
            Some(labels) => Sample::from_codes(probabilities, labels.classes()?).map_err(wrong)?,
            None => Sample::unlabelled(probabilities),
        };
        sample = sample.with_classes(self.classes.clone()).map_err(wrong)?;
        if let Some(weights) = &self.weights {
            sample = sample.with_weights(weights.as_array().to_vec()).map_err(wrong)?;
        }
        let Some(values) = &self.features else { return Ok(sample) };
        let values = values.as_array();
        let features = Features::new(values.iter().copied().collect(), values.ncols()).map_err(wrong)?;
        let features = match &self.feature_names {
            Some(names) => features.with_names(names.clone()).map_err(wrong)?,
            None => features,
        };
        sample.with_features(features).map_err(wrong)
    }
}
