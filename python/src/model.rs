//! The file that is kept.

use cwplugin::{Error, Model, ModelError, Sample, Weights};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{Columns, Refusal, refuse};
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// Class names, one weight each, and a record of how they came about.
#[pyclass(name = "Model", module = "cwplugin._core", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyModel(pub(crate) Model);

impl PyModel {
    /// Weights alone are one pass on this thread; waking another takes as long as a few thousand rows of a map.
    fn is_brief(&self, sample: &Sample) -> bool {
        self.0.rule().calibration().is_none() || sample.n_rows() * sample.n_classes() < 20_000
    }
}

#[pymethods]
impl PyModel {
    /// A model of given weights, without a record of a fit.
    #[new]
    fn new(py: Python<'_>, classes: Vec<String>, weights: Vec<f64>) -> PyResult<Self> {
        let columns = Columns::of_classes(&classes);
        let wrong = |error: Error| refuse(py, &error, &columns);
        let weights = Weights::new(weights).map_err(wrong)?;
        Model::new(classes, weights).map(Self).map_err(wrong)
    }

    /// Reads a model from the text that [`PyModel::to_json`] and `cwplugin fit -o` write.
    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        Model::from_json(text).map(Self).map_err(|error| {
            let cure = match error {
                ModelError::UnknownVersion { .. } | ModelError::UnknownCalibration { .. } => {
                    "use a newer cwplugin, or fit the model again with this one"
                }
                _ => {
                    "`Model.save` and `cwplugin fit -o FILE` write a model; docs/model-format.md describes it"
                }
            };
            Refusal::new(format!("not a model: {error}")).hint(cure).raise(py)
        })
    }

    /// The model as JSON text: the same model gives the same bytes.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    #[getter]
    fn classes(&self) -> Vec<String> {
        self.0.classes().to_vec()
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.weights().as_slice())
    }

    /// The metric on the labelled rows that were fitted, before and after.
    #[getter]
    fn score(&self) -> Option<(f64, f64)> {
        let score = self.0.fit()?.score?;
        Some((score.clean, score.fitted))
    }

    /// The doubts about the fit: of what kind, and in words.
    #[getter]
    fn doubts(&self) -> Vec<(String, String)> {
        let doubts = self.0.fit().into_iter().flat_map(|fit| &fit.warnings);
        doubts.map(|doubt| (doubt.kind.clone(), doubt.message.clone())).collect()
    }

    /// What to expect on new rows, in a sentence, if the method made a forecast.
    #[getter]
    fn verdict(&self) -> Option<String> {
        self.0.verdict()
    }

    /// How many features of a row the model looks at, if it looks at features instead of probabilities.
    #[getter]
    fn n_features(&self) -> Option<usize> {
        self.0.rule().n_features()
    }

    /// The class of every row, as a number.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        jobs: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let columns = rows.columns();
        let sample = rows.sample()?;
        let work = || self.0.rule().predict(&sample);
        let classes = if self.is_brief(&sample) {
            py.detach(work)
        } else {
            run(py, Means { jobs, is_verbose: false }, &Watch::default(), work)?
        };
        let classes = classes.map_err(|error| refuse(py, &error, &columns))?;
        Ok(PyArray1::from_vec(py, classes.into_iter().map(|class| class as u64).collect()))
    }

    /// What the argmax is taken of, divided by its sum: `w_k·cal(b)_k`.
    fn scores<'py>(&self, py: Python<'py>, rows: Rows<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns = rows.columns();
        let sample = rows.sample()?;
        let m = sample.n_classes();
        let work = || -> Result<Vec<f64>, Error> {
            let outlook = self.0.rule().calibrated_probabilities(&sample)?;
            let weights = self.0.weights().as_slice();
            let mut scores = Vec::with_capacity(sample.n_rows() * m);
            for row in 0..sample.n_rows() {
                let first = scores.len();
                scores.extend(outlook.row(row).zip(weights).map(|(b, w)| b * w));
                let sum: f64 = scores[first..].iter().sum();
                // A row on which only classes of weight 0 have a probability has no opinion left.
                let even = 1.0 / m as f64;
                scores[first..]
                    .iter_mut()
                    .for_each(|score| *score = if sum > 0.0 { *score / sum } else { even });
            }
            Ok(scores)
        };
        let scores = if self.is_brief(&sample) {
            py.detach(work)
        } else {
            run(py, Means::default(), &Watch::default(), work)?
        };
        let scores = scores.map_err(|error| refuse(py, &error, &columns))?;
        PyArray1::from_vec(py, scores).reshape([sample.n_rows(), m])
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let read = slf.get_type().getattr("from_json")?.unbind();
        Ok((read, (slf.get().0.to_json(),)))
    }
}
