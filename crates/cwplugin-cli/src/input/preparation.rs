//! From the numbers of a table to probabilities.

use std::collections::BTreeMap;

use arrow_array::RecordBatch;
use cwplugin::data::quoted;
use cwplugin::{Error, Probabilities, RowSums, Scores};
use cwplugin_replies::{CountError, Missing, smooth};

use super::errors::Origin;
use super::{Layout, values};
use crate::args::{Data, From};
use crate::user_error::UserError;

/// Rows that are looked at to recognise percentages.
const LOOKED_AT: usize = 1000;

/// What a row has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cells {
    /// A number for each class.
    Classes,
    /// The probability of the second of two classes.
    Positive,
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
    /// As the user says, else as the first rows show; `notes` gets what was recognised.
    pub(super) fn recognise(
        data: &Data,
        layout: &Layout,
        first: Option<&RecordBatch>,
        is_reply: bool,
        notes: &mut Vec<String>,
    ) -> Self {
        let has_comma = data.decimal.map_or_else(
            || first.is_some_and(|rows| layout.columns.iter().any(|&i| values::has_comma(rows, i))),
            |decimal| decimal == ',',
        );
        if has_comma && data.decimal.is_none() {
            notes.push("numbers have a decimal comma; --decimal , confirms it".into());
        }
        let mut this = Self {
            scores: data.scores.unwrap_or_default(),
            normalize: data.normalize,
            has_comma,
            cells: match data.replies.from {
                _ if layout.is_single => Cells::Positive,
                Some(From::Votes) if !is_reply => Cells::Votes,
                _ => Cells::Classes,
            },
            missing: data.replies.missing.filter(|_| !is_reply),
        };
        let is_open = data.scores.is_none() && !data.normalize && this.cells != Cells::Votes;
        if let Some(rows) = first.filter(|rows| is_open && this.is_percent(rows, layout)) {
            let mut columns = layout.columns.clone();
            columns.dedup();
            let columns = quoted(columns.iter().map(|&i| rows.schema_ref().field(i).name()));
            let verb = if layout.is_single { "holds" } else { "hold" };
            notes.push(format!("{columns} {verb} percentages; --scores percentages confirms it"));
            this.scores = Scores::Percentages;
        }
        this
    }

    /// Whether the first rows sum to 100 ± 1. A single column holds percentages if its largest value is between 10 and 100:
    /// smaller ones may be ratings.
    fn is_percent(self, rows: &RecordBatch, layout: &Layout) -> bool {
        let rows = rows.slice(0, rows.num_rows().min(LOOKED_AT));
        let columns: Option<Vec<Vec<f64>>> =
            layout.columns.iter().map(|&i| values::plain_numbers(&rows, i, self.has_comma)).collect();
        let Some(columns) = columns.filter(|_| rows.num_rows() > 0) else { return false };
        if self.cells == Cells::Positive {
            let largest = columns[0].iter().copied().fold(0.0, f64::max);
            return largest > 10.0 && largest <= 100.0;
        }
        let sums = (0..rows.num_rows()).map(|row| columns.iter().map(|column| column[row]).sum::<f64>());
        sums.into_iter().all(|sum| (99.0..=101.0).contains(&sum))
    }

    /// Warnings about the first rows: probabilities that are all 0 or 1.
    pub(super) fn warnings(self, rows: Option<&RecordBatch>, layout: &Layout) -> Vec<String> {
        let Some(rows) = rows.filter(|rows| rows.num_rows() > 0 && self.cells == Cells::Classes) else {
            return Vec::new();
        };
        let is_one_hot = |column: &usize| {
            values::plain_numbers(rows, *column, self.has_comma)
                .is_some_and(|numbers| numbers.iter().all(|number| (number * (1.0 - number)).abs() < 1e-12))
        };
        let warning = "every probability is 0 or 1, so the order of the other classes is unknown: ask for probabilities, or \
                       for several answers (--from votes)";
        if layout.columns.iter().all(is_one_hot) { vec![warning.into()] } else { Vec::new() }
    }

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
            let total = if self.scores == Scores::Percentages { 100.0 } else { 1.0 };
            fill(&mut matrix, n_classes, missing, total)?;
        }
        if self.cells == Cells::Positive {
            // Both cells of a row hold the one number.
            let positive: Vec<f64> = matrix.iter().step_by(2).copied().collect();
            return Ok((Probabilities::of_positive(&positive, self.scores)?, 0));
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

/// Gives the empty cells of every row their share, and divides the row by its sum.
fn fill(matrix: &mut [f64], n_classes: usize, missing: Missing, total: f64) -> Result<(), Error> {
    for (row, cells) in matrix.chunks_exact_mut(n_classes).enumerate() {
        let n_missing = cells.iter().filter(|cell| cell.is_nan()).count();
        if n_missing == 0 {
            continue;
        }
        let listed = || cells.iter().copied().filter(|cell| !cell.is_nan());
        let (sum, smallest) = (listed().sum::<f64>() / total, listed().fold(f64::INFINITY, f64::min) / total);
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
