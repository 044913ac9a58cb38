//! From the units of the axes to pixels.

use crate::draw::range::Range;

/// The rectangle in which lines are drawn.
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

/// Two ranges laid into a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) frame: Frame,
    pub(crate) x: Range,
    pub(crate) y: Range,
}

impl View {
    /// The pixel of a place on the x axis. Places far outside are kept near, or their pixels would be huge.
    pub(crate) fn across(&self, place: f64) -> f64 {
        self.frame.left + self.frame.width * self.x.share(place).clamp(-20.0, 20.0)
    }

    /// The pixel of a place on the y axis; larger values stand higher.
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
