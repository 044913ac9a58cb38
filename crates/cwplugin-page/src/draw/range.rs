//! The range of an axis, in units of the axis.

use crate::draw::axis::{Axis, Extent};

/// For a normal distribution, 7 median absolute deviations are Tukey's outer fence.
const FAR: f64 = 7.0;

/// A range; `low < high`, and the difference is not lost in rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Range {
    /// The range of the drawn places, with `padding` as a share of it on either side; 0 to 1 without places. A fixed range
    /// of the axis is not padded.
    pub(crate) fn of(axis: &Axis, mut places: Vec<f64>, padding: f64) -> Self {
        if let Extent::Fixed(low, high) = axis.extent()
            && let (Some(low), Some(high)) = (axis.place(low), axis.place(high))
        {
            return Self { low, high }.widened();
        }
        places.sort_by(f64::total_cmp);
        let [mut low, mut high] = match places.as_slice() {
            [] => [0.0, 1.0],
            [one] => [*one, *one],
            [first, .., last] => [*first, *last],
        };
        if axis.extent() == Extent::Central
            && let Some((centre, reach)) = centre(&places)
        {
            let inside = |v: &&f64| (**v - centre).abs() <= reach;
            low = places.iter().find(inside).copied().unwrap_or(low);
            high = places.iter().rfind(inside).copied().unwrap_or(high);
        }
        let tight = Self { low, high }.widened();
        let pad = tight.span() * padding;
        Self { low: tight.low - pad, high: tight.high + pad }
    }

    /// Widens a range of equal or nearly equal values.
    fn widened(self) -> Self {
        let size = self.low.abs().max(self.high.abs());
        if self.span() > size * 1e-9 {
            return self;
        }
        let half = if size > 0.0 { size * 0.05 } else { 0.5 };
        Self { low: self.low - half, high: self.high + half }
    }

    pub(crate) fn span(self) -> f64 {
        self.high - self.low
    }

    /// 0 at the low end, 1 at the high end.
    pub(crate) fn share(self, place: f64) -> f64 {
        (place - self.low) / self.span()
    }

    /// Whether a place lies in the range, with a tolerance for rounding.
    pub(crate) fn holds(self, place: f64) -> bool {
        (-1e-9..=1.0 + 1e-9).contains(&self.share(place))
    }
}

/// The median of sorted values, and the largest distance from it that is no outlier.
///
/// Not by quartiles: one line of three is a third of all values, and would move a quartile. `None` if half of the values
/// are equal.
fn centre(sorted: &[f64]) -> Option<(f64, f64)> {
    let centre = *sorted.get(sorted.len() / 2)?;
    let mut distances: Vec<f64> = sorted.iter().map(|v| (v - centre).abs()).collect();
    distances.sort_by(f64::total_cmp);
    let typical = *distances.get(distances.len() / 2)?;
    (typical > 0.0).then_some((centre, FAR * typical))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_fixed_range_is_not_padded() {
        let range = Range::of(&Axis::linear("").range(0.0, 1.0), vec![5.0], 0.1);
        assert_eq!(range, Range { low: 0.0, high: 1.0 });
    }

    #[test]
    fn equal_values_get_space() {
        for value in [0.0, 0.7, -3.0, 1e12] {
            let range = Range::of(&Axis::linear(""), vec![value, value], 0.05);
            assert!(range.low < value && value < range.high, "{value}");
        }
    }

    #[test]
    fn an_outlier_is_shown_unless_the_axis_is_central() {
        let places = vec![0.70, 0.71, 0.72, 0.73, 0.74, 0.75, 0.76, 0.05];
        assert!(Range::of(&Axis::linear(""), places.clone(), 0.0).low <= 0.05);
        assert!(Range::of(&Axis::linear("").central(), places, 0.0).low >= 0.70);
    }

    proptest! {
        #[test]
        fn every_value_is_inside(places in prop::collection::vec(-1e300..1e300f64, 1..20), exponent in -300i32..1) {
            let places: Vec<f64> = places.iter().map(|v| v * 10f64.powi(exponent)).collect();
            let range = Range::of(&Axis::linear(""), places.clone(), 0.05);
            prop_assert!(range.low < range.high && range.span().is_finite());
            for place in places {
                prop_assert!(range.holds(place));
            }
        }
    }
}
