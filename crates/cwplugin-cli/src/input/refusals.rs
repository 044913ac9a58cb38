//! What the library found wrong, told with the file's own rows and columns.

use arrow_schema::Schema;
use cwplugin::Error;

use super::Layout;
use super::columns::quoted;
use crate::args::ScoresArg;
use crate::refusal::Refusal;

/// Where a chunk of rows comes from.
pub(super) struct Origin<'a> {
    pub(super) file: &'a str,
    /// Rows of the file before this chunk.
    pub(super) first_row: usize,
    pub(super) layout: &'a Layout,
    pub(super) schema: &'a Schema,
    pub(super) scores: ScoresArg,
}

impl Origin<'_> {
    /// A fact about one cell.
    pub(super) fn at(&self, row: usize, column: usize, fact: &str) -> Refusal {
        Refusal::new(format!("{}, column {}: {fact}", self.row(row), self.name(column)))
    }

    /// The quoted name of a column.
    pub(super) fn name(&self, column: usize) -> String {
        format!("\"{}\"", self.schema.field(column).name())
    }

    fn row(&self, row: usize) -> String {
        format!("{}: row {}", self.file, self.first_row + row + 1)
    }

    fn class_columns(&self) -> String {
        quoted(self.layout.columns.iter().map(|&column| self.schema.field(column).name().as_str()))
    }

    /// The library's error in the file's own terms.
    pub(super) fn refuse(&self, error: &Error) -> Refusal {
        let fact = error.fact();
        match *error {
            Error::NotFinite { row, class, .. } => self
                .at(row, self.layout.columns[class], &fact)
                .hint("replace it with a number, or drop the row"),
            Error::Negative { row, class, .. } => {
                self.at(row, self.layout.columns[class], &fact).hint(format!(
                    "probabilities are >= 0; for raw scores use --scores logits or --scores logprobs; the class \
                     columns are {}",
                    self.class_columns()
                ))
            }
            Error::AboveZero { row, class, .. } => self
                .at(row, self.layout.columns[class], &fact)
                .hint("leave out --scores logprobs if these are probabilities; for raw scores use --scores logits"),
            Error::RowSum { row, sum } => {
                let what = format!("{}, columns {}: {fact}", self.row(row), self.class_columns());
                Refusal::new(what).hint(match self.scores {
                    ScoresArg::Probabilities if sum > 1.5 => {
                        "a column that is no class is left out with --id NAME, and classes are named with --classes \
                         or --prefix; --normalize divides every row by its sum"
                    }
                    ScoresArg::Probabilities => {
                        "--normalize divides every row by its sum; a column that is no class is left out with --id NAME"
                    }
                    _ => "--normalize divides every row by its sum",
                })
            }
            Error::ZeroRow { row } => {
                let what = format!("{}, columns {}: {fact}", self.row(row), self.class_columns());
                Refusal::new(what).hint("such a row has no opinion: drop it")
            }
            Error::BadRowWeight { row, .. } => {
                let column = self.layout.weight.unwrap_or_default();
                self.at(row, column, &fact).hint("a row of weight 0 takes no part")
            }
            _ => Refusal::new(format!("{}: {error}", self.file)).hint("look at the class columns and the labels"),
        }
    }
}
