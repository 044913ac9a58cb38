//! What the numbers of a table are: as the user says, else as the first rows show, else as the model says.

use arrow_array::RecordBatch;
use cwplugin::Scores;
use cwplugin::data::quoted;

use super::preparation::{Cells, Preparation};
use super::{Layout, values};
use crate::args::{Data, From};

/// Rows whose sums are looked at.
const LOOKED_AT: usize = 1000;

/// Rows that sum to 1, as far as rounding allows.
const SUM_TOLERANCE: f64 = 0.02;

/// The first rows of a table, and what is known about them.
pub(super) struct FirstRows<'a> {
    pub(super) data: &'a Data,
    pub(super) layout: &'a Layout,
    /// `None` if the table has no rows.
    pub(super) rows: Option<RecordBatch>,
    /// The rows were replies.
    pub(super) are_replies: bool,
}

impl<'a> FirstRows<'a> {
    pub(super) fn new(
        data: &'a Data,
        layout: &'a Layout,
        first: Option<&RecordBatch>,
        are_replies: bool,
    ) -> Self {
        let rows = first.filter(|rows| rows.num_rows() > 0).cloned();
        Self { data, layout, rows, are_replies }
    }

    /// What the numbers are; `notes` gets what was recognised.
    pub(super) fn preparation(&self, notes: &mut Vec<String>) -> Preparation {
        let Self { data, are_replies, .. } = *self;
        let has_comma = self.has_comma(notes);
        let cells = self.cells(has_comma, notes);
        let scores = self.scores(cells, has_comma, notes);
        let missing = data.replies.missing.filter(|_| !are_replies);
        Preparation { scores, normalize: data.normalize, has_comma, cells, missing }
    }

    /// Whether the numbers have a decimal comma. A mark belongs to the file: that of the model counts only if there is none.
    fn has_comma(&self, notes: &mut Vec<String>) -> bool {
        if let Some(mark) = self.data.decimal {
            return mark == ',';
        }
        let shows = |has_mark: fn(&RecordBatch, usize) -> bool| {
            let has_mark = |rows: &RecordBatch| self.layout.columns.iter().any(|&i| has_mark(rows, i));
            self.rows.as_ref().is_some_and(has_mark)
        };
        let is_stored = self.data.remembered.decimal == Some(',');
        match (shows(values::has_comma), is_stored) {
            (true, true) => true,
            (true, false) => {
                notes.push("numbers have a decimal comma; --decimal , confirms it".into());
                true
            }
            (false, true) if shows(values::has_point) => {
                notes.push(self.unlike_fit("numbers have a decimal point, not a comma"));
                false
            }
            (false, is_stored) => is_stored,
        }
    }

    fn cells(&self, has_comma: bool, notes: &mut Vec<String>) -> Cells {
        let Self { data, layout, are_replies, .. } = *self;
        if let Some(class) = layout.single {
            return Cells::Positive(class);
        }
        if data.replies.from != Some(From::Votes) || are_replies {
            return Cells::Classes;
        }
        // The votes of a fit may have become probabilities since.
        if data.remembered.from.is_some() && self.sum_to_one(has_comma) && !self.are_whole(has_comma) {
            notes.push(self.unlike_fit(&format!("{} hold probabilities, not votes", self.columns())));
            return Cells::Classes;
        }
        Cells::Votes
    }

    fn scores(&self, cells: Cells, has_comma: bool, notes: &mut Vec<String>) -> Scores {
        let Self { data, are_replies, .. } = *self;
        if let Some(given) = data.scores {
            return given;
        }
        if cells == Cells::Votes || are_replies {
            return Scores::Probabilities;
        }
        match data.remembered.scores {
            None if !data.normalize && self.is_percent(cells, has_comma) => {
                let verb = if self.layout.single.is_some() { "holds" } else { "hold" };
                notes
                    .push(format!("{} {verb} percentages; --scores percentages confirms it", self.columns()));
                Scores::Percentages
            }
            Some(Scores::Percentages) if cells == Cells::Classes && self.sum_to_one(has_comma) => {
                notes.push(
                    self.unlike_fit(&format!("{} hold probabilities, not percentages", self.columns())),
                );
                Scores::Probabilities
            }
            stored => stored.unwrap_or_default(),
        }
    }

    /// Whether most rows sum to 100, so that an error names the others. A single column holds percentages if its largest value is between 10 and 100: smaller ones may
    /// be ratings.
    fn is_percent(&self, cells: Cells, has_comma: bool) -> bool {
        match cells {
            Cells::Positive(_) => {
                self.largest(has_comma).is_some_and(|largest| largest > 10.0 && largest <= 100.0)
            }
            _ => self.are_mostly_hundred(has_comma),
        }
    }

    /// Warnings about numbers that are probably something else.
    pub(super) fn warnings(&self, preparation: Preparation) -> Vec<String> {
        let Preparation { scores, has_comma, cells, .. } = preparation;
        let columns = self.columns();
        let (as_what, cure) = match &self.data.remembered {
            stored if self.data.scores.is_none() && stored.scores.is_some() => (
                format!("{} as in the fit of {}", scores.name(), stored.model),
                "fit a model on such numbers if that is what they are".to_owned(),
            ),
            _ => (
                scores.name().to_owned(),
                format!("omit --scores {} if that is what they are", scores.name()),
            ),
        };
        let shown = self.numbers(has_comma, LOOKED_AT).unwrap_or_default();
        let shown = if matches!(cells, Cells::Positive(_)) { &shown[..shown.len().min(1)] } else { &shown };
        let n_rows = shown.first().map_or(0, Vec::len);
        let values: Vec<f64> =
            (0..n_rows).flat_map(|row| shown.iter().map(move |column| column[row])).collect();
        let unlike = scores.unlike(&values, shown.len()).filter(|_| cells != Cells::Votes);
        match unlike {
            Some(what) => vec![format!("{columns}: {what}, but they are read as {as_what}; {cure}")],
            None if cells == Cells::Classes && self.are_one_hot(has_comma) => vec![ONE_HOT.into()],
            None => Vec::new(),
        }
    }

    /// The columns of the classes, by name.
    fn columns(&self) -> String {
        let mut columns = self.layout.columns.clone();
        columns.dedup();
        let names = |rows: &RecordBatch| quoted(columns.iter().map(|&i| rows.schema_ref().field(i).name()));
        self.rows.as_ref().map_or_else(String::new, names)
    }

    /// What is unlike the rows that the model was fitted on.
    fn unlike_fit(&self, what: &str) -> String {
        format!("{what} as in the fit of {}", self.data.remembered.model)
    }

    /// The numbers of up to so many rows, column by column; `None` if there are none.
    fn numbers(&self, has_comma: bool, most: usize) -> Option<Vec<Vec<f64>>> {
        let rows = self.rows.as_ref()?;
        let rows = rows.slice(0, rows.num_rows().min(most));
        self.layout.columns.iter().map(|&i| values::plain_numbers(&rows, i, has_comma)).collect()
    }

    /// Whether more than half of the rows sum to 100 as far as rounding allows.
    fn are_mostly_hundred(&self, has_comma: bool) -> bool {
        let Some(columns) = self.numbers(has_comma, LOOKED_AT).filter(|columns| columns.len() > 1) else {
            return false;
        };
        let rows = columns[0].len();
        let sum = |row: usize| {
            columns.iter().map(|column| column[row]).filter(|number| !number.is_nan()).sum::<f64>()
        };
        2 * (0..rows).filter(|&row| (99.0..=101.0).contains(&sum(row))).count() > rows
    }

    /// Whether all rows sum to 1 as far as rounding allows, and no number is negative.
    fn sum_to_one(&self, has_comma: bool) -> bool {
        let Some(columns) = self.numbers(has_comma, LOOKED_AT).filter(|columns| columns.len() > 1) else {
            return false;
        };
        let is_one = |row: usize| {
            let sum = columns.iter().map(|column| column[row]).sum::<f64>();
            (1.0 - SUM_TOLERANCE..=1.0 + SUM_TOLERANCE).contains(&sum)
        };
        columns.iter().flatten().all(|number| *number >= 0.0) && (0..columns[0].len()).all(is_one)
    }

    fn largest(&self, has_comma: bool) -> Option<f64> {
        self.numbers(has_comma, LOOKED_AT).map(|columns| columns[0].iter().copied().fold(0.0, f64::max))
    }

    fn are_whole(&self, has_comma: bool) -> bool {
        let is_whole = |number: &f64| number.fract().abs() < f64::EPSILON;
        self.numbers(has_comma, LOOKED_AT).is_some_and(|columns| columns.iter().flatten().all(is_whole))
    }

    fn are_one_hot(&self, has_comma: bool) -> bool {
        let is_one_hot = |number: &f64| (number * (1.0 - number)).abs() < 1e-12;
        self.numbers(has_comma, usize::MAX).is_some_and(|columns| columns.iter().flatten().all(is_one_hot))
    }
}

const ONE_HOT: &str = "every probability is 0 or 1, so the order of the other classes is unknown: ask for probabilities, \
                       or for several answers (--from votes)";
