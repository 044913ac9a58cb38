//! What a line plot does not show: values outside of its axes, and values that cannot be drawn.

use crate::draw::number;
use crate::draw::panel::Panel;
use crate::draw::scale::clean;
use crate::draw::series::{Place, Trace};

impl Panel<'_> {
    /// An arrow for a line that ends outside of the frame.
    pub(crate) fn arrow(&self, trace: &Trace) -> &'static str {
        match trace.last() {
            Some(end) if end.y < self.y.low && !self.y.holds(end.y) => " ↓",
            Some(end) if end.y > self.y.high && !self.y.holds(end.y) => " ↑",
            _ => "",
        }
    }

    /// Whether something lies outside of the axes.
    pub(crate) fn cuts(&self) -> bool {
        let inside =
            |p: &Place| self.x.holds(p.x) && self.y.holds(p.y) && self.y.holds(p.low) && self.y.holds(p.high);
        !self.traces.iter().flat_map(Trace::places).all(inside)
    }

    /// The number of values that cannot be drawn.
    pub(crate) fn omitted(&self) -> usize {
        let lines: usize = self.traces.iter().map(|trace| trace.omitted).sum();
        lines + self.shapes.iter().filter(|shape| shape.is_none()).count()
    }

    /// What lies outside of the axes, by series.
    pub(crate) fn outside(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (series, trace) in self.plot.series.iter().zip(&self.traces) {
            let (name, y, before) = (series.name(), &self.plot.y, notes.len());
            let shown = |p: &&Place| self.x.holds(p.x);
            let lowest = trace.places().filter(shown).map(|p| p.y).fold(f64::INFINITY, f64::min);
            let highest = trace.places().filter(shown).map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
            if lowest < self.y.low && !self.y.holds(lowest) {
                notes.push(format!("{name} (down to {})", number::short(clean(y.value(lowest)))));
            }
            if highest > self.y.high && !self.y.holds(highest) {
                notes.push(format!("{name} (up to {})", number::short(clean(y.value(highest)))));
            }
            if notes.len() == before && trace.places().any(|p| !self.y.holds(p.low) || !self.y.holds(p.high))
            {
                notes.push(format!("the band of {name}"));
            }
            let beyond = trace.places().filter(|p| !shown(p)).count();
            if beyond > 0 {
                notes.push(format!("{name} ({beyond} left or right of the axis)"));
            }
        }
        for (highlight, shape) in self.plot.highlights.iter().zip(&self.shapes) {
            if shape.is_some_and(|shape| !shape.is_seen(self.x, self.y)) {
                notes.push(highlight.text().trim_end_matches('.').to_owned());
            }
        }
        notes
    }
}
