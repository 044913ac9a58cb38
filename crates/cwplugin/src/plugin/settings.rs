//! The settings of Algorithm 1.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::plugin::{Reference, Search, Step, Ties};

/// The settings of Algorithm 1, independent of the metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The reference class.
    pub reference: Reference,
    /// The search over α.
    pub search: Search,
    /// Which α to take among equally good ones.
    pub ties: Ties,
    /// What to do with a class without labelled rows.
    pub absent: Absent,
}

impl Settings {
    /// The default: exact search, the largest class as reference, the middle of the widest best interval.
    pub const EXACT: Self = Self {
        reference: Reference::Largest,
        search: Search::Exact,
        ties: Ties::Middle,
        absent: Absent::Keep,
    };

    /// As in the paper: a grid of step 0.01, the last class as reference, the first of ties, absent classes dropped.
    pub const PUBLISHED: Self = Self {
        reference: Reference::Last,
        search: Search::Grid(Step::HUNDREDTH),
        ties: Ties::First,
        absent: Absent::Drop,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::EXACT
    }
}

/// What to do with a class that has no labelled rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Absent {
    /// Weight 1: there is no evidence, so the black box stays unadjusted.
    #[default]
    Keep,
    /// Weight 0, the literal reading of the paper: the class is never predicted.
    Drop,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Keep { "keep" } else { "drop" })
    }
}

impl FromStr for Absent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            _ => Err(Error::UnknownOption { option: "absent", value: text.into() }),
        }
    }
}
