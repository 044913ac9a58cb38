//! Axes: what is measured, on which scale, between which values.

/// How far an axis reaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Extent {
    /// All that is drawn, bands included.
    All,
    /// All but the values far off the others.
    Central,
    /// As told.
    Fixed(f64, f64),
}

/// One axis of a [`LinePlot`](crate::draw::LinePlot): its label, its scale and how far it reaches.
///
/// It reaches over all values, bands included, unless told otherwise; what then falls outside is cut off, and a
/// note under the picture says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    label: String,
    log: bool,
    extent: Extent,
}

impl Axis {
    /// Equal steps are equal differences.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: false, extent: Extent::All }
    }

    /// Equal steps are equal ratios; a value that is not above 0 has no place, and a note counts such values.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: true, extent: Extent::All }
    }

    /// From `low` to `high` and no further.
    ///
    /// If they are not two finite numbers that this scale can show, `low` below `high`, the axis stays as it was.
    pub fn range(mut self, low: f64, high: f64) -> Self {
        if let (Some(a), Some(b)) = (self.place(low), self.place(high))
            && a < b
        {
            self.extent = Extent::Fixed(low, high);
        }
        self
    }

    /// Leaves out of the range what lies far off: more than seven times as far from the median as the median value does.
    ///
    /// For the one method that fails badly and would press all others into one line.
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

    /// Where a value stands on the axis, in its own unit; `None` if it has no place there.
    ///
    /// The far ends of f64 are refused, so that differences never overflow.
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
        // The padding of a very long axis leads beyond the numbers.
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
    fn an_impossible_range_changes_nothing() {
        let axis = Axis::log("rows");
        for (low, high) in [(0.0, 10.0), (10.0, 10.0), (10.0, 1.0), (1.0, f64::INFINITY), (f64::NAN, 1.0)] {
            assert_eq!(axis.clone().range(low, high), axis);
        }
        assert_eq!(axis.range(1.0, 10.0).extent(), Extent::Fixed(1.0, 10.0));
    }
}
