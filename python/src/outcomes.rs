//! Predictions before and after, counted in many places and merged.

use cwplugin::{Outcomes, Rule};
use pyo3::prelude::*;
use pyo3::types::PyType;
use serde_json::{Value, json};

use crate::errors::{Columns, Refusal, refuse};
use crate::evaluate::{Asked, evaluation};
use crate::fit::FEW_ROWS;
use crate::model::PyModel;
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// Labelled rows by truth, clean prediction and fitted prediction.
#[pyclass(name = "Outcomes", module = "cwplugin._core", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyOutcomes {
    classes: Vec<String>,
    /// Of what is read back nothing is predicted.
    rule: Option<Rule>,
    pub(crate) outcomes: Outcomes,
    pub(crate) unlabelled: u64,
}

impl PyOutcomes {
    fn columns(&self) -> Columns {
        Columns::of_classes(&self.classes)
    }
}

#[pymethods]
impl PyOutcomes {
    /// Nothing counted yet; without a model the black box is counted alone.
    #[new]
    fn new(py: Python<'_>, classes: Vec<String>, model: Option<&PyModel>) -> PyResult<Self> {
        let outcomes = Outcomes::new(classes.len());
        let rule = match model {
            Some(model) => Ok(model.0.rule().clone()),
            None => Rule::clean(classes.len()),
        };
        let counter = Self { classes, rule: None, outcomes, unlabelled: 0 };
        let rule = rule.map_err(|error| refuse(py, &error, &counter.columns()))?;
        Ok(Self { rule: Some(rule), ..counter })
    }

    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        let wrong = |reason: String| Refusal::new(format!("not counted outcomes: {reason}")).raise(py);
        let (classes, unlabelled, document): (_, _, String) =
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let outcomes = Outcomes::from_json(&document).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { classes, rule: None, outcomes, unlabelled })
    }

    fn to_json(&self) -> String {
        let document: Value = json!([self.classes, self.unlabelled, self.outcomes.to_json()]);
        document.to_string()
    }

    #[getter]
    fn n_rows(&self) -> u64 {
        self.outcomes.n_rows()
    }

    #[getter]
    fn n_unlabelled(&self) -> u64 {
        self.unlabelled
    }

    /// Counts rows, on so many threads.
    #[pyo3(signature = (rows, jobs=None))]
    fn add(&mut self, py: Python<'_>, rows: Rows<'_>, jobs: Option<usize>) -> PyResult<()> {
        let Some(rule) = &self.rule else {
            return Err(Refusal::new("outcomes that were read back know no model to count with").raise(py));
        };
        let sample = rows.sample()?;
        let outcomes = &mut self.outcomes;
        let add = || outcomes.add_sample(&sample, rule);
        let added = if sample.n_rows() < FEW_ROWS && rule.calibration().is_none() {
            py.detach(add)
        } else {
            run(py, Means { jobs, is_verbose: false }, &Watch::default(), add)?
        };
        added.map_err(|error| refuse(py, &error, &rows.columns()))?;
        self.unlabelled += sample.n_unlabelled();
        Ok(())
    }

    /// Adds what was counted of other rows.
    fn merge(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        self.outcomes.merge(&other.outcomes).map_err(|error| refuse(py, &error, &self.columns()))?;
        self.unlabelled += other.unlabelled;
        Ok(())
    }

    /// Every metric on what was counted, with intervals, as a JSON document; `label` is what the column is called.
    fn evaluate(
        &self,
        py: Python<'_>,
        model: Option<&PyModel>,
        asked: Asked<'_>,
        label: String,
    ) -> PyResult<String> {
        let columns = Columns { label, ..self.columns() };
        let count = || Ok((self.outcomes.clone(), self.unlabelled));
        evaluation(py, &columns, &self.classes, model, asked, count)
    }
}
