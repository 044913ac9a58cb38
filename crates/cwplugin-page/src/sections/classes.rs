//! Precision, recall and F1 per class.

use cwplugin::{Metric, Side};
use serde_json::{Value, json};

use super::metrics::SIDES;
use super::{trend, wide_and_narrow};
use crate::draw::{Axis, Dot, DotPlot};
use crate::fit_page::FitPage;
use crate::number::{count, gain, shown};

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let [clean, fitted] = [Side::Clean, Side::Fitted].map(|side| page.evaluation.outcomes.confusion(side));
    let mut plot = DotPlot::new("F1 per class").x_axis(Axis::linear("F1")).series(SIDES[0]).series(SIDES[1]);
    for class in page.drawn() {
        let dots = [&clean, &fitted].map(|side| Dot::new(side.class(class).rates()[2]));
        plot = plot.row(page.class(class), dots.to_vec());
    }
    let row = |class: usize| {
        let [before, after] = [&clean, &fitted].map(|side| side.class(class).rates());
        let rates = before.iter().zip(after).map(|(&before, after)| {
            json!({
                "before": shown(&format!("{before:.3}"), before),
                "after": shown(&format!("{after:.3}"), after),
                "change": gain(after - before),
                "kind": trend(before, after),
            })
        });
        let rows = count(clean.class(class).truth);
        json!({"class": page.class(class), "rows": rows, "rates": rates.collect::<Vec<_>>()})
    };
    let rows: Vec<Value> = page.order().into_iter().map(row).collect();
    let picture = wide_and_narrow(|width| plot.clone().width(width).to_inline_svg());
    json!({"picture": picture, "rows": rows, "note": page.order_note(), "is_weighted": page.is_weighted()})
}
