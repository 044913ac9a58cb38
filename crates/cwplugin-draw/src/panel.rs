//! The inside of a plot: grid, axes and lines in a frame.

use crate::axis::Axis;
use crate::look::Look;
use crate::mark::Mark;
use crate::number;
use crate::plot::LinePlot;
use crate::range::Range;
use crate::series::Trace;
use crate::svg::{Anchor, Px, Svg};
use crate::text;
use crate::ticks;
use crate::view::{Frame, View};

/// The size of the numbers at the axes, as in the style sheet.
pub(crate) const TICK: f64 = 11.0;
/// As many x values as this are written themselves, instead of round numbers between them.
const OWN_TICKS: usize = 8;

/// A plot whose ranges are known.
#[derive(Debug)]
pub(crate) struct Panel<'a> {
    plot: &'a LinePlot,
    looks: Vec<Look>,
    pub(crate) traces: Vec<Trace>,
    x: Range,
    y: Range,
    y_ticks: Vec<(f64, String)>,
}

impl<'a> Panel<'a> {
    /// Measures a plot whose frame will be `height` pixels high.
    pub(crate) fn new(plot: &'a LinePlot, looks: Vec<Look>, height: f64) -> Self {
        let traces: Vec<Trace> = plot.series.iter().map(|s| s.trace(&plot.x, &plot.y)).collect();
        let places = || traces.iter().flat_map(Trace::places);
        let x = Range::of(&plot.x, places().map(|p| p.x).collect(), 0.03);
        let y = Range::of(&plot.y, places().flat_map(|p| [p.low, p.y, p.high]).collect(), 0.06);
        let mut panel = Self { plot, looks, x, y, y_ticks: Vec::new(), traces };
        if !panel.is_empty() {
            panel.y_ticks = round_ticks(&plot.y, y, (height / 30.0).clamp(3.0, 10.0) as usize);
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
        let ticks = self.x_ticks(frame.width);
        let centres: Vec<f64> = ticks.iter().map(|(place, _)| view.across(*place)).collect();
        let widths: Vec<f64> = ticks.iter().map(|(_, label)| text::width(label, TICK)).collect();
        let kept = ticks::without_overlap(&centres, &widths, 5.0);
        for (((_, label), x), keep) in ticks.iter().zip(centres).zip(kept) {
            svg.line(format_args!(r#"<path class="cwd-axis" d="M{} {bottom}v4"/>"#, Px(x)));
            if keep {
                svg.text("tick", Anchor::Middle, x, frame.bottom() + 17.0, label);
            }
        }
    }

    /// The data's own values if they are few, else round numbers.
    fn x_ticks(&self, width: f64) -> Vec<(f64, String)> {
        if let Some(mut places) = own_values(&self.traces, OWN_TICKS) {
            places.retain(|&place| self.x.holds(place));
            let values: Vec<f64> = places.iter().map(|&place| clean(self.plot.x.value(place))).collect();
            return places.into_iter().zip(number::own(&values)).collect();
        }
        round_ticks(&self.plot.x, self.x, (width / 60.0).clamp(2.0, 10.0) as usize)
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
        let inside = |p: &crate::series::Place| {
            self.x.holds(p.x) && self.y.holds(p.y) && self.y.holds(p.low) && self.y.holds(p.high)
        };
        !self.traces.iter().flat_map(Trace::places).all(inside)
    }

    /// What the picture does not show, by series: a range that was told cuts, and the reader must know.
    pub(crate) fn outside(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (series, trace) in self.plot.series.iter().zip(&self.traces) {
            let (name, y, before) = (series.name(), &self.plot.y, notes.len());
            let shown = |p: &&crate::series::Place| self.x.holds(p.x);
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

fn round_ticks(axis: &Axis, range: Range, most: usize) -> Vec<(f64, String)> {
    let (low, high) = (axis.value(range.low), axis.value(range.high));
    let values = if axis.is_log() { ticks::log(low, high, most) } else { ticks::linear(low, high, most) };
    let labels = if axis.is_log() { number::own(&values) } else { number::even(&values) };
    values.into_iter().zip(labels).filter_map(|(v, label)| Some((axis.place(v)?, label))).collect()
}

/// 10^log10(v) is v but for the last digits; those are taken off again.
fn clean(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Point, Series};

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
}
