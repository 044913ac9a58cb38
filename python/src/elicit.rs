//! A metric that can only be queried: questions and answers.

use cwplugin::{Elicitation, Error, Mode, Query, Session, SessionError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{Columns, Refusal, refuse};
use crate::model::PyModel;
use crate::sample::Rows;

/// An elicitation that goes on for as long as the answers take.
#[pyclass(name = "Session", module = "cwplugin._core", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PySession(Session);

/// The attributes of `cwplugin.elicit.Recipe`.
#[derive(FromPyObject)]
struct Recipe<'py> {
    classes: Vec<String>,
    mode: String,
    budget: usize,
    reference: Option<usize>,
    quasi_concave: bool,
    repeats: usize,
    precision: Option<f64>,
    rows: Option<Rows<'py>>,
}

/// A question: its number, the weights, how often they were asked about before, and the answer if there is one.
type Asked = (u64, Vec<f64>, usize, Option<(f64, Option<f64>)>);

fn asked(query: &Query) -> Asked {
    let answer = query.answer.map(|answer| (answer.value, answer.se));
    (query.id, query.weights.as_slice().to_vec(), query.repeat, answer)
}

impl PySession {
    fn wrong(&self, py: Python<'_>, error: &Error) -> PyErr {
        wrong(py, error, self.0.classes())
    }
}

fn wrong(py: Python<'_>, error: &Error, classes: &[String]) -> PyErr {
    let columns = Columns::of_classes(classes);
    refuse(py, error, &columns)
}

#[pymethods]
impl PySession {
    #[new]
    fn new(py: Python<'_>, recipe: Recipe<'_>) -> PyResult<Self> {
        let classes = recipe.classes.clone();
        let mode = match &*recipe.mode {
            "restricted" => Mode::Restricted,
            "safe" => Mode::Safe,
            other => {
                return Err(Refusal::new(format!("\"{other}\" is no value of mode"))
                    .hint("write \"safe\" or \"restricted\"")
                    .raise(py));
            }
        };
        let crowd = recipe.rows.as_ref().map(Rows::sample).transpose()?;
        let build = || {
            let mut elicitation = Elicitation::new(classes.len(), mode, recipe.budget)?
                .quasi_concave(recipe.quasi_concave)
                .repeats(recipe.repeats);
            if let Some(reference) = recipe.reference {
                elicitation = elicitation.reference(reference)?;
            }
            if let Some(precision) = recipe.precision {
                elicitation = elicitation.precision(precision)?;
            }
            if let Some(crowd) = crowd {
                elicitation = elicitation.crowd(crowd.into_probabilities())?;
            }
            Session::start(classes.clone(), elicitation)
        };
        build().map(Self).map_err(|error| wrong(py, &error, &classes))
    }

    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        Session::from_json(text).map(Self).map_err(|error| {
            Refusal::new(format!("not a session: {error}"))
                .hint("`Session.save` and `cwplugin elicit start -o FILE` write one")
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
    fn budget(&self) -> usize {
        self.0.recipe().budget()
    }

    /// Every question so far.
    fn queries(&self) -> Vec<Asked> {
        self.0.queries().iter().map(asked).collect()
    }

    /// What to deploy next.
    fn ask(&mut self, py: Python<'_>, batch: usize) -> PyResult<Vec<Asked>> {
        let queries = py.detach(|| self.0.ask(batch)).map_err(|error| self.wrong(py, &error))?;
        Ok(queries.iter().map(asked).collect())
    }

    /// Takes an answer.
    fn tell(&mut self, py: Python<'_>, id: u64, value: f64, se: Option<f64>) -> PyResult<()> {
        self.0.tell(id, value, se).map_err(|error| match &error {
            SessionError::UnknownQuery { open, .. } => {
                let open = open.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let cure = if open.is_empty() {
                    "ask() first".into()
                } else {
                    format!("these wait for an answer: {open}")
                };
                Refusal::new(error.to_string()).hint(cure).raise(py)
            }
            _ => Refusal::new(error.to_string()).raise(py),
        })
    }

    /// Whether nothing is left to ask.
    fn is_done(&self, py: Python<'_>) -> PyResult<bool> {
        py.detach(|| self.0.elicited())
            .map(|elicited| elicited.is_done)
            .map_err(|error| self.wrong(py, &error))
    }

    /// The best weights so far, as a model.
    fn model(&self, py: Python<'_>) -> PyResult<PyModel> {
        py.detach(|| self.0.model()).map(PyModel).map_err(|error| self.wrong(py, &error))
    }
}
