//! The places of plots in a grid.

use crate::draw::compose::MARGIN;

/// Between two columns, and between two rows.
pub(crate) const GAP: f64 = 22.0;

/// Where the plots of a grid stand.
#[derive(Debug)]
pub(crate) struct Cells {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) width: f64,
    pub(crate) head: f64,
    pub(crate) gutter: f64,
    pub(crate) frame: f64,
    pub(crate) foot: f64,
}

impl Cells {
    pub(crate) fn height(&self) -> f64 {
        self.head + self.frame + self.foot
    }

    /// The upper left corner of a cell, from the corner of the first.
    pub(crate) fn corner(&self, i: usize) -> (f64, f64) {
        let (row, column) = (i / self.columns, i % self.columns);
        (MARGIN + (self.width + GAP) * column as f64, (self.height() + GAP) * row as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_follow_each_other_by_rows() {
        let cells =
            Cells { columns: 3, rows: 2, width: 100.0, head: 20.0, gutter: 10.0, frame: 50.0, foot: 30.0 };
        assert_eq!(cells.corner(0), (MARGIN, 0.0));
        assert_eq!(cells.corner(2), (MARGIN + 2.0 * (100.0 + GAP), 0.0));
        assert_eq!(cells.corner(4), (MARGIN + 100.0 + GAP, 100.0 + GAP));
    }
}
