//! Metrics written as formulas: `expr:2*tp[spam]/(2*tp[spam]+fp[spam]+5*fn[spam])`.
//!
//! A formula is compiled once: text to tokens, tokens to flat lists of steps. An evaluation only runs the steps.

mod names; // names and operators of the language
mod lexer; // text to tokens
mod parser; // tokens to operands and operators in postfix order
mod compile; // operands and operators to a program
mod arithmetic; // arithmetic of operators and functions
mod program; // the program and its evaluation
mod json; // the program as JSON
#[cfg(test)]
mod tests;

use super::Metric;
use crate::error::{Error, FormulaProblem};
use crate::metric::Confusion;
use program::Program;

/// Maximum number of characters.
const MOST_CHARACTERS: usize = 4096;
/// Maximum nesting of parentheses, functions, minus signs and powers.
const MOST_DEEP: usize = 64;

/// A formula over the confusion matrix.
///
/// ```text
/// C[truth,predicted]                          one cell
/// tp fp fn tn support predicted               weights of one class, tp[spam], or of every class, tp
/// precision recall f1 specificity             rates of one class or of every class
/// n, m                                        weight of all rows, number of classes of the matrix
/// + - * / ^  < <= > >= == !=                  a comparison gives 1 or 0
/// sqrt log exp abs if(condition,then,else)    elementwise
/// mean sum gmean min max                      reductions over the present classes
/// min max                                     elementwise, of two or more arguments
/// name = …;                                   a binding, before the formula
/// ```
///
/// Reductions are over the classes with a true or a predicted row. Division by 0 gives 0, the square root of a negative
/// number is 0, and the logarithm of 0 or less is that of the smallest positive normal number. Any other value that is
/// not finite makes the score NaN. A class that the matrix does not have is 0 everywhere. An empty matrix scores 0.
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
    n_classes: Option<usize>,
}

impl Formula {
    /// Compiles a formula, without `expr:`; `classes` are the class names in matrix order.
    ///
    /// # Errors
    ///
    /// [`Error::Formula`] with the column, if the formula cannot be parsed, uses an unknown name or class, gives one number
    /// per class, or is too long or too deeply nested.
    pub fn new(formula: &str, classes: &[String]) -> Result<Self, Error> {
        let found = formula.chars().count();
        if found > MOST_CHARACTERS {
            let at = formula.char_indices().nth(MOST_CHARACTERS).map_or(0, |(at, _)| at);
            let problem = FormulaProblem::TooLong { found, most: MOST_CHARACTERS };
            return Err(with_column(formula, ParseError::at(at, problem)));
        }
        Self::read(formula, classes)
    }

    /// The formula of a metric; `None` if it has none or needs too many steps. The limit on characters does not apply,
    /// because the formula of a cost matrix grows with the cells.
    pub fn of_metric(metric: &(impl Metric + ?Sized), classes: &[String]) -> Option<Self> {
        metric.formula(classes).and_then(|formula| Self::read(&formula, classes).ok())
    }

    /// The compiled program as JSON, for evaluation outside this library.
    ///
    /// `stages` run in order, and the value of the last one is the score. A stage runs its `steps` once or, if it has a
    /// `reduce`, once for every class with a true or a predicted row, and stores its value in `slot`. A step is a list of an
    /// operation and its arguments; operands are on a stack.
    pub fn to_json(&self) -> serde_json::Value {
        json::of_program(&self.program)
    }

    fn read(formula: &str, classes: &[String]) -> Result<Self, Error> {
        let locate = |error| with_column(formula, error);
        let tokens = lexer::tokens(formula).map_err(locate)?;
        let program = parser::parse(&tokens, classes).map_err(locate)?;
        // Classes are stored as indices, which depend on the number of classes.
        let n_classes = (!program.named.is_empty()).then_some(classes.len());
        Ok(Self { name: format!("expr:{formula}"), program, n_classes })
    }

    /// All built-in names of the formula language: values first, then functions.
    pub fn names() -> impl Iterator<Item = &'static str> {
        names::all()
    }
}

/// A problem and its byte offset.
#[derive(Debug)]
struct ParseError {
    at: usize,
    problem: FormulaProblem,
}

impl ParseError {
    fn at(at: usize, problem: FormulaProblem) -> Self {
        Self { at, problem }
    }
}

fn with_column(formula: &str, ParseError { at, problem }: ParseError) -> Error {
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
            self.program.run(c, total) + 0.0 // avoids -0
        } else {
            0.0
        }
    }
    fn formula(&self, _: &[String]) -> Option<String> {
        self.name.strip_prefix("expr:").map(Into::into)
    }
    fn is_by_class(&self) -> bool {
        self.program.is_by_class
    }
    fn is_about(&self, confusion: &Confusion) -> bool {
        self.program.named.iter().all(|&class| confusion.position(class).is_some())
    }
    fn n_classes(&self) -> Option<usize> {
        self.n_classes
    }
}
