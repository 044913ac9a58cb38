//! What was learned: one weight per class, and how far other labels would have moved it.

use cwplugin::Metric;
use cwplugin_draw::{Axis, Dot, DotPlot};
use serde_json::{Value, json};

use super::for_desk_and_phone;
use crate::fit_page::FitPage;
use crate::number;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let weights = page.model.weights().as_slice();
    let m = weights.len() as f64;
    let spread = page.spread.as_ref();
    let mut plot = DotPlot::new("Weights")
        .x_axis(Axis::log("weight, as a multiple of the black box's"))
        .series("weight")
        .rule(1.0, "as the black box");
    let mut rows = Vec::new();
    for class in page.order() {
        let [low, high] = [spread.map(|spread| spread.low[class]), spread.map(|spread| spread.high[class])]
            .map(|end| end.map(|end| end * m));
        let value = weights[class] * m;
        let dot = Dot { value, low: low.unwrap_or(f64::NAN), high: high.unwrap_or(f64::NAN) };
        plot = plot.row(page.class(class), vec![dot]);
        rows.push(json!({
            "class": page.class(class),
            "weight": number::shown(&format!("{:.6}", weights[class]), weights[class]),
            "factor": number::factor(value),
            "spread": low.zip(high).map(|(low, high)| format!("{} … {}", number::factor(low), number::factor(high))),
        }));
    }
    json!({
        "picture": for_desk_and_phone(|width| plot.clone().width(width).to_inline_svg()),
        "rows": rows,
        "note": page.order_note(),
        "refits": spread.map(|spread| spread.refits),
        "mends": page.model.rule().calibration().is_some(),
    })
}
