//! Ticks of an axis.

use crate::draw::axis::Axis;
use crate::draw::number;
use crate::draw::range::Range;
use crate::draw::svg::{Anchor, Px, Svg};
use crate::draw::text;
use crate::draw::ticks;
use crate::draw::view::View;

/// Font size of tick labels, as in the style sheet.
pub(crate) const TICK: f64 = 11.0;

/// At most `most` ticks at round numbers: places and labels.
pub(crate) fn round(axis: &Axis, range: Range, most: usize) -> Vec<(f64, String)> {
    let (low, high) = (axis.value(range.low), axis.value(range.high));
    let values = if axis.is_log() { ticks::log(low, high, most) } else { ticks::linear(low, high, most) };
    let labels = if axis.is_log() { number::own(&values) } else { number::even(&values) };
    values.into_iter().zip(labels).filter_map(|(v, label)| Some((axis.place(v)?, label))).collect()
}

/// Ticks below the frame, with the labels that fit.
pub(crate) fn draw_below(svg: &mut Svg, view: &View, ticks: &[(f64, String)]) {
    let bottom = Px(view.frame.bottom());
    for ((_, label), (x, keep)) in ticks.iter().zip(spaced(view, ticks)) {
        svg.line(format_args!(r#"<path class="cwd-axis" d="M{} {bottom}v4"/>"#, Px(x)));
        if keep {
            svg.text("tick", Anchor::Middle, x, view.frame.bottom() + 17.0, label);
        }
    }
}

/// Tick labels above the frame, for tall plots.
pub(crate) fn draw_above(svg: &mut Svg, view: &View, ticks: &[(f64, String)]) {
    for ((_, label), (x, keep)) in ticks.iter().zip(spaced(view, ticks)) {
        if keep {
            svg.text("tick", Anchor::Middle, x, view.frame.top - 6.0, label);
        }
    }
}

/// The pixel of each tick, and whether its label fits.
fn spaced(view: &View, ticks: &[(f64, String)]) -> Vec<(f64, bool)> {
    let centres: Vec<f64> = ticks.iter().map(|(place, _)| view.across(*place)).collect();
    let widths: Vec<f64> = ticks.iter().map(|(_, label)| text::width(label, TICK)).collect();
    let kept = ticks::without_overlap(&centres, &widths, 5.0);
    centres.into_iter().zip(kept).collect()
}

/// Removes the rounding error of 10^log10(v).
pub(crate) fn clean(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_round_on_either_scale() {
        let labels = |axis: Axis, low: f64, high: f64| -> Vec<String> {
            round(&axis, Range { low, high }, 5).into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(labels(Axis::linear(""), 0.1, 0.3), ["0.10", "0.15", "0.20", "0.25", "0.30"]);
        assert_eq!(labels(Axis::log(""), 0.0, 2.0), ["1", "10", "100"]);
    }

    #[test]
    fn rounding_errors_of_logarithms_are_removed() {
        assert_eq!(clean(10f64.powf(160f64.log10())), 160.0);
    }
}
