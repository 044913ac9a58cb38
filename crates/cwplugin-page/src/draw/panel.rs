//! Grid, axes and lines of a line plot in their frame.

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

/// Up to this many x values of the data become ticks; else ticks are round numbers.
const DATA_TICKS: usize = 8;

/// A line plot with the ranges of its axes.
#[derive(Debug)]
pub(crate) struct Panel<'a> {
    pub(crate) plot: &'a LinePlot,
    looks: Vec<Look>,
    pub(crate) traces: Vec<Trace>,
    /// The highlights; `None` for those that cannot be drawn.
    pub(crate) shapes: Vec<Option<Shape>>,
    pub(crate) x: Range,
    pub(crate) y: Range,
    y_ticks: Vec<(f64, String)>,
}

impl<'a> Panel<'a> {
    /// The plot in a frame `height` pixels high.
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

    /// Space for the tick labels at the left.
    pub(crate) fn gutter(&self) -> f64 {
        self.y_ticks.iter().map(|(_, label)| text::width(label, TICK)).fold(0.0, f64::max) + 8.0
    }

    fn view(&self, frame: Frame) -> View {
        View { frame, x: self.x, y: self.y }
    }

    /// Draws everything inside the frame, and the tick labels around it; `radius` is the size of the markers.
    pub(crate) fn draw(&self, svg: &mut Svg, frame: Frame, radius: f64) {
        self.draw_axes(svg, frame);
        if self.is_empty() {
            let (x, y) = (frame.left + frame.width / 2.0, frame.top + frame.height / 2.0);
            svg.text("label", Anchor::Middle, x, y + 4.0, "no data");
            return;
        }
        let view = self.view(frame);
        self.draw_shapes(svg, &view, |shape| matches!(shape, Shape::Range(..)));
        let marks = self.marks(frame);
        let cut = self.cuts();
        if cut {
            // A nested svg clips without an id, which could clash with another plot on the page.
            let (x, y, w, h) = (Px(frame.left), Px(frame.top), Px(frame.width), Px(frame.height));
            svg.line(format_args!(
                r#"<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}" overflow="hidden">"#
            ));
        }
        // The more bands, the fainter each.
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

    /// The lines in painting order: the first series above later ones, the emphasised one on top.
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

    /// Points of several series at a single x stand side by side.
    fn shifts(&self, frame: Frame) -> Vec<f64> {
        let count = self.traces.iter().filter(|trace| !trace.runs.is_empty()).count();
        let alone = x_values(&self.traces, 1).is_some();
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

    /// The x values of the data if they are few, else round numbers.
    fn x_ticks(&self, width: f64) -> Vec<(f64, String)> {
        if let Some(mut places) = x_values(&self.traces, DATA_TICKS) {
            places.retain(|&place| self.x.holds(place));
            let values: Vec<f64> = places.iter().map(|&place| clean(self.plot.x.value(place))).collect();
            return places.into_iter().zip(number::own(&values)).collect();
        }
        scale::round(&self.plot.x, self.x, (width / 60.0).clamp(2.0, 10.0) as usize)
    }

    /// The end of every line: index of the series and pixel, clamped to the frame.
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
}

/// The distinct x values in increasing order, if there are at most `most`.
fn x_values(traces: &[Trace], most: usize) -> Option<Vec<f64>> {
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
    fn few_x_values_become_ticks() {
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
    fn the_axes_cover_highlights() {
        let whole = plot(Axis::linear(""), &[(10.0, 0.5), (20.0, 0.6)])
            .shade(0.0, 200.0, "wide")
            .marker(15.0, 0.9, "high");
        let panel = Panel::new(&whole, vec![Look(0)], 300.0);
        assert!(panel.x.holds(200f64.log10()) && panel.y.holds(0.9) && panel.outside().is_empty());
        let cut = whole.y_axis(Axis::linear("").range(0.4, 0.7));
        assert_eq!(Panel::new(&cut, vec![Look(0)], 300.0).outside(), ["high: 0.9 at 15"]);
    }
}
