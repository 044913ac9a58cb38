//! The words of the language.

use crate::metric::{ClassCounts, f_beta, precision, recall, share};

/// A number that every class has: `tp` is all of them, `tp[spam]` that of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    TruePositives,
    FalsePositives,
    FalseNegatives,
    TrueNegatives,
    Support,
    Predicted,
    Precision,
    Recall,
    F1,
    Specificity,
}

pub(super) const QUANTITIES: [(&str, Quantity); 10] = [
    ("tp", Quantity::TruePositives),
    ("fp", Quantity::FalsePositives),
    ("fn", Quantity::FalseNegatives),
    ("tn", Quantity::TrueNegatives),
    ("support", Quantity::Support),
    ("predicted", Quantity::Predicted),
    ("precision", Quantity::Precision),
    ("recall", Quantity::Recall),
    ("f1", Quantity::F1),
    ("specificity", Quantity::Specificity),
];

impl Quantity {
    /// The numbers of some classes, out of the weight of all rows; added and divided as the metrics with names do it.
    #[inline(always)]
    pub(super) fn of<const L: usize>(self, classes: &[ClassCounts; L], total: f64) -> [f64; L] {
        let mistaken = |class: ClassCounts| class.predicted - class.correct;
        let others = |class: ClassCounts| total - class.truth;
        match self {
            Self::TruePositives => classes.map(|class| class.correct),
            Self::FalsePositives => classes.map(mistaken),
            Self::FalseNegatives => classes.map(|class| class.truth - class.correct),
            Self::TrueNegatives => classes.map(|class| others(class) - mistaken(class)),
            Self::Support => classes.map(|class| class.truth),
            Self::Predicted => classes.map(|class| class.predicted),
            Self::Precision => classes.map(precision),
            Self::Recall => classes.map(recall),
            Self::F1 => classes.map(|class| f_beta(class, 1.0)),
            Self::Specificity => classes.map(|class| share(others(class) - mistaken(class), others(class))),
        }
    }
}

/// What stands in front of parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// Of one number, or of each.
    Each(Unary),
    /// One number out of those of the present classes.
    All(Reduction),
    /// `min` and `max`: a reduction of one argument, the least or greatest of several.
    Extreme(Reduction, Operator),
    /// `if(condition, then, otherwise)`.
    Choice,
}

pub(super) const FUNCTIONS: [(&str, Function); 10] = [
    ("sqrt", Function::Each(Unary::Sqrt)),
    ("log", Function::Each(Unary::Log)),
    ("exp", Function::Each(Unary::Exp)),
    ("abs", Function::Each(Unary::Abs)),
    ("if", Function::Choice),
    ("mean", Function::All(Reduction::Mean)),
    ("sum", Function::All(Reduction::Sum)),
    ("gmean", Function::All(Reduction::GMean)),
    ("min", Function::Extreme(Reduction::Least, Operator::Least)),
    ("max", Function::Extreme(Reduction::Greatest, Operator::Greatest)),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Negate,
    Square,
    Sqrt,
    Log,
    Exp,
    Abs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Least,
    Greatest,
    Below,
    AtMost,
    Above,
    AtLeast,
    Equal,
    Differs,
}

/// How tightly operators bind; a minus sign in front stands between products and powers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Anything,
    Comparison,
    Sum,
    Product,
    Minus,
    Power,
}

pub(super) const OPERATORS: [(&str, Operator, Level); 11] = [
    ("+", Operator::Add, Level::Sum),
    ("-", Operator::Subtract, Level::Sum),
    ("*", Operator::Multiply, Level::Product),
    ("/", Operator::Divide, Level::Product),
    ("^", Operator::Power, Level::Power),
    ("<", Operator::Below, Level::Comparison),
    ("<=", Operator::AtMost, Level::Comparison),
    (">", Operator::Above, Level::Comparison),
    (">=", Operator::AtLeast, Level::Comparison),
    ("==", Operator::Equal, Level::Comparison),
    ("!=", Operator::Differs, Level::Comparison),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reduction {
    Sum,
    Mean,
    GMean,
    Least,
    Greatest,
}

pub(super) fn quantity(name: &str) -> Option<Quantity> {
    QUANTITIES.iter().find(|(known, _)| *known == name).map(|&(_, quantity)| quantity)
}

/// A function with the name under which it lives on.
pub(super) fn function(name: &str) -> Option<(&'static str, Function)> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).copied()
}

/// Every name that means something in a formula: numbers first, then functions.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let numbers = ["C", "n", "m"].into_iter().chain(QUANTITIES.map(|(name, _)| name));
    numbers.chain(FUNCTIONS.map(|(name, _)| name))
}
