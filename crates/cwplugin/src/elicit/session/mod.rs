//! Questions and answers in a file: nothing told is lost, and no answer counts twice.

mod document; // as JSON

use super::model::model;
use super::oracle::check;
use super::{Answer, Elicitation, Elicited};
use crate::data::class_names::check_unique;
use crate::error::Error;
use crate::model::Model;
use crate::rule::Weights;

/// An elicitation that goes on for as long as the answers take: days, and over restarts.
///
/// The document holds the recipe, every question and every answer. What to ask next is worked out from them anew each
/// time, so there is no other state that could be lost.
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

/// Weights to deploy, and what they turned out to be worth.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Query {
    /// Its number: 1 is the first.
    pub id: u64,
    /// The weights to deploy.
    pub weights: Weights,
    /// How often they were asked about before.
    pub repeat: usize,
    /// What they are worth, once that is told.
    pub answer: Option<Answer>,
}

/// Why an answer is not taken, or a text is not a session.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// Nobody asked that.
    #[error("there is no query {id}")]
    UnknownQuery {
        /// The number.
        id: u64,
        /// Those that wait for an answer.
        open: Vec<u64>,
    },
    /// It was answered, and otherwise.
    #[error("query {id} was told {told} before")]
    ToldBefore {
        /// The number.
        id: u64,
        /// What was told.
        told: f64,
    },
    /// The text is not JSON, or a field is missing or of the wrong kind.
    #[error("{reason}")]
    NotASession {
        /// What is wrong with it.
        reason: String,
    },
    /// Classes, weights or numbers break a rule.
    #[error(transparent)]
    Invalid(#[from] Error),
}

impl Session {
    /// Nothing is asked yet.
    ///
    /// # Errors
    ///
    /// If there is not one name per class, or one occurs twice.
    pub fn start(classes: Vec<String>, recipe: Elicitation) -> Result<Self, Error> {
        let (found, expected) = (classes.len(), recipe.n_classes);
        if found != expected {
            return Err(Error::LengthMismatch { what: "class names", found, expected });
        }
        check_unique(&classes)?;
        Ok(Self { classes, recipe, queries: Vec::new() })
    }

    /// Class names, in the order of the weights.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// How the weights are asked for.
    pub fn recipe(&self) -> &Elicitation {
        &self.recipe
    }

    /// Every question so far, with its answer.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Those that wait for an answer.
    pub fn open(&self) -> impl Iterator<Item = &Query> {
        self.queries.iter().filter(|query| query.answer.is_none())
    }

    /// What to deploy next, at most `batch` at once; what was asked before and is not answered yet comes first. Nothing
    /// if nothing is left to ask, or the budget is used up.
    ///
    /// # Errors
    ///
    /// If weights are beyond what a number can hold.
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

    /// Takes an answer; one that was told before changes nothing.
    ///
    /// # Errors
    ///
    /// If nobody asked, if another answer was told before, or if it is not a number.
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

    /// What the answers say so far.
    ///
    /// # Errors
    ///
    /// As for [`Session::ask`].
    pub fn elicited(&self) -> Result<Elicited, Error> {
        Ok(self.replay()?.0)
    }

    /// Goes through the search with the answers at hand; and the questions at which it has to wait.
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

    /// The best weights so far as a model, with a record of how they came about.
    ///
    /// # Errors
    ///
    /// As for [`Session::ask`].
    pub fn model(&self) -> Result<Model, Error> {
        model(&self.classes, &self.recipe, &self.elicited()?)
    }
}
