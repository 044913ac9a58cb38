//! Queries and answers in a file.

mod document; // the JSON document

use super::model::model;
use super::oracle::check;
use super::{Answer, Elicitation, Elicited};
use crate::data::check_length;
use crate::data::class_names::check_unique;
use crate::error::Error;
use crate::model::Model;
use crate::rule::Weights;

/// An elicitation that may take days and survives restarts.
///
/// The document contains the settings, every query and every answer. The next queries are recomputed from them each time;
/// there is no other state.
///
/// ```
/// use cwplugin::{Elicitation, Mode, Session};
///
/// let recipe = Elicitation::new(2, Mode::Restricted, 40)?.quasi_concave(true);
/// let mut session = Session::start(vec!["ham".into(), "spam".into()], recipe)?;
/// while let Some(query) = session.ask(1)?.first().cloned() {
///     let earned = -(query.weights.as_slice()[0] - 0.3).abs();
///     session.tell(query.id, earned, None).unwrap();
///     session = Session::from_json(&session.to_json()).unwrap(); // as after a crash
/// }
/// let weights = session.elicited()?.weights;
/// assert!((weights.as_slice()[0] - 0.3).abs() < 0.001);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    classes: Vec<String>,
    recipe: Elicitation,
    queries: Vec<Query>,
}

/// Weights to deploy, and their measured value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Query {
    /// The number of the query, from 1.
    pub id: u64,
    /// The weights to deploy.
    pub weights: Weights,
    /// Earlier queries of the same weights.
    pub repeat: usize,
    /// The measured value, once known.
    pub answer: Option<Answer>,
}

/// Why an answer is rejected, or a text is not a session.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// There is no such query.
    #[error("unknown query {id}")]
    UnknownQuery {
        /// The number of the query.
        id: u64,
        /// The open queries.
        open: Vec<u64>,
    },
    /// The query already has a different answer.
    #[error("query {id} was already answered with {told}")]
    ToldBefore {
        /// The number of the query.
        id: u64,
        /// The earlier answer.
        told: f64,
    },
    /// The text is not JSON, or a field is missing or of the wrong type.
    #[error("{reason}")]
    NotASession {
        /// What is wrong with it.
        reason: String,
    },
    /// Classes, weights or numbers are invalid.
    #[error(transparent)]
    Invalid(#[from] Error),
}

impl Session {
    /// A session without queries.
    ///
    /// # Errors
    ///
    /// If there is not one name per class, or one occurs twice.
    pub fn start(classes: Vec<String>, recipe: Elicitation) -> Result<Self, Error> {
        check_length("class names", classes.len(), recipe.n_classes)?;
        check_unique(&classes)?;
        Ok(Self { classes, recipe, queries: Vec::new() })
    }

    /// Class names, in the order of the weights.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The settings.
    pub fn recipe(&self) -> &Elicitation {
        &self.recipe
    }

    /// All queries, with their answers.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// The queries without an answer.
    pub fn open(&self) -> impl Iterator<Item = &Query> {
        self.queries.iter().filter(|query| query.answer.is_none())
    }

    /// The next weights to deploy, at most `batch`; open queries come first. Empty if the search is complete or the budget is
    /// used up.
    ///
    /// # Errors
    ///
    /// If weights overflow.
    pub fn ask(&mut self, batch: usize) -> Result<Vec<Query>, Error> {
        if self.open().count() < batch {
            let (_, wanted) = self.replay()?;
            for (weights, repeat) in wanted {
                let is_same = |query: &Query| query.weights == weights && query.repeat == repeat;
                if self.open().count() < batch
                    && self.queries.len() < self.recipe.budget
                    && !self.queries.iter().any(is_same)
                {
                    let id = self.queries.len() as u64 + 1;
                    self.queries.push(Query { id, weights, repeat, answer: None });
                }
            }
        }
        Ok(self.open().take(batch).cloned().collect())
    }

    /// Records an answer; repeating the same answer has no effect.
    ///
    /// # Errors
    ///
    /// If there is no such query, it has a different answer, or the value is not finite.
    pub fn tell(&mut self, id: u64, value: f64, se: Option<f64>) -> Result<(), SessionError> {
        let answer = Answer { value, se };
        check(answer)?;
        let open = self.open().map(|query| query.id).collect();
        let query = self
            .queries
            .iter_mut()
            .find(|query| query.id == id)
            .ok_or(SessionError::UnknownQuery { id, open })?;
        match query.answer {
            None => query.answer = Some(answer),
            Some(told) if told == answer => (),
            Some(told) => return Err(SessionError::ToldBefore { id, told: told.value }),
        }
        Ok(())
    }

    /// The result of the answers so far.
    ///
    /// # Errors
    ///
    /// As for [`Session::ask`].
    pub fn elicited(&self) -> Result<Elicited, Error> {
        Ok(self.replay()?.0)
    }

    /// Replays the search with the known answers; returns the result and the queries it waits for.
    fn replay(&self) -> Result<(Elicited, Vec<(Weights, usize)>), Error> {
        let mut wanted = Vec::new();
        let mut told = |weights: &Weights, repeat: usize| -> Result<Option<Answer>, Error> {
            let asked = self.queries.iter().find(|query| query.repeat == repeat && query.weights == *weights);
            let answer = asked.and_then(|query| query.answer);
            if answer.is_none() {
                wanted.push((weights.clone(), repeat));
            }
            Ok(answer)
        };
        let elicited = self.recipe.run(&mut told)?;
        Ok((elicited, wanted))
    }

    /// The best weights so far as a model, with a report.
    ///
    /// # Errors
    ///
    /// As for [`Session::ask`].
    pub fn model(&self) -> Result<Model, Error> {
        model(&self.classes, &self.recipe, &self.elicited()?)
    }
}
