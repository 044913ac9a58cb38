//! Counters of cuts that merge across files and machines.

use cwplugin::{Reference, Statistics, Step};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{Columns, UserError};
use crate::fit::FitRequest;
use crate::model::PyModel;
use crate::outcomes::PyOutcomes;
use crate::run::{FEW_ROWS, Monitor, RunOptions, run};
use crate::sample::Rows;

/// What a line search on a grid needs to know about the rows.
#[pyclass(name = "Statistics", module = "cwplugin._core", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyStatistics(Statistics);

#[pymethods]
impl PyStatistics {
    /// Nothing counted yet, for these classes, this reference and so many points of α.
    #[new]
    fn new(py: Python<'_>, classes: Vec<String>, reference: &str, bins: usize) -> PyResult<Self> {
        let columns = Columns::of_classes(&classes);
        let wrong = |error| columns.error(py, &error);
        let reference = match Reference::by_name(reference, &classes).map_err(wrong)? {
            Reference::Class(class) => class,
            Reference::Last => classes.len().saturating_sub(1),
            _ => {
                return Err(UserError::new(format!(
                    "reference \"{reference}\" depends on the rows, which are counted in one pass"
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
            UserError::new(format!("not statistics: {error}"))
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

    /// The classes that may be the reference on the rows counted so far, in the order in which they are tried.
    fn references(&self, py: Python<'_>, reference: &str) -> PyResult<Vec<String>> {
        let classes = self.0.classes();
        let found = Reference::by_name(reference, classes).and_then(|word| self.0.references(word));
        let found = found.map_err(|error| Columns::of_classes(classes).error(py, &error))?;
        Ok(found.into_iter().map(|class| classes[class].clone()).collect())
    }

    /// Counts rows, on so many threads.
    #[pyo3(signature = (rows, jobs=None))]
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>, jobs: Option<usize>) -> PyResult<()> {
        let (sample, _borrow) = rows.in_place()?;
        let options = RunOptions { jobs, is_short: sample.n_rows() < FEW_ROWS, ..RunOptions::default() };
        let added = run(py, options, &Monitor::default(), || self.0.add_rows(&sample))?;
        added.map_err(|error| rows.columns().error(py, &error))
    }

    /// Adds what was counted on other rows.
    fn merge(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        self.0.merge(&other.0).map_err(|error| Columns::of_classes(self.0.classes()).error(py, &error))
    }

    fn clone(&self) -> Self {
        Clone::clone(self)
    }

    /// Fits a model from what was counted.
    fn fit(&self, py: Python<'_>, request: FitRequest<'_>) -> PyResult<PyModel> {
        let columns = Columns::of_classes(self.0.classes());
        request.run(py, &columns, 0, |fit, _| fit.fit_statistics(&self.0)).map(PyModel)
    }
}

/// Fits a model from statistics against each class that may be the reference, and the outcomes of a fit from each.
#[pyfunction]
pub(crate) fn fit_counted(
    py: Python<'_>,
    statistics: Vec<PyRef<'_, PyStatistics>>,
    outcomes: Vec<PyRef<'_, PyOutcomes>>,
    request: FitRequest<'_>,
) -> PyResult<PyModel> {
    let classes = statistics.first().map_or(&[][..], |first| first.0.classes());
    let columns = Columns::of_classes(classes);
    let outcomes = outcomes.iter().map(|one| &one.outcomes);
    let counted: Vec<_> = statistics.iter().map(|one| &one.0).zip(outcomes).collect();
    request.run(py, &columns, 0, |fit, _| fit.fit_counted(&counted)).map(PyModel)
}
