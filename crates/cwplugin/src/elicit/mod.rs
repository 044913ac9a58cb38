//! A metric that can only be queried: which weights to try next, and what the answers say.

mod oracle; // who can say what weights are worth
mod scale; // places on a line
mod line; // the weight of one class, while all else stays
mod golden; // … to its one peak
mod zoom; // … where there may be several
mod restricted; // one class against the reference at a time: the paper's queries
mod safe; // all classes stay in play
mod model; // the model of elicited weights
mod session; // questions and answers in a file
#[cfg(test)]
mod tests; // what the tests of both searches share

pub use model::ElicitReport;
pub use oracle::{Answer, Oracle};
pub use session::{Query, Session, SessionError};

use serde::{Deserialize, Serialize};

use crate::data::Probabilities;
use crate::error::Error;
use crate::report::Estimate;
use crate::rule::Weights;
use restricted::restricted;
use safe::safe;

/// Which weights may be deployed to learn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The paper's: a query predicts only one class or the reference, and all other weights are 0. Classes are
    /// independent of each other. For an oracle that harms nobody.
    Restricted,
    /// All classes stay in play: a query changes the weight of one of them, not far from the best weights so far.
    Safe,
}

/// The recipe: how the weights are asked for. Everything is a matter of the answers alone, and nothing is drawn.
///
/// ```
/// use cwplugin::{Answer, Elicitation, Error, Mode, Weights};
///
/// // Nobody knows the formula; but weights near 0.2 and 0.8 earn the most.
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

/// What the answers say so far.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Elicited {
    /// The best weights as far as is known: those to deploy.
    pub weights: Weights,
    /// What they are worth, if that was measured; restricted queries do not measure it.
    pub value: Option<Estimate>,
    /// What weights 1 are worth, if that was measured.
    pub clean: Option<Estimate>,
    /// Answers that this rests on.
    pub queries: usize,
    /// One entry per class but the reference, in order of class.
    pub lines: Vec<ElicitedLine>,
    /// Whether nothing is left to ask; else answers are missing, or the budget is used up.
    pub is_done: bool,
}

/// What is known of the weight of one class.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ElicitedLine {
    /// The class.
    pub class: usize,
    /// Its share beside the reference: `w / (w + w_r)`.
    pub alpha: f64,
    /// The best is taken to be between here …
    pub low: f64,
    /// … and here.
    pub high: f64,
    /// The best that was measured for this class.
    pub value: Option<f64>,
    /// Answers about this class.
    pub evaluations: usize,
}

impl Elicitation {
    /// At most so many queries; the last class is the reference.
    ///
    /// # Errors
    ///
    /// If there are fewer than two classes, or the budget is too small to learn anything.
    pub fn new(n_classes: usize, mode: Mode, budget: usize) -> Result<Self, Error> {
        if n_classes < 2 {
            return Err(Error::TooFewClasses { found: n_classes });
        }
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

    /// Keeps this class's weight fixed.
    ///
    /// # Errors
    ///
    /// If there is no such class.
    pub fn reference(self, reference: usize) -> Result<Self, Error> {
        if reference >= self.n_classes {
            return Err(Error::UnknownReference { class: reference, classes: self.n_classes });
        }
        Ok(Self { reference, ..self })
    }

    /// The metric rises to one peak and falls along every line: fewer queries do.
    pub fn quasi_concave(self, quasi_concave: bool) -> Self {
        Self { quasi_concave, ..self }
    }

    /// Measures every place so many times: how far the answers are apart tells how noisy they are. For answers that come
    /// without a standard error.
    pub fn repeats(self, repeats: usize) -> Self {
        Self { repeats: repeats.max(1), ..self }
    }

    /// How far off a place may be in the end: α of restricted queries, the logarithm of a weight in safe ones.
    ///
    /// # Errors
    ///
    /// If it is not a number above 0, and below 0.5.
    pub fn precision(self, precision: f64) -> Result<Self, Error> {
        if !(1e-9..0.5).contains(&precision) {
            return Err(Error::BadPrecision { value: precision });
        }
        Ok(Self { precision, ..self })
    }

    /// What the black box says of some rows: steps are then measured by the rows that they move.
    ///
    /// # Errors
    ///
    /// If the rows are of other classes.
    pub fn population(self, population: Probabilities) -> Result<Self, Error> {
        let (found, expected) = (population.n_classes(), self.n_classes);
        if found != expected {
            return Err(Error::LengthMismatch { what: "classes", found, expected });
        }
        Ok(Self { population: Some(population), ..self })
    }

    /// Asks until nothing is left to ask, the budget is used up, or the oracle does not know yet.
    ///
    /// # Errors
    ///
    /// What the oracle says, or if an answer is not a finite number.
    pub fn run(&self, oracle: &mut dyn Oracle) -> Result<Elicited, Error> {
        match self.mode {
            Mode::Restricted => restricted(self, oracle),
            Mode::Safe => safe(self, oracle),
        }
    }

    /// How many queries it takes, if no two places are worth exactly the same; `None` if it depends on more of the answers.
    pub fn count(&self) -> Option<usize> {
        let is_sure = self.mode == Mode::Restricted && self.quasi_concave && self.repeats == 1;
        let each = golden::evaluations(1.0, 2.0 * self.precision);
        let all = self.others().count() * each;
        (is_sure && self.population.is_none()).then_some(all.min(self.budget))
    }

    /// Which weights are deployed.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The class whose weight is fixed.
    pub fn fixed(&self) -> usize {
        self.reference
    }

    /// How many queries there may be.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Whether the metric is said to have one peak along every line.
    pub fn is_quasi_concave(&self) -> bool {
        self.quasi_concave
    }

    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_classes).filter(|&class| class != self.reference)
    }
}
