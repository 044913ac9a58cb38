//! Metrics that can only be queried: queries and answers.

use cwplugin::{Elicitation, Error, Mode, Query, Session, SessionError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{Columns, UserError, choice};
use crate::model::PyModel;
use crate::sample::Rows;

/// A search for weights that waits for answers, over restarts.
#[pyclass(name = "Session", module = "cwplugin._core", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PySession(Session);

/// The attributes of `cwplugin.elicit.SessionRequest`.
#[derive(FromPyObject)]
struct SessionRequest<'py> {
    classes: Vec<String>,
    mode: String,
    budget: usize,
    reference: Option<usize>,
    quasi_concave: bool,
    repeats: usize,
    precision: Option<f64>,
    rows: Option<Rows<'py>>,
}

/// A query: its number, the weights, how often they were queried before, and the answer if there is one.
type QueryFacts = (u64, Vec<f64>, usize, Option<(f64, Option<f64>)>);

fn facts(query: &Query) -> QueryFacts {
    let answer = query.answer.map(|answer| (answer.value, answer.se));
    (query.id, query.weights.as_slice().to_vec(), query.repeat, answer)
}

impl PySession {
    fn error(&self, py: Python<'_>, error: &Error) -> PyErr {
        Columns::of_classes(self.0.classes()).error(py, error)
    }
}

#[pymethods]
impl PySession {
    #[new]
    fn new(py: Python<'_>, request: SessionRequest<'_>) -> PyResult<Self> {
        let classes = request.classes.clone();
        let modes = [Mode::Safe, Mode::Restricted].map(|mode| (mode.name(), mode));
        let mode = choice(py, "mode", &request.mode, &modes)?;
        let population = request.rows.as_ref().map(Rows::sample).transpose()?;
        let build = || {
            let mut elicitation = Elicitation::new(classes.len(), mode, request.budget)?
                .quasi_concave(request.quasi_concave)
                .repeats(request.repeats);
            if let Some(reference) = request.reference {
                elicitation = elicitation.reference(reference)?;
            }
            if let Some(precision) = request.precision {
                elicitation = elicitation.precision(precision)?;
            }
            if let Some(population) = population {
                elicitation = elicitation.population(population.into_probabilities())?;
            }
            Session::start(classes.clone(), elicitation)
        };
        build().map(Self).map_err(|error| Columns::of_classes(&classes).error(py, &error))
    }

    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        Session::from_json(text).map(Self).map_err(|error| {
            UserError::new(format!("not a session: {error}"))
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

    /// Every query so far.
    fn queries(&self) -> Vec<QueryFacts> {
        self.0.queries().iter().map(facts).collect()
    }

    /// What to deploy next.
    fn ask(&mut self, py: Python<'_>, batch: usize) -> PyResult<Vec<QueryFacts>> {
        let queries = py.detach(|| self.0.ask(batch)).map_err(|error| self.error(py, &error))?;
        Ok(queries.iter().map(facts).collect())
    }

    /// Takes an answer.
    fn tell(&mut self, py: Python<'_>, id: u64, value: f64, se: Option<f64>) -> PyResult<()> {
        self.0.tell(id, value, se).map_err(|error| match &error {
            SessionError::UnknownQuery { open, .. } => {
                let open = open.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let hint = if open.is_empty() {
                    "ask() first".into()
                } else {
                    format!("the open queries are {open}")
                };
                UserError::new(error.to_string()).hint(hint).raise(py)
            }
            _ => UserError::new(error.to_string()).raise(py),
        })
    }

    /// Whether nothing is left to ask.
    fn is_done(&self, py: Python<'_>) -> PyResult<bool> {
        py.detach(|| self.0.elicited())
            .map(|elicited| elicited.is_done)
            .map_err(|error| self.error(py, &error))
    }

    /// The best weights so far, as a model.
    fn model(&self, py: Python<'_>) -> PyResult<PyModel> {
        py.detach(|| self.0.model()).map(PyModel).map_err(|error| self.error(py, &error))
    }
}
