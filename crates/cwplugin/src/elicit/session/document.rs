//! A session as JSON.

use serde::{Deserialize, Serialize};

use super::super::oracle::check;
use super::super::{Answer, Elicitation, Mode};
use super::{Query, Session, SessionError};
use crate::data::Probabilities;
use crate::rule::Weights;
use crate::stable_json::{self, ReadError};

const FORMAT: &str = "cwplugin-session";
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    cwplugin: String,
    classes: Vec<String>,
    mode: Mode,
    reference: String,
    budget: usize,
    quasi_concave: bool,
    repeats: usize,
    precision: f64,
    queries: Vec<QueryRecord>,
    /// Probabilities of unlabelled rows.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    predictions: Vec<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
struct QueryRecord {
    id: u64,
    weights: Vec<f64>,
    #[serde(skip_serializing_if = "is_first", default)]
    repeat: usize,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    se: Option<f64>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_first(repeat: &usize) -> bool {
    *repeat == 0
}

impl Session {
    /// The session as JSON; equal sessions give equal bytes.
    pub fn to_json(&self) -> String {
        let recipe = &self.recipe;
        let record = |query: &Query| QueryRecord {
            id: query.id,
            weights: query.weights.as_slice().to_vec(),
            repeat: query.repeat,
            value: query.answer.map(|answer| answer.value),
            se: query.answer.and_then(|answer| answer.se),
        };
        let rows = |population: &Probabilities| {
            (0..population.n_rows()).map(|row| population.row(row).collect()).collect()
        };
        stable_json::write(&File {
            format: FORMAT.into(),
            version: VERSION,
            cwplugin: env!("CARGO_PKG_VERSION").into(),
            classes: self.classes.clone(),
            mode: recipe.mode,
            reference: self.classes[recipe.reference].clone(),
            budget: recipe.budget,
            quasi_concave: recipe.quasi_concave,
            repeats: recipe.repeats,
            precision: recipe.precision,
            queries: self.queries.iter().map(record).collect(),
            predictions: recipe.population.as_ref().map_or_else(Vec::new, rows),
        })
    }

    /// Parses a session.
    ///
    /// # Errors
    ///
    /// If the text is not a session of a supported version, or has a field twice.
    pub fn from_json(text: &str) -> Result<Self, SessionError> {
        let wrong = |reason: String| SessionError::NotASession { reason };
        let file: File = stable_json::read(text, FORMAT, VERSION).map_err(|error| {
            wrong(match error {
                ReadError::Json(reason) => reason,
                ReadError::Format(found) => format!("field \"format\" is {found}, not \"{FORMAT}\""),
                ReadError::Version(found) => {
                    format!("the file has version {found}; this cwplugin reads version 1")
                }
            })
        })?;
        let reference = file.classes.iter().position(|class| *class == file.reference);
        let reference = reference.ok_or_else(|| wrong(format!("unknown class \"{}\"", file.reference)))?;
        let mut recipe = Elicitation::new(file.classes.len(), file.mode, file.budget)?
            .reference(reference)?
            .quasi_concave(file.quasi_concave)
            .repeats(file.repeats)
            .precision(file.precision)?;
        if !file.predictions.is_empty() {
            let population = Probabilities::new(file.predictions.concat(), file.classes.len())?;
            recipe = recipe.population(population)?;
        }
        let mut session = Self::start(file.classes, recipe)?;
        for record in file.queries {
            let query = Query {
                id: record.id,
                weights: Weights::from_file(record.weights)?,
                repeat: record.repeat,
                answer: record.value.map(|value| Answer { value, se: record.se }),
            };
            if query.weights.n_classes() != session.classes.len()
                || session.queries.len() as u64 + 1 != query.id
            {
                return Err(wrong(format!("unexpected query {}", query.id)));
            }
            query.answer.map_or(Ok(()), check)?;
            session.queries.push(query);
        }
        Ok(session)
    }
}
