//! Rows whose prediction changed.

use std::collections::BTreeMap;

use super::Outcomes;

/// Labelled rows with the same true class and the same changed prediction.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// Class predicted by the unadjusted black box.
    pub clean: usize,
    /// Class predicted by the fitted rule.
    pub fitted: usize,
    /// True class.
    pub truth: usize,
    /// Number of rows.
    pub rows: u64,
    /// Weight of the rows.
    pub weight: f64,
}

impl Outcomes {
    /// The changed predictions, ordered by clean, fitted and true class.
    pub fn changes(&self) -> Vec<Change> {
        let mut changes: BTreeMap<[usize; 3], (u64, f64)> = BTreeMap::new();
        for (cell, rows, weight) in self.cells.rows() {
            if cell.clean != cell.fitted {
                let change = changes.entry([cell.clean, cell.fitted, cell.truth]).or_default();
                *change = (change.0 + rows, change.1 + rows as f64 * weight);
            }
        }
        let counted = changes.into_iter();
        counted
            .map(|([clean, fitted, truth], (rows, weight))| Change { clean, fitted, truth, rows, weight })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_rows_are_skipped_and_weights_are_added() {
        let mut outcomes = Outcomes::new(3);
        outcomes.add_row(1, 0, 0, 1.0);
        outcomes.add_row(2, 1, 0, 1.0);
        outcomes.add_row(1, 0, 1, 0.5);
        outcomes.add_row(1, 0, 1, 2.0);
        assert_eq!(
            outcomes.changes(),
            [
                Change { clean: 0, fitted: 1, truth: 1, rows: 2, weight: 2.5 },
                Change { clean: 1, fitted: 0, truth: 2, rows: 1, weight: 1.0 },
            ]
        );
        assert_eq!(outcomes.n_changed(), 3);
    }
}
