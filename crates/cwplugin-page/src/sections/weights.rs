//! The learned weights, and their bootstrap spread.

use cwplugin::Metric;
use serde_json::{Value, json};

use super::wide_and_narrow;
use crate::draw::{Axis, Dot, DotPlot};
use crate::effort;
use crate::fit_page::FitPage;
use crate::number;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let weights = page.model.weights().as_slice();
    let m = weights.len() as f64;
    let spread = page.spread.as_ref();
    let mut plot = DotPlot::new("Weights").x_axis(Axis::log("weight")).rule(1.0 / m, "unadjusted");
    let ends = |class: usize| spread.map(|spread| (spread.low[class], spread.high[class]));
    // A logarithmic axis has no 0.
    for class in page.drawn().into_iter().filter(|&class| weights[class] > 0.0) {
        let (low, high) = ends(class).unwrap_or((f64::NAN, f64::NAN));
        let low = if low > 0.0 { low } else { f64::NAN };
        plot = plot.row(page.class(class), vec![Dot { value: weights[class], low, high }]);
    }
    // As many decimals as `cwplugin fit --verbose` prints.
    let printed = |weight: f64| format!("{weight:.6}");
    let range = |(low, high): (f64, f64)| format!("{}–{}", printed(low), printed(high));
    let row = |class: usize| {
        json!({
            "class": page.class(class),
            "weight": number::shown(&printed(weights[class]), weights[class]),
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
        "equal": printed(1.0 / m),
        "refits": spread.map(|spread| spread.refits),
        "method": page.report().map(effort::refitted),
        "calibrates": page.model.rule().calibration().is_some(),
    })
}
