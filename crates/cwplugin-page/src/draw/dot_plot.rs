//! Dot plots: one row of dots per name.

use crate::draw::axis::Axis;
use crate::draw::captions::{Captions, shared_methods};
use crate::draw::compose::MARGIN;
use crate::draw::describe::{not_drawn, rounded};
use crate::draw::dot::{Dot, Row};
use crate::draw::legend::{Entry, Legend, NAME};
use crate::draw::look::Look;
use crate::draw::number::short;
use crate::draw::rows::{MOST_ROWS, NAME_GAP, Rows};
use crate::draw::series::Parts;
use crate::draw::svg::{Anchor, Picture, Svg, TextStyle};
use crate::draw::text;
use crate::draw::view::Frame;

/// Rows in a description.
const MOST_DESCRIBED: usize = 30;
/// Rows in the note about values outside of the axis.
const MOST_NOTED: usize = 10;

/// Rows of dots over one axis: for example metrics before and after, or one weight per class.
///
/// An arrow leads from the first dot of a row to the last. The height follows from the rows; at most 200 are drawn.
///
/// ```
/// use cwplugin_page::draw::{Axis, Dot, DotPlot};
///
/// let svg = DotPlot::new("Before and after")
///     .x_axis(Axis::linear("on the test rows"))
///     .series("unadjusted")
///     .series("fitted")
///     .row("macro-F1", vec![Dot::new(0.48), Dot { value: 0.61, low: 0.59, high: 0.63 }])
///     .row("accuracy", vec![Dot::new(0.71), Dot { value: 0.70, low: 0.68, high: 0.72 }])
///     .rule(0.5, "chance")
///     .to_svg();
/// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DotPlot {
    captions: Captions,
    pub(crate) x: Axis,
    pub(crate) series: Vec<String>,
    pub(crate) rows: Vec<Row>,
    pub(crate) rule: Option<(f64, String)>,
    width: f64,
}

impl DotPlot {
    /// A plot without rows, 760 pixels wide, on a linear axis without a label.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            captions: Captions::new(title),
            x: Axis::linear(""),
            series: Vec::new(),
            rows: Vec::new(),
            rule: None,
            width: 760.0,
        }
    }

    /// The x axis.
    pub fn x_axis(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// Names the next dot of every row, for the legend.
    pub fn series(mut self, name: impl Into<String>) -> Self {
        self.series.push(name.into());
        self
    }

    /// Adds a row, with dots in the order of the series; see [`Dot::missing`].
    pub fn row(mut self, name: impl Into<String>, dots: Vec<Dot>) -> Self {
        self.rows.push(Row { name: name.into(), dots });
        self
    }

    /// A vertical line at a value to compare with; a second call replaces the first.
    pub fn rule(mut self, x: f64, label: impl Into<String>) -> Self {
        self.rule = Some((x, label.into()));
        self
    }

    /// The width in pixels, within 240 to 4000; the height follows from the rows.
    pub fn width(mut self, width: u32) -> Self {
        self.width = f64::from(width.clamp(240, 4000));
        self
    }

    shared_methods!();

    /// Names take at most a third of the width; longer ones are shortened.
    pub(crate) fn name_room(&self) -> f64 {
        self.width / 3.0
    }

    fn picture(&self) -> Picture {
        let rows = Rows::new(self);
        let room = self.width - 2.0 * MARGIN;
        let mut svg = Svg::default();
        let title = TextStyle::TITLE.wrap(&self.captions.title, room);
        let mut y = svg.lines(&TextStyle::TITLE, MARGIN, MARGIN, &title);
        let entries = self.entries();
        if !entries.is_empty() {
            let legend = Legend::new(&entries, room);
            legend.draw(&mut svg, MARGIN, y + 6.0);
            y += legend.height() + 10.0;
        }
        let names = self.rows.iter().take(MOST_ROWS).map(|row| text::width(&row.name, NAME));
        let left = MARGIN + names.fold(0.0, f64::max).min(self.name_room()) + NAME_GAP;
        // Half of the last tick label is outside of the frame.
        let across = Frame { left, top: 0.0, width: self.width - MARGIN - 8.0 - left, height: 0.0 };
        if let (Some((_, label)), Some(x)) = (&self.rule, rows.rule_at(across)) {
            y += draw_centred(&mut svg, label, x, y, room);
        }
        let frame = Frame { top: y + rows.head(), height: rows.height(), ..across };
        rows.draw(&mut svg, frame);
        y = frame.bottom() + if rows.is_empty() { 0.0 } else { 20.0 };
        let label = TextStyle::X_LABEL.wrap(self.x.label(), frame.width);
        y = svg.lines(&TextStyle::X_LABEL, frame.left + frame.width / 2.0, y, &label);
        let notes = TextStyle::NOTE.wrap(&self.notes(&rows), room);
        y = svg.lines(&TextStyle::NOTE, MARGIN, y + 8.0, &notes);
        svg.finish(self.width, y + MARGIN, &self.captions.title, &self.full_description())
    }

    fn entries(&self) -> Vec<Entry> {
        let parts = Parts { line: false, markers: true, steps: false };
        let entry =
            |(i, name): (usize, &String)| Entry { name: name.clone(), look: Look(i), strong: false, parts };
        self.series.iter().enumerate().map(entry).collect()
    }

    fn notes(&self, rows: &Rows) -> String {
        let own = &self.captions.note;
        let mut notes: Vec<String> = (!own.is_empty()).then(|| own.clone()).into_iter().collect();
        let mut outside = rows.outside();
        if outside.len() > MOST_NOTED {
            let more = outside.len() - MOST_NOTED;
            outside.truncate(MOST_NOTED);
            outside.push(format!("{more} more"));
        }
        notes.extend(not_drawn(&outside, rows.omitted()));
        let more = self.rows.len().saturating_sub(MOST_ROWS);
        if more > 0 {
            notes.push(format!("{} not drawn.", more_rows(more)));
        }
        notes.join(" ")
    }

    fn describe(&self) -> String {
        let mut sentences: Vec<String> = Vec::new();
        if !self.x.label().is_empty() {
            sentences.push(format!("{}.", self.x.label()));
        }
        if let Some((value, label)) = &self.rule
            && self.x.place(*value).is_some()
        {
            let name = if label.is_empty() { "Compared with" } else { label };
            sentences.push(format!("{name}: {}.", short(rounded(*value))));
        }
        sentences
            .extend(self.rows.iter().take(MOST_DESCRIBED).map(|row| format!("{}.", row.text(&self.series))));
        match self.rows.len() {
            0 => sentences.push("No data.".to_owned()),
            count if count > MOST_DESCRIBED => {
                sentences.push(format!("And {}.", more_rows(count - MOST_DESCRIBED)));
            }
            _ => {}
        }
        sentences.join(" ")
    }
}

fn more_rows(count: usize) -> String {
    format!("{count} more {}", if count == 1 { "row" } else { "rows" })
}

/// Draws a label centred at `x`, within the plot; returns its height.
fn draw_centred(svg: &mut Svg, label: &str, x: f64, y: f64, room: f64) -> f64 {
    let label = text::shorten(label, 12.0, room);
    if label.is_empty() {
        return 0.0;
    }
    let half = text::width(&label, 12.0) / 2.0;
    let x = x.min(MARGIN + room - half).max(MARGIN + half);
    svg.text("label", Anchor::Middle, x, y + 14.0, &label);
    16.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(rows: usize) -> DotPlot {
        let dots = || vec![Dot::new(0.4), Dot::new(0.6)];
        let axes = DotPlot::new("t").x_axis(Axis::linear("score")).series("before").series("after");
        (0..rows).fold(axes, |plot, i| plot.row(format!("row {i}"), dots()))
    }

    #[test]
    fn thirty_rows_are_described_and_the_rest_is_counted() {
        let one = plot(1).rule(0.5, "chance");
        assert_eq!(one.describe(), "score. chance: 0.5. row 0: before 0.4, after 0.6.");
        assert!(!plot(30).describe().contains("more"));
        assert!(plot(31).describe().ends_with("row 29: before 0.4, after 0.6. And 1 more row."));
        assert_eq!(DotPlot::new("t").describe(), "No data.");
    }

    #[test]
    fn values_outside_of_the_axis_are_noted() {
        let plot = plot(12).x_axis(Axis::linear("").range(0.5, 1.0)).rule(0.1, "chance").note("Made up.");
        let notes = plot.notes(&Rows::new(&plot));
        assert!(notes.starts_with("Made up. Outside the axes: row 0 (0.4), row 1 (0.4),"), "{notes}");
        assert!(notes.ends_with("row 9 (0.4), 3 more."), "{notes}");
    }

    #[test]
    fn more_than_two_hundred_rows_are_only_counted() {
        let plot = plot(201);
        assert_eq!(plot.notes(&Rows::new(&plot)), "1 more row not drawn.");
        assert!(!plot.to_svg().contains(">row 200</text>"));
    }
}
