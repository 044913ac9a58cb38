//! Metrics before and after: predictions counted, in one place or in many, and evaluated.

use std::sync::Arc;

use cwplugin::data::Overlap;
use cwplugin::{Evaluation, Outcomes, Rule};
use pyo3::prelude::*;
use pyo3::types::PyType;
use serde_json::{Value, json};

use crate::errors::{Columns, UserError};
use crate::metric::{AnyMetric, MetricSpec};
use crate::model::PyModel;
use crate::run::{FEW_ROWS, Monitor, RunOptions, run};
use crate::sample::Rows;

/// The attributes of `cwplugin._evaluate.EvaluationRequest`.
#[derive(FromPyObject)]
pub(crate) struct EvaluationRequest<'py> {
    metrics: Vec<MetricSpec<'py>>,
    resamples: usize,
    seed: u64,
    jobs: Option<usize>,
    verbose: bool,
}

/// Labelled rows by truth, unadjusted prediction and fitted prediction.
#[pyclass(name = "Outcomes", module = "cwplugin._core", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyOutcomes {
    classes: Vec<String>,
    /// `None` for outcomes from a document, to which only other outcomes can be added.
    rule: Option<Rule>,
    pub(crate) outcomes: Outcomes,
    pub(crate) unlabelled: u64,
    /// Counts the rows that the model was fitted on, if it knows them.
    overlap: Option<Overlap>,
}

impl PyOutcomes {
    fn columns(&self) -> Columns {
        Columns::of_classes(&self.classes)
    }
}

#[pymethods]
impl PyOutcomes {
    /// Nothing counted yet; without a model only the unadjusted black box is counted.
    #[new]
    fn new(py: Python<'_>, classes: Vec<String>, model: Option<&PyModel>) -> PyResult<Self> {
        let outcomes = Outcomes::new(classes.len());
        let rule = match model {
            Some(model) => Ok(model.0.rule().clone()),
            None => Rule::clean(classes.len()),
        };
        let rule = rule.map_err(|error| Columns::of_classes(&classes).error(py, &error))?;
        let overlap = model.and_then(|model| model.0.overlap());
        Ok(Self { classes, rule: Some(rule), outcomes, unlabelled: 0, overlap })
    }

    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        let wrong = |reason: String| UserError::new(format!("invalid outcomes: {reason}")).raise(py);
        let (classes, unlabelled, document): (_, _, String) =
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let outcomes = Outcomes::from_json(&document).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { classes, rule: None, outcomes, unlabelled, overlap: None })
    }

    fn to_json(&self) -> String {
        let document: Value = json!([self.classes, self.unlabelled, self.outcomes.to_json()]);
        document.to_string()
    }

    /// Counts rows, on so many threads.
    #[pyo3(signature = (rows, jobs=None))]
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>, jobs: Option<usize>) -> PyResult<()> {
        let Some(rule) = &self.rule else {
            return Err(UserError::new("outcomes read from JSON have no model to count with").raise(py));
        };
        let (sample, _borrow) = rows.in_place()?;
        let outcomes = &mut self.outcomes;
        let is_short = sample.n_rows() < FEW_ROWS && rule.calibration().is_none();
        let options = RunOptions { jobs, is_short, ..RunOptions::default() };
        run(py, options, &Monitor::default(), || outcomes.add_sample(&sample, rule))?
            .map_err(|error| rows.columns().error(py, &error))?;
        self.unlabelled += sample.n_unlabelled();
        if let Some(overlap) = &mut self.overlap {
            overlap.add(&sample);
        }
        Ok(())
    }

    /// Adds what was counted on other rows.
    fn merge(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        self.outcomes.merge(&other.outcomes).map_err(|error| self.columns().error(py, &error))?;
        self.unlabelled += other.unlabelled;
        // Outcomes of other machines come without it: then it is unknown.
        match (&mut self.overlap, &other.overlap) {
            (Some(overlap), Some(other)) => overlap.merge(other),
            (overlap, _) => *overlap = None,
        }
        Ok(())
    }

    /// Every metric on what was counted, with intervals, as a JSON document; `label` is the name of the column.
    fn evaluate(
        &self,
        py: Python<'_>,
        model: Option<&PyModel>,
        request: EvaluationRequest<'_>,
        label: String,
    ) -> PyResult<String> {
        let EvaluationRequest { metrics, resamples, seed, jobs, verbose } = request;
        let columns = Columns { label, ..self.columns() };
        let monitor = Arc::new(Monitor::default());
        let metrics = AnyMetric::all(py, &metrics, &columns, &monitor)?;
        let constraints = model.map(|model| model.0.constraints());
        let options = RunOptions { jobs, is_verbose: verbose, ..RunOptions::default() };
        let evaluation = run(py, options, &monitor, || {
            monitor.begin("evaluating", 0);
            Evaluation::new(
                self.classes.clone(),
                self.outcomes.clone(),
                self.unlabelled,
                &metrics,
                constraints.as_deref(),
                (resamples, seed),
            )
        })?;
        let evaluation = evaluation.map_err(|error| columns.error(py, &error))?;
        Ok(evaluation.with_overlap(self.overlap.as_ref()).to_json().to_string())
    }
}
