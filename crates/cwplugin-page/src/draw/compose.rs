//! A plot put together: title, names, frame, labels, notes, each in its place.

use crate::draw::keys::Keys;
use crate::draw::legend::{Entry, Legend};
use crate::draw::look::Look;
use crate::draw::panel::Panel;
use crate::draw::plot::LinePlot;
use crate::draw::spread;
use crate::draw::svg::{Anchor, Picture, Px, Svg};
use crate::draw::text;
use crate::draw::view::Frame;
use crate::draw::words;

/// Around the whole picture.
pub(crate) const MARGIN: f64 = 16.0;
/// Between two names at line ends.
const NAME_GAP: f64 = 15.0;
/// From the frame to the names: room for the leaders.
const LEADER: f64 = 26.0;

/// The sizes around the lines.
#[derive(Debug)]
struct Setting {
    margin: f64,
    title: (&'static str, f64),
    /// From one line of the title to the next.
    title_row: f64,
    /// From the words above to the frame: half a number of the y axis, and some air.
    gap: f64,
    least_frame: f64,
}

const LARGE: Setting =
    Setting { margin: MARGIN, title: ("title", 16.0), title_row: 20.0, gap: 12.0, least_frame: 170.0 };
/// One of many on a page: what is saved around the lines is theirs.
const SMALL: Setting =
    Setting { margin: 8.0, title: ("head", 13.0), title_row: 17.0, gap: 8.0, least_frame: 70.0 };

impl LinePlot {
    pub(crate) fn picture(&self) -> Picture {
        let is_small = self.is_unnamed() && self.width < 400.0;
        let set = if is_small { SMALL } else { LARGE };
        let looks: Vec<Look> =
            self.series.iter().enumerate().map(|(i, s)| Look(s.own_look().unwrap_or(i))).collect();
        let room = self.width - 2.0 * set.margin;
        let titles = text::wrap(&self.title, set.title.1, room);
        let labels = text::wrap(self.y.label(), 12.0, room);
        let head = set.margin + set.title_row * titles.len() as f64 + 16.0 * labels.len() as f64 + set.gap;
        let measured = Panel::new(self, looks.clone(), self.height - head);
        // The label stands in the middle of the frame, which in a small picture is far from that of the picture.
        let x_room = if is_small { room - measured.gutter() } else { room };
        let x_labels = text::wrap(self.x.label(), 12.0, x_room);
        let notes = text::wrap(&words::notes(self.own_note(), &[&measured]), 11.0, room);
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
        // Names take at most a third of the width; the lines are what the picture is about.
        let direct = frame(0.0, if entries.is_empty() { 0.0 } else { widest + LEADER + 9.0 });
        let ends = measured.ends(direct);
        let heights: Vec<f64> = ends.iter().map(|end| end.2).collect();
        let places = (widest + LEADER <= room / 3.0)
            .then(|| spread::apart(&heights, NAME_GAP, direct.top, direct.bottom()))
            .flatten();
        let frame = if places.is_some() { direct } else { frame(legend.height() + 12.0, 0.0) };

        let mut svg = Svg::default();
        let mut y = set.margin;
        for line in &titles {
            svg.text(set.title.0, Anchor::Start, set.margin, y + set.title.1 - 1.0, line);
            y += set.title_row;
        }
        if places.is_none() {
            legend.draw(&mut svg, set.margin, y + 6.0);
            y += legend.height() + 12.0;
        }
        keys.draw(&mut svg, set.margin, y);
        y += keys.height();
        for line in &labels {
            svg.text("label", Anchor::Start, set.margin, y + 14.0, line);
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
            svg.text("note", Anchor::Start, set.margin, y + 11.0, line);
            y += 14.0;
        }
        let description = self.own_description().map_or_else(|| words::describe(self), str::to_owned);
        svg.finish(self.width, frame.bottom() + foot, &self.title, &description)
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
