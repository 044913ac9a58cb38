//! Fits a sample, as `cwplugin fit` does.

use std::collections::BTreeMap;
use std::sync::Arc;

use cwplugin::{Error, Fit, LearningCurve, METHODS, Method};
use pyo3::prelude::*;

use crate::errors::Columns;
use crate::metric::{AnyMetric, ConstraintSpec, MetricSpec};
use crate::model::PyModel;
use crate::run::{FEW_ROWS, Monitor, RunOptions, run};
use crate::sample::Rows;

/// The attributes of `cwplugin._request.FitRequest`.
#[derive(FromPyObject)]
pub(crate) struct FitRequest<'py> {
    metric: MetricSpec<'py>,
    method: String,
    options: BTreeMap<String, String>,
    subject_to: Vec<ConstraintSpec<'py>>,
    learning_curve: bool,
    seed: u64,
    jobs: Option<usize>,
    verbose: bool,
}

impl FitRequest<'_> {
    /// Does work with the requested fit, on this number of rows.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        columns: &Columns,
        n_rows: usize,
        work: impl FnOnce(&Fit<'_>, &Monitor) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let monitor = Arc::new(Monitor::default());
        let fit = self.fit(py, columns, &monitor)?;
        let options = RunOptions {
            jobs: self.jobs,
            is_verbose: self.verbose,
            is_short: n_rows < FEW_ROWS && self.is_one_search(),
        };
        run(py, options, &monitor, || work(&fit, &monitor))?.map_err(|error| columns.error(py, &error))
    }

    fn fit(&self, py: Python<'_>, columns: &Columns, monitor: &Arc<Monitor>) -> PyResult<Fit<'static>> {
        let metric = AnyMetric::new(py, &self.metric, columns, monitor)?;
        let constraints = self.subject_to.iter().map(|spec| spec.constraint(py, columns, monitor));
        let fit = Fit::new(metric)
            .method(&self.method)
            .seed(self.seed)
            .constraints(constraints.collect::<PyResult<Vec<_>>>()?);
        Ok(self.options.iter().fold(fit, |fit, (name, value)| fit.option(name, value)))
    }

    /// Whether this is Algorithm 1 once, without calls of Python.
    fn is_one_search(&self) -> bool {
        Method::by_name(&self.method).is_ok_and(|method| method.option("search").is_some())
            && self.subject_to.is_empty()
            && !self.learning_curve
            && !matches!(self.metric, MetricSpec::Function { .. })
    }
}

/// Fits a model.
#[pyfunction]
pub(crate) fn fit(py: Python<'_>, rows: Rows<'_>, request: FitRequest<'_>) -> PyResult<PyModel> {
    let sample = rows.sample()?;
    let with_curve = request.learning_curve;
    let model = request.run(py, &rows.columns(), sample.n_rows(), |fit, monitor| {
        monitor.begin("fitting", 0);
        let model = fit.fit_with_progress(&sample, monitor)?;
        if !with_curve {
            return Ok(model);
        }
        monitor.begin("learning curve", LearningCurve::n_fits(&sample));
        let curve = fit.learning_curve(&model, &sample, |done| monitor.done(done))?;
        Ok(model.with_learning_curve(curve))
    })?;
    Ok(PyModel(model.with_input(rows.input()?)))
}

/// An option of a method: name, placeholder of the value (empty for a switch), default, help.
type OptionFacts = (&'static str, &'static str, &'static str, &'static str);

/// Every method: name, summary and options.
#[pyfunction]
pub(crate) fn methods() -> Vec<(&'static str, &'static str, Vec<OptionFacts>)> {
    let options = |method: &Method| {
        let options = method.options.iter();
        options.map(|option| (option.name, option.value, option.default, option.help)).collect()
    };
    METHODS.iter().map(|method| (method.name, method.summary, options(method))).collect()
}

/// Refuses options that a method does not support, and values that they never have, before any row is read.
#[pyfunction]
pub(crate) fn check_options(py: Python<'_>, method: &str, options: BTreeMap<String, String>) -> PyResult<()> {
    let check = || {
        let method = Method::by_name(method)?;
        options.iter().try_for_each(|(name, value)| match method.option(name) {
            Some(option) => option.check(value),
            None => Err(Error::UnsupportedOption { option: name.clone(), method: method.name.into() }),
        })
    };
    check().map_err(|error| Columns::of_classes(&[]).error(py, &error))
}
