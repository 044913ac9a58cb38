//! A metric that is written down: `expr:2*tp[spam]/(2*tp[spam]+fp[spam]+5*fn[spam])`.
//!
//! The text becomes words, the words parts, and the parts a flat list of steps; all that once, before the first
//! evaluation, so that an evaluation only walks the list.

mod problem; // what can be wrong
mod names; // the words of the language
mod lexer; // text into words
mod parser; // words into parts, operands first
mod compile; // one number or one per class; parts into a program
mod arithmetic; // what operators mean, odd cases included
mod program; // steps, and a walk along them
mod json; // … for a walk elsewhere
#[cfg(test)]
mod tests;

use super::Metric;
use crate::error::{Error, FormulaProblem};
use crate::metric::Confusion;
use parser::What;
use problem::Refused;
use program::Program;

/// Characters that a formula may have.
const MOST_CHARACTERS: usize = 4096;
/// How deep parentheses, functions, minus signs and powers may stand inside one another.
const MOST_DEEP: usize = 64;

/// A formula over the confusion matrix.
///
/// ```text
/// C[truth,predicted]                          one cell
/// tp fp fn tn support predicted               weights of one class, tp[spam], or of every class, tp
/// precision recall f1 specificity             rates of one class or of every class
/// n, m                                        weight of all rows, number of classes of the matrix
/// + - * / ^  < <= > >= == !=                  a comparison gives 1 or 0
/// sqrt log exp abs if(condition,then,else)    number by number
/// mean sum gmean min max                      one number out of those of the present classes
/// min max                                     of two or more arguments: number by number
/// name = …;                                   in front: a name for what is used again
/// ```
///
/// Reductions are over the classes with a true or a predicted row. A ratio without a denominator is 0, the root of a
/// negative number is 0, the logarithm of 0 or less is that of the smallest positive normal number; whatever else is
/// not finite makes the score NaN. A class that the matrix is not over has 0 everywhere. An empty matrix scores 0.
///
/// ```
/// use cwplugin::{Confusion, Metric, metric::Formula};
///
/// let classes = ["ham".to_string(), "spam".to_string()];
/// let metric = Formula::new("tp[spam] / (tp[spam] + fp[spam] + 5*fn[spam])", &classes)?;
/// assert_eq!(metric.score(&Confusion::from_rows(&[[5.0, 1.0], [2.0, 4.0]])), 4.0 / 15.0);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Formula {
    name: String,
    program: Program,
    is_by_class: bool,
    /// The classes that it names.
    named: Vec<usize>,
    n_classes: Option<usize>,
}

impl Formula {
    /// The formula behind `expr:`; `classes` are the class names, in the order of the matrix.
    ///
    /// # Errors
    ///
    /// If the formula cannot be read, names what does not exist, gives one number per class, or is too long or too
    /// deep: [`Error::Formula`] with the column.
    pub fn new(formula: &str, classes: &[String]) -> Result<Self, Error> {
        let found = formula.chars().count();
        if found > MOST_CHARACTERS {
            let at = formula.char_indices().nth(MOST_CHARACTERS).map_or(0, |(at, _)| at);
            let problem = FormulaProblem::TooLong { found, most: MOST_CHARACTERS };
            return Err(placed(formula, Refused::at(at, problem)));
        }
        Self::read(formula, classes)
    }

    /// The formula of a metric, if it has one that is not too long a computation; it may have more characters than a user's,
    /// since that of a cost matrix grows with the cells.
    pub fn of_metric(metric: &(impl Metric + ?Sized), classes: &[String]) -> Option<Self> {
        metric.formula(classes).and_then(|formula| Self::read(&formula, classes).ok())
    }

    /// The steps of an evaluation as JSON, for a program that walks along them elsewhere.
    ///
    /// `stages` are done in order, and the value of the last one is the score. A stage does its `steps` once or, if it has a
    /// `reduce`, once for every class with a true or a predicted row, and leaves its value in `slot`. A step is a list: what
    /// to do, and with what; operands are on a stack.
    pub fn to_json(&self) -> serde_json::Value {
        json::of_program(&self.program)
    }

    fn read(formula: &str, classes: &[String]) -> Result<Self, Error> {
        let refuse = |refused| placed(formula, refused);
        let words = lexer::words(formula).map_err(refuse)?;
        let parts = parser::parts(&words, classes).map_err(refuse)?;
        let mut named: Vec<usize> = parts.iter().flat_map(|part| part.what.classes()).collect();
        named.sort_unstable();
        named.dedup();
        let off_diagonal = |what: &What| matches!(what, What::Cell(truth, predicted) if truth != predicted);
        Ok(Self {
            name: format!("expr:{formula}"),
            is_by_class: !parts.iter().any(|part| off_diagonal(&part.what)),
            // Classes are known by their number: with more or fewer of them it would be another class.
            n_classes: (!named.is_empty()).then_some(classes.len()),
            named,
            program: compile::compile(&parts).map_err(refuse)?,
        })
    }

    /// Every name that means something in a formula: numbers first, then functions.
    pub fn names() -> impl Iterator<Item = &'static str> {
        names::all()
    }
}

fn placed(formula: &str, Refused { at, problem }: Refused) -> Error {
    let column = formula.char_indices().take_while(|(before, _)| *before < at).count() + 1;
    Error::Formula { formula: formula.into(), column, problem }
}

impl Metric for Formula {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, c: &Confusion) -> f64 {
        let total = c.total();
        if total > 0.0 {
            self.program.run(c, total) + 0.0 // no minus zero
        } else {
            0.0
        }
    }
    fn formula(&self, _: &[String]) -> Option<String> {
        self.name.strip_prefix("expr:").map(Into::into)
    }
    fn is_by_class(&self) -> bool {
        self.is_by_class
    }
    fn is_about(&self, confusion: &Confusion) -> bool {
        self.named.iter().all(|&class| confusion.position(class).is_some())
    }
    fn n_classes(&self) -> Option<usize> {
        self.n_classes
    }
}
