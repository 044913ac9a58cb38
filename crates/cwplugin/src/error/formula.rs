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
    #[error("nested more than {most} deep")]
    TooDeep {
        /// The maximum depth.
        most: usize,
    },
    /// The formula needs too much memory or too many steps.
    #[error("too much at once: {what} are more than {most}; use fewer bindings and reductions")]
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
    #[error("the quote is never closed")]
    OpenQuote,
    /// A backslash before a character other than a quote or a backslash.
    #[error(r#"unknown escape; only \" and \\ are known"#)]
    UnknownEscape,
    /// A number above the largest double.
    #[error("{text} is too large a number")]
    NumberTooLarge {
        /// The number as written.
        text: String,
    },
    /// A name that is neither built-in nor bound.
    #[error("there is nothing called \"{name}\"")]
    UnknownName {
        /// The name.
        name: String,
    },
    /// Parentheses after a name that is not a function.
    #[error("there is no function \"{name}\"")]
    UnknownFunction {
        /// The name.
        name: String,
    },
    /// An unknown class.
    #[error("there is no class {class:?}")]
    UnknownClass {
        /// The class.
        class: String,
    },
    /// Brackets after a name that has no value per class.
    #[error("\"{name}\" takes no class")]
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
    #[error("\"{name}\" is a name of the language and cannot be bound")]
    BindsBuiltIn {
        /// The name.
        name: String,
    },
    /// A second binding of the same name.
    #[error("\"{name}\" is bound twice")]
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
