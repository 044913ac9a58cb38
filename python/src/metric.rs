//! What is maximised: a metric by its name, costs, a ratio, or a Python function.

use std::sync::Arc;

use cwplugin::metric::{self, CATALOGUE, Cost, LinearFractional};
use cwplugin::{Confusion, Constraint, Metric};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::Columns;
use crate::run::Monitor;

/// A metric as Python names it.
#[derive(FromPyObject)]
pub(crate) enum MetricSpec<'py> {
    Name(String),
    Costs { costs: PyReadonlyArray2<'py, f64>, name: String },
    Ratio { name: String, a: Vec<f64>, b: f64, c: Vec<f64>, d: f64 },
    Function { name: String, function: Py<PyAny> },
}

/// A metric that ends the work when it was interrupted, or when its function fails.
pub(crate) struct AnyMetric {
    inner: Box<dyn Metric>,
    monitor: Arc<Monitor>,
}

impl AnyMetric {
    pub(crate) fn new(
        py: Python<'_>,
        spec: &MetricSpec<'_>,
        columns: &Columns,
        monitor: &Arc<Monitor>,
    ) -> PyResult<Self> {
        let inner: Result<Box<dyn Metric>, cwplugin::Error> = match spec {
            MetricSpec::Name(name) => metric::by_name(name, &columns.classes),
            MetricSpec::Costs { costs, name } => {
                let costs = costs.as_array().iter().copied().collect();
                Cost::new(name.as_str(), costs, columns.classes.len()).map(|cost| Box::new(cost) as _)
            }
            MetricSpec::Ratio { name, a, b, c, d } => {
                let ratio = LinearFractional::new(name.as_str(), a.clone(), *b, c.clone(), *d);
                ratio.map(|ratio| Box::new(ratio) as _)
            }
            MetricSpec::Function { name, function } => Ok(Box::new(PythonMetric {
                name: name.clone(),
                function: function.clone_ref(py),
                n_classes: columns.classes.len(),
                monitor: Arc::clone(monitor),
            })),
        };
        let inner = inner.map_err(|error| columns.error(py, &error))?;
        Ok(Self::interruptible(inner, monitor))
    }

    pub(crate) fn interruptible(inner: Box<dyn Metric>, monitor: &Arc<Monitor>) -> Self {
        Self { inner, monitor: Arc::clone(monitor) }
    }

    /// All of several.
    pub(crate) fn all(
        py: Python<'_>,
        specs: &[MetricSpec<'_>],
        columns: &Columns,
        monitor: &Arc<Monitor>,
    ) -> PyResult<Vec<Self>> {
        specs.iter().map(|spec| Self::new(py, spec, columns, monitor)).collect()
    }
}

impl Metric for AnyMetric {
    fn score(&self, confusion: &Confusion) -> f64 {
        self.monitor.check();
        self.inner.score(confusion)
    }
    cwplugin::forward_metric!(self => self.inner);
}

/// A Python function. It always sees all classes: while one pair is tuned, the others have no rows.
struct PythonMetric {
    name: String,
    function: Py<PyAny>,
    n_classes: usize,
    monitor: Arc<Monitor>,
}

impl PythonMetric {
    fn call(&self, py: Python<'_>, confusion: &Confusion) -> PyResult<f64> {
        let m = self.n_classes;
        let mut cells = vec![vec![0.0; m]; m];
        for (&truth, row) in confusion.classes().iter().zip(confusion.rows()) {
            for (&predicted, &weight) in confusion.classes().iter().zip(row) {
                cells[truth][predicted] = weight;
            }
        }
        let score = self.function.call1(py, (PyArray2::from_vec2(py, &cells)?,))?;
        score.extract(py).map_err(|_| {
            let shown = score.bind(py).repr().map_or_else(|_| "an object".into(), |text| text.to_string());
            PyTypeError::new_err(format!("metric {} returned {shown}, not a number", self.name))
        })
    }
}

impl Metric for PythonMetric {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, confusion: &Confusion) -> f64 {
        Python::attach(|py| self.call(py, confusion)).unwrap_or_else(|error| self.monitor.fail(error))
    }
}

/// A constraint as Python writes it.
#[derive(FromPyObject)]
pub(crate) enum ConstraintSpec<'py> {
    Text(String),
    Parts(MetricSpec<'py>, String, f64),
}

impl ConstraintSpec<'_> {
    pub(crate) fn constraint(
        &self,
        py: Python<'_>,
        columns: &Columns,
        monitor: &Arc<Monitor>,
    ) -> PyResult<Constraint> {
        let wrong = |error| columns.error(py, &error);
        let named;
        let (spec, bound, limit) = match self {
            Self::Text(text) => {
                let (name, bound, limit) = Constraint::split(text).map_err(wrong)?;
                named = MetricSpec::Name(name.into());
                (&named, bound, limit)
            }
            Self::Parts(metric, sign, limit) => {
                let (_, bound, _) = Constraint::split(&format!("metric{sign}0")).map_err(wrong)?;
                (metric, bound, *limit)
            }
        };
        Constraint::new(AnyMetric::new(py, spec, columns, monitor)?, bound, limit).map_err(wrong)
    }
}

/// Every metric by name.
#[pyfunction]
pub(crate) fn metric_names() -> Vec<&'static str> {
    CATALOGUE.iter().filter(|entry| entry.is_found_by_name()).map(|entry| entry.name).collect()
}
