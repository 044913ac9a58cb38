//! From units of the axes to pixels.

use crate::draw::range::Range;

/// The rectangle of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Frame {
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// Two ranges mapped to a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) frame: Frame,
    pub(crate) x: Range,
    pub(crate) y: Range,
}

impl View {
    /// The pixel of a place on the x axis, clamped far outside of the frame.
    pub(crate) fn across(&self, place: f64) -> f64 {
        self.frame.left + self.frame.width * self.x.share(place).clamp(-20.0, 20.0)
    }

    /// The pixel of a place on the y axis; larger values are higher.
    pub(crate) fn down(&self, place: f64) -> f64 {
        self.frame.bottom() - self.frame.height * self.y.share(place).clamp(-20.0, 20.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_values_stand_higher_and_further_right() {
        let frame = Frame { left: 10.0, top: 20.0, width: 100.0, height: 50.0 };
        let unit = Range { low: 0.0, high: 1.0 };
        let view = View { frame, x: unit, y: unit };
        assert_eq!([view.across(0.0), view.across(1.0)], [10.0, 110.0]);
        assert_eq!([view.down(0.0), view.down(1.0)], [70.0, 20.0]);
    }
}
