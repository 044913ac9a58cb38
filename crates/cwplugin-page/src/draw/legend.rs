//! The legend: names of lines with a sample of each.

use crate::draw::look::Look;
use crate::draw::series::Parts;
use crate::draw::svg::{Anchor, Px, Svg};
use crate::draw::text;

/// The size of names, as in the style sheet.
pub(crate) const NAME: f64 = 12.0;
/// Line height.
pub(crate) const ROW: f64 = 16.5;
const SAMPLE: f64 = 30.0;
const GAP: f64 = 22.0;

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) look: Look,
    pub(crate) strong: bool,
    pub(crate) parts: Parts,
}

impl Entry {
    pub(crate) fn width(&self) -> f64 {
        // Bold letters are wider.
        text::width(&self.name, NAME) * if self.strong { 1.08 } else { 1.0 }
    }

    /// The marker alone, then the name from `x + 9` on.
    pub(crate) fn draw_at_end(&self, svg: &mut Svg, x: f64, y: f64, room: f64) {
        self.marker(svg, x, y);
        self.name(svg, x + 9.0, y, room);
    }

    fn draw(&self, svg: &mut Svg, x: f64, y: f64, room: f64) {
        let (colour, dashes) = (self.look.colour(), self.look.dashes());
        let class = if self.strong { "bold" } else { "line" };
        if self.parts.line {
            svg.line(format_args!(
                r#"<path class="cwd-c{colour} cwd-{class}"{dashes} d="M{} {}h{}"/>"#,
                Px(x),
                Px(y),
                Px(SAMPLE)
            ));
        }
        self.marker(svg, x + SAMPLE / 2.0, y);
        self.name(svg, x + SAMPLE + 6.0, y, room - SAMPLE - 6.0);
    }

    fn marker(&self, svg: &mut Svg, x: f64, y: f64) {
        if !self.parts.markers {
            return;
        }
        let class = if self.look.hollow() { "hole" } else { "dot" };
        let path = self.look.marker(x, y, if self.strong { 4.4 } else { 3.6 });
        svg.line(format_args!(r#"<path class="cwd-c{} cwd-{class}" d="{path}"/>"#, self.look.colour()));
    }

    fn name(&self, svg: &mut Svg, x: f64, y: f64, room: f64) {
        let class = if self.strong { "strong" } else { "name" };
        let room = if self.strong { room / 1.08 } else { room };
        svg.text(class, Anchor::Start, x, y + 4.0, &text::shorten(&self.name, NAME, room));
    }
}

/// All entries, in columns of one width.
#[derive(Debug)]
pub(crate) struct Legend<'a> {
    entries: &'a [Entry],
    column: f64,
    rows: usize,
}

impl<'a> Legend<'a> {
    /// As many columns as fit into `room` pixels, at least one; long names are shortened.
    pub(crate) fn new(entries: &'a [Entry], room: f64) -> Self {
        let widest = entries.iter().map(Entry::width).fold(0.0, f64::max) + SAMPLE + 6.0;
        let columns = (((room + GAP) / (widest + GAP)) as usize).clamp(1, entries.len().max(1));
        let rows = entries.len().div_ceil(columns);
        Self { entries, column: widest.min(room), rows }
    }

    pub(crate) fn height(&self) -> f64 {
        ROW * self.rows as f64
    }

    pub(crate) fn draw(&self, svg: &mut Svg, left: f64, top: f64) {
        for (i, entry) in self.entries.iter().enumerate() {
            let x = left + (self.column + GAP) * (i / self.rows) as f64;
            let y = top + ROW * ((i % self.rows) as f64 + 0.5);
            entry.draw(svg, x, y, self.column + 2.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(count: usize) -> Vec<Entry> {
        let parts = Parts { line: true, markers: true, steps: false };
        let entry = |i| Entry { name: format!("method {i}"), look: Look(i), strong: i == 0, parts };
        (0..count).map(entry).collect()
    }

    #[test]
    fn entries_are_in_columns() {
        let names = entries(14);
        assert_eq!(Legend::new(&names, 10.0).rows, 14);
        assert_eq!(Legend::new(&names, 10_000.0).rows, 1);
        assert_eq!(Legend::new(&names, 400.0).height(), ROW * 5.0);
    }

    #[test]
    fn no_entries_need_no_space() {
        assert!(Legend::new(&[], 100.0).height() < 1.0);
    }
}
