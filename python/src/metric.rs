//! What is maximised: a metric by its name, a matrix of costs, or a function of the user's.

use std::sync::Arc;

use cwplugin::metric::{self, CATALOGUE, Cost, LinearFractional};
use cwplugin::{Confusion, Constraint, METHODS, Metric};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::{Columns, Refusal, refuse};
use crate::run::Watch;

/// What a user may call a metric.
#[derive(FromPyObject)]
pub(crate) enum MetricWish<'py> {
    Name(String),
    Costs { costs: PyReadonlyArray2<'py, f64>, name: String },
    Ratio { name: String, a: Vec<f64>, b: f64, c: Vec<f64>, d: f64 },
    Function { name: String, function: Py<PyAny> },
}

/// A metric that stops where the user, or its own function, says so.
pub(crate) struct AnyMetric {
    inner: Box<dyn Metric>,
    watch: Arc<Watch>,
}

impl AnyMetric {
    pub(crate) fn new(
        py: Python<'_>,
        wish: &MetricWish<'_>,
        columns: &Columns,
        classes: &[String],
        watch: &Arc<Watch>,
    ) -> PyResult<Self> {
        let inner: Box<dyn Metric> = match wish {
            MetricWish::Name(name) => metric::by_name(name, classes).map_err(|error| {
                refuse(py, &error, &Columns { classes: classes.to_vec(), ..columns.clone() })
            })?,
            MetricWish::Costs { costs, name } => {
                let costs = costs.as_array().iter().copied().collect();
                let cost = Cost::new(name.as_str(), costs, classes.len());
                Box::new(cost.map_err(|error| refuse(py, &error, columns))?)
            }
            MetricWish::Ratio { name, a, b, c, d } => {
                let ratio = LinearFractional::new(name.as_str(), a.clone(), *b, c.clone(), *d);
                Box::new(ratio.map_err(|error| refuse(py, &error, columns))?)
            }
            MetricWish::Function { name, function } => Box::new(OfUser {
                name: name.clone(),
                function: function.clone_ref(py),
                n_classes: classes.len(),
                watch: Arc::clone(watch),
            }),
        };
        Ok(Self { inner, watch: Arc::clone(watch) })
    }
}

impl Metric for AnyMetric {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn score(&self, confusion: &Confusion) -> f64 {
        self.watch.check();
        self.inner.score(confusion)
    }
    fn formula(&self, classes: &[String]) -> Option<String> {
        self.inner.formula(classes)
    }
    fn is_quasi_concave(&self) -> bool {
        self.inner.is_quasi_concave()
    }
    fn is_monotone(&self) -> bool {
        self.inner.is_monotone()
    }
    fn is_by_class(&self) -> bool {
        self.inner.is_by_class()
    }
    fn is_monotone_by_class(&self) -> bool {
        self.inner.is_monotone_by_class()
    }
    fn is_about(&self, confusion: &Confusion) -> bool {
        self.inner.is_about(confusion)
    }
    fn n_classes(&self) -> Option<usize> {
        self.inner.n_classes()
    }
}

/// A function of the user's. It always sees all classes: while one pair is tuned, the others have no rows.
struct OfUser {
    name: String,
    function: Py<PyAny>,
    n_classes: usize,
    watch: Arc<Watch>,
}

impl OfUser {
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
            let shown = score.bind(py).repr().map_or_else(|_| "something".into(), |text| text.to_string());
            PyTypeError::new_err(format!("metric {} gave {shown}, not a number", self.name))
        })
    }
}

impl Metric for OfUser {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, confusion: &Confusion) -> f64 {
        Python::attach(|py| self.call(py, confusion)).unwrap_or_else(|error| self.watch.fail(error))
    }
}

/// A limit of a metric.
#[derive(FromPyObject)]
pub(crate) enum ConstraintWish<'py> {
    Text(String),
    Parts(MetricWish<'py>, String, f64),
}

pub(crate) fn constraints(
    py: Python<'_>,
    wishes: &[ConstraintWish<'_>],
    columns: &Columns,
    classes: &[String],
    watch: &Arc<Watch>,
) -> PyResult<Vec<Constraint<AnyMetric>>> {
    const CURE: &str = "write a metric, >= or <= and a number: subject_to=[\"precision:fraud>=0.9\"]";
    let no_constraint =
        |text: &str| Refusal::new(format!("subject_to {text}: this is no constraint")).hint(CURE).raise(py);
    let constraint = |wish: &ConstraintWish<'_>| {
        let (metric, bound, limit) = match wish {
            ConstraintWish::Text(text) => {
                let (name, bound, limit) = Constraint::split(text).map_err(|_| no_constraint(text))?;
                (AnyMetric::new(py, &MetricWish::Name(name.into()), columns, classes, watch)?, bound, limit)
            }
            ConstraintWish::Parts(metric, bound, limit) => {
                let (_, bound, _) =
                    Constraint::split(&format!("x{bound}0")).map_err(|_| no_constraint(bound))?;
                (AnyMetric::new(py, metric, columns, classes, watch)?, bound, *limit)
            }
        };
        Constraint::new(metric, bound, limit).map_err(|error| refuse(py, &error, columns))
    };
    wishes.iter().map(constraint).collect()
}

/// Every metric by name, with what it is and its formula.
#[pyfunction]
pub(crate) fn metric_names() -> Vec<(&'static str, &'static str, &'static str)> {
    let found = CATALOGUE.iter().filter(|entry| entry.is_found_by_name());
    found.map(|entry| (entry.name, entry.summary, entry.formula)).collect()
}

/// Every method by name, with what it does.
#[pyfunction]
pub(crate) fn method_names() -> Vec<(&'static str, &'static str)> {
    METHODS.iter().map(|method| (method.name, method.summary)).collect()
}
