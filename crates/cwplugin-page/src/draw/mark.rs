//! One line of a plot: band, stroke and markers.

use std::fmt::Write as _;

use crate::draw::look::Look;
use crate::draw::series::{Parts, Place, Trace};
use crate::draw::svg::{Px, Svg};
use crate::draw::text::escape;
use crate::draw::view::View;

/// Markers on one line; of more points, only some get a marker.
const MOST_MARKERS: usize = 24;

/// One line with its look.
#[derive(Debug)]
pub(crate) struct Mark<'a> {
    pub(crate) name: &'a str,
    pub(crate) trace: &'a Trace,
    pub(crate) look: Look,
    pub(crate) strong: bool,
    pub(crate) parts: Parts,
    /// Horizontal shift in pixels, so that points at the same x do not overlap.
    pub(crate) shift: f64,
}

impl Mark<'_> {
    fn at(&self, view: &View, place: &Place) -> (Px, Px) {
        (Px(view.across(place.x) + self.shift), Px(view.down(place.y)))
    }

    /// The band, or bars for single points; drawn before all lines.
    pub(crate) fn band(&self, svg: &mut Svg, view: &View, opacity: f64) {
        let (mut area, mut bars) = (String::new(), String::new());
        for run in self.trace.runs.iter().filter(|run| run.iter().any(Place::has_band)) {
            if run.len() == 1 || !self.parts.line {
                for place in run.iter().filter(|place| place.has_band()) {
                    let x = view.across(place.x) + self.shift;
                    for (y, to) in [(place.low, place.high), (place.high, place.low)] {
                        let (y, to) = (Px(view.down(y)), Px(view.down(to)));
                        let _ = write!(bars, "M{} {y}H{}M{} {y}V{to}", Px(x - 4.0), Px(x + 4.0), Px(x));
                    }
                }
                continue;
            }
            let mut upper: Vec<(f64, f64)> = run.iter().map(|p| (p.x, p.high)).collect();
            let mut lower: Vec<(f64, f64)> = run.iter().map(|p| (p.x, p.low)).collect();
            if self.parts.steps {
                (upper, lower) = (with_corners(&upper), with_corners(&lower));
            }
            for (i, (x, y)) in upper.into_iter().chain(lower.into_iter().rev()).enumerate() {
                let step = if i == 0 { 'M' } else { 'L' };
                let _ = write!(area, "{step}{} {}", Px(view.across(x) + self.shift), Px(view.down(y)));
            }
            area.push('z');
        }
        let colour = self.look.colour();
        if !area.is_empty() {
            svg.line(format_args!(
                r#"<path class="cwd-c{colour} cwd-band" fill-opacity="{opacity:.2}" d="{area}"/>"#
            ));
        }
        if !bars.is_empty() {
            svg.line(format_args!(r#"<path class="cwd-c{colour} cwd-bar" d="{bars}"/>"#));
        }
    }

    /// The stroke and the markers.
    pub(crate) fn line(&self, svg: &mut Svg, view: &View, radius: f64) {
        let mut path = String::new();
        for run in self.trace.runs.iter().filter(|run| run.len() > 1 && self.parts.line) {
            if self.parts.steps {
                self.stairs(&mut path, view, run);
                continue;
            }
            for (i, place) in run.iter().enumerate() {
                let (x, y) = self.at(view, place);
                let _ = write!(path, "{}{x} {y}", if i == 0 { 'M' } else { 'L' });
            }
        }
        let (colour, name, dashes) = (self.look.colour(), escape(self.name), self.look.dashes());
        svg.line(format_args!(r#"<g class="cwd-c{colour}"><title>{name}</title>"#));
        if !path.is_empty() {
            if self.strong {
                svg.line(format_args!(r#"<path class="cwd-halo" d="{path}"/>"#));
            }
            let class = if self.strong { "bold" } else { "line" };
            svg.line(format_args!(r#"<path class="cwd-{class}"{dashes} d="{path}"/>"#));
        }
        let radius = if self.strong { radius * 1.25 } else { radius };
        let count = self.trace.places().count();
        let stride = count.div_ceil(MOST_MARKERS).max(1);
        let mut markers = String::new();
        let alone = self.trace.runs.iter().flat_map(|run| run.iter().map(|_| run.len() == 1));
        for ((i, place), alone) in self.trace.places().enumerate().zip(alone) {
            // Count from the last point, which has the label.
            let wanted = self.parts.markers && (count - 1 - i).is_multiple_of(stride);
            // A step without length is drawn as a point.
            let wanted = wanted || (self.parts.steps && alone);
            if wanted && view.x.holds(place.x) && view.y.holds(place.y) {
                let (x, y) = self.at(view, place);
                markers.push_str(&self.look.marker(x.0, y.0, radius));
            }
        }
        if !markers.is_empty() {
            let class = if self.look.hollow() { "hole" } else { "dot" };
            svg.line(format_args!(r#"<path class="cwd-{class}" d="{markers}"/>"#));
        }
        svg.line(format_args!("</g>"));
    }

    /// Horizontal, then vertical; values that round to the same pixel are one step.
    fn stairs(&self, path: &mut String, view: &View, run: &[Place]) {
        let mut written = None;
        for place in run {
            let (x, y) = self.at(view, place);
            let (x, y) = (x.to_string(), y.to_string());
            match &written {
                None => path.extend(["M", &x, " ", &y]),
                Some(height) if *height == y => continue,
                Some(_) => path.extend(["H", &x, "V", &y]),
            }
            written = Some(y);
        }
        if let Some(last) = run.last() {
            let _ = write!(path, "H{}", self.at(view, last).0);
        }
    }
}

/// The points of a step function with its corners.
fn with_corners(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut all: Vec<(f64, f64)> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        all.extend([(pair[1].0, pair[0].1), pair[1]]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::range::Range;
    use crate::draw::view::Frame;
    use crate::draw::{Axis, Point, Series};

    fn drawn(points: Vec<Point>) -> String {
        drawn_of(&Series::new("a", points))
    }

    fn drawn_of(series: &Series) -> String {
        let trace = series.trace(&Axis::linear(""), &Axis::linear(""));
        let unit = Range { low: 0.0, high: 1.0 };
        let frame = Frame { left: 0.0, top: 0.0, width: 100.0, height: 100.0 };
        let view = View { frame, x: unit, y: unit };
        let mark = Mark {
            name: "a<b",
            trace: &trace,
            look: Look(0),
            strong: false,
            parts: series.parts(),
            shift: 0.0,
        };
        let mut svg = Svg::default();
        mark.band(&mut svg, &view, 0.1);
        mark.line(&mut svg, &view, 3.0);
        svg.finish(100.0, 100.0, "", "").inline()
    }

    #[test]
    fn a_point_alone_has_a_bar_and_no_line() {
        let svg = drawn(vec![Point { x: 0.5, y: 0.5, low: 0.4, high: 0.6 }]);
        assert!(svg.contains("cwd-bar") && !svg.contains("cwd-band") && !svg.contains("cwd-line"));
    }

    #[test]
    fn two_points_have_a_line_and_a_band_if_there_is_one() {
        let banded = |x| Point { x, y: 0.5, low: 0.4, high: 0.6 };
        assert!(drawn(vec![banded(0.2), banded(0.8)]).contains("M20 40L80 40L80 60L20 60z"));
        let plain = drawn(vec![Point::new(0.2, 0.5), Point::new(0.8, 0.5)]);
        assert!(plain.contains(r#"d="M20 50L80 50""#) && !plain.contains("cwd-band"));
    }

    #[test]
    fn markers_alone_have_bars_and_a_line_alone_has_no_markers() {
        let points = || [0.2, 0.8].map(|x| Point { x, y: 0.5, low: 0.4, high: 0.6 }).to_vec();
        let markers = drawn_of(&Series::new("a", points()).markers_only());
        assert!(markers.contains("cwd-bar") && markers.contains("cwd-dot"));
        assert!(!markers.contains("cwd-band") && !markers.contains("cwd-line"));
        let line = drawn_of(&Series::new("a", points()).line_only());
        assert!(line.contains("cwd-line") && line.contains("cwd-band") && !line.contains("cwd-dot"));
    }

    #[test]
    fn steps_go_across_and_then_up_or_down() {
        let points = [(0.2, 0.5), (0.4, 0.75), (0.6, 0.75), (0.8, 0.25), (0.9, 0.25)];
        let series = Series::new("a", points.map(|(x, y)| Point::new(x, y)).to_vec()).steps();
        let svg = drawn_of(&series);
        assert!(svg.contains(r#"d="M20 50H40V25H80V75H90""#), "{svg}");
        assert!(!svg.contains("cwd-dot"));
    }

    #[test]
    fn the_band_of_steps_has_their_corners() {
        let points = [(0.2, 0.5), (0.8, 0.7)].map(|(x, y)| Point { x, y, low: y - 0.1, high: y + 0.1 });
        let svg = drawn_of(&Series::new("a", points.to_vec()).steps());
        assert!(svg.contains("M20 40L80 40L80 20L80 40L80 60L20 60z"), "{svg}");
    }

    #[test]
    fn a_step_alone_is_a_point() {
        assert!(drawn_of(&Series::new("a", vec![Point::new(0.5, 0.5)]).steps()).contains("cwd-dot"));
    }

    #[test]
    fn a_long_line_has_few_markers() {
        let points = (0..1000).map(|i| Point::new(f64::from(i) / 1000.0, 0.5)).collect();
        assert!(drawn(points).matches('z').count() <= MOST_MARKERS);
    }
}
