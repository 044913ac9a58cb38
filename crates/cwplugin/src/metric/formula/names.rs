//! Names and operators of the formula language.

use serde::Serialize;

use crate::metric::{ClassCounts, f_beta, precision, recall, share};

/// A value per class: `tp` for all classes, `tp[spam]` for one.
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
    /// The values of some classes; `total` is the weight of all rows. Computed as in the named metrics, to the same bits.
    #[inline(always)]
    pub(super) fn of<const L: usize>(self, classes: &[ClassCounts; L], total: f64) -> [f64; L] {
        let false_positives = |class: ClassCounts| class.predicted - class.correct;
        let negatives = |class: ClassCounts| total - class.truth;
        match self {
            Self::TruePositives => classes.map(|class| class.correct),
            Self::FalsePositives => classes.map(false_positives),
            Self::FalseNegatives => classes.map(|class| class.truth - class.correct),
            Self::TrueNegatives => classes.map(|class| negatives(class) - false_positives(class)),
            Self::Support => classes.map(|class| class.truth),
            Self::Predicted => classes.map(|class| class.predicted),
            Self::Precision => classes.map(precision),
            Self::Recall => classes.map(recall),
            Self::F1 => classes.map(|class| f_beta(class, 1.0)),
            Self::Specificity => {
                classes.map(|class| share(negatives(class) - false_positives(class), negatives(class)))
            }
        }
    }
}

/// A function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// Elementwise.
    Each(Unary),
    /// A reduction over the present classes.
    All(Reduction),
    /// `min` and `max`: a reduction of one argument, elementwise for several.
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
    ("min", Function::Extreme(Reduction::Min, Operator::Least)),
    ("max", Function::Extreme(Reduction::Max, Operator::Greatest)),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
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

/// Precedence; unary minus binds tighter than products and looser than powers.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Reduction {
    Sum,
    Mean,
    GMean,
    Min,
    Max,
}

pub(super) fn quantity(name: &str) -> Option<Quantity> {
    QUANTITIES.iter().find(|(known, _)| *known == name).map(|&(_, quantity)| quantity)
}

/// A function and its static name.
pub(super) fn function(name: &str) -> Option<(&'static str, Function)> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).copied()
}

/// All built-in names: values first, then functions.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let numbers = ["C", "n", "m"].into_iter().chain(QUANTITIES.map(|(name, _)| name));
    numbers.chain(FUNCTIONS.map(|(name, _)| name))
}
