//! One plot: lines with bands, a title, two axes, names at the line ends.

use crate::axis::Axis;
use crate::legend::{Entry, Legend};
use crate::look::Look;
use crate::panel::Panel;
use crate::series::Series;
use crate::spread;
use crate::svg::{Anchor, Picture, Px, Svg};
use crate::text;
use crate::view::Frame;
use crate::words;

/// Around the whole picture.
pub(crate) const MARGIN: f64 = 16.0;
/// Between two names at line ends.
const NAME_GAP: f64 = 15.0;
/// From the frame to the names: room for the leaders.
const LEADER: f64 = 26.0;

/// Lines over one x axis, with bands: a metric against the size of the sample, say, one line per method.
///
/// Names stand at the line ends, pushed apart where lines end close together; if they find no room, in a legend above
/// the lines. The picture is one self-contained SVG file without scripts, for light and dark pages.
///
/// ```
/// use cwplugin_draw::{Axis, LinePlot, Point, Series};
///
/// let svg = LinePlot::new("macro-F1")
///     .x_axis(Axis::log("labelled rows"))
///     .y_axis(Axis::linear("macro-F1 on the test rows"))
///     .series(Series::new(
///         "cwplugin",
///         vec![
///             Point { x: 50.0, y: 0.51, low: 0.50, high: 0.52 },
///             Point { x: 800.0, y: 0.63, low: 0.62, high: 0.64 },
///         ],
///     ))
///     .series(Series::new("largest probability", vec![Point::new(50.0, 0.48), Point::new(800.0, 0.48)]))
///     .emphasise("cwplugin")
///     .note("Means of 20 samples; band: 95 % interval.")
///     .to_svg();
/// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinePlot {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
    strong: Option<String>,
    description: Option<String>,
    note: String,
    width: f64,
    height: f64,
}

impl LinePlot {
    /// An empty plot, 760 × 440 pixels, on linear axes without labels.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            x: Axis::linear(""),
            y: Axis::linear(""),
            series: Vec::new(),
            strong: None,
            description: None,
            note: String::new(),
            width: 760.0,
            height: 440.0,
        }
    }

    /// The axis from left to right.
    pub fn x_axis(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// The axis from bottom to top; its label stands above it, where it needs no turning of the head.
    pub fn y_axis(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// Adds a line.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Draws the line of this name bolder and on top; a name that is not there changes nothing.
    pub fn emphasise(mut self, name: impl Into<String>) -> Self {
        self.strong = Some(name.into());
        self
    }

    /// The text for readers who do not see the picture; without one, the first and last values are listed.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// A line under the plot: what the band is, where the numbers come from.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Width and height in pixels, within 240 to 4000 and 160 to 4000.
    ///
    /// The picture grows higher if a legend would leave too little room for the lines.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.width = f64::from(width.clamp(240, 4000));
        self.height = f64::from(height.clamp(160, 4000));
        self
    }

    /// The picture as a file that stands alone; the same plot gives the same bytes.
    pub fn to_svg(&self) -> String {
        self.picture().file()
    }

    /// The picture as a part of a page that has [`style`](crate::style) once, without colours and background of its own.
    ///
    /// It shrinks with the page, but to no less than four fifths, so that its text can be read; on a phone, a box around
    /// it with `overflow-x: auto` lets the reader scroll.
    pub fn to_inline_svg(&self) -> String {
        self.picture().inline()
    }

    fn picture(&self) -> Picture {
        let looks: Vec<Look> =
            self.series.iter().enumerate().map(|(i, s)| Look(s.own_look().unwrap_or(i))).collect();
        let room = self.width - 2.0 * MARGIN;
        let titles = text::wrap(&self.title, 16.0, room);
        let labels = text::wrap(self.y.label(), 12.0, room);
        let x_labels = text::wrap(self.x.label(), 12.0, room);
        let head = MARGIN + 20.0 * titles.len() as f64 + 16.0 * labels.len() as f64 + 12.0;
        let measured = Panel::new(self, looks.clone(), self.height - head);
        let notes = text::wrap(&words::notes(&self.note, &[&measured]), 11.0, room);
        let notes_height = if notes.is_empty() { 0.0 } else { 8.0 + 14.0 * notes.len() as f64 };
        let foot = 20.0 + 17.0 * x_labels.len() as f64 + notes_height + MARGIN;

        let entries = self.entries(&looks, &measured);
        let widest = entries.iter().map(Entry::width).fold(0.0, f64::max);
        let legend = Legend::new(&entries, room);
        let frame = |above: f64, right: f64| {
            let left = MARGIN + measured.gutter();
            let height = (self.height - head - above - foot).max(170.0);
            let width = (self.width - MARGIN - left - right).max(80.0);
            Frame { left, top: head + above, width, height }
        };
        // Names take at most a third of the width; the lines are what the picture is about.
        let direct = frame(0.0, if entries.is_empty() { 0.0 } else { widest + LEADER + 9.0 });
        let ends = measured.ends(direct);
        let heights: Vec<f64> = ends.iter().map(|end| end.2).collect();
        let places = (widest + LEADER <= room / 3.0)
            .then(|| spread::apart(&heights, NAME_GAP, direct.top, direct.bottom()))
            .flatten();
        let frame = if places.is_some() { direct } else { frame(legend.height() + 12.0, 0.0) };

        let mut svg = Svg::default();
        let mut y = MARGIN;
        for line in &titles {
            svg.text("title", Anchor::Start, MARGIN, y + 15.0, line);
            y += 20.0;
        }
        if places.is_none() {
            legend.draw(&mut svg, MARGIN, y + 6.0);
            y += legend.height() + 12.0;
        }
        for line in &labels {
            svg.text("label", Anchor::Start, MARGIN, y + 14.0, line);
            y += 16.0;
        }
        for (((_, x, from), to), entry) in ends.into_iter().zip(places.into_iter().flatten()).zip(&entries) {
            leader(&mut svg, entry, x, from, frame.right(), to);
            entry.draw_at_end(&mut svg, frame.right() + LEADER, to, widest + 9.0);
        }
        Panel::new(self, looks, frame.height).draw(&mut svg, frame, 3.6);
        y = frame.bottom() + 20.0;
        for line in &x_labels {
            svg.text("label", Anchor::Middle, frame.left + frame.width / 2.0, y + 13.0, line);
            y += 17.0;
        }
        y += 8.0;
        for line in &notes {
            svg.text("note", Anchor::Start, MARGIN, y + 11.0, line);
            y += 14.0;
        }
        let description = self.description.clone().unwrap_or_else(|| words::describe(self));
        svg.finish(self.width, frame.bottom() + foot, &self.title, &description)
    }

    pub(crate) fn is_strong(&self, name: &str) -> bool {
        self.strong.as_deref() == Some(name)
    }

    pub(crate) fn own_note(&self) -> &str {
        &self.note
    }

    pub(crate) fn own_description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The names of the lines that can be drawn, in order.
    fn entries(&self, looks: &[Look], panel: &Panel) -> Vec<Entry> {
        let named = self.series.iter().zip(looks).zip(&panel.traces);
        named
            .filter(|(_, trace)| !trace.runs.is_empty())
            .map(|((series, &look), trace)| {
                // An arrow tells a line that ends outside from one that ends at the edge.
                let name = format!("{}{}", series.name(), panel.arrow(trace));
                Entry { name, look, strong: self.is_strong(series.name()), parts: series.parts() }
            })
            .collect()
    }
}

/// The thin line from the end of a line to its name.
fn leader(svg: &mut Svg, entry: &Entry, x: f64, from: f64, right: f64, to: f64) {
    // A long leader must not pass for a line of its own.
    let dots = if right - x > 60.0 { r#" stroke-dasharray="1 3""# } else { "" };
    svg.line(format_args!(
        r#"<path class="cwd-c{} cwd-lead"{dots} d="M{} {}H{}L{} {}"/>"#,
        entry.look.colour(),
        Px(x + 6.0),
        Px(from),
        Px(right.max(x + 6.0)),
        Px(right + LEADER - 8.0),
        Px(to)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn sizes_are_kept_within_reason() {
        assert!(LinePlot::new("").size(0, 0).to_svg().contains(r#"width="240""#));
        assert!(LinePlot::new("").size(u32::MAX, 300).to_svg().contains(r#"width="4000" height="300""#));
    }

    #[test]
    fn a_series_may_choose_its_look() {
        let line = || Series::new("a", vec![Point::new(1.0, 1.0)]);
        assert!(LinePlot::new("").series(line().look(5)).to_svg().contains(r#"class="cwd-c5""#));
        assert!(!LinePlot::new("").series(line()).to_svg().contains(r#"class="cwd-c5""#));
    }
}
