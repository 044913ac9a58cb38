//! The inside of a plot: grid, axes and lines in a frame.

use crate::draw::highlight::Shape;
use crate::draw::look::Look;
use crate::draw::mark::Mark;
use crate::draw::number;
use crate::draw::plot::LinePlot;
use crate::draw::range::Range;
use crate::draw::scale::{self, TICK, clean};
use crate::draw::series::Trace;
use crate::draw::svg::{Anchor, Px, Svg};
use crate::draw::text;
use crate::draw::view::{Frame, View};

/// As many x values as this are written themselves, instead of round numbers between them.
const OWN_TICKS: usize = 8;

/// A plot whose ranges are known.
#[derive(Debug)]
pub(crate) struct Panel<'a> {
    plot: &'a LinePlot,
    looks: Vec<Look>,
    pub(crate) traces: Vec<Trace>,
    /// The highlights, without those that have no place.
    shapes: Vec<Option<Shape>>,
    x: Range,
    y: Range,
    y_ticks: Vec<(f64, String)>,
}

impl<'a> Panel<'a> {
    /// Measures a plot whose frame will be `height` pixels high.
    pub(crate) fn new(plot: &'a LinePlot, looks: Vec<Look>, height: f64) -> Self {
        let traces: Vec<Trace> = plot.series.iter().map(|s| s.trace(&plot.x, &plot.y)).collect();
        let shapes: Vec<_> = plot.highlights.iter().map(|h| h.place(&plot.x, &plot.y)).collect();
        let places = || traces.iter().flat_map(Trace::places);
        let seen = || shapes.iter().flatten();
        let across = places().map(|p| p.x).chain(seen().flat_map(|shape| shape.across()));
        let up = places().flat_map(|p| [p.low, p.y, p.high]).chain(seen().filter_map(|shape| shape.up()));
        let x = Range::of(&plot.x, across.collect(), 0.03);
        let y = Range::of(&plot.y, up.collect(), 0.06);
        let mut panel = Self { plot, looks, x, y, y_ticks: Vec::new(), traces, shapes };
        if !panel.is_empty() {
            panel.y_ticks = scale::round(&plot.y, y, (height / 30.0).clamp(3.0, 10.0) as usize);
        }
        panel
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.traces.iter().all(|trace| trace.runs.is_empty())
    }

    /// Room for the numbers at the left.
    pub(crate) fn gutter(&self) -> f64 {
        self.y_ticks.iter().map(|(_, label)| text::width(label, TICK)).fold(0.0, f64::max) + 8.0
    }

    fn view(&self, frame: Frame) -> View {
        View { frame, x: self.x, y: self.y }
    }

    /// Draws everything inside the frame, and the numbers around it; `radius` is the size of the markers.
    pub(crate) fn draw(&self, svg: &mut Svg, frame: Frame, radius: f64) {
        self.draw_axes(svg, frame);
        if self.is_empty() {
            let (x, y) = (frame.left + frame.width / 2.0, frame.top + frame.height / 2.0);
            svg.text("label", Anchor::Middle, x, y + 4.0, "no data");
            return;
        }
        let view = self.view(frame);
        self.draw_shapes(svg, &view, |shape| matches!(shape, Shape::Stretch(..)));
        let marks = self.marks(frame);
        let cut = self.cuts();
        if cut {
            // An inner picture cuts at its edges without an id, which could clash on a page of many pictures.
            let (x, y, w, h) = (Px(frame.left), Px(frame.top), Px(frame.width), Px(frame.height));
            svg.line(format_args!(
                r#"<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}" overflow="hidden">"#
            ));
        }
        // Many bands over each other turn to mud: the more there are, the fainter each.
        let faint = (0.26 / (marks.len() as f64).sqrt()).clamp(0.06, 0.13);
        for mark in &marks {
            mark.band(svg, &view, if mark.strong { 0.18 } else { faint });
        }
        for mark in &marks {
            mark.line(svg, &view, radius);
        }
        if cut {
            svg.line(format_args!("</svg>"));
        }
        self.draw_shapes(svg, &view, |shape| matches!(shape, Shape::Point(..)));
    }

    fn draw_shapes(&self, svg: &mut Svg, view: &View, wanted: impl Fn(&Shape) -> bool) {
        for shape in self.shapes.iter().flatten().copied().filter(wanted) {
            shape.draw(svg, view);
        }
    }

    /// The lines in the order of painting: the first series over the later ones, the emphasised one over all.
    fn marks(&self, frame: Frame) -> Vec<Mark<'_>> {
        let shifts = self.shifts(frame);
        let mut marks: Vec<Mark> = (self.plot.series.iter().zip(&self.traces).zip(&self.looks).zip(shifts))
            .map(|(((series, trace), &look), shift)| {
                let strong = self.plot.is_strong(series.name());
                Mark { name: series.name(), trace, look, strong, parts: series.parts(), shift }
            })
            .filter(|mark| !mark.trace.runs.is_empty())
            .collect();
        marks.reverse();
        marks.sort_by_key(|mark| mark.strong);
        marks
    }

    /// If all points share one x, they stand side by side.
    fn shifts(&self, frame: Frame) -> Vec<f64> {
        let count = self.traces.iter().filter(|trace| !trace.runs.is_empty()).count();
        let alone = own_values(&self.traces, 1).is_some();
        let step = if alone && count > 1 { (frame.width * 0.85 / count as f64).min(64.0) } else { 0.0 };
        let mut left = -step * (count.max(1) - 1) as f64 / 2.0;
        let shift = |trace: &Trace| {
            let here = left;
            left += if trace.runs.is_empty() { 0.0 } else { step };
            here
        };
        self.traces.iter().map(shift).collect()
    }

    fn draw_axes(&self, svg: &mut Svg, frame: Frame) {
        let view = self.view(frame);
        let (left, right, bottom) = (Px(frame.left), Px(frame.right()), Px(frame.bottom()));
        for (place, label) in &self.y_ticks {
            let y = view.down(*place);
            svg.line(format_args!(r#"<path class="cwd-grid" d="M{left} {}H{right}"/>"#, Px(y)));
            svg.text("tick", Anchor::End, frame.left - 6.0, y + 4.0, label);
        }
        svg.line(format_args!(r#"<path class="cwd-axis" d="M{left} {bottom}H{right}"/>"#));
        if self.is_empty() {
            return;
        }
        scale::draw_below(svg, &view, &self.x_ticks(frame.width));
    }

    /// The data's own values if they are few, else round numbers.
    fn x_ticks(&self, width: f64) -> Vec<(f64, String)> {
        if let Some(mut places) = own_values(&self.traces, OWN_TICKS) {
            places.retain(|&place| self.x.holds(place));
            let values: Vec<f64> = places.iter().map(|&place| clean(self.plot.x.value(place))).collect();
            return places.into_iter().zip(number::own(&values)).collect();
        }
        scale::round(&self.plot.x, self.x, (width / 60.0).clamp(2.0, 10.0) as usize)
    }

    /// Where each line ends: the number of the series and the pixel, moved into the frame.
    pub(crate) fn ends(&self, frame: Frame) -> Vec<(usize, f64, f64)> {
        let view = self.view(frame);
        let shifts = self.shifts(frame);
        let ends = self.traces.iter().enumerate().filter_map(|(i, trace)| trace.last().map(|p| (i, p)));
        ends.map(|(i, place)| {
            let x = (view.across(place.x) + shifts[i]).clamp(frame.left, frame.right());
            (i, x, view.down(place.y).clamp(frame.top, frame.bottom()))
        })
        .collect()
    }

    /// Where the end of a line went if it is not in the frame.
    pub(crate) fn arrow(&self, trace: &Trace) -> &'static str {
        match trace.last() {
            Some(end) if end.y < self.y.low && !self.y.holds(end.y) => " ↓",
            Some(end) if end.y > self.y.high && !self.y.holds(end.y) => " ↑",
            _ => "",
        }
    }

    /// Whether something lies outside the ranges.
    fn cuts(&self) -> bool {
        let inside = |p: &crate::draw::series::Place| {
            self.x.holds(p.x) && self.y.holds(p.y) && self.y.holds(p.low) && self.y.holds(p.high)
        };
        !self.traces.iter().flat_map(Trace::places).all(inside)
    }

    /// How many values have no place on the axes.
    pub(crate) fn omitted(&self) -> usize {
        let lines: usize = self.traces.iter().map(|trace| trace.omitted).sum();
        lines + self.shapes.iter().filter(|shape| shape.is_none()).count()
    }

    /// What the picture does not show, by series: a range that was told cuts, and the reader must know.
    pub(crate) fn outside(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (series, trace) in self.plot.series.iter().zip(&self.traces) {
            let (name, y, before) = (series.name(), &self.plot.y, notes.len());
            let shown = |p: &&crate::draw::series::Place| self.x.holds(p.x);
            let lowest = trace.places().filter(shown).map(|p| p.y).fold(f64::INFINITY, f64::min);
            let highest = trace.places().filter(shown).map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
            if lowest < self.y.low && !self.y.holds(lowest) {
                notes.push(format!("{name} (down to {})", number::short(clean(y.value(lowest)))));
            }
            if highest > self.y.high && !self.y.holds(highest) {
                notes.push(format!("{name} (up to {})", number::short(clean(y.value(highest)))));
            }
            if notes.len() == before && trace.places().any(|p| !self.y.holds(p.low) || !self.y.holds(p.high))
            {
                notes.push(format!("the band of {name}"));
            }
            let beyond = trace.places().filter(|p| !shown(p)).count();
            if beyond > 0 {
                notes.push(format!("{name} ({beyond} left or right of the axis)"));
            }
        }
        for (highlight, shape) in self.plot.highlights.iter().zip(&self.shapes) {
            if shape.is_some_and(|shape| !shape.is_seen(self.x, self.y)) {
                notes.push(highlight.words().trim_end_matches('.').to_owned());
            }
        }
        notes
    }
}

/// The x places if there are at most `most` different ones, in increasing order.
fn own_values(traces: &[Trace], most: usize) -> Option<Vec<f64>> {
    let mut places: Vec<f64> = traces.iter().flat_map(Trace::places).map(|p| p.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup_by(|a, b| a.total_cmp(b).is_eq());
    (places.len() <= most).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Axis, Point, Series};

    fn plot(y: Axis, points: &[(f64, f64)]) -> LinePlot {
        let points = points.iter().map(|&(x, y)| Point::new(x, y)).collect();
        LinePlot::new("").x_axis(Axis::log("")).y_axis(y).series(Series::new("a", points))
    }

    fn labels(plot: &LinePlot) -> Vec<String> {
        Panel::new(plot, vec![Look(0)], 300.0).x_ticks(600.0).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn few_sizes_are_ticks_themselves_and_many_are_not() {
        let few = plot(Axis::linear(""), &[(50.0, 1.0), (160.0, 2.0), (800.0, 3.0)]);
        assert_eq!(labels(&few), ["50", "160", "800"]);
        let many: Vec<(f64, f64)> = (1..=9).map(|i| (f64::from(i) * 37.0, 1.0)).collect();
        assert_eq!(labels(&plot(Axis::linear(""), &many)), ["50", "100", "200"]);
    }

    #[test]
    fn a_line_that_ends_outside_has_an_arrow_and_a_note() {
        let plot = plot(Axis::linear("").range(0.5, 1.0), &[(1.0, 0.7), (2.0, 0.2)]);
        let panel = Panel::new(&plot, vec![Look(0)], 300.0);
        assert_eq!(panel.arrow(&panel.traces[0]), " ↓");
        assert_eq!(panel.outside(), ["a (down to 0.2)"]);
        assert!(panel.cuts());
    }

    #[test]
    fn the_axes_reach_over_what_is_picked_out() {
        let whole = plot(Axis::linear(""), &[(10.0, 0.5), (20.0, 0.6)])
            .stretch(0.0, 200.0, "wide")
            .marker(15.0, 0.9, "high");
        let panel = Panel::new(&whole, vec![Look(0)], 300.0);
        assert!(panel.x.holds(200f64.log10()) && panel.y.holds(0.9) && panel.outside().is_empty());
        let cut = whole.y_axis(Axis::linear("").range(0.4, 0.7));
        assert_eq!(Panel::new(&cut, vec![Look(0)], 300.0).outside(), ["high: 0.9 at 15"]);
    }
}
