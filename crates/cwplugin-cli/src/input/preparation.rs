//! From the numbers of a table to probabilities.

use arrow_array::RecordBatch;
use cwplugin::data::quoted;
use cwplugin::{Error, Probabilities, RowSums, Scores};

use super::{Layout, values};
use crate::args::Data;

/// Rows that are looked at to recognise percentages.
const LOOKED_AT: usize = 1000;

/// What the numbers of a table are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Preparation {
    pub(crate) scores: Scores,
    pub(crate) normalize: bool,
    /// Numbers have a decimal comma.
    pub(crate) has_comma: bool,
    /// One column has the probability of the second of two classes.
    pub(crate) is_single: bool,
}

impl Preparation {
    /// As the user says, else as the first rows show; `notes` gets what was recognised.
    pub(super) fn recognise(
        data: &Data,
        layout: &Layout,
        first: Option<&RecordBatch>,
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
            is_single: layout.is_single,
        };
        let is_open = data.scores.is_none() && !data.normalize;
        if let Some(rows) = first.filter(|rows| is_open && this.is_percent(rows, layout)) {
            let mut columns = layout.columns.clone();
            columns.dedup();
            let columns = quoted(columns.iter().map(|&i| rows.schema_ref().field(i).name()));
            notes.push(format!("{columns} are percentages; --scores percentages confirms it"));
            this.scores = Scores::Percentages;
        }
        this
    }

    /// Whether the first rows sum to 100 ± 1; a single column is of percentages if a value is above 1 and none above 100.
    fn is_percent(self, rows: &RecordBatch, layout: &Layout) -> bool {
        let rows = rows.slice(0, rows.num_rows().min(LOOKED_AT));
        let columns: Option<Vec<Vec<f64>>> =
            layout.columns.iter().map(|&i| values::plain_numbers(&rows, i, self.has_comma)).collect();
        let Some(columns) = columns.filter(|_| rows.num_rows() > 0) else { return false };
        if self.is_single {
            let largest = columns[0].iter().copied().fold(0.0, f64::max);
            return largest > 1.5 && largest <= 100.0;
        }
        let sums = (0..rows.num_rows()).map(|row| columns.iter().map(|column| column[row]).sum::<f64>());
        sums.into_iter().all(|sum| (99.0..=101.0).contains(&sum))
    }

    /// The probabilities of rows, and how many of them were divided by their sum because they were rounded.
    pub(super) fn probabilities(
        self,
        matrix: Vec<f64>,
        n_classes: usize,
    ) -> Result<(Probabilities, usize), Error> {
        if self.is_single {
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
