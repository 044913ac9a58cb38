//! How raw input became the probabilities of a fit.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::data::Scores;

/// How raw input became the probabilities that a model was fitted on, so that nobody has to repeat it when predicting.
///
/// The library does not read raw input: the program and the Python package store and apply these options. A table of
/// probabilities has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct InputOptions {
    /// The source of the replies, such as `openai`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Spellings of a class in the replies, if they differ from its name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub spellings: BTreeMap<String, Vec<String>>,
    /// Where the reply is in a line, such as `response.body`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// The field of a JSON answer that holds the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_at: Option<String>,
    /// What a class gets that a row does not list: `spread`, `floor:X` or `refuse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The scale of the numbers, if they are not probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
    /// Rows are divided by their sum.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub normalize: bool,
    /// One column has the probability of this class, the second of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positive: Option<String>,
    /// The decimal mark of the numbers, if it is a comma.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// How many votes the rows of the fit had, if they were votes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub votes: Option<VotesPerRow>,
}

impl InputOptions {
    /// Whether the input was a table of probabilities.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// How many votes rows have.
///
/// ```
/// use cwplugin::model::VotesPerRow;
///
/// // Two rows of 3 votes, one of 7, two of 10.
/// let votes = VotesPerRow::of(&[(3, 2), (7, 1), (10, 2)].into()).unwrap();
/// assert_eq!(votes.to_string(), "3 to 10 votes, median 7");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VotesPerRow {
    /// The fewest votes of a row.
    pub min: u64,
    /// The median; of an even number of rows the lower one.
    pub median: u64,
    /// The most votes of a row.
    pub max: u64,
}

impl VotesPerRow {
    /// Of rows that are counted by their votes: `rows[&10]` rows have ten. `None` without rows.
    pub fn of(rows: &BTreeMap<u64, u64>) -> Option<Self> {
        let half = rows.values().sum::<u64>().div_ceil(2);
        let mut below = 0;
        let median = rows.iter().find(|(_, n)| {
            below += **n;
            below >= half
        });
        let (min, max) = (rows.keys().next()?, rows.keys().next_back()?);
        Some(Self { min: *min, median: *median?.0, max: *max })
    }

    /// Whether these rows have far fewer votes than others: the median is less than half of theirs.
    pub fn is_far_below(self, others: Self) -> bool {
        self.median.saturating_mul(2) < others.median
    }
}

impl fmt::Display for VotesPerRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { min, median, max } = self;
        match (min == max, max) {
            (true, 1) => f.write_str("1 vote"),
            (true, _) => write!(f, "{max} votes"),
            (false, _) => write!(f, "{min} to {max} votes, median {median}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_that_of_all_rows() {
        let of = |totals: &[u64]| {
            let mut rows = BTreeMap::new();
            for total in totals {
                *rows.entry(*total).or_default() += 1;
            }
            VotesPerRow::of(&rows)
        };
        assert_eq!(of(&[]), None);
        for totals in [&[4][..], &[9, 2], &[1, 1, 7], &[5, 3, 8, 3], &[2, 9, 9, 9, 1]] {
            let mut sorted = totals.to_vec();
            sorted.sort_unstable();
            let votes = of(totals).unwrap();
            assert_eq!((votes.min, votes.max), (sorted[0], sorted[sorted.len() - 1]), "{totals:?}");
            assert_eq!(votes.median, sorted[(sorted.len() - 1) / 2], "{totals:?}");
        }
        let texts: Vec<String> = [&[1][..], &[10, 10], &[2, 3]].map(|t| of(t).unwrap().to_string()).into();
        assert_eq!(texts, ["1 vote", "10 votes", "2 to 3 votes, median 2"]);
    }

    #[test]
    fn less_than_half_as_many_votes_are_far_fewer() {
        let votes = |n| VotesPerRow { min: n, median: n, max: n };
        assert!(votes(4).is_far_below(votes(10)) && !votes(5).is_far_below(votes(10)));
        assert!(!votes(1).is_far_below(votes(2)) && !votes(20).is_far_below(votes(10)));
    }
}
