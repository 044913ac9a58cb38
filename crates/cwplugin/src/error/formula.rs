//! Errors in a formula.

/// Why a formula is invalid; [`Error::Formula`](super::Error::Formula) has the column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormulaProblem {
    /// The formula is empty.
    #[error("the formula is empty")]
    Empty,
    /// The formula has too many characters.
    #[error("the formula has {found} characters, more than {most}")]
    TooLong {
        /// Its number of characters.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// Parentheses, functions, minus signs or powers are nested too deeply.
    #[error("nested more than {most} levels deep")]
    TooDeep {
        /// The maximum depth.
        most: usize,
    },
    /// The formula needs too much memory or too many steps.
    #[error("the formula is too large: more than {most} {what}; use fewer definitions and reductions")]
    TooLarge {
        /// What exceeds the limit.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// A syntax error.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// The text found, in quotes, or "the end".
        found: String,
        /// What is allowed there.
        expected: &'static str,
    },
    /// A double quote is not closed.
    #[error("unclosed quote")]
    OpenQuote,
    /// A backslash before a character other than a quote or a backslash.
    #[error(r#"unknown escape; only \" and \\ are supported"#)]
    UnknownEscape,
    /// A number above the largest double.
    #[error("number {text} is too large")]
    NumberTooLarge {
        /// The number as written.
        text: String,
    },
    /// A name that is neither built-in nor bound.
    #[error("unknown name \"{name}\"")]
    UnknownName {
        /// The name.
        name: String,
    },
    /// Parentheses after a name that is not a function.
    #[error("unknown function \"{name}\"")]
    UnknownFunction {
        /// The name.
        name: String,
    },
    /// An unknown class.
    #[error("unknown class {class:?}")]
    UnknownClass {
        /// The class.
        class: String,
    },
    /// Brackets after a name that has no value per class.
    #[error("\"{name}\" cannot be indexed by class")]
    TakesNoClass {
        /// The name before the brackets.
        name: String,
    },
    /// Too few or too many arguments.
    #[error("{function} takes {expected}, found {found}")]
    Arguments {
        /// The function.
        function: &'static str,
        /// The number of arguments it takes.
        expected: &'static str,
        /// The number of arguments given.
        found: usize,
    },
    /// A binding of a built-in name.
    #[error("\"{name}\" is a built-in name and cannot be redefined")]
    BindsBuiltIn {
        /// The name.
        name: String,
    },
    /// A second binding of the same name.
    #[error("\"{name}\" is defined twice")]
    BoundTwice {
        /// The name.
        name: String,
    },
    /// A chained comparison such as `a < b < c`.
    #[error("comparisons cannot be chained; use parentheses")]
    ChainedComparison,
    /// The formula gives one number per class instead of a scalar.
    #[error(
        "this is one number per class, but a score is one number; write mean(…), min(…) or another reduction"
    )]
    NotAScalar,
}
