//! The positions of plots in a grid.

use crate::draw::compose::MARGIN;
use crate::draw::grid::PlotGrid;
use crate::draw::panel::Panel;

/// Between two columns, and between two rows.
pub(crate) const GAP: f64 = 22.0;

/// The cells of a grid, with the parts of a cell.
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

    /// The upper left corner of a cell, relative to the grid.
    pub(crate) fn corner(&self, i: usize) -> (f64, f64) {
        let (row, column) = (i / self.columns, i % self.columns);
        (MARGIN + (self.width + GAP) * column as f64, (self.height() + GAP) * row as f64)
    }
}

impl PlotGrid {
    /// The layout of the grid.
    pub(crate) fn cells(&self, panels: &[Panel]) -> Cells {
        let count = panels.len();
        let default = if matches!(count, 2 | 4) { 2 } else { 3 };
        let has_y = self.shared_y().is_empty() && self.plots.iter().any(|plot| !plot.y.label().is_empty());
        let has_x = self.plots.iter().any(|plot| !plot.x.label().is_empty());
        let columns = self.columns.unwrap_or(default).clamp(1, count.max(1));
        Cells {
            columns,
            rows: count.div_ceil(columns),
            width: (self.width - 2.0 * MARGIN - GAP * (columns - 1) as f64) / columns as f64,
            head: if has_y { 42.0 } else { 26.0 },
            gutter: panels.iter().map(Panel::gutter).fold(0.0, f64::max),
            frame: self.plot_height,
            foot: if has_x { 36.0 } else { 20.0 },
        }
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
