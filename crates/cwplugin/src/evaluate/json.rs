//! Outcomes as JSON, for exchange between machines.

use serde::{Deserialize, Serialize};

use super::Outcomes;
use super::cells::{Cell, Cells, Group, MOST_APART};
use crate::numeric::exact_sum::ExactSum;
use crate::stable_json;

const FORMAT: &str = "cwplugin-outcomes";
const VERSION: u64 = 1;

/// Why a text cannot be read as outcomes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct OutcomesError {
    reason: String,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    cwplugin: String,
    classes: usize,
    rows: u64,
    /// Whether rows of similar weight are counted together.
    joined: bool,
    /// True class, clean and fitted prediction, number of rows, leading digits of the weight of a row, and parts that add up
    /// exactly to the total weight.
    cells: Vec<(usize, usize, usize, u64, f64, Vec<f64>)>,
}

impl Outcomes {
    /// The outcomes as JSON; the same outcomes give the same bytes.
    pub fn to_json(&self) -> String {
        let cells = self.cells.groups().into_iter().map(|(cell, group)| {
            (cell.truth, cell.clean, cell.fitted, group.rows, cell.weight(), group.weight.parts())
        });
        stable_json::write(&File {
            format: FORMAT.into(),
            version: VERSION,
            cwplugin: env!("CARGO_PKG_VERSION").into(),
            classes: self.n_classes,
            rows: self.n_rows,
            joined: self.cells.is_joined(),
            cells: cells.collect(),
        })
    }

    /// Reads the output of [`Outcomes::to_json`].
    ///
    /// # Errors
    ///
    /// If the text has another format or is inconsistent.
    pub fn from_json(text: &str) -> Result<Self, OutcomesError> {
        let wrong = |reason: &str| OutcomesError { reason: reason.into() };
        let file: File = serde_json::from_str(text).map_err(|error| wrong(&error.to_string()))?;
        if (file.format.as_str(), file.version) != (FORMAT, VERSION) {
            return Err(wrong("unsupported format or version"));
        }
        let cells = Cells::new(MOST_APART, file.joined);
        let mut outcomes = Self { n_classes: file.classes, n_rows: 0, cells };
        for (truth, clean, fitted, rows, weight, parts) in file.cells {
            let is_class = [truth, clean, fitted].iter().all(|&class| class < file.classes);
            let is_weight = weight > 0.0 && weight.is_finite() && parts.iter().all(|part| part.is_finite());
            if !is_class || !is_weight || rows == 0 {
                return Err(wrong("a cell has an unknown class, no weight or no rows"));
            }
            let cell = Cell { truth, clean, fitted, weight_bits: weight.to_bits() };
            if file.joined {
                outcomes.cells.add_group(cell, &Group { rows, weight: ExactSum::of_parts(parts) });
            } else {
                outcomes.cells.add(cell, rows);
            }
            outcomes.n_rows = outcomes.n_rows.saturating_add(rows);
        }
        if outcomes.n_rows != file.rows || outcomes.cells.is_joined() != file.joined {
            return Err(wrong(
                "the cells do not add up to the number of rows, or there are too many of them",
            ));
        }
        Ok(outcomes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Side;
    use crate::metric::Confusion;

    fn outcomes(n: usize) -> Outcomes {
        let mut outcomes = Outcomes::new(3);
        for row in 0..n {
            outcomes.add_row(row % 3, row % 2, row / 2 % 3, 1.0 + row as f64 / n as f64);
        }
        outcomes
    }

    #[test]
    fn outcomes_are_read_back_to_the_same_bytes() {
        for n in [0, 10, MOST_APART + 1] {
            let outcomes = outcomes(n);
            assert_eq!(outcomes.cells.is_joined(), n > MOST_APART);
            let text = outcomes.to_json();
            let read = Outcomes::from_json(&text).unwrap();
            assert_eq!(read.to_json(), text);
            assert_eq!(read, outcomes);
        }
    }

    #[test]
    fn joining_cells_changes_no_confusion_matrix() {
        let n = MOST_APART + 1;
        let outcomes = outcomes(n);
        let mut cells = vec![ExactSum::default(); 9];
        for row in 0..n {
            cells[row % 3 * 3 + row / 2 % 3].add(1.0 + row as f64 / n as f64);
        }
        let exact = Confusion::from_cells(3, |truth, predicted| cells[truth * 3 + predicted].value());
        assert_eq!(outcomes.confusion(Side::Fitted), exact);
        assert!(outcomes.cells.rows().len() < 3 * 6 * 65);
    }

    #[test]
    fn inconsistent_outcomes_are_rejected() {
        let text = outcomes(4).to_json();
        for (from, to) in
            [("\"rows\": 4", "\"rows\": 5"), ("\"classes\": 3", "\"classes\": 2"), ("outcomes", "model")]
        {
            let other = text.replacen(from, to, 1);
            assert_ne!(other, text);
            Outcomes::from_json(&other).unwrap_err();
        }
    }
}
