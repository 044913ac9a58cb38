//! A sample that arrives in batches: rows from many places in one.

use cwplugin::{Error, Fit, Model, Sample};
use pyo3::prelude::*;

use crate::errors::{Columns, UserError};
use crate::fit::FitRequest;
use crate::model::PyModel;
use crate::sample::Rows;

/// Rows that arrive in batches.
#[pyclass(name = "SampleBuilder", module = "cwplugin._core")]
pub(crate) struct PySampleBuilder {
    classes: Vec<String>,
    sample: Option<Sample>,
}

#[pymethods]
impl PySampleBuilder {
    #[new]
    fn new(classes: Vec<String>) -> Self {
        Self { classes, sample: None }
    }

    /// Appends rows.
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>) -> PyResult<()> {
        let more = rows.sample()?;
        let Some(sample) = &mut self.sample else {
            self.sample = Some(more);
            return Ok(());
        };
        sample.append(more).map_err(|error| rows.columns().error(py, &error))
    }

    /// Fits a model.
    fn fit(&self, py: Python<'_>, request: FitRequest<'_>) -> PyResult<PyModel> {
        #[allow(clippy::redundant_closure_for_method_calls)] // the method alone is for one lifetime
        self.with(py, &request, |fit, sample| fit.fit(sample))
    }

    /// Reports on a model that was fitted on more rows than these, with the forecast that these rows give.
    fn report_on(&self, py: Python<'_>, model: &PyModel, request: FitRequest<'_>) -> PyResult<PyModel> {
        let rule = model.0.rule();
        self.with(py, &request, |fit, sample| fit.report_on(sample, rule.clone()))
    }
}

impl PySampleBuilder {
    fn with(
        &self,
        py: Python<'_>,
        request: &FitRequest<'_>,
        work: impl FnOnce(&Fit<'_>, &Sample) -> Result<Model, Error> + Send,
    ) -> PyResult<PyModel> {
        let Some(sample) = &self.sample else {
            return Err(UserError::new("no rows").raise(py));
        };
        let columns = Columns::of_classes(&self.classes);
        request.run(py, &columns, sample.n_rows(), |fit, _| work(fit, sample)).map(PyModel)
    }
}
