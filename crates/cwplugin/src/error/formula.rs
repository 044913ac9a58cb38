//! What can be wrong with a formula.

/// Why a formula was refused; [`Error::Formula`](super::Error::Formula) says at which column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormulaProblem {
    /// There is nothing to compute.
    #[error("the formula is empty")]
    Empty,
    /// More text than anybody reads.
    #[error("the formula has {found} characters, more than {most}")]
    TooLong {
        /// Its number of characters.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Parentheses, functions, minus signs or powers inside one another.
    #[error("nested more than {most} deep")]
    TooDeep {
        /// How deep it may be.
        most: usize,
    },
    /// More to keep, or to do, than one evaluation has room for.
    #[error("too much at once: {what} are more than {most}; use fewer bindings and reductions")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// Something else should stand here.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What stands there, in quotes, or "the end".
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// A double quote without its partner.
    #[error("the quote is never closed")]
    OpenQuote,
    /// A backslash in front of something that needs none.
    #[error(r#"unknown escape; only \" and \\ are known"#)]
    UnknownEscape,
    /// A number beyond the largest double.
    #[error("{text} is too large a number")]
    NumberTooLarge {
        /// The number as written.
        text: String,
    },
    /// A name that is neither built in nor bound.
    #[error("there is nothing called \"{name}\"")]
    UnknownName {
        /// The name.
        name: String,
    },
    /// Parentheses behind something that is no function.
    #[error("there is no function \"{name}\"")]
    UnknownFunction {
        /// The name.
        name: String,
    },
    /// A class that does not exist.
    #[error("there is no class {class:?}")]
    UnknownClass {
        /// The class.
        class: String,
    },
    /// Brackets behind something that is not about classes.
    #[error("\"{name}\" takes no class")]
    TakesNoClass {
        /// The name in front of the brackets.
        name: String,
    },
    /// Too few or too many arguments.
    #[error("{function} takes {expected}, found {found}")]
    Arguments {
        /// The function.
        function: &'static str,
        /// How many it takes.
        expected: &'static str,
        /// How many there are.
        found: usize,
    },
    /// A binding of a name that means something already.
    #[error("\"{name}\" is a name of the language and cannot be bound")]
    BindsBuiltIn {
        /// The name.
        name: String,
    },
    /// A second binding of one name.
    #[error("\"{name}\" is bound twice")]
    BoundTwice {
        /// The name.
        name: String,
    },
    /// `a < b < c` means nothing useful.
    #[error("comparisons cannot be chained; use parentheses")]
    ChainedComparison,
    /// One number per class where the score should be one number.
    #[error(
        "this is one number per class, but a score is one number; write mean(…), min(…) or another reduction"
    )]
    NotAScalar,
}
