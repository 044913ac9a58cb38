//! Every metric before and after.

use cwplugin::{Interval, Metric, ScoreInterval};
use crate::draw::{Axis, Dot, DotPlot};
use serde_json::{Value, json};

use super::for_desk_and_phone;
use crate::fit_page::FitPage;
use crate::number::{gain, score, shown};

/// The two sides, as every picture names them.
pub(crate) const SIDES: [&str; 2] = ["black box", "fitted"];

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let all: Vec<(&String, &ScoreInterval)> =
        page.evaluation.metrics.iter().zip(&page.evaluation.scores).collect();
    // Numbers of another order would press all others into one place.
    let (unit, other): (Vec<_>, Vec<_>) = all.iter().partition(|(_, score)| is_of_unit(score));
    let mut pictures: Vec<Value> = Vec::new();
    if !unit.is_empty() {
        pictures.push(picture(&unit, page.own_metric()));
    }
    pictures.extend(other.iter().map(|&&metric| picture(&[&metric], page.own_metric())));
    let rows = all.iter().map(|(name, score)| row(name, score, page.own_metric()));
    json!({"pictures": pictures, "rows": rows.collect::<Vec<_>>()})
}

/// Whether it lies where most metrics do.
fn is_of_unit(score: &ScoreInterval) -> bool {
    let sides = [score.clean, score.fitted];
    sides.iter().all(|side| side.low >= -1.0 && side.high <= 1.0)
}

fn picture(metrics: &[&(&String, &ScoreInterval)], own: Option<&str>) -> Value {
    let mut plot = DotPlot::new("Metrics before and after")
        .x_axis(Axis::linear("value, with its 95 % interval"))
        .series(SIDES[0])
        .series(SIDES[1]);
    for (name, score) in metrics {
        let title = if own == Some(name.as_str()) { format!("{name} (fitted for)") } else { (*name).clone() };
        plot = plot.row(title, [score.clean, score.fitted].map(dot).to_vec());
    }
    for_desk_and_phone(|width| plot.clone().width(width).to_inline_svg())
}

pub(crate) fn dot(interval: Interval) -> Dot {
    Dot { value: interval.value, low: interval.low, high: interval.high }
}

fn row(name: &str, metric: &ScoreInterval, own: Option<&str>) -> Value {
    let interval = |of: Interval| format!("{} … {}", score(of.low), score(of.high));
    json!({
        "name": name,
        "is_own": own == Some(name),
        "clean": shown(&score(metric.clean.value), metric.clean.value),
        "clean_interval": interval(metric.clean),
        "fitted": shown(&score(metric.fitted.value), metric.fitted.value),
        "fitted_interval": interval(metric.fitted),
        "low": metric.fitted.low,
        "high": metric.fitted.high,
        "gain": shown(&gain(metric.gain.value), metric.gain.value),
        "gain_interval": format!("{} … {}", gain(metric.gain.low), gain(metric.gain.high)),
        "is_better": metric.gain.low > 0.0,
        "is_worse": metric.gain.high < 0.0,
    })
}
