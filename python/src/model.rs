//! The model file.

use cwplugin::{Error, FitReport, Model, ModelError, Sample, Weights};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{Columns, UserError};
use crate::run::{Monitor, RunOptions, run};
use crate::sample::Rows;

/// A decision rule for named classes, with a report of its fit.
#[pyclass(name = "Model", module = "cwplugin._core", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyModel(pub(crate) Model);

impl PyModel {
    /// Applies the model to rows. Weights alone are one pass on this thread; starting another takes as long as a few
    /// thousand rows of a calibration map.
    fn apply<T: Send>(
        &self,
        rows: &Rows<'_>,
        jobs: Option<usize>,
        work: impl FnOnce(&Sample) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let py = rows.py();
        let (sample, _borrow) = rows.in_place()?;
        let is_short = self.0.rule().calibration().is_none() || sample.n_rows() * sample.n_classes() < 20_000;
        let options = RunOptions { jobs, is_short, ..RunOptions::default() };
        let applied = run(py, options, &Monitor::default(), || work(&sample))?;
        applied.map_err(|error| rows.columns().error(py, &error))
    }
}

#[pymethods]
impl PyModel {
    /// A model of given weights, without a report of a fit.
    #[new]
    fn new(py: Python<'_>, classes: Vec<String>, weights: Vec<f64>) -> PyResult<Self> {
        let columns = Columns::of_classes(&classes);
        let wrong = |error: Error| columns.error(py, &error);
        let weights = Weights::new(weights).map_err(wrong)?;
        Model::new(classes, weights).map(Self).map_err(wrong)
    }

    /// Reads a model from the text that [`PyModel::to_json`] and `cwplugin fit -o` write.
    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        Model::from_json(text).map(Self).map_err(|error| {
            let hint = match error {
                ModelError::UnknownVersion { .. } | ModelError::UnknownCalibration { .. } => {
                    "use a newer cwplugin, or fit the model again with this one"
                }
                ModelError::NoCalibration => {
                    "copy the whole file again, or add \"calibration\": null if the model has only weights"
                }
                _ => {
                    "`Model.save` and `cwplugin fit -o FILE` write a model; docs/model-format.md describes it"
                }
            };
            UserError::new(format!("not a model: {error}")).hint(hint).raise(py)
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

    /// How raw input becomes probabilities, as JSON.
    #[getter]
    fn input(&self) -> PyResult<String> {
        serde_json::to_string(self.0.input()).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// A warning if rows have far fewer votes than those of the fit.
    #[allow(clippy::needless_pass_by_value)] // from Python
    fn few_votes(&self, rows: Rows<'_>) -> PyResult<Option<String>> {
        let Some(fitted) = self.0.input().votes else { return Ok(None) };
        let few = rows.votes_per_row()?.filter(|votes| votes.is_far_below(fitted));
        Ok(few.map(|votes| {
            format!(
                "the rows have {votes}, but the model was fitted on rows of {fitted}\n  hint: ask as often as for the fit, or fit a \
                 model on as few"
            )
        }))
    }

    /// The warnings of the fit: kind and message.
    #[getter]
    fn warnings(&self) -> Vec<(String, String)> {
        let warnings = self.0.report().into_iter().flat_map(|report| &report.warnings);
        warnings.map(|warning| (warning.kind.clone(), warning.message.clone())).collect()
    }

    /// The expected gain in one sentence, if the method estimates it.
    #[getter]
    fn verdict(&self) -> Option<String> {
        self.0.verdict()
    }

    /// Why `auto` made its choice.
    #[getter]
    fn explanation(&self) -> Option<String> {
        self.0.report().and_then(FitReport::explanation)
    }

    /// A few lines for people.
    fn summary(&self) -> String {
        self.0.summary()
    }

    /// How many features of a row the model takes, if it takes features instead of probabilities.
    #[getter]
    fn n_features(&self) -> Option<usize> {
        self.0.rule().n_features()
    }

    /// The class of every row, by its index.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        jobs: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let classes = self.apply(&rows, jobs, |sample| self.0.rule().predict(sample))?;
        Ok(PyArray1::from_vec(py, classes.into_iter().map(|class| class as u64).collect()))
    }

    /// The score of every class in every row.
    fn scores<'py>(&self, py: Python<'py>, rows: Rows<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let scores = self.apply(&rows, None, |sample| self.0.rule().scores(sample))?;
        let values = PyArray1::from_slice(py, scores.as_f64().unwrap_or_default());
        values.reshape([scores.n_rows(), scores.n_classes()])
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let read = slf.get_type().getattr("from_json")?.unbind();
        Ok((read, (slf.get().0.to_json(),)))
    }
}
