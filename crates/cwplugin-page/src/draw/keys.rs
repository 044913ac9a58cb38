//! The legend of the highlights.

use crate::draw::highlight::{Highlight, Shape};
use crate::draw::legend::{NAME, ROW};
use crate::draw::svg::{Anchor, Svg};
use crate::draw::text;

const SAMPLE: f64 = 23.0;
const GAP: f64 = 16.0;
/// Distance from the title.
const TOP: f64 = 3.0;

/// The labels of the highlights, each once, in as many lines as they need.
#[derive(Debug)]
pub(crate) struct Keys<'a> {
    named: Vec<(&'a Highlight, f64, usize)>,
    room: f64,
}

impl<'a> Keys<'a> {
    pub(crate) fn new(highlights: impl Iterator<Item = &'a Highlight>, room: f64) -> Self {
        let mut named: Vec<(&Highlight, f64, usize)> = Vec::new();
        let (mut x, mut row) = (0.0, 0);
        for highlight in highlights {
            let known = named.iter().any(|(other, ..)| alike(other, highlight));
            if known || highlight.label.is_empty() {
                continue;
            }
            let width = SAMPLE + text::width(&highlight.label, NAME);
            if x > 0.0 && x + width > room {
                (x, row) = (0.0, row + 1);
            }
            named.push((highlight, x, row));
            x += width + GAP;
        }
        Self { named, room }
    }

    pub(crate) fn height(&self) -> f64 {
        self.named.last().map_or(0.0, |(_, _, row)| ROW * (row + 1) as f64 + TOP)
    }

    pub(crate) fn draw(&self, svg: &mut Svg, left: f64, top: f64) {
        for &(highlight, x, row) in &self.named {
            let y = top + TOP + ROW * (row as f64 + 0.5);
            highlight.draw_sample(svg, left + x, y);
            let name = text::shorten(&highlight.label, NAME, self.room - x - SAMPLE);
            svg.text("name", Anchor::Start, left + x + SAMPLE, y + 4.0, &name);
        }
    }
}

/// Whether two highlights share one entry.
fn alike(a: &Highlight, b: &Highlight) -> bool {
    let is_range = |h: &Highlight| matches!(h.shape, Shape::Range(..));
    a.label == b.label && is_range(a) == is_range(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn highlight(label: &str, shape: Shape) -> Highlight {
        Highlight { label: label.to_owned(), shape }
    }

    #[test]
    fn each_label_is_written_once_and_lines_are_wrapped() {
        let all = [
            highlight("equally good", Shape::Range(0.1, 0.2)),
            highlight("equally good", Shape::Range(0.4, 0.5)),
            highlight("", Shape::Range(0.7, 0.8)),
            highlight("chosen", Shape::Point(0.4, 0.6)),
        ];
        let rows = |room: f64| Keys::new(all.iter(), room).named.iter().map(|n| n.2).collect::<Vec<_>>();
        assert_eq!(rows(300.0), [0, 0]);
        assert_eq!(rows(120.0), [0, 1]);
        assert!(Keys::new([].iter(), 300.0).height() < 1.0);
    }
}
