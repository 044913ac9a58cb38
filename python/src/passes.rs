//! Fits whose rows are elsewhere: what each pass counts there, and where it leads.

use std::sync::Arc;

use cwplugin::{
    Error, Fitted, Metric as _, Model, Outcomes, Pass, PassCounts, PassError, Passes, ScorePair, Side,
};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{Columns, Refusal, refuse};
use crate::fit::Wish;
use crate::metric::AnyMetric;
use crate::model::PyModel;
use crate::outcomes::PyOutcomes;
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

fn wrong(py: Python<'_>, error: &PassError, columns: &Columns) -> PyErr {
    match error {
        PassError::Invalid(error) => refuse(py, error, columns),
        other => Refusal::new(other.to_string()).raise(py),
    }
}

/// What a pass counts of some rows.
#[pyclass(name = "PassCounts", module = "cwplugin._core")]
pub(crate) struct PyPassCounts(PassCounts);

#[pymethods]
impl PyPassCounts {
    /// Nothing counted yet.
    #[new]
    fn new(py: Python<'_>, asked: &str) -> PyResult<Self> {
        let columns = Columns::of_classes(&[]);
        let counts = Pass::from_json(asked).and_then(|pass| Ok(PassCounts::new(&pass)?));
        counts.map(Self).map_err(|error| wrong(py, &error, &columns))
    }

    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        PassCounts::from_json(text).map(Self).map_err(|error| wrong(py, &error, &Columns::of_classes(&[])))
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Counts rows, on so many threads.
    #[pyo3(signature = (rows, jobs=None))]
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>, jobs: Option<usize>) -> PyResult<()> {
        let sample = rows.sample()?;
        let means = Means { jobs, is_verbose: false };
        let added = run(py, means, &Watch::default(), || self.0.add_rows(&sample))?;
        added.map_err(|error| refuse(py, &error, &rows.columns()))
    }

    /// Adds what was counted of other rows.
    fn merge(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        self.0.merge(&other.0).map_err(|error| wrong(py, &error, &Columns::of_classes(&[])))
    }
}

/// Coordinate ascent, pass by pass.
#[pyclass(name = "Passes", module = "cwplugin._core")]
pub(crate) struct PyPasses {
    passes: Passes<Arc<AnyMetric>>,
    metric: Arc<AnyMetric>,
    watch: Arc<Watch>,
    classes: Vec<String>,
}

impl PyPasses {
    fn columns(&self) -> Columns {
        Columns::of_classes(&self.classes)
    }
}

#[pymethods]
impl PyPasses {
    /// Climbs over the weights of these classes, or, from a model on, over those behind its calibration.
    #[new]
    #[pyo3(signature = (classes, wish, behind=None))]
    fn new(py: Python<'_>, classes: Vec<String>, wish: Wish<'_>, behind: Option<&PyModel>) -> PyResult<Self> {
        let (columns, watch) = (Columns::of_classes(&classes), Arc::new(Watch::default()));
        let metric = Arc::new(AnyMetric::new(py, &wish.metric, &columns, &classes, &watch)?);
        let passes = match behind {
            Some(model) => Passes::behind(Arc::clone(&metric), model.0.clone()),
            None => Passes::new(Arc::clone(&metric), classes.clone()),
        };
        Ok(Self { passes, metric, watch, classes })
    }

    /// What to count of all rows next; nothing when all is known.
    fn pending(&self) -> Option<String> {
        self.passes.pending().map(Pass::to_json)
    }

    /// How many passes were made.
    #[getter]
    fn n_passes(&self) -> usize {
        self.passes.n_passes()
    }

    /// Takes what was counted of all rows.
    fn tell(&mut self, py: Python<'_>, counts: &PyPassCounts) -> PyResult<()> {
        let watch = Arc::clone(&self.watch);
        let told = run(py, Means::default(), &watch, || self.passes.tell(&counts.0))?;
        told.map_err(|error| wrong(py, &error, &self.columns()))
    }

    /// The model that was found; its score on all rows is that of the outcomes, if they were counted.
    #[pyo3(signature = (method, seed, outcomes=None))]
    fn finish(
        &self,
        py: Python<'_>,
        method: &str,
        seed: u64,
        outcomes: Option<&PyOutcomes>,
    ) -> PyResult<PyModel> {
        let mut fitted: Fitted = self.passes.finish().map_err(|error| wrong(py, &error, &self.columns()))?;
        if let Some(outcomes) = outcomes {
            let ScorePair { clean, fitted: after } = self.scores(py, &outcomes.outcomes)?;
            fitted = fitted.scored(clean, after);
        }
        let model = Model::from_fit(self.classes.clone(), &fitted, method, seed);
        model.map(PyModel).map_err(|error| refuse(py, &error, &self.columns()))
    }

    /// A model that was learned from some of the rows, with a record of all.
    fn with_all_rows(&self, py: Python<'_>, model: &PyModel, outcomes: &PyOutcomes) -> PyResult<PyModel> {
        let score = self.scores(py, &outcomes.outcomes)?;
        let (rows, unlabelled) = (outcomes.outcomes.n_rows(), outcomes.unlabelled);
        Ok(PyModel(model.0.clone().with_all_rows(rows, unlabelled, Some(score))))
    }
}

impl PyPasses {
    /// The metric before and after.
    fn scores(&self, py: Python<'_>, outcomes: &Outcomes) -> PyResult<ScorePair> {
        let score = |side| match self.metric.score(&outcomes.confusion(side)) {
            value if value.is_finite() => Ok(value),
            value => Err(Error::MetricNotFinite { metric: self.metric.name().into(), value }),
        };
        let scores = run(py, Means::default(), &self.watch, || {
            Ok(ScorePair { clean: score(Side::Clean)?, fitted: score(Side::Fitted)? })
        })?;
        scores.map_err(|error| refuse(py, &error, &self.columns()))
    }
}
