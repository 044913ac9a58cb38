//! The layout of a line plot: title, names, frame, labels, notes.

use crate::draw::apart;
use crate::draw::describe;
use crate::draw::keys::Keys;
use crate::draw::legend::{Entry, Legend};
use crate::draw::look::Look;
use crate::draw::panel::Panel;
use crate::draw::plot::LinePlot;
use crate::draw::svg::{Picture, Px, Svg, TextStyle};
use crate::draw::view::Frame;

/// Margin around the plot.
pub(crate) const MARGIN: f64 = 16.0;
/// Distance of two names at line ends.
const NAME_GAP: f64 = 15.0;
/// Distance of the names from the frame: space for the leaders.
const LEADER: f64 = 26.0;

/// The sizes around the lines.
#[derive(Debug)]
struct Setting {
    margin: f64,
    title: TextStyle,
    /// From the texts above to the frame.
    gap: f64,
    least_frame: f64,
}

const LARGE: Setting = Setting { margin: MARGIN, title: TextStyle::TITLE, gap: 12.0, least_frame: 170.0 };
/// For one of many plots on a page.
const SMALL: Setting = Setting { margin: 8.0, title: TextStyle::SMALL_TITLE, gap: 8.0, least_frame: 70.0 };

impl LinePlot {
    pub(crate) fn picture(&self) -> Picture {
        let is_small = self.is_unnamed() && self.width < 400.0;
        let set = if is_small { SMALL } else { LARGE };
        let looks: Vec<Look> =
            self.series.iter().enumerate().map(|(i, s)| Look(s.own_look().unwrap_or(i))).collect();
        let room = self.width - 2.0 * set.margin;
        let titles = set.title.wrap(&self.captions.title, room);
        let labels = TextStyle::Y_LABEL.wrap(self.y.label(), room);
        let head = set.margin + set.title.row * titles.len() as f64 + 16.0 * labels.len() as f64 + set.gap;
        let measured = Panel::new(self, looks.clone(), self.height - head);
        // In a small plot, the middle of the frame is far from the middle of the plot.
        let x_room = if is_small { room - measured.gutter() } else { room };
        let x_labels = TextStyle::X_LABEL.wrap(self.x.label(), x_room);
        let notes = TextStyle::NOTE.wrap(&describe::notes(&self.captions.note, &[&measured]), room);
        let notes_height = if notes.is_empty() { 0.0 } else { 8.0 + 14.0 * notes.len() as f64 };
        let foot = 20.0 + 17.0 * x_labels.len() as f64 + notes_height + set.margin;

        let entries = self.entries(&looks, &measured);
        let widest = entries.iter().map(Entry::width).fold(0.0, f64::max);
        let legend = Legend::new(&entries, room);
        let keys = Keys::new(self.highlights.iter().filter(|_| !measured.is_empty()), room);
        let frame = |above: f64, right: f64| {
            let left = set.margin + measured.gutter();
            let above = above + keys.height();
            let height = (self.height - head - above - foot).max(set.least_frame);
            let width = (self.width - set.margin - left - right).max(80.0);
            Frame { left, top: head + above, width, height }
        };
        // Names take at most a third of the width.
        let direct = frame(0.0, if entries.is_empty() { 0.0 } else { widest + LEADER + 9.0 });
        let ends = measured.ends(direct);
        let heights: Vec<f64> = ends.iter().map(|end| end.2).collect();
        let places = (widest + LEADER <= room / 3.0)
            .then(|| apart::apart(&heights, NAME_GAP, direct.top, direct.bottom()))
            .flatten();
        let frame = if places.is_some() { direct } else { frame(legend.height() + 12.0, 0.0) };

        let mut svg = Svg::default();
        let mut y = svg.lines(&set.title, set.margin, set.margin, &titles);
        if places.is_none() {
            legend.draw(&mut svg, set.margin, y + 6.0);
            y += legend.height() + 12.0;
        }
        keys.draw(&mut svg, set.margin, y);
        svg.lines(&TextStyle::Y_LABEL, set.margin, y + keys.height(), &labels);
        for (((_, x, from), to), entry) in ends.into_iter().zip(places.into_iter().flatten()).zip(&entries) {
            leader(&mut svg, entry, x, from, frame.right(), to);
            entry.draw_at_end(&mut svg, frame.right() + LEADER, to, widest + 9.0);
        }
        Panel::new(self, looks, frame.height).draw(&mut svg, frame, 3.6);
        let middle = frame.left + frame.width / 2.0;
        y = svg.lines(&TextStyle::X_LABEL, middle, frame.bottom() + 20.0, &x_labels);
        svg.lines(&TextStyle::NOTE, set.margin, y + 8.0, &notes);
        svg.finish(self.width, frame.bottom() + foot, &self.captions.title, &self.full_description())
    }

    /// The values of the plot as text.
    pub(crate) fn describe(&self) -> String {
        describe::line_plot(self)
    }

    /// The names of the lines that can be drawn, in order.
    fn entries(&self, looks: &[Look], panel: &Panel) -> Vec<Entry> {
        if self.is_unnamed() {
            return Vec::new();
        }
        let named = self.series.iter().zip(looks).zip(&panel.traces);
        named
            .filter(|(_, trace)| !trace.runs.is_empty())
            .map(|((series, &look), trace)| {
                // An arrow marks a line that ends outside of the frame.
                let name = format!("{}{}", series.name(), panel.arrow(trace));
                Entry { name, look, strong: self.is_strong(series.name()), parts: series.parts() }
            })
            .collect()
    }
}

/// The leader from the end of a line to its name.
fn leader(svg: &mut Svg, entry: &Entry, x: f64, from: f64, right: f64, to: f64) {
    // A long leader is dotted, unlike the lines.
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
