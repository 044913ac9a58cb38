//! The description of a line plot, and notes about what is not drawn.

use std::fmt::Write as _;

use crate::draw::number::short;
use crate::draw::panel::Panel;
use crate::draw::plot::LinePlot;

/// The first and the last value of every line.
pub(crate) fn line_plot(plot: &LinePlot) -> String {
    let or = |label: &str, other: &str| if label.is_empty() { other.to_owned() } else { label.to_owned() };
    let mut text = format!("{} against {}.", or(plot.y.label(), "Values"), or(plot.x.label(), "x"));
    let mut drawn = false;
    for series in &plot.series {
        let trace = series.trace(&plot.x, &plot.y);
        let at = |place: &crate::draw::series::Place| {
            (short(rounded(plot.y.value(place.y))), short(rounded(plot.x.value(place.x))))
        };
        let (Some(first), Some(last)) = (trace.places().next(), trace.last()) else {
            continue;
        };
        drawn = true;
        let ((y, x), (last_y, last_x)) = (at(first), at(last));
        let _ = write!(text, " {}: {y} at {x}", series.name());
        if trace.places().count() > 1 {
            let _ = write!(text, ", {last_y} at {last_x}");
        }
        text.push('.');
    }
    if !drawn {
        text.push_str(" No data.");
        return text;
    }
    for highlight in plot.highlights.iter().filter(|h| h.place(&plot.x, &plot.y).is_some()) {
        let _ = write!(text, " {}", highlight.text());
    }
    text
}

/// The user's note, then what is not drawn.
pub(crate) fn notes(own: &str, panels: &[&Panel]) -> String {
    let mut notes: Vec<String> = Vec::new();
    if !own.is_empty() {
        notes.push(own.to_owned());
    }
    let mut outside: Vec<String> = panels.iter().flat_map(|panel| panel.outside()).collect();
    outside.dedup();
    notes.extend(not_drawn(&outside, panels.iter().map(|panel| panel.omitted()).sum()));
    notes.join(" ")
}

/// What lies outside of the axes, and how many values cannot be drawn.
pub(crate) fn not_drawn(outside: &[String], omitted: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if !outside.is_empty() {
        notes.push(format!("Outside the axes: {}.", outside.join(", ")));
    }
    if omitted > 0 {
        let values = if omitted == 1 { "value" } else { "values" };
        notes.push(format!("{omitted} {values} not drawn: not finite, or not above 0 on a log axis."));
    }
    notes
}

/// At most three decimals.
pub(crate) fn rounded(value: f64) -> f64 {
    if (0.01..1e6).contains(&value.abs()) { (value * 1e3).round() / 1e3 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Axis, Point, Series};

    #[test]
    fn lines_are_described_by_their_ends() {
        let points = vec![Point::new(50.0, 0.51), Point::new(100.0, 0.58), Point::new(800.0, 0.6289)];
        let plot = LinePlot::new("t")
            .x_axis(Axis::log("labelled rows"))
            .y_axis(Axis::linear("macro-F1"))
            .series(Series::new("cwplugin", points))
            .series(Series::new("one", vec![Point::new(50.0, 0.5)]))
            .series(Series::new("none", vec![]));
        assert_eq!(
            line_plot(&plot),
            "macro-F1 against labelled rows. cwplugin: 0.51 at 50, 0.629 at 800. one: 0.5 at 50."
        );
        assert_eq!(line_plot(&LinePlot::new("")), "Values against x. No data.");
    }

    #[test]
    fn highlights_follow_the_lines() {
        let plot = LinePlot::new("t")
            .series(Series::new("a", vec![Point::new(0.2, 0.5)]))
            .shade(0.3, 0.4, "equally good")
            .marker(0.2, 0.5, "chosen")
            .marker(f64::NAN, 0.5, "nowhere");
        assert_eq!(
            line_plot(&plot),
            "Values against x. a: 0.5 at 0.2. equally good: from 0.3 to 0.4. chosen: 0.5 at 0.2."
        );
        let notes = notes("", &[&Panel::new(&plot, vec![], 100.0)]);
        assert_eq!(notes, "1 value not drawn: not finite, or not above 0 on a log axis.");
    }

    #[test]
    fn what_is_not_drawn_is_noted() {
        let plot = LinePlot::new("t")
            .y_axis(Axis::linear("").range(0.5, 1.0))
            .series(Series::new("low", vec![Point::new(1.0, 0.1), Point::new(2.0, 0.6)]))
            .series(Series::new("gap", vec![Point::new(1.0, f64::NAN), Point::new(2.0, 0.6)]));
        let panel = Panel::new(&plot, vec![], 100.0);
        assert_eq!(
            notes("Mean.", &[&panel]),
            "Mean. Outside the axes: low (down to 0.1). 1 value not drawn: not finite, or not above 0 on a log axis."
        );
    }
}
