//! Axes: label, scale and extent.

/// The extent of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Extent {
    /// All values, bands included.
    All,
    /// All values but outliers.
    Central,
    /// A given range.
    Fixed(f64, f64),
}

/// One axis of a plot: label, scale and extent.
///
/// By default it covers all values, bands included. If it is cut, a note below the plot names what is outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    label: String,
    log: bool,
    extent: Extent,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: false, extent: Extent::All }
    }

    /// A logarithmic axis; values that are not above 0 are not drawn, and a note counts them.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: true, extent: Extent::All }
    }

    /// Fixes the range. Ignored unless both are finite, on the scale, and `low < high`.
    pub fn range(mut self, low: f64, high: f64) -> Self {
        if let (Some(a), Some(b)) = (self.place(low), self.place(high))
            && a < b
        {
            self.extent = Extent::Fixed(low, high);
        }
        self
    }

    /// Leaves outliers out of the range: values more than seven median absolute deviations from the median.
    pub fn central(mut self) -> Self {
        self.extent = Extent::Central;
        self
    }

    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    pub(crate) fn is_log(&self) -> bool {
        self.log
    }

    pub(crate) fn extent(&self) -> Extent {
        self.extent
    }

    /// The place of a value in units of the axis; `None` if it cannot be drawn. Extreme values cannot, so that differences
    /// never overflow.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        if !value.is_finite() || value.abs() > 1e300 {
            None
        } else if !self.log {
            Some(if value.abs() < 1e-300 { 0.0 } else { value })
        } else if value > 1e-300 {
            Some(value.log10())
        } else {
            None
        }
    }

    /// The value at a place.
    pub(crate) fn value(&self, place: f64) -> f64 {
        // Padding may exceed the range of f64.
        if self.log { 10f64.powf(place.clamp(-307.0, 307.0)) } else { place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_log_axis_refuses_zero() {
        assert_eq!(Axis::linear("").place(0.0), Some(0.0));
        assert_eq!(Axis::log("").place(0.0), None);
        assert_eq!(Axis::log("").place(100.0), Some(2.0));
        assert_eq!(Axis::linear("").place(f64::NAN), None);
        assert_eq!(Axis::linear("").place(f64::MAX), None);
    }

    #[test]
    fn an_invalid_range_is_ignored() {
        let axis = Axis::log("rows");
        for (low, high) in [(0.0, 10.0), (10.0, 10.0), (10.0, 1.0), (1.0, f64::INFINITY), (f64::NAN, 1.0)] {
            assert_eq!(axis.clone().range(low, high), axis);
        }
        assert_eq!(axis.range(1.0, 10.0).extent(), Extent::Fixed(1.0, 10.0));
    }
}
