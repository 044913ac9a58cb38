//! Highlights: a shaded range of the x axis, a marked point.

use crate::draw::axis::Axis;
use crate::draw::describe::rounded;
use crate::draw::look::Look;
use crate::draw::number::short;
use crate::draw::range::Range;
use crate::draw::svg::{Px, Svg};
use crate::draw::view::View;

/// A range or a point with its label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Highlight {
    pub(crate) label: String,
    pub(crate) shape: Shape,
}

/// The shape, in values or in units of the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// Every x from the first to the second.
    Range(f64, f64),
    /// A point by x and y.
    Point(f64, f64),
}

impl Highlight {
    /// The shape in units of the axes; `None` if it cannot be drawn.
    pub(crate) fn place(&self, x: &Axis, y: &Axis) -> Option<Shape> {
        match self.shape {
            Shape::Range(low, high) => {
                let (a, b) = (end(x, low)?, end(x, high)?);
                Some(Shape::Range(a.min(b), a.max(b)))
            }
            Shape::Point(left, up) => Some(Shape::Point(x.place(left)?, y.place(up)?)),
        }
    }

    /// As text, for the description.
    pub(crate) fn text(&self) -> String {
        let name = if self.label.is_empty() { "Marked" } else { &self.label };
        let number = |value: f64| short(rounded(value));
        match self.shape {
            Shape::Range(low, high) => {
                let (low, high) = (low.min(high), low.max(high));
                match (low.is_finite(), high.is_finite()) {
                    (true, true) => format!("{name}: from {} to {}.", number(low), number(high)),
                    (true, false) => format!("{name}: from {} on.", number(low)),
                    (false, true) => format!("{name}: up to {}.", number(high)),
                    (false, false) => format!("{name}: everywhere."),
                }
            }
            Shape::Point(x, y) => format!("{name}: {} at {}.", number(y), number(x)),
        }
    }

    /// The sample beside its label: 18 pixels wide, centred at `y`.
    pub(crate) fn draw_sample(&self, svg: &mut Svg, x: f64, y: f64) {
        match self.shape {
            Shape::Range(..) => draw_range(svg, x + 1.0, x + 17.0, y - 6.0, y + 6.0),
            Shape::Point(..) => draw_point(svg, x + 9.0, y),
        }
    }
}

/// An end of a range: infinity, or 0 on a log axis, is the end of the axis.
fn end(axis: &Axis, value: f64) -> Option<f64> {
    let beyond = if value > 1.0 { f64::INFINITY } else { f64::NEG_INFINITY };
    axis.place(value).or((!value.is_nan()).then_some(beyond))
}

impl Shape {
    /// The x values that the axis must cover.
    pub(crate) fn across(self) -> impl Iterator<Item = f64> {
        let places = match self {
            Self::Range(low, high) => [low, high],
            Self::Point(x, _) => [x, x],
        };
        places.into_iter().filter(|place| place.is_finite())
    }

    /// The y value that the axis must cover.
    pub(crate) fn up(self) -> Option<f64> {
        if let Self::Point(_, y) = self { Some(y) } else { None }
    }

    /// Whether any part lies within the axes.
    pub(crate) fn is_seen(self, x: Range, y: Range) -> bool {
        match self {
            Self::Range(low, high) => (low <= x.high || x.holds(low)) && (high >= x.low || x.holds(high)),
            Self::Point(left, up) => x.holds(left) && y.holds(up),
        }
    }

    pub(crate) fn draw(self, svg: &mut Svg, view: &View) {
        if !self.is_seen(view.x, view.y) {
            return;
        }
        let frame = view.frame;
        match self {
            Self::Range(low, high) => {
                let inside = |place: f64| view.across(place).clamp(frame.left, frame.right());
                draw_range(svg, inside(low), inside(high), frame.top, frame.bottom());
            }
            Self::Point(x, y) => draw_point(svg, view.across(x), view.down(y)),
        }
    }
}

/// Grey with dotted edges, unlike the band of a line.
fn draw_range(svg: &mut Svg, left: f64, right: f64, top: f64, bottom: f64) {
    let (x, y, w, h) = (Px(left), Px(top), Px(right - left), Px(bottom - top));
    svg.line(format_args!(
        r#"<rect class="cwd-label" fill-opacity="0.16" x="{x}" y="{y}" width="{w}" height="{h}"/>"#
    ));
    svg.line(format_args!(
        r#"<path class="cwd-axis" stroke-dasharray="2 2" d="M{x} {y}v{h}M{} {y}v{h}"/>"#,
        Px(right)
    ));
}

/// A ring around a dot in the colour of the text, unlike all markers of lines.
fn draw_point(svg: &mut Svg, x: f64, y: f64) {
    for (class, radius) in [("hole", 5.6), ("dot", 2.6)] {
        // Colour 6 is that of the text; look 0 is a circle.
        let circle = Look(0).marker(x, y, radius);
        svg.line(format_args!(r#"<path class="cwd-c6 cwd-{class}" d="{circle}"/>"#));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaded(low: f64, high: f64) -> Highlight {
        Highlight { label: "equally good".to_owned(), shape: Shape::Range(low, high) }
    }

    #[test]
    fn a_range_may_be_reversed_or_open() {
        let place = |low, high| shaded(low, high).place(&Axis::log(""), &Axis::linear(""));
        assert_eq!(place(100.0, 10.0), Some(Shape::Range(1.0, 2.0)));
        assert_eq!(place(0.0, 10.0), Some(Shape::Range(f64::NEG_INFINITY, 1.0)));
        assert_eq!(place(10.0, f64::INFINITY), Some(Shape::Range(1.0, f64::INFINITY)));
        assert_eq!(place(f64::NAN, 10.0), None);
    }

    #[test]
    fn highlights_have_a_text() {
        assert_eq!(shaded(0.42, 0.3333).text(), "equally good: from 0.333 to 0.42.");
        assert_eq!(shaded(0.42, f64::INFINITY).text(), "equally good: from 0.42 on.");
        let point = Highlight { label: String::new(), shape: Shape::Point(0.4, 0.61) };
        assert_eq!(point.text(), "Marked: 0.61 at 0.4.");
    }

    #[test]
    fn only_shapes_within_the_axes_are_seen() {
        let unit = Range { low: 0.0, high: 1.0 };
        assert!(Shape::Range(-5.0, 0.0).is_seen(unit, unit));
        assert!(Shape::Range(f64::NEG_INFINITY, f64::INFINITY).is_seen(unit, unit));
        assert!(!Shape::Range(1.5, 2.0).is_seen(unit, unit));
        assert!(!Shape::Point(0.5, 1.5).is_seen(unit, unit));
    }
}
