//! Rows counted by true class, predictions and weight.

use std::collections::BTreeMap;

use super::interval::Side;
use crate::numeric::exact_sum::ExactSum;
use crate::numeric::tally::Tally;

/// Maximum number of separate cells. Above it, cells are joined, so that memory does not grow with the rows.
pub(super) const MOST_APART: usize = 100_000;

/// Binary digits of the weight, after the first, that the rows of a joined cell share.
const SHARED_DIGITS: u32 = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) truth: usize,
    pub(super) clean: usize,
    pub(super) fitted: usize,
    /// Rows of different weight are resampled separately.
    pub(super) weight_bits: u64,
}

impl Cell {
    pub(super) fn predicted(self, side: Side) -> usize {
        match side {
            Side::Clean => self.clean,
            Side::Fitted => self.fitted,
        }
    }

    /// The weight of a row; of joined rows, its leading digits.
    pub(super) fn weight(self) -> f64 {
        f64::from_bits(self.weight_bits)
    }

    /// The cell of all rows of similar weight.
    fn joined(self) -> Self {
        let dropped = f64::MANTISSA_DIGITS - 1 - SHARED_DIGITS;
        Self { weight_bits: self.weight_bits >> dropped << dropped, ..self }
    }
}

/// Rows of similar weight.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Group {
    pub(super) rows: u64,
    pub(super) weight: ExactSum,
}

impl Group {
    pub(super) fn of(rows: u64, each: f64) -> Self {
        let mut weight = ExactSum::default();
        weight.add_times(rows, each);
        Self { rows, weight }
    }

    fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.weight.merge(&other.weight);
    }
}

/// Number of rows per cell.
///
/// Cells are joined if there are more than `most_apart` distinct ones among all rows, so the result does not depend on
/// the order or grouping of additions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cells {
    most_apart: usize,
    is_joined: bool,
    /// The weight of a group is summed only if cells are joined; before, every row has the weight of its cell.
    groups: BTreeMap<Cell, Group>,
}

impl Cells {
    /// No rows; cells are joined above this number, or from the start.
    pub(super) fn new(most_apart: usize, is_joined: bool) -> Self {
        Self { most_apart, is_joined, groups: BTreeMap::new() }
    }

    pub(super) fn empty_like(&self) -> Self {
        Self::new(self.most_apart, false)
    }

    /// Adds rows to one cell.
    pub(super) fn add(&mut self, cell: Cell, rows: u64) {
        if self.is_joined {
            self.add_group(cell, &Group::of(rows, cell.weight()));
            return;
        }
        self.groups.entry(cell).or_default().rows += rows;
        if self.groups.len() > self.most_apart {
            self.join();
        }
    }

    /// Adds rows of similar weight; joins all cells.
    pub(super) fn add_group(&mut self, cell: Cell, group: &Group) {
        self.join();
        self.groups.entry(cell.joined()).or_default().merge(group);
    }

    fn join(&mut self) {
        if !self.is_joined {
            self.is_joined = true;
            for (cell, group) in std::mem::take(&mut self.groups) {
                self.add(cell, group.rows);
            }
        }
    }

    /// Adds the counts of other rows.
    pub(super) fn merge(&mut self, other: &Self) {
        if other.is_joined {
            self.join();
        }
        for (&cell, group) in &other.groups {
            if other.is_joined {
                self.add_group(cell, group);
            } else {
                self.add(cell, group.rows);
            }
        }
    }

    pub(super) fn is_joined(&self) -> bool {
        self.is_joined
    }

    /// Every cell with the number and total weight of its rows, in a fixed order.
    pub(super) fn groups(&self) -> Vec<(Cell, Group)> {
        let with_weight = |(&cell, group): (&Cell, &Group)| {
            (cell, if self.is_joined { group.clone() } else { Group::of(group.rows, cell.weight()) })
        };
        self.groups.iter().map(with_weight).collect()
    }

    /// Adds all rows to a tally; `place` maps a cell to its place.
    pub(super) fn count_into(&self, tally: &mut Tally, place: impl Fn(Cell) -> usize) {
        for (&cell, group) in &self.groups {
            if self.is_joined {
                tally.add_sum(place(cell), group.rows, &group.weight);
            } else {
                tally.add_rows(place(cell), group.rows, cell.weight());
            }
        }
    }

    /// Every cell with its number of rows and the weight per row (the mean if cells are joined), in a fixed order.
    pub(super) fn rows(&self) -> Vec<(Cell, u64, f64)> {
        let with_mean = |(&cell, group): (&Cell, &Group)| {
            let mean = if self.is_joined { group.weight.value() / group.rows as f64 } else { cell.weight() };
            (cell, group.rows, mean)
        };
        self.groups.iter().map(with_mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cells_of(most_apart: usize, rows: &[(usize, f64)]) -> Cells {
        let mut cells = Cells::new(most_apart, false);
        for &(truth, weight) in rows {
            cells.add(Cell { truth, clean: 0, fitted: 1, weight_bits: weight.to_bits() }, 1);
        }
        cells
    }

    #[test]
    fn joining_does_not_mix_rows_of_different_cells() {
        let rows: Vec<(usize, f64)> = (0..50).map(|truth| (truth, 1.0)).collect();
        let (apart, joined) = (cells_of(50, &rows), cells_of(49, &rows));
        assert!(!apart.is_joined() && joined.is_joined());
        assert_eq!(apart.rows(), joined.rows());
    }

    #[test]
    fn weights_that_share_six_digits_are_joined() {
        let rows = [1.0, 1.0 + 1.0 / 128.0, 1.0 + 1.0 / 64.0].map(|weight| (0, weight));
        let joined = cells_of(0, &rows);
        let weights: Vec<(u64, f64)> =
            joined.rows().into_iter().map(|(_, rows, each)| (rows, each)).collect();
        assert_eq!(weights, [(2, 1.0 + 1.0 / 256.0), (1, 1.0 + 1.0 / 64.0)]);
    }

    proptest! {
        #[test]
        fn neither_order_nor_grouping_matters(
            rows in proptest::collection::vec((0..3_usize, prop_oneof![0.5..4.0_f64, Just(1.0), Just(0.1)]), 0..60),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 3),
            most_apart in 0..40_usize,
        ) {
            let whole = cells_of(most_apart, &rows);
            let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(rows.len() + 1)).collect();
            ends.extend([0, rows.len()]);
            ends.sort_unstable();
            let parts: Vec<Cells> = ends.windows(2).map(|w| cells_of(most_apart, &rows[w[0]..w[1]])).collect();
            let merged = |parts: &[&Cells]| {
                let mut cells = Cells::new(most_apart, false);
                for part in parts {
                    cells.merge(part);
                }
                cells
            };
            let [a, b, c, d] = &parts[..] else { unreachable!() };
            prop_assert_eq!(&merged(&[a, b, c, d]), &whole);
            prop_assert_eq!(&merged(&[d, c, b, a]), &whole);
            prop_assert_eq!(&merged(&[&merged(&[c, a]), &merged(&[b, d])]), &whole);
            let different: std::collections::BTreeSet<_> =
                rows.iter().map(|&(truth, weight)| (truth, weight.to_bits())).collect();
            prop_assert_eq!(whole.is_joined(), different.len() > most_apart);
        }
    }
}
