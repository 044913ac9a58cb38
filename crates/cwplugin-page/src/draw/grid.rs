//! Small multiples: several line plots with one legend.

use crate::draw::captions::{Captions, shared_methods};
use crate::draw::cells::{Cells, GAP};
use crate::draw::compose::MARGIN;
use crate::draw::describe;
use crate::draw::keys::Keys;
use crate::draw::legend::{Entry, Legend};
use crate::draw::look::Look;
use crate::draw::panel::Panel;
use crate::draw::plot::LinePlot;
use crate::draw::svg::{Anchor, Picture, Svg, TextStyle};
use crate::draw::text;
use crate::draw::view::Frame;

/// Several [`LinePlot`]s with one legend: for example the metrics of a task.
///
/// Lines of the same name look the same in all plots. Axis labels that all plots share are written once. The sizes of the plots
/// are ignored; their descriptions are used if the grid has none.
///
/// ```
/// use cwplugin_page::draw::{Axis, LinePlot, PlotGrid, Point, Series};
///
/// let mut grid = PlotGrid::new("AG News");
/// for metric in ["accuracy", "macro-F1", "MCC"] {
///     let line = Series::new("cwplugin", vec![Point::new(50.0, 0.7), Point::new(800.0, 0.8)]);
///     grid = grid.plot(LinePlot::new(metric).x_axis(Axis::log("labelled rows")).series(line));
/// }
/// assert!(grid.to_svg().contains("macro-F1"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlotGrid {
    captions: Captions,
    pub(crate) plots: Vec<LinePlot>,
    pub(crate) columns: Option<usize>,
    pub(crate) width: f64,
    pub(crate) plot_height: f64,
}

impl PlotGrid {
    /// A grid without plots, 900 pixels wide.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            captions: Captions::new(title),
            plots: Vec::new(),
            columns: None,
            width: 900.0,
            plot_height: 180.0,
        }
    }

    /// Adds a plot; its title becomes a heading.
    pub fn plot(mut self, plot: LinePlot) -> Self {
        self.plots.push(plot);
        self
    }

    /// Plots per row, at least 1; 3 by default, 2 for two or four plots.
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = Some(columns.max(1));
        self
    }

    /// The width of the grid and the height of one frame, in pixels, within 320 to 4000 and 80 to 2000.
    pub fn size(mut self, width: u32, plot_height: u32) -> Self {
        self.width = f64::from(width.clamp(320, 4000));
        self.plot_height = f64::from(plot_height.clamp(80, 2000));
        self
    }

    shared_methods!();

    fn picture(&self) -> Picture {
        let entries = self.entries();
        let panels: Vec<Panel> = self.plots.iter().map(|plot| self.panel(plot, &entries)).collect();
        let cells = self.cells(&panels);
        let room = self.width - 2.0 * MARGIN;
        let mut svg = Svg::default();
        let mut y = MARGIN;
        for (class, size, line) in
            [("title", 16.0, self.captions.title.as_str()), ("label", 12.0, self.shared_y())]
        {
            for line in text::wrap(line, size, room) {
                svg.text(class, Anchor::Start, MARGIN, y + size - 1.0, &line);
                y += size + 4.0;
            }
        }
        y += 6.0;
        // The legend goes into free cells of the last row, if it fits.
        let free = cells.columns * cells.rows - panels.len();
        let (left, _) = cells.corner(panels.len());
        let beside = Legend::new(&entries, (cells.width + GAP) * free as f64 - GAP - 16.0);
        let inside = free > 0 && !panels.is_empty() && beside.height() <= cells.height();
        if !inside {
            let above = Legend::new(&entries, room);
            above.draw(&mut svg, MARGIN, y);
            y += above.height() + 10.0;
        }
        let drawn = self.plots.iter().zip(&panels).filter(|(_, panel)| !panel.is_empty());
        let keys = Keys::new(drawn.flat_map(|(plot, _)| &plot.highlights), room);
        if keys.height() > 0.0 {
            // Closer to the legend above than to the headings.
            keys.draw(&mut svg, MARGIN, y - 8.0);
            y += keys.height() + 4.0;
        }
        for (i, panel) in panels.iter().enumerate() {
            let (left, top) = cells.corner(i);
            let lowest = i + cells.columns >= panels.len();
            self.draw_cell(&mut svg, panel, &self.plots[i], (left, y + top), &cells, lowest);
        }
        if inside {
            let (_, top) = cells.corner(panels.len());
            let spare = cells.height() - beside.height();
            beside.draw(&mut svg, left + 16.0, y + top + spare.min(cells.head));
        }
        y += (cells.height() + GAP) * cells.rows as f64 - GAP + 10.0;
        if panels.is_empty() {
            svg.text("label", Anchor::Middle, self.width / 2.0, y + 14.0, "no data");
            y += 30.0;
        }
        let notes = describe::notes(&self.all_notes(), &panels.iter().collect::<Vec<_>>());
        y = svg.lines(&TextStyle::NOTE, MARGIN, y + 2.0, &TextStyle::NOTE.wrap(&notes, room));
        svg.finish(self.width, y - 2.0 + MARGIN, &self.captions.title, &self.full_description())
    }

    fn panel<'a>(&self, plot: &'a LinePlot, entries: &[Entry]) -> Panel<'a> {
        let look = |name: &str| entries.iter().find(|e| e.name == name).map_or(Look(0), |e| e.look);
        Panel::new(plot, plot.series.iter().map(|s| look(s.name())).collect(), self.plot_height)
    }

    /// One heading, one frame, and labels that are not shared.
    fn draw_cell(
        &self,
        svg: &mut Svg,
        panel: &Panel,
        plot: &LinePlot,
        (left, top): (f64, f64),
        cells: &Cells,
        lowest: bool,
    ) {
        let heading = text::shorten(&plot.captions.title, 13.0, cells.width * 0.95);
        svg.text("head", Anchor::Start, left, top + 12.0, &heading);
        if self.shared_y().is_empty() {
            let label = text::shorten(plot.y.label(), 12.0, cells.width);
            if !label.is_empty() {
                svg.text("label", Anchor::Start, left, top + 28.0, &label);
            }
        }
        let frame = Frame {
            left: left + cells.gutter,
            top: top + cells.head,
            width: (cells.width - cells.gutter).max(60.0),
            height: self.plot_height,
        };
        panel.draw(svg, frame, 3.0);
        let shares_x = self.plots.windows(2).all(|pair| pair[0].x.label() == pair[1].x.label());
        if !plot.x.label().is_empty() && (lowest || !shares_x) {
            let (x, y) = (frame.left + frame.width / 2.0, frame.bottom() + 33.0);
            svg.text("label", Anchor::Middle, x, y, &text::shorten(plot.x.label(), 12.0, frame.width));
        }
    }

    /// All names that can be drawn, in the order of appearance.
    fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for plot in &self.plots {
            for series in &plot.series {
                if series.trace(&plot.x, &plot.y).runs.is_empty() {
                    continue;
                }
                let strong = plot.is_strong(series.name());
                if let Some(known) = entries.iter_mut().find(|entry| entry.name == series.name()) {
                    known.strong |= strong;
                    known.parts.line |= series.parts().line;
                    known.parts.markers |= series.parts().markers;
                } else {
                    let look = Look(series.own_look().unwrap_or(entries.len()));
                    let (name, parts) = (series.name().to_owned(), series.parts());
                    entries.push(Entry { name, look, strong, parts });
                }
            }
        }
        entries
    }

    /// The label of all y axes if they share one, else empty.
    pub(crate) fn shared_y(&self) -> &str {
        match self.plots.split_first() {
            Some((first, rest)) if rest.iter().all(|plot| plot.y.label() == first.y.label()) => {
                first.y.label()
            }
            _ => "",
        }
    }

    fn all_notes(&self) -> String {
        let mut notes: Vec<&str> = vec![&self.captions.note];
        for note in self.plots.iter().map(|plot| plot.captions.note.as_str()) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes.retain(|note| !note.is_empty());
        notes.join(" ")
    }

    fn describe(&self) -> String {
        let of_plot = |plot: &LinePlot| format!("{}: {}", plot.captions.title, plot.full_description());
        self.plots.iter().map(of_plot).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Axis, Point, Series};

    fn grid(labels: [&str; 2]) -> PlotGrid {
        let line = || Series::new("a", vec![Point::new(1.0, 1.0), Point::new(2.0, 2.0)]);
        let plots = labels.map(|label| LinePlot::new("p").y_axis(Axis::linear(label)).series(line()));
        plots.into_iter().fold(PlotGrid::new("g"), PlotGrid::plot)
    }

    #[test]
    fn a_label_that_all_share_is_written_once() {
        assert_eq!(grid(["score", "score"]).to_svg().matches(">score</text>").count(), 1);
        let svg = grid(["score", "gain"]).to_svg();
        assert!(svg.contains(">score</text>") && svg.contains(">gain</text>"));
    }

    #[test]
    fn points_and_their_fit_share_one_name() {
        let points = || vec![Point::new(1.0, 1.0), Point::new(2.0, 2.0)];
        let plot = LinePlot::new("p")
            .series(Series::new("a", points()).markers_only())
            .series(Series::new("a", points()).line_only())
            .series(Series::new("law", points()).line_only().look(13));
        let svg = PlotGrid::new("g").plot(plot).to_svg();
        assert_eq!(svg.matches(">a</text>").count(), 1);
        // The markers in the frame and in the legend, and none for the law.
        assert_eq!((svg.matches("cwd-dot\"").count(), svg.matches("cwd-hole\"").count()), (2, 0));
    }

    #[test]
    fn notes_are_not_repeated() {
        let mut grid = grid(["", ""]).note("Made up.");
        grid.plots = grid.plots.into_iter().map(|plot| plot.note("Made up.")).collect();
        assert_eq!(grid.to_svg().matches("Made up.").count(), 1);
    }
}
