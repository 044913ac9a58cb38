//! Errors of the library, with file, row and column.

use arrow_schema::Schema;
use cwplugin::data::quoted;
use cwplugin::{Error, Scores};

use super::Layout;
use crate::user_error::UserError;

/// The origin of a chunk of rows.
pub(super) struct Origin<'a> {
    pub(super) file: &'a str,
    /// Rows of the file before this chunk.
    pub(super) first_row: usize,
    pub(super) layout: &'a Layout,
    pub(super) schema: &'a Schema,
    pub(super) scores: Scores,
    /// The model that says so, if the user does not.
    pub(super) model: Option<&'a str>,
    /// Numbers have a decimal comma.
    pub(super) has_comma: bool,
    /// Empty cells of classes are allowed.
    pub(super) may_be_missing: bool,
    /// What the file calls a column.
    pub(super) noun: &'static str,
    /// The classes have counts of votes.
    pub(super) has_counts: bool,
}

impl Origin<'_> {
    /// An error in one cell.
    pub(super) fn at(&self, row: usize, column: usize, fact: &str) -> UserError {
        UserError::new(format!("{}, {} {}: {fact}", self.row(row), self.noun, self.name(column)))
    }

    /// The quoted name of a column.
    pub(super) fn name(&self, column: usize) -> String {
        format!("\"{}\"", self.schema.field(column).name())
    }

    /// An error in the class columns of a row.
    pub(super) fn across(&self, row: usize, fact: &str) -> UserError {
        UserError::new(format!("{}, columns {}: {fact}", self.row(row), self.class_columns()))
    }

    fn row(&self, row: usize) -> String {
        format!("{}: row {}", self.file, self.first_row + row + 1)
    }

    fn class_columns(&self) -> String {
        quoted(self.layout.columns.iter().map(|&column| self.schema.field(column).name()))
    }

    /// The hint that the model decides how the numbers are read.
    fn as_fitted(&self) -> Option<String> {
        let (model, scores) = (self.model?, self.scores.name());
        Some(format!("{model} was fitted on {scores}: correct the row, or fit a model on such numbers"))
    }

    /// An error of the library with file, row and column.
    pub(super) fn user_error(&self, error: &Error) -> UserError {
        let (fact, cure) = (error.fact(), error.cure(&self.layout.classes).unwrap_or_default());
        match *error {
            Error::NotFinite { row, class, .. } => self.at(row, self.layout.columns[class], &fact).hint(cure),
            Error::Negative { row, class, .. } => {
                self.at(row, self.layout.columns[class], &fact).hint(format!(
                    "probabilities must be >= 0; for raw scores use --scores logits or --scores logprobs; the class \
                     columns are {}",
                    self.class_columns()
                ))
            }
            Error::AboveZero { row, class, .. } => {
                let error = self.at(row, self.layout.columns[class], &fact);
                error.hint(self.as_fitted().unwrap_or_else(|| {
                    "omit --scores logprobs if these are probabilities; for raw scores use --scores logits".into()
                }))
            }
            Error::RowSum { row, sum } if sum <= 0.0 => {
                self.across(row, &fact).hint("drop the row: all probabilities are zero")
            }
            Error::RowSum { row, sum } => {
                self.across(row, &fact).hint(match self.scores {
                    Scores::Probabilities if self.may_be_missing && sum > 1.5 => {
                        "for percentages add --scores percentages; --normalize divides every row by its sum"
                    }
                    Scores::Probabilities if (90.0..=110.0).contains(&sum) => {
                        "percentages must sum to 100 within 1; --normalize divides every row by its sum"
                    }
                    Scores::Probabilities if sum > 1.5 => {
                        "exclude a column that is not a class with --id NAME, or name the classes with --classes or \
                         --prefix; --normalize divides every row by its sum"
                    }
                    Scores::Probabilities => {
                        "--normalize divides every row by its sum; exclude a column that is not a class with --id NAME"
                    }
                    _ => "--normalize divides every row by its sum",
                })
            }
            Error::PercentSum { row, .. } => {
                let error = self.across(row, &fact);
                error.hint(self.as_fitted().unwrap_or_else(|| {
                    "use --scores probabilities if the numbers are not percentages; --normalize instead of --scores divides every \
                     row by its sum"
                        .into()
                }))
            }
            Error::AboveOne { row, class, value } if self.scores == Scores::Percentages => self
                .at(row, self.layout.columns[class], &format!("percentage {value} is above 100"))
                .hint("correct the number, or drop the row"),
            Error::AboveOne { row, class, .. } => self.at(row, self.layout.columns[class], &fact).hint(
                "for raw scores use --scores logits, for percentages --scores percentages",
            ),
            Error::ZeroRow { row } => {
                self.across(row, &fact).hint("drop the row: all probabilities are zero")
            }
            Error::BadRowWeight { row, .. } => {
                self.at(row, self.layout.weight.unwrap_or_default(), &fact).hint(cure)
            }
            _ => UserError::new(format!("{}: {error}", self.file)).hint("check the class columns and the labels"),
        }
    }
}
