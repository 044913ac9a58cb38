//! The rows of a dot plot over their axis.

use std::fmt::Write as _;

use crate::draw::arrow;
use crate::draw::dot::{PlacedDot, PlacedRow, Row};
use crate::draw::dot_plot::DotPlot;
use crate::draw::look::Look;
use crate::draw::number;
use crate::draw::range::Range;
use crate::draw::scale::{self, clean};
use crate::draw::svg::{Anchor, Px, Svg};
use crate::draw::text::{self, escape};
use crate::draw::view::{Frame, View};

/// Further rows are not drawn.
pub(crate) const MOST_ROWS: usize = 200;
/// With more rows than this, tick labels stand above the rows too.
const TALL: usize = 24;
/// Half the size of a dot.
const RADIUS: f64 = 4.0;
/// Vertical distance of dots that would overlap.
const DODGE: f64 = 8.0;
/// Distance of the names from the frame.
pub(crate) const NAME_GAP: f64 = 10.0;

/// The rows of a plot, and the range of the axis.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    plot: &'a DotPlot,
    placed: Vec<(&'a Row, PlacedRow)>,
    x: Range,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(plot: &'a DotPlot) -> Self {
        let placed: Vec<_> = plot.rows.iter().take(MOST_ROWS).map(|row| (row, row.place(&plot.x))).collect();
        let dots = placed.iter().flat_map(|(_, row)| &row.dots).flat_map(|s| [s.low, s.at, s.high]);
        let rule = plot.rule.iter().filter_map(|(value, _)| plot.x.place(*value));
        let x = Range::of(&plot.x, dots.chain(rule).collect(), 0.04);
        Self { plot, placed, x }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.placed.iter().all(|(_, row)| row.dots.is_empty())
    }

    fn most_dots(&self) -> usize {
        self.placed.iter().map(|(row, _)| row.dots.len()).max().unwrap_or(0).max(1)
    }

    /// Distance from one row to the next, enough for all dots below each other.
    fn pitch(&self) -> f64 {
        (DODGE * self.most_dots() as f64 + 8.0).max(22.0)
    }

    pub(crate) fn height(&self) -> f64 {
        if self.is_empty() { 60.0 } else { self.pitch() * self.placed.len() as f64 + 6.0 }
    }

    /// Space for tick labels above the frame.
    pub(crate) fn head(&self) -> f64 {
        if self.placed.len() > TALL { 18.0 } else { 4.0 }
    }

    pub(crate) fn draw(&self, svg: &mut Svg, frame: Frame) {
        let view = View { frame, x: self.x, y: Range { low: 0.0, high: 1.0 } };
        let (left, right, top, bottom) =
            (Px(frame.left), Px(frame.right()), Px(frame.top), Px(frame.bottom()));
        if self.is_empty() {
            let (x, y) = (frame.left + frame.width / 2.0, frame.top + frame.height / 2.0);
            svg.text("label", Anchor::Middle, x, y + 4.0, "no data");
            return;
        }
        // At least three ticks, however narrow.
        let most = (frame.width / 48.0).clamp(3.0, 10.0) as usize;
        let ticks = scale::round(&self.plot.x, self.x, most);
        for (place, _) in &ticks {
            let x = Px(view.across(*place));
            svg.line(format_args!(r#"<path class="cwd-grid" d="M{x} {top}V{bottom}"/>"#));
        }
        svg.line(format_args!(r#"<path class="cwd-axis" d="M{left} {bottom}H{right}"/>"#));
        scale::draw_below(svg, &view, &ticks);
        if self.placed.len() > TALL {
            scale::draw_above(svg, &view, &ticks);
        }
        if let Some(place) = self.rule_place().filter(|place| self.x.holds(*place)) {
            let x = Px(view.across(place));
            svg.line(format_args!(
                r#"<path class="cwd-axis" stroke-dasharray="5 3" d="M{x} {top}V{bottom}"/>"#
            ));
        }
        for (i, (row, placed)) in self.placed.iter().enumerate() {
            let y = frame.top + 3.0 + self.pitch() * (i as f64 + 0.5);
            // Browsers show the full text as a tooltip.
            svg.line(format_args!("<g><title>{}</title>", escape(&row.text(&self.plot.series))));
            self.draw_row(svg, &view, row, &placed.dots, y);
            svg.line(format_args!("</g>"));
        }
    }

    fn draw_row(&self, svg: &mut Svg, view: &View, row: &Row, dots: &[PlacedDot], y: f64) {
        let (left, right) = (view.frame.left, view.frame.right());
        let name = text::shorten(&row.name, 12.0, self.plot.name_room());
        svg.text("name", Anchor::End, left - NAME_GAP, y + 4.0, &name);
        svg.line(format_args!(
            r#"<path class="cwd-grid" stroke-dasharray="2 3" d="M{} {}H{}"/>"#,
            Px(left),
            Px(y),
            Px(right)
        ));
        let heights = self.heights(view, dots, y);
        for (dot, &y) in dots.iter().zip(&heights).filter(|(dot, _)| dot.has_interval()) {
            draw_interval(svg, view, *dot, y);
        }
        if let (Some(first), Some(last)) = (dots.first(), dots.last())
            && let (Some(&from), Some(&to)) = (heights.first(), heights.last())
        {
            let inside = |dot: &PlacedDot| view.across(dot.at).clamp(left, right);
            arrow::draw(svg, (inside(first), from), (inside(last), to), RADIUS + 2.5);
        }
        for (dot, &y) in dots.iter().zip(&heights).filter(|(dot, _)| self.x.holds(dot.at)) {
            let look = Look(dot.series);
            let class = if look.hollow() { "hole" } else { "dot" };
            let path = look.marker(view.across(dot.at), y, RADIUS);
            svg.line(format_args!(r#"<path class="cwd-c{} cwd-{class}" d="{path}"/>"#, look.colour()));
        }
    }

    /// The height of every dot: all the same, unless dots or intervals would overlap.
    fn heights(&self, view: &View, dots: &[PlacedDot], y: f64) -> Vec<f64> {
        let mut ends: Vec<f64> = dots.iter().map(|dot| view.across(dot.at)).collect();
        ends.sort_by(f64::total_cmp);
        let close = ends.windows(2).any(|pair| pair[1] - pair[0] < 2.5 * RADIUS);
        let apart = close || self.placed.iter().any(|(_, row)| row.dots.iter().any(PlacedDot::has_interval));
        let step = if apart { DODGE } else { 0.0 };
        let middle = (self.most_dots() - 1) as f64 / 2.0;
        dots.iter().map(|dot| y + step * (dot.series as f64 - middle)).collect()
    }

    fn rule_place(&self) -> Option<f64> {
        self.plot.rule.as_ref().and_then(|(value, _)| self.plot.x.place(*value))
    }

    /// The x pixel of the rule, if it is drawn.
    pub(crate) fn rule_at(&self, frame: Frame) -> Option<f64> {
        let view = View { frame, x: self.x, y: Range { low: 0.0, high: 1.0 } };
        let place = self.rule_place().filter(|place| self.x.holds(*place) && !self.is_empty())?;
        Some(view.across(place))
    }

    pub(crate) fn omitted(&self) -> usize {
        let dots: usize = self.placed.iter().map(|(_, row)| row.omitted).sum();
        dots + usize::from(self.plot.rule.is_some() && self.rule_place().is_none())
    }

    /// The values outside of the axis, by row.
    pub(crate) fn outside(&self) -> Vec<String> {
        let written = |place: f64| number::short(clean(self.plot.x.value(place)));
        let mut notes = Vec::new();
        for (row, placed) in &self.placed {
            let beyond = placed.dots.iter().filter(|dot| !self.x.holds(dot.at));
            let values: Vec<String> = beyond.map(|dot| written(dot.at)).collect();
            if !values.is_empty() {
                notes.push(format!("{} ({})", row.name, values.join(", ")));
            } else if placed.dots.iter().any(|dot| !self.x.holds(dot.low) || !self.x.holds(dot.high)) {
                notes.push(format!("an interval of {}", row.name));
            }
        }
        if let (Some((_, label)), Some(place)) = (&self.plot.rule, self.rule_place())
            && !self.x.holds(place)
        {
            notes.push(format!("{label} ({})", written(place)));
        }
        notes
    }
}

/// A bar with a cap at each end within the frame.
fn draw_interval(svg: &mut Svg, view: &View, dot: PlacedDot, y: f64) {
    let inside = |place: f64| Px(view.across(place).clamp(view.frame.left, view.frame.right()));
    let mut path = format!("M{} {}H{}", inside(dot.low), Px(y), inside(dot.high));
    for end in [dot.low, dot.high].into_iter().filter(|end| view.x.holds(*end)) {
        let _ = write!(path, "M{} {}v6", inside(end), Px(y - 3.0));
    }
    let colour = Look(dot.series).colour();
    svg.line(format_args!(r#"<path class="cwd-c{colour} cwd-bar" stroke-width="1.5" d="{path}"/>"#));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Axis, Dot};

    const FRAME: Frame = Frame { left: 100.0, top: 0.0, width: 100.0, height: 100.0 };

    fn drawn(plot: &DotPlot) -> String {
        let mut svg = Svg::default();
        Rows::new(plot).draw(&mut svg, FRAME);
        svg.finish(200.0, 100.0, "", "").inline()
    }

    fn plot(dots: Vec<Dot>) -> DotPlot {
        DotPlot::new("").x_axis(Axis::linear("").range(0.0, 1.0)).row("a<b", dots)
    }

    #[test]
    fn an_arrow_leads_from_the_first_dot_to_the_last() {
        let right = drawn(&plot(vec![Dot::new(0.2), Dot::new(0.5), Dot::new(0.8)]));
        // Six and a half pixels from the dots, which stand at 120 and 180.
        assert!(right.contains("M126.5 19L173.5 19M168.5 22L173.5 19L168.5 16"), "{right}");
        let left = drawn(&plot(vec![Dot::new(0.8), Dot::missing(), Dot::new(0.2)]));
        assert!(left.contains("M173.5 19L126.5 19M131.5"), "{left}");
    }

    #[test]
    fn overlapping_dots_are_moved_apart_and_have_no_arrow() {
        let svg = drawn(&plot(vec![Dot::new(0.5), Dot::new(0.5)]));
        assert!(svg.contains(&Look(0).marker(150.0, 11.0, RADIUS)), "{svg}");
        assert!(svg.contains(&Look(1).marker(150.0, 19.0, RADIUS)), "{svg}");
        assert!(!svg.contains("L150"));
    }

    #[test]
    fn an_interval_ends_at_the_frame() {
        let svg = drawn(&plot(vec![Dot { value: 0.5, low: 0.25, high: 7.0 }]));
        assert!(svg.contains(r#"d="M125 14H200M125 11v6""#), "{svg}");
        let outside = Rows::new(&plot(vec![Dot { value: 0.5, low: 0.25, high: 7.0 }])).outside();
        assert_eq!(outside, ["an interval of a<b"]);
    }

    #[test]
    fn the_tooltip_of_a_row_has_its_name_and_values() {
        let svg = drawn(&plot(vec![Dot::new(0.5)]).width(240).series("fitted"));
        assert!(svg.contains("<title>a&lt;b: fitted 0.5</title>"), "{svg}");
    }

    #[test]
    fn a_rule_that_cannot_be_drawn_is_counted() {
        let plot = DotPlot::new("").x_axis(Axis::log("")).row("a", vec![Dot::new(1.0)]).rule(0.0, "none");
        assert_eq!((Rows::new(&plot).omitted(), Rows::new(&plot).rule_at(FRAME)), (1, None));
    }
}
