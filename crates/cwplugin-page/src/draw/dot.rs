//! The data of a dot plot: named rows with one dot per series.

use crate::draw::axis::Axis;
use crate::draw::describe::rounded;
use crate::draw::number::short;

/// A value with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// The value; NaN if missing.
    pub value: f64,
    /// The lower end of the interval; NaN if there is none.
    pub low: f64,
    /// The upper end of the interval; NaN if there is none.
    pub high: f64,
}

impl Dot {
    /// A value without an interval.
    pub fn new(value: f64) -> Self {
        Self { value, low: f64::NAN, high: f64::NAN }
    }

    /// No value, for a row without a value of this series.
    pub fn missing() -> Self {
        Self::new(f64::NAN)
    }

    fn text(&self) -> String {
        let number = |value: f64| short(rounded(value));
        let (low, high) = (self.low.min(self.high), self.low.max(self.high));
        if self.low.is_nan() || self.high.is_nan() {
            return number(self.value);
        }
        format!("{} ({} to {})", number(self.value), number(low), number(high))
    }
}

/// A name with its dots, in the order of the series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) dots: Vec<Dot>,
}

impl Row {
    /// All values with the names of their series, also those that cannot be drawn.
    pub(crate) fn text(&self, series: &[String]) -> String {
        let present = self.dots.iter().enumerate().filter(|(_, dot)| !dot.value.is_nan());
        let values: Vec<String> = present
            .map(|(i, dot)| match series.get(i) {
                Some(name) if !name.is_empty() => format!("{name} {}", dot.text()),
                _ => dot.text(),
            })
            .collect();
        let values = if values.is_empty() { "no value".to_owned() } else { values.join(", ") };
        if self.name.is_empty() { values } else { format!("{}: {values}", self.name) }
    }

    /// The dots in units of the axis.
    pub(crate) fn place(&self, axis: &Axis) -> PlacedRow {
        let mut placed = PlacedRow::default();
        for (series, dot) in self.dots.iter().enumerate().filter(|(_, dot)| !dot.value.is_nan()) {
            let Some(at) = axis.place(dot.value) else {
                placed.omitted += 1;
                continue;
            };
            let mut end = |value: f64| {
                let place = axis.place(value);
                placed.omitted += usize::from(place.is_none() && !value.is_nan());
                place.unwrap_or(at)
            };
            let (a, b) = (end(dot.low), end(dot.high));
            placed.dots.push(PlacedDot { series, at, low: a.min(b), high: a.max(b) });
        }
        placed
    }
}

/// A dot in units of the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlacedDot {
    pub(crate) series: usize,
    pub(crate) at: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl PlacedDot {
    pub(crate) fn has_interval(&self) -> bool {
        self.low < self.high
    }
}

/// A row in units of the axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct PlacedRow {
    pub(crate) dots: Vec<PlacedDot>,
    /// Values that cannot be drawn; missing ones do not count.
    pub(crate) omitted: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(dots: Vec<Dot>) -> Row {
        Row { name: "macro-F1".to_owned(), dots }
    }

    #[test]
    fn the_text_of_a_row_names_its_series() {
        let series = ["unadjusted".to_owned(), "fitted".to_owned()];
        let both = row(vec![Dot::new(0.51), Dot { value: 0.61234, low: 0.64, high: 0.58 }]);
        assert_eq!(both.text(&series), "macro-F1: unadjusted 0.51, fitted 0.612 (0.58 to 0.64)");
        assert_eq!(row(vec![Dot::missing(), Dot::new(-120.0)]).text(&series), "macro-F1: fitted −120");
        assert_eq!(row(vec![Dot::missing()]).text(&series), "macro-F1: no value");
        assert_eq!(row(vec![Dot::new(0.5)]).text(&[]), "macro-F1: 0.5");
    }

    #[test]
    fn values_that_cannot_be_drawn_are_counted_but_not_missing_ones() {
        let dots = vec![Dot::new(0.0), Dot::missing(), Dot { value: 10.0, low: 0.0, high: 100.0 }];
        let placed = row(dots).place(&Axis::log(""));
        assert_eq!(placed.dots, [PlacedDot { series: 2, at: 1.0, low: 1.0, high: 2.0 }]);
        assert_eq!(placed.omitted, 2);
    }
}
