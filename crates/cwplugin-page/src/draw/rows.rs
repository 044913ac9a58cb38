//! The inside of a dot plot: one row under another, over one axis.

use std::fmt::Write as _;

use crate::draw::dot::{Row, Seat, Seats};
use crate::draw::dot_plot::DotPlot;
use crate::draw::look::Look;
use crate::draw::number;
use crate::draw::range::Range;
use crate::draw::scale::{self, clean};
use crate::draw::svg::{Anchor, Px, Svg};
use crate::draw::text::{self, escape};
use crate::draw::view::{Frame, View};

/// More rows than this are a table, not a picture.
pub(crate) const MOST_ROWS: usize = 200;
/// With more rows than this, the numbers of the axis stand above them too.
const HIGH: usize = 24;
/// Half the size of a dot.
const RADIUS: f64 = 4.0;
/// Between two dots of one row that would hide each other.
const DODGE: f64 = 8.0;
/// From the names to the frame.
pub(crate) const NAME_GAP: f64 = 10.0;

/// The rows of a plot, once the range of their axis is known.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    plot: &'a DotPlot,
    seated: Vec<(&'a Row, Seats)>,
    x: Range,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(plot: &'a DotPlot) -> Self {
        let seated: Vec<_> = plot.rows.iter().take(MOST_ROWS).map(|row| (row, row.place(&plot.x))).collect();
        let dots = seated.iter().flat_map(|(_, seats)| &seats.taken).flat_map(|s| [s.low, s.at, s.high]);
        let rule = plot.rule.iter().filter_map(|(value, _)| plot.x.place(*value));
        let x = Range::of(&plot.x, dots.chain(rule).collect(), 0.04);
        Self { plot, seated, x }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.seated.iter().all(|(_, seats)| seats.taken.is_empty())
    }

    fn most_dots(&self) -> usize {
        self.seated.iter().map(|(row, _)| row.dots.len()).max().unwrap_or(0).max(1)
    }

    /// From one row to the next: all its dots must find room under each other.
    fn pitch(&self) -> f64 {
        (DODGE * self.most_dots() as f64 + 8.0).max(22.0)
    }

    pub(crate) fn height(&self) -> f64 {
        if self.is_empty() { 60.0 } else { self.pitch() * self.seated.len() as f64 + 6.0 }
    }

    /// Room for the numbers above the frame.
    pub(crate) fn head(&self) -> f64 {
        if self.seated.len() > HIGH { 18.0 } else { 4.0 }
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
        // The names leave a narrow picture little room, and an axis with one number says nothing.
        let most = (frame.width / 48.0).clamp(3.0, 10.0) as usize;
        let ticks = scale::round(&self.plot.x, self.x, most);
        for (place, _) in &ticks {
            let x = Px(view.across(*place));
            svg.line(format_args!(r#"<path class="cwd-grid" d="M{x} {top}V{bottom}"/>"#));
        }
        svg.line(format_args!(r#"<path class="cwd-axis" d="M{left} {bottom}H{right}"/>"#));
        scale::draw_below(svg, &view, &ticks);
        if self.seated.len() > HIGH {
            scale::draw_above(svg, &view, &ticks);
        }
        if let Some(place) = self.rule_place().filter(|place| self.x.holds(*place)) {
            let x = Px(view.across(place));
            svg.line(format_args!(
                r#"<path class="cwd-axis" stroke-dasharray="5 3" d="M{x} {top}V{bottom}"/>"#
            ));
        }
        for (i, (row, seats)) in self.seated.iter().enumerate() {
            let y = frame.top + 3.0 + self.pitch() * (i as f64 + 0.5);
            // The words of a row are shown to a pointer that rests on it, as its name may be cut.
            svg.line(format_args!("<g><title>{}</title>", escape(&row.words(&self.plot.series))));
            self.draw_row(svg, &view, row, &seats.taken, y);
            svg.line(format_args!("</g>"));
        }
    }

    fn draw_row(&self, svg: &mut Svg, view: &View, row: &Row, seats: &[Seat], y: f64) {
        let (left, right) = (view.frame.left, view.frame.right());
        let name = text::shorten(&row.name, 12.0, self.plot.name_room());
        svg.text("name", Anchor::End, left - NAME_GAP, y + 4.0, &name);
        svg.line(format_args!(
            r#"<path class="cwd-grid" stroke-dasharray="2 3" d="M{} {}H{}"/>"#,
            Px(left),
            Px(y),
            Px(right)
        ));
        let heights = self.heights(view, seats, y);
        for (seat, &y) in seats.iter().zip(&heights).filter(|(seat, _)| seat.has_interval()) {
            draw_interval(svg, view, *seat, y);
        }
        if let (Some(first), Some(last)) = (seats.first(), seats.last())
            && let (Some(&from), Some(&to)) = (heights.first(), heights.last())
        {
            let inside = |seat: &Seat| view.across(seat.at).clamp(left, right);
            draw_arrow(svg, (inside(first), from), (inside(last), to));
        }
        for (seat, &y) in seats.iter().zip(&heights).filter(|(seat, _)| self.x.holds(seat.at)) {
            let look = Look(seat.series);
            let class = if look.hollow() { "hole" } else { "dot" };
            let path = look.marker(view.across(seat.at), y, RADIUS);
            svg.line(format_args!(r#"<path class="cwd-c{} cwd-{class}" d="{path}"/>"#, look.colour()));
        }
    }

    /// The dots of a row stand on one height, unless they or their intervals would hide each other.
    fn heights(&self, view: &View, seats: &[Seat], y: f64) -> Vec<f64> {
        let mut ends: Vec<f64> = seats.iter().map(|seat| view.across(seat.at)).collect();
        ends.sort_by(f64::total_cmp);
        let close = ends.windows(2).any(|pair| pair[1] - pair[0] < 2.5 * RADIUS);
        let apart = close || self.seated.iter().any(|(_, seats)| seats.taken.iter().any(Seat::has_interval));
        let step = if apart { DODGE } else { 0.0 };
        let middle = (self.most_dots() - 1) as f64 / 2.0;
        seats.iter().map(|seat| y + step * (seat.series as f64 - middle)).collect()
    }

    fn rule_place(&self) -> Option<f64> {
        self.plot.rule.as_ref().and_then(|(value, _)| self.plot.x.place(*value))
    }

    /// Where the label of the rule belongs, if the rule can be seen.
    pub(crate) fn rule_at(&self, frame: Frame) -> Option<f64> {
        let view = View { frame, x: self.x, y: Range { low: 0.0, high: 1.0 } };
        let place = self.rule_place().filter(|place| self.x.holds(*place) && !self.is_empty())?;
        Some(view.across(place))
    }

    pub(crate) fn omitted(&self) -> usize {
        let dots: usize = self.seated.iter().map(|(_, seats)| seats.omitted).sum();
        dots + usize::from(self.plot.rule.is_some() && self.rule_place().is_none())
    }

    /// What a range that was told cuts off, by row.
    pub(crate) fn outside(&self) -> Vec<String> {
        let written = |place: f64| number::short(clean(self.plot.x.value(place)));
        let mut notes = Vec::new();
        for (row, seats) in &self.seated {
            let beyond = seats.taken.iter().filter(|seat| !self.x.holds(seat.at));
            let values: Vec<String> = beyond.map(|seat| written(seat.at)).collect();
            if !values.is_empty() {
                notes.push(format!("{} ({})", row.name, values.join(", ")));
            } else if seats.taken.iter().any(|seat| !self.x.holds(seat.low) || !self.x.holds(seat.high)) {
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

/// A bar from end to end, with a cap at each end that is not cut off.
fn draw_interval(svg: &mut Svg, view: &View, seat: Seat, y: f64) {
    let inside = |place: f64| Px(view.across(place).clamp(view.frame.left, view.frame.right()));
    let mut path = format!("M{} {}H{}", inside(seat.low), Px(y), inside(seat.high));
    for end in [seat.low, seat.high].into_iter().filter(|end| view.x.holds(*end)) {
        let _ = write!(path, "M{} {}v6", inside(end), Px(y - 3.0));
    }
    let colour = Look(seat.series).colour();
    svg.line(format_args!(r#"<path class="cwd-c{colour} cwd-bar" stroke-width="1.5" d="{path}"/>"#));
}

/// From dot to dot, without touching them; nothing if they are too close for an arrow to be read.
fn draw_arrow(svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    let free = RADIUS + 2.5;
    if length < 2.0 * free + 5.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let (start, tip) = ((from.0 + free * ux, from.1 + free * uy), (to.0 - free * ux, to.1 - free * uy));
    let wing = |side: f64| (tip.0 - 5.0 * ux - 3.0 * side * uy, tip.1 - 5.0 * uy + 3.0 * side * ux);
    let point = |(x, y): (f64, f64)| format!("{} {}", Px(x), Px(y));
    svg.line(format_args!(
        r#"<path class="cwd-axis" d="M{}L{}M{}L{}L{}"/>"#,
        point(start),
        point(tip),
        point(wing(1.0)),
        point(tip),
        point(wing(-1.0))
    ));
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
    fn dots_that_would_hide_each_other_stand_apart_and_have_no_arrow() {
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
    fn the_whole_name_and_all_values_are_in_the_title_of_the_row() {
        let svg = drawn(&plot(vec![Dot::new(0.5)]).width(240).series("fitted"));
        assert!(svg.contains("<title>a&lt;b: fitted 0.5</title>"), "{svg}");
    }

    #[test]
    fn a_rule_without_a_place_is_counted() {
        let plot = DotPlot::new("").x_axis(Axis::log("")).row("a", vec![Dot::new(1.0)]).rule(0.0, "none");
        assert_eq!((Rows::new(&plot).omitted(), Rows::new(&plot).rule_at(FRAME)), (1, None));
    }
}
