//! Elicitation: maximises a metric that can only be queried.

mod oracle; // queries and their answers
mod scale; // positions on a line
mod line; // line search over the weight of one class
mod golden; // golden section, for one peak
mod zoom; // grid refinement, for several peaks
mod restricted; // one class against the reference, as in the paper
mod safe; // all classes keep a positive weight
mod model; // the model of elicited weights
mod session; // queries and answers in a file
#[cfg(test)]
mod tests; // shared by the tests of both searches

pub use model::ElicitReport;
pub use oracle::{Answer, Oracle};
pub use session::{Query, Session, SessionError};

use serde::{Deserialize, Serialize};

use crate::data::class_names::check_count;
use crate::data::{Probabilities, check_length};
use crate::error::Error;
use crate::report::Estimate;
use crate::rule::Weights;
use restricted::restricted;
use safe::safe;

/// Which weights a query may deploy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// As in the paper: a query predicts only one class or the reference; all other weights are 0. Classes are searched
    /// independently. For an offline oracle.
    Restricted,
    /// All classes keep a positive weight: a query changes one of them, close to the best weights so far.
    Safe,
}

/// The settings of an elicitation. Deterministic: the queries depend only on the answers.
///
/// ```
/// use cwplugin::{Answer, Elicitation, Error, Mode, Weights};
///
/// // The formula is unknown, but weights near 0.2 and 0.8 earn the most.
/// let mut shop = |weights: &Weights, _repeat: usize| -> Result<Option<Answer>, Error> {
///     Ok(Some(Answer::exact(1.0 - (weights.as_slice()[1] - 0.8).abs())))
/// };
/// let elicited = Elicitation::new(2, Mode::Restricted, 40)?.quasi_concave(true).run(&mut shop)?;
/// assert!((elicited.weights.as_slice()[1] - 0.8).abs() < 0.001 && elicited.queries < 20);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Elicitation {
    n_classes: usize,
    mode: Mode,
    budget: usize,
    reference: usize,
    quasi_concave: bool,
    repeats: usize,
    precision: f64,
    population: Option<Probabilities>,
}

/// The result of the answers so far.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Elicited {
    /// The best known weights, to be deployed.
    pub weights: Weights,
    /// Their value, if measured; restricted queries do not measure it.
    pub value: Option<Estimate>,
    /// The value of weights 1, if measured.
    pub clean: Option<Estimate>,
    /// Answers used.
    pub queries: usize,
    /// One entry per class except the reference, in class order.
    pub lines: Vec<ElicitedLine>,
    /// Whether the search is complete; if false, answers are missing or the budget is used up.
    pub is_done: bool,
}

/// The result for the weight of one class.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ElicitedLine {
    /// The class.
    pub class: usize,
    /// `w / (w + w_r)`, with `w_r` the weight of the reference.
    pub alpha: f64,
    /// Lower end of the bracket of the best α.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The best value measured for this class.
    pub value: Option<f64>,
    /// Answers about this class.
    pub evaluations: usize,
}

impl Elicitation {
    /// At most `budget` queries; the last class is the reference.
    ///
    /// # Errors
    ///
    /// If there are fewer than two or too many classes, or the budget is too small.
    pub fn new(n_classes: usize, mode: Mode, budget: usize) -> Result<Self, Error> {
        check_count(n_classes)?;
        let least = match mode {
            Mode::Restricted => 2 * (n_classes - 1),
            Mode::Safe => 1 + 2 * (n_classes - 1), // weights 1, and a step to either side of every class
        };
        if budget < least {
            return Err(Error::BadBudget { budget, least });
        }
        let precision = match mode {
            Mode::Restricted => 0.0005,
            Mode::Safe => 0.01,
        };
        let (reference, quasi_concave, repeats, population) = (n_classes - 1, false, 1, None);
        Ok(Self { n_classes, mode, budget, reference, quasi_concave, repeats, precision, population })
    }

    /// Sets the reference class, whose weight is fixed.
    ///
    /// # Errors
    ///
    /// If the class index is out of range.
    pub fn reference(self, reference: usize) -> Result<Self, Error> {
        if reference >= self.n_classes {
            return Err(Error::UnknownReference { class: reference, classes: self.n_classes });
        }
        Ok(Self { reference, ..self })
    }

    /// Declares that the metric rises to one peak and falls along every line, which needs fewer queries.
    pub fn quasi_concave(self, quasi_concave: bool) -> Self {
        Self { quasi_concave, ..self }
    }

    /// Repeats every query this many times to estimate the noise, for answers without a standard error.
    pub fn repeats(self, repeats: usize) -> Self {
        Self { repeats: repeats.max(1), ..self }
    }

    /// Sets the precision: of α for restricted queries, of the log-weight for safe ones.
    ///
    /// # Errors
    ///
    /// If it is not above 0 and below 0.5.
    pub fn precision(self, precision: f64) -> Result<Self, Error> {
        if !(1e-9..0.5).contains(&precision) {
            return Err(Error::BadPrecision { value: precision });
        }
        Ok(Self { precision, ..self })
    }

    /// Sets probabilities of unlabelled rows: steps are then measured by the number of predictions they change.
    ///
    /// # Errors
    ///
    /// If the number of classes differs.
    pub fn population(self, population: Probabilities) -> Result<Self, Error> {
        check_length("classes", population.n_classes(), self.n_classes)?;
        Ok(Self { population: Some(population), ..self })
    }

    /// Queries until the search is complete, the budget is used up, or an answer is missing.
    ///
    /// # Errors
    ///
    /// Errors of the oracle, or an answer that is not finite.
    pub fn run(&self, oracle: &mut dyn Oracle) -> Result<Elicited, Error> {
        match self.mode {
            Mode::Restricted => restricted(self, oracle),
            Mode::Safe => safe(self, oracle),
        }
    }

    /// The number of queries if no two values are equal; `None` if it depends on the answers.
    pub fn count(&self) -> Option<usize> {
        let is_sure = self.mode == Mode::Restricted && self.quasi_concave && self.repeats == 1;
        let each = golden::evaluations(1.0, 2.0 * self.precision);
        let all = self.others().count() * each;
        (is_sure && self.population.is_none()).then_some(all.min(self.budget))
    }

    /// Which weights queries may deploy.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The reference class.
    pub fn fixed(&self) -> usize {
        self.reference
    }

    /// The maximum number of queries.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Whether the metric is declared to have one peak along every line.
    pub fn is_quasi_concave(&self) -> bool {
        self.quasi_concave
    }

    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_classes).filter(|&class| class != self.reference)
    }
}
