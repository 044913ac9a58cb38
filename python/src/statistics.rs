//! Counters of cuts that merge across files and machines.

use cwplugin::{Model, Plugin, Recipe, Reference, Statistics, Step};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::Arc;

use crate::errors::{Columns, Refusal, refuse};
use crate::fit::{FEW_ROWS, Wish};
use crate::metric::AnyMetric;
use crate::model::PyModel;
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// All that a line search on a grid needs to know of the rows.
#[pyclass(name = "Statistics", module = "cwplugin._core", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyStatistics(Statistics);

fn columns_of(classes: &[String]) -> Columns {
    Columns { classes: classes.to_vec(), label: "label".into(), weight: "weight".into() }
}

#[pymethods]
impl PyStatistics {
    /// Nothing counted yet, for these classes, this fixed class and so many points of α.
    #[new]
    fn new(py: Python<'_>, classes: Vec<String>, reference: &str, bins: usize) -> PyResult<Self> {
        let columns = columns_of(&classes);
        let wrong = |error| refuse(py, &error, &columns);
        let reference = match Reference::by_name(reference, &classes).map_err(wrong)? {
            Reference::Class(class) => class,
            Reference::Last => classes.len().saturating_sub(1),
            _ => {
                return Err(Refusal::new(format!(
                    "reference \"{reference}\" depends on the rows, which are counted one by one"
                ))
                .hint("name a class, or \"last\"")
                .raise(py));
            }
        };
        let step = Step::bins(bins).map_err(wrong)?;
        Statistics::new(classes, reference, step).map(Self).map_err(wrong)
    }

    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        Statistics::from_json(text).map(Self).map_err(|error| {
            Refusal::new(format!("not statistics: {error}"))
                .hint("`Statistics.save` and `cwplugin stats -o FILE` write them")
                .raise(py)
        })
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    #[getter]
    fn classes(&self) -> Vec<String> {
        self.0.classes().to_vec()
    }

    #[getter]
    fn reference(&self) -> String {
        self.0.classes()[self.0.reference()].clone()
    }

    #[getter]
    fn bins(&self) -> usize {
        self.0.step().points()
    }

    #[getter]
    fn n_labelled(&self) -> u64 {
        self.0.n_labelled()
    }

    #[getter]
    fn n_unlabelled(&self) -> u64 {
        self.0.n_unlabelled()
    }

    /// Counts rows.
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>) -> PyResult<()> {
        let sample = rows.sample()?;
        let add = || self.0.add_rows(&sample);
        let added = if sample.n_rows() < FEW_ROWS {
            py.detach(add)
        } else {
            run(py, Means::default(), &Watch::default(), add)?
        };
        added.map_err(|error| refuse(py, &error, &rows.columns()))
    }

    /// Adds what was counted on other rows.
    fn merge(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        self.0.merge(&other.0).map_err(|error| refuse(py, &error, &columns_of(self.0.classes())))
    }

    fn clone(&self) -> Self {
        Clone::clone(self)
    }

    /// Learns one weight per class from what was counted.
    fn fit(&self, py: Python<'_>, wish: Wish<'_>) -> PyResult<PyModel> {
        let classes = self.0.classes().to_vec();
        let columns = columns_of(&classes);
        let method = wish.method(py, &columns)?;
        let Recipe::Plugin(own) = method.recipe else {
            return Err(Refusal::new("statistics hold what Algorithm 1 needs, and nothing else")
                .hint("leave out method, or use method=\"cwplugin\"")
                .raise(py));
        };
        let watch = Arc::new(Watch::default());
        let metric = AnyMetric::new(py, &wish.metric, &columns, &classes, &watch)?;
        let plugin = Plugin::new(&metric).settings(wish.settings(py, own, &columns, &classes)?);
        let plugin = if wish.is_forced() { plugin.allow_any_metric() } else { plugin };
        let fitted = run(py, wish.means(), &watch, || self.0.fit(&plugin))?;
        let fitted = fitted.map_err(|error| refuse(py, &error, &columns))?;
        let model = Model::from_fit(classes, &fitted, method.name, wish.seed);
        Ok(PyModel(model.map_err(|error| refuse(py, &error, &columns))?))
    }
}
