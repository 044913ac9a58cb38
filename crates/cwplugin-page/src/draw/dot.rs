//! What a dot plot draws: rows with a name, each with one dot per series.

use crate::draw::axis::Axis;
use crate::draw::number::short;
use crate::draw::words::rounded;

/// A value, and how sure one is of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// Where it stands; NaN if there is none.
    pub value: f64,
    /// The lower end of its interval; NaN if there is none.
    pub low: f64,
    /// The upper end of its interval; NaN if there is none.
    pub high: f64,
}

impl Dot {
    /// A value without an interval.
    pub fn new(value: f64) -> Self {
        Self { value, low: f64::NAN, high: f64::NAN }
    }

    /// No value, where a row lacks one of an earlier series.
    pub fn missing() -> Self {
        Self::new(f64::NAN)
    }

    fn words(&self) -> String {
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
    /// Every value with the name of its series, those without a place too.
    pub(crate) fn words(&self, series: &[String]) -> String {
        let told = self.dots.iter().enumerate().filter(|(_, dot)| !dot.value.is_nan());
        let values: Vec<String> = told
            .map(|(i, dot)| match series.get(i) {
                Some(name) if !name.is_empty() => format!("{name} {}", dot.words()),
                _ => dot.words(),
            })
            .collect();
        let values = if values.is_empty() { "no value".to_owned() } else { values.join(", ") };
        if self.name.is_empty() { values } else { format!("{}: {values}", self.name) }
    }

    /// The dots that have a place on the axis.
    pub(crate) fn place(&self, axis: &Axis) -> Seats {
        let mut seats = Seats::default();
        for (series, dot) in self.dots.iter().enumerate().filter(|(_, dot)| !dot.value.is_nan()) {
            let Some(at) = axis.place(dot.value) else {
                seats.omitted += 1;
                continue;
            };
            let mut end = |value: f64| {
                let place = axis.place(value);
                seats.omitted += usize::from(place.is_none() && !value.is_nan());
                place.unwrap_or(at)
            };
            let (a, b) = (end(dot.low), end(dot.high));
            seats.taken.push(Seat { series, at, low: a.min(b), high: a.max(b) });
        }
        seats
    }
}

/// A dot in the unit of its axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seat {
    pub(crate) series: usize,
    pub(crate) at: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Seat {
    pub(crate) fn has_interval(&self) -> bool {
        self.low < self.high
    }
}

/// A row as it can be drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Seats {
    pub(crate) taken: Vec<Seat>,
    /// Values without a place; one that is missing is not among them.
    pub(crate) omitted: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(dots: Vec<Dot>) -> Row {
        Row { name: "macro-F1".to_owned(), dots }
    }

    #[test]
    fn a_row_is_told_with_the_names_of_its_series() {
        let series = ["black box".to_owned(), "fitted".to_owned()];
        let both = row(vec![Dot::new(0.51), Dot { value: 0.61234, low: 0.64, high: 0.58 }]);
        assert_eq!(both.words(&series), "macro-F1: black box 0.51, fitted 0.612 (0.58 to 0.64)");
        assert_eq!(row(vec![Dot::missing(), Dot::new(-120.0)]).words(&series), "macro-F1: fitted −120");
        assert_eq!(row(vec![Dot::missing()]).words(&series), "macro-F1: no value");
        assert_eq!(row(vec![Dot::new(0.5)]).words(&[]), "macro-F1: 0.5");
    }

    #[test]
    fn what_has_no_place_is_counted_but_not_what_is_missing() {
        let dots = vec![Dot::new(0.0), Dot::missing(), Dot { value: 10.0, low: 0.0, high: 100.0 }];
        let seats = row(dots).place(&Axis::log(""));
        assert_eq!(seats.taken, [Seat { series: 2, at: 1.0, low: 1.0, high: 2.0 }]);
        assert_eq!(seats.omitted, 2);
    }
}
