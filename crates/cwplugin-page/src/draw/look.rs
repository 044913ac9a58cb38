//! Looks of lines: colour, marker and dashes.

use std::fmt::Write as _;

use crate::draw::colour::COLOURS;
use crate::draw::svg::Px;

/// The look of a line: seven colours, each with its own marker; then again with hollow markers and dashes.
///
/// Fourteen looks differ without colour; after 28 they repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look(pub(crate) usize);

impl Look {
    /// The index of the colour.
    pub(crate) fn colour(self) -> usize {
        self.0 % COLOURS
    }

    /// Whether markers are hollow.
    pub(crate) fn hollow(self) -> bool {
        self.0 / COLOURS % 2 == 1
    }

    /// The attribute for dashes, with a leading space; empty for a solid line.
    pub(crate) fn dashes(self) -> &'static str {
        match self.0 / COLOURS % 4 {
            0 => "",
            1 => r#" stroke-dasharray="6 3""#,
            2 => r#" stroke-dasharray="2 2.5""#,
            _ => r#" stroke-dasharray="8 3 2 3""#,
        }
    }

    /// Path data of the marker around a point; `r` is half its size.
    pub(crate) fn marker(self, x: f64, y: f64, r: f64) -> String {
        // Corners in units of r; all shapes have about the same area.
        let corners: &[(f64, f64)] = match self.colour() {
            0 => {
                // Round the radius before doubling it, or the circle would be distorted.
                let r = (r * 10.0).round() / 10.0;
                let (left, y, r, d) = (Px(x - r), Px(y), Px(r), Px(2.0 * r));
                return format!("M{left} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0z");
            }
            1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            2 => &[(0.0, -1.25), (1.2, 0.9), (-1.2, 0.9)],
            3 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
            4 => &[(0.0, 1.25), (1.2, -0.9), (-1.2, -0.9)],
            5 => &[
                (-0.45, -1.2),
                (0.45, -1.2),
                (0.45, -0.45),
                (1.2, -0.45),
                (1.2, 0.45),
                (0.45, 0.45),
                (0.45, 1.2),
                (-0.45, 1.2),
                (-0.45, 0.45),
                (-1.2, 0.45),
                (-1.2, -0.45),
                (-0.45, -0.45),
            ],
            _ => &[(-1.3, -1.35), (1.3, -1.35), (0.5, 0.0), (1.3, 1.35), (-1.3, 1.35), (-0.5, 0.0)],
        };
        // The first corner is absolute, the others relative in tenths: short, and always the same shape.
        let tenths = |v: f64| (v * r * 10.0).round() / 10.0;
        let (mut path, mut from) = (String::new(), (-x, -y));
        for (i, &(dx, dy)) in corners.iter().enumerate() {
            let to = (tenths(dx), tenths(dy));
            let step = if i == 0 { 'M' } else { 'l' };
            let _ = write!(path, "{step}{} {}", Px(to.0 - from.0), Px(to.1 - from.1));
            from = to;
        }
        path.push('z');
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_as_wide_as_high() {
        assert_eq!(Look(0).marker(10.0, 20.0, 3.75), "M6.2 20a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0-7.6 0z");
    }

    #[test]
    fn fourteen_looks_differ_without_colour() {
        let looks: Vec<_> = (0..14).map(|i| (Look(i).marker(0.0, 0.0, 4.0), Look(i).hollow())).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look));
        }
    }
}
