//! From the numbers of a table to probabilities.

use std::collections::BTreeMap;

use cwplugin::{Error, Probabilities, RowSums, Scores};
use cwplugin_replies::{CountError, Missing, smooth};

use super::errors::Origin;
use crate::user_error::UserError;

/// What a row has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cells {
    /// A number for each class.
    Classes,
    /// The probability of this one of two classes.
    Positive(usize),
    /// The votes for each class.
    Votes,
}

/// What the numbers of a table are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Preparation {
    pub(crate) scores: Scores,
    pub(crate) normalize: bool,
    /// Numbers have a decimal comma.
    pub(crate) has_comma: bool,
    pub(crate) cells: Cells,
    /// What an empty cell gets.
    pub(crate) missing: Option<Missing>,
}

impl Preparation {
    /// The probabilities of rows, and what happened to them.
    pub(super) fn probabilities(
        self,
        mut matrix: Vec<f64>,
        origin: &Origin,
    ) -> Result<(Probabilities, RowFacts), UserError> {
        let m = origin.layout.classes.len();
        let mut facts = RowFacts::default();
        if self.cells == Cells::Votes {
            for (row, counts) in matrix.chunks_exact_mut(m).enumerate() {
                let total = smooth(counts).map_err(|error| not_votes(&error, row, origin))?;
                *facts.votes.entry(total).or_default() += 1;
            }
        }
        let is_empty = |cells: &[f64]| cells.iter().all(|cell| cell.is_nan());
        if self.missing.is_some()
            && let Some(row) = matrix.chunks_exact(m).position(is_empty)
        {
            return Err(origin.across(row, "every value is missing").hint("fill one in, or drop the row"));
        }
        let converted = self.converted(matrix, m).map_err(|error| origin.user_error(&error))?;
        facts.rounded = converted.1;
        Ok((converted.0, facts))
    }

    /// The probabilities of rows, and how many of them were divided by their sum because they were rounded.
    fn converted(self, mut matrix: Vec<f64>, n_classes: usize) -> Result<(Probabilities, usize), Error> {
        if self.cells == Cells::Votes {
            return Ok((Probabilities::new(matrix, n_classes)?, 0));
        }
        if let Some(missing) = self.missing {
            self.fill(&mut matrix, n_classes, missing)?;
        }
        if let Cells::Positive(class) = self.cells {
            // Both cells of a row hold the one number.
            let positive: Vec<f64> = matrix.iter().step_by(2).copied().collect();
            let found = Probabilities::of_positive(&positive, self.scores)?;
            if class == 1 {
                return Ok((found, 0));
            }
            let swapped = (0..found.n_rows()).flat_map(|row| [found.get(row, 1), found.get(row, 0)]);
            return Ok((Probabilities::new(swapped.collect(), 2)?, 0));
        }
        match (self.scores, self.normalize) {
            (Scores::Probabilities, false) => Probabilities::rounded(matrix, n_classes),
            (scores, normalize) => {
                let sums = if normalize { RowSums::Normalize } else { RowSums::MustBeOne };
                Ok((Probabilities::from_scores(matrix, n_classes, scores, sums)?, 0))
            }
        }
    }
}

/// How far the listed probabilities may exceed 1, as after rounding.
const ROUNDING: f64 = 0.02;

impl Preparation {
    /// Gives the empty cells of every row their share, and divides the row by its sum.
    fn fill(self, matrix: &mut [f64], n_classes: usize, missing: Missing) -> Result<(), Error> {
        let total = if self.scores == Scores::Percentages { 100.0 } else { 1.0 };
        for (row, cells) in matrix.chunks_exact_mut(n_classes).enumerate() {
            let n_missing = cells.iter().filter(|cell| cell.is_nan()).count();
            if n_missing == 0 {
                continue;
            }
            let listed = || cells.iter().copied().filter(|cell| !cell.is_nan());
            let (sum, smallest) = (listed().sum::<f64>(), listed().fold(f64::INFINITY, f64::min) / total);
            if sum > total * (1.0 + ROUNDING) && !self.normalize {
                return Err(match self.scores {
                    Scores::Percentages => Error::PercentSum { row, sum },
                    _ => Error::RowSum { row, sum },
                });
            }
            let sum = sum / total;
            let Some(share) = missing.share(smallest, (1.0 - sum).max(0.0), n_missing).filter(|_| sum > 0.0)
            else {
                return Err(Error::ZeroRow { row });
            };
            let divisor = sum + share * n_missing as f64;
            for cell in cells {
                *cell = if cell.is_nan() { share * total } else { *cell } / divisor;
            }
        }
        Ok(())
    }
}

/// What happened to the numbers of rows.
#[derive(Debug, Default)]
pub(super) struct RowFacts {
    /// Rows that were divided by their sum.
    pub(super) rounded: usize,
    /// Rows by their number of votes.
    pub(super) votes: BTreeMap<u64, u64>,
}

impl RowFacts {
    pub(super) fn add(&mut self, other: Self) {
        self.rounded += other.rounded;
        for (votes, rows) in other.votes {
            *self.votes.entry(votes).or_default() += rows;
        }
    }
}

fn not_votes(error: &CountError, row: usize, origin: &Origin) -> UserError {
    match *error {
        CountError::NotACount { class, .. } => {
            let cure = "--from votes reads whole numbers, the votes for each class; omit it if these are probabilities";
            origin.at(row, origin.layout.columns[class], &error.to_string()).hint(cure)
        }
        CountError::NoVotes => origin.across(row, &error.to_string()).hint("drop the row, or ask again"),
    }
}
