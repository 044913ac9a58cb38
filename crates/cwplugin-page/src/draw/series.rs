//! The data of a line plot: named lines of points with a band.

use crate::draw::axis::Axis;

/// A point of a line, with its band.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Its x value.
    pub x: f64,
    /// Its y value; a value that is not finite leaves a gap in the line.
    pub y: f64,
    /// The lower end of the band; NaN if there is none.
    pub low: f64,
    /// The upper end of the band; NaN if there is none.
    pub high: f64,
}

impl Point {
    /// A point without a band.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, low: f64::NAN, high: f64::NAN }
    }
}

/// The visible parts of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The line that joins the points; without it a band becomes bars.
    pub(crate) line: bool,
    /// The markers of the points.
    pub(crate) markers: bool,
    /// Whether the line is a step function.
    pub(crate) steps: bool,
}

/// A line with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    name: String,
    points: Vec<Point>,
    look: Option<usize>,
    parts: Parts,
}

impl Series {
    /// The points, in any order.
    pub fn new(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self {
            name: name.into(),
            points,
            look: None,
            parts: Parts { line: true, markers: true, steps: false },
        }
    }

    /// Markers with bars instead of a line with a band: for measurements.
    pub fn markers_only(mut self) -> Self {
        self.parts = Parts { line: false, markers: true, steps: false };
        self
    }

    /// A line without markers: for a function fitted to the points of another series.
    ///
    /// In a [`PlotGrid`](crate::draw::PlotGrid), series of the same name share a look and an entry of the legend.
    pub fn line_only(mut self) -> Self {
        self.parts = Parts { line: true, markers: false, ..self.parts };
        self
    }

    /// A step function without markers: every value holds until the next x; the last point is the end.
    pub fn steps(mut self) -> Self {
        self.parts = Parts { line: true, markers: false, steps: true };
        self
    }

    /// Sets the look (colour, marker, dashes) by its index, so that a method looks the same in several plots.
    pub fn look(mut self, look: usize) -> Self {
        self.look = Some(look);
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn parts(&self) -> Parts {
        self.parts
    }

    pub(crate) fn own_look(&self) -> Option<usize> {
        self.look
    }

    /// The points in units of the axes, with gaps where a point cannot be drawn.
    pub(crate) fn trace(&self, x: &Axis, y: &Axis) -> Trace {
        let mut points = self.points.clone();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mut trace = Trace::default();
        let mut run = Vec::new();
        for point in points {
            if let (Some(left), Some(up)) = (x.place(point.x), y.place(point.y)) {
                let mut end = |value: f64| {
                    let place = y.place(value);
                    trace.omitted += usize::from(place.is_none() && !value.is_nan());
                    place.unwrap_or(up)
                };
                let (a, b) = (end(point.low), end(point.high));
                run.push(Place { x: left, y: up, low: a.min(b), high: a.max(b) });
            } else {
                trace.omitted += 1;
                // A step extends to the x at which the next value is missing.
                if let (true, Some(left), Some(&last)) = (self.parts.steps, x.place(point.x), run.last()) {
                    run.push(Place { x: left, ..last });
                }
                trace.runs.extend((!run.is_empty()).then(|| std::mem::take(&mut run)));
            }
        }
        trace.runs.extend((!run.is_empty()).then_some(run));
        trace
    }
}

/// A point in units of the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Place {
    pub(crate) fn has_band(&self) -> bool {
        self.low < self.high
    }
}

/// A line in units of the axes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Trace {
    /// Places from left to right, with gaps between runs; no run is empty.
    pub(crate) runs: Vec<Vec<Place>>,
    /// Values that cannot be drawn.
    pub(crate) omitted: usize,
}

impl Trace {
    pub(crate) fn places(&self) -> impl DoubleEndedIterator<Item = &Place> {
        self.runs.iter().flatten()
    }

    pub(crate) fn last(&self) -> Option<&Place> {
        self.places().next_back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(points: Vec<Point>) -> Trace {
        Series::new("a", points).trace(&Axis::log("x"), &Axis::linear("y"))
    }

    #[test]
    fn points_are_joined_from_left_to_right() {
        let trace = trace(vec![Point::new(100.0, 2.0), Point::new(1.0, 0.0), Point::new(10.0, 1.0)]);
        assert_eq!(trace.places().map(|p| p.y).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
        assert_eq!(trace.runs.len(), 1);
    }

    #[test]
    fn a_missing_value_leaves_a_gap_and_is_counted() {
        let trace = trace(vec![Point::new(1.0, 0.0), Point::new(2.0, f64::NAN), Point::new(3.0, 1.0)]);
        assert_eq!((trace.runs.len(), trace.omitted), (2, 1));
    }

    #[test]
    fn a_step_before_a_gap_reaches_to_it() {
        let points = vec![Point::new(1.0, 0.5), Point::new(10.0, f64::NAN), Point::new(100.0, 1.0)];
        let trace = Series::new("a", points).steps().trace(&Axis::log("x"), &Axis::linear("y"));
        let places = trace.places().map(|p| (p.x, p.y)).collect::<Vec<_>>();
        assert_eq!((places, trace.runs.len()), (vec![(0.0, 0.5), (1.0, 0.5), (2.0, 1.0)], 2));
    }

    #[test]
    fn zero_has_no_place_on_a_log_axis() {
        assert_eq!(trace(vec![Point::new(0.0, 0.0)]), Trace { runs: vec![], omitted: 1 });
    }

    #[test]
    fn a_band_upside_down_is_turned_and_a_missing_one_is_none() {
        let turned = trace(vec![Point { x: 1.0, y: 0.5, low: 0.6, high: 0.4 }]);
        assert_eq!(turned.last().map(|p| (p.low, p.high)), Some((0.4, 0.6)));
        let none = trace(vec![Point::new(1.0, 0.5)]);
        assert_eq!((none.omitted, none.last().map(Place::has_band)), (0, Some(false)));
    }
}
