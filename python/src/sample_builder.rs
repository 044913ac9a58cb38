//! Rows from many places, gathered in one.

use std::sync::Arc;

use cwplugin::{Expected, Fitter, Model, Sample};
use pyo3::prelude::*;

use crate::errors::{Columns, Refusal, refuse};
use crate::fit::Wish;
use crate::metric::AnyMetric;
use crate::model::PyModel;
use crate::run::{Watch, run};
use crate::sample::Rows;

/// Rows that came in batches.
#[pyclass(name = "Gathered", module = "cwplugin._core")]
pub(crate) struct PyGathered {
    classes: Vec<String>,
    sample: Option<Sample>,
}

#[pymethods]
impl PyGathered {
    #[new]
    fn new(classes: Vec<String>) -> Self {
        Self { classes, sample: None }
    }

    /// Puts rows below those that are here.
    #[pyo3(signature = (rows, jobs=None))]
    #[allow(unused_variables)] // whoever counts rows is told of threads
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>, jobs: Option<usize>) -> PyResult<()> {
        let more = rows.sample()?;
        let Some(sample) = &mut self.sample else {
            self.sample = Some(more);
            return Ok(());
        };
        sample.append(more).map_err(|error| refuse(py, &error, &rows.columns()))
    }

    /// Learns a model from them, as from any rows.
    fn fit(&self, py: Python<'_>, wish: Wish<'_>) -> PyResult<PyModel> {
        self.learn(py, &wish, None)
    }

    /// What to expect of a model of more rows, by what these teach.
    fn review(&self, py: Python<'_>, model: &PyModel, wish: Wish<'_>) -> PyResult<PyModel> {
        self.learn(py, &wish, Some(&model.0))
    }
}

impl PyGathered {
    fn learn(&self, py: Python<'_>, wish: &Wish<'_>, reviewed: Option<&Model>) -> PyResult<PyModel> {
        let columns = Columns::of_classes(&self.classes);
        let Some(sample) = &self.sample else {
            return Err(Refusal::new("there are no rows to learn from").raise(py));
        };
        let (seed, watch) = (wish.seed, Arc::new(Watch::default()));
        let (method, options) = (wish.method(py, &columns)?, wish.options(py)?);
        let metric = AnyMetric::new(py, &wish.metric, &columns, &self.classes, &watch)?;
        let fitted = run(py, wish.means(), &watch, || match reviewed {
            Some(model) => Expected::new(&metric).seed(seed).review(sample, model.rule().clone()),
            None => Fitter::new(method, &metric, options).fit(sample),
        })?;
        let fitted = fitted.map_err(|error| refuse(py, &error, &columns))?;
        let model = Model::from_fit(self.classes.clone(), &fitted, &wish.method, seed);
        model.map(PyModel).map_err(|error| refuse(py, &error, &columns))
    }
}
