//! The learned weights, and their bootstrap spread.

use cwplugin::Metric;
use serde_json::{Value, json};

use super::wide_and_narrow;
use crate::draw::{Axis, Dot, DotPlot};
use crate::fit_page::FitPage;
use crate::number;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let weights = page.model.weights().as_slice();
    let m = weights.len() as f64;
    let spread = page.spread.as_ref();
    let mut plot =
        DotPlot::new("Relative weights").x_axis(Axis::log("relative weight")).rule(1.0, "unadjusted");
    let ends = |class: usize| spread.map(|spread| (spread.low[class] * m, spread.high[class] * m));
    // A logarithmic axis has no 0.
    for class in page.drawn().into_iter().filter(|&class| weights[class] > 0.0) {
        let (low, high) = ends(class).unwrap_or((f64::NAN, f64::NAN));
        let low = if low > 0.0 { low } else { f64::NAN };
        plot = plot.row(page.class(class), vec![Dot { value: weights[class] * m, low, high }]);
    }
    let range = |(low, high): (f64, f64)| format!("{}–{}", number::factor(low), number::factor(high));
    let row = |class: usize| {
        json!({
            "class": page.class(class),
            "weight": number::shown(&format!("{:.6}", weights[class]), weights[class]),
            "factor": number::factor(weights[class] * m),
            "spread": ends(class).map(range),
        })
    };
    let rows: Vec<Value> = page.order().into_iter().map(row).collect();
    let never: Vec<_> =
        (0..weights.len()).filter(|&class| weights[class] <= 0.0).map(|class| page.class(class)).collect();
    json!({
        "picture": wide_and_narrow(|width| plot.clone().width(width).to_inline_svg()),
        "rows": rows,
        "note": page.order_note(),
        "never": never.join(", "),
        "refits": spread.map(|spread| spread.refits),
        "calibrates": page.model.rule().calibration().is_some(),
    })
}
