//! Coordinate ascent on rows that are elsewhere: each pass counts all of them there.

use std::sync::Arc;

use cwplugin::ScorePair;
use cwplugin::distributed::{Pass, PassCounts, PassError, Passes};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{Columns, UserError};
use crate::metric::{AnyMetric, MetricSpec};
use crate::model::PyModel;
use crate::outcomes::PyOutcomes;
use crate::run::{Monitor, RunOptions, run};
use crate::sample::Rows;

fn pass_error(py: Python<'_>, error: &PassError, classes: &[String]) -> PyErr {
    match error {
        PassError::Invalid(error) => Columns::of_classes(classes).error(py, error),
        other => UserError::new(other.to_string()).raise(py),
    }
}

/// What a pass counts on some rows.
#[pyclass(name = "PassCounts", module = "cwplugin._core")]
pub(crate) struct PyPassCounts(PassCounts);

#[pymethods]
impl PyPassCounts {
    /// Nothing counted yet.
    #[new]
    fn new(py: Python<'_>, document: &str) -> PyResult<Self> {
        let counts = Pass::from_json(document).and_then(|pass| Ok(PassCounts::new(&pass)?));
        counts.map(Self).map_err(|error| pass_error(py, &error, &[]))
    }

    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        PassCounts::from_json(text).map(Self).map_err(|error| pass_error(py, &error, &[]))
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Counts rows, on so many threads.
    #[pyo3(signature = (rows, jobs=None))]
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>, jobs: Option<usize>) -> PyResult<()> {
        let (sample, _borrow) = rows.in_place()?;
        let options = RunOptions { jobs, ..RunOptions::default() };
        let added = run(py, options, &Monitor::default(), || self.0.add_rows(&sample))?;
        added.map_err(|error| rows.columns().error(py, &error))
    }

    /// Adds what was counted on other rows.
    fn merge(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        self.0.merge(&other.0).map_err(|error| pass_error(py, &error, &[]))
    }
}

/// Coordinate ascent, pass by pass.
#[pyclass(name = "Passes", module = "cwplugin._core")]
pub(crate) struct PyPasses {
    passes: Passes<Arc<AnyMetric>>,
    metric: Arc<AnyMetric>,
    monitor: Arc<Monitor>,
    classes: Vec<String>,
}

#[pymethods]
impl PyPasses {
    /// Searches the weights of these classes or, starting from a model, those after its calibration.
    #[new]
    #[pyo3(signature = (classes, metric, start=None, seed=0))]
    fn new(
        py: Python<'_>,
        classes: Vec<String>,
        metric: MetricSpec<'_>,
        start: Option<&PyModel>,
        seed: u64,
    ) -> PyResult<Self> {
        let monitor = Arc::new(Monitor::default());
        let metric = Arc::new(AnyMetric::new(py, &metric, &Columns::of_classes(&classes), &monitor)?);
        let passes = match start {
            Some(model) => Passes::after_calibration(Arc::clone(&metric), model.0.clone()),
            None => Passes::new(Arc::clone(&metric), classes.clone()),
        };
        Ok(Self { passes: passes.seed(seed), metric, monitor, classes })
    }

    /// What to count on all rows next; `None` when the search is done.
    fn pending(&self) -> Option<String> {
        self.passes.pending().map(Pass::to_json)
    }

    /// Takes what was counted on all rows.
    fn tell(&mut self, py: Python<'_>, counts: &PyPassCounts) -> PyResult<()> {
        let monitor = Arc::clone(&self.monitor);
        let told = run(py, RunOptions::default(), &monitor, || self.passes.tell(&counts.0))?;
        told.map_err(|error| pass_error(py, &error, &self.classes))
    }

    /// The model that was found, without its score.
    fn finish(&self, py: Python<'_>) -> PyResult<PyModel> {
        self.passes.finish().map(PyModel).map_err(|error| pass_error(py, &error, &self.classes))
    }

    /// A model that was fitted for this metric, with a report about all rows: how many there are, and the metric on them
    /// before and after.
    fn with_all_rows(&self, py: Python<'_>, model: &PyModel, outcomes: &PyOutcomes) -> PyResult<PyModel> {
        let metric = std::slice::from_ref(&self.metric);
        let counted = &outcomes.outcomes;
        let scores = run(py, RunOptions::default(), &self.monitor, || counted.intervals(metric, 0, 0))?;
        let scores = scores.map_err(|error| Columns::of_classes(&self.classes).error(py, &error))?;
        let score =
            scores.first().map(|score| ScorePair { clean: score.clean.value, fitted: score.fitted.value });
        Ok(PyModel(model.0.clone().with_all_rows(counted.n_rows(), outcomes.unlabelled, score)))
    }
}
