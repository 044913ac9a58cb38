//! Counters of cuts that merge across files and machines.

use cwplugin::{Error, Fitted, Model, Plugin, Recipe, Reference, Statistics, Step};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::Arc;

use crate::errors::{Columns, Refusal, refuse};
use crate::fit::{FEW_ROWS, Wish};
use crate::metric::AnyMetric;
use crate::model::PyModel;
use crate::outcomes::PyOutcomes;
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// All that a line search on a grid needs to know of the rows.
#[pyclass(name = "Statistics", module = "cwplugin._core", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyStatistics(Statistics);

#[pymethods]
impl PyStatistics {
    /// Nothing counted yet, for these classes, this fixed class and so many points of α.
    #[new]
    fn new(py: Python<'_>, classes: Vec<String>, reference: &str, bins: usize) -> PyResult<Self> {
        let columns = Columns::of_classes(&classes);
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

    /// The classes that may stay fixed on the rows counted so far, in the order in which they are tried.
    fn references(&self, py: Python<'_>, reference: &str) -> PyResult<Vec<String>> {
        let classes = self.0.classes();
        let found = Reference::by_name(reference, classes).and_then(|word| self.0.references(word));
        let found = found.map_err(|error| refuse(py, &error, &Columns::of_classes(classes)))?;
        Ok(found.into_iter().map(|class| classes[class].clone()).collect())
    }

    /// Counts rows, on so many threads.
    #[pyo3(signature = (rows, jobs=None))]
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>, jobs: Option<usize>) -> PyResult<()> {
        let sample = rows.sample()?;
        let add = || self.0.add_rows(&sample);
        let added = if sample.n_rows() < FEW_ROWS {
            py.detach(add)
        } else {
            run(py, Means { jobs, is_verbose: false }, &Watch::default(), add)?
        };
        added.map_err(|error| refuse(py, &error, &rows.columns()))
    }

    /// Adds what was counted on other rows.
    fn merge(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        self.0.merge(&other.0).map_err(|error| refuse(py, &error, &Columns::of_classes(self.0.classes())))
    }

    fn clone(&self) -> Self {
        Clone::clone(self)
    }

    /// Learns one weight per class from what was counted.
    fn fit(&self, py: Python<'_>, wish: Wish<'_>) -> PyResult<PyModel> {
        fit_with(py, &wish, &self.0, |plugin| self.0.fit(plugin))
    }
}

/// Learns one weight per class from statistics against each class that may stay fixed, and the outcomes of a fit from
/// each of them.
#[pyfunction]
pub(crate) fn fit_counted(
    py: Python<'_>,
    statistics: Vec<PyRef<'_, PyStatistics>>,
    outcomes: Vec<PyRef<'_, PyOutcomes>>,
    wish: Wish<'_>,
) -> PyResult<PyModel> {
    let Some(first) = statistics.first() else {
        return Err(Refusal::new("no statistics were counted").raise(py));
    };
    let counted: Vec<_> =
        statistics.iter().map(|one| &one.0).zip(outcomes.iter().map(|one| &one.outcomes)).collect();
    fit_with(py, &wish, &first.0, |plugin| plugin.fit_counted(&counted))
}

fn fit_with(
    py: Python<'_>,
    wish: &Wish<'_>,
    statistics: &Statistics,
    fit: impl FnOnce(&Plugin<&AnyMetric>) -> Result<Fitted, Error> + Send,
) -> PyResult<PyModel> {
    let classes = statistics.classes().to_vec();
    let columns = Columns::of_classes(&classes);
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
    let fitted = run(py, wish.means(), &watch, || fit(&plugin))?;
    let fitted = fitted.map_err(|error| refuse(py, &error, &columns))?;
    let model = Model::from_fit(classes, &fitted, method.name, wish.seed);
    Ok(PyModel(model.map_err(|error| refuse(py, &error, &columns))?))
}
