//! The arrow from the first dot of a row to the last.

use crate::draw::svg::{Px, Svg};

/// An arrow that ends `gap` pixels before both points; none if they are too close.
pub(crate) fn draw(svg: &mut Svg, from: (f64, f64), to: (f64, f64), gap: f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 2.0 * gap + 5.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let (start, tip) = ((from.0 + gap * ux, from.1 + gap * uy), (to.0 - gap * ux, to.1 - gap * uy));
    let wing = |side: f64| (tip.0 - 5.0 * ux - 3.0 * side * uy, tip.1 - 5.0 * uy + 3.0 * side * ux);
    let [start, tip, left, right] =
        [start, tip, wing(1.0), wing(-1.0)].map(|(x, y)| format!("{} {}", Px(x), Px(y)));
    svg.line(format_args!(r#"<path class="cwd-axis" d="M{start}L{tip}M{left}L{tip}L{right}"/>"#));
}
