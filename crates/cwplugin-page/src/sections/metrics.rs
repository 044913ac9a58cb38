//! Metrics before and after.

use cwplugin::Metric;
use cwplugin::evaluate::{Interval, ScoreInterval};
use serde_json::{Value, json};

use super::wide_and_narrow;
use crate::draw::{Axis, Dot, DotPlot};
use crate::fit_page::FitPage;
use crate::number::{gain, gain_range, score, score_range, shown};

/// The names of before and after in every plot.
pub(crate) const SIDES: [&str; 2] = ["unadjusted", "fitted"];

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let own = page.own_metric();
    let all: Vec<(&String, &ScoreInterval)> =
        page.evaluation.metrics.iter().zip(&page.evaluation.scores).collect();
    // Metrics of another magnitude, such as costs, get their own axis.
    let (unit, other): (Vec<_>, Vec<_>) = all.iter().partition(|(_, score)| is_within_unit(score));
    let mut pictures: Vec<Value> = Vec::new();
    if !unit.is_empty() {
        pictures.push(picture(&unit, own));
    }
    pictures.extend(other.iter().map(|&&metric| picture(&[&metric], own)));
    let rows = all.iter().map(|(name, score)| row(name, score, own));
    json!({"pictures": pictures, "rows": rows.collect::<Vec<_>>()})
}

/// Whether both intervals lie in [−1, 1].
fn is_within_unit(score: &ScoreInterval) -> bool {
    [score.clean, score.fitted].iter().all(|side| side.low >= -1.0 && side.high <= 1.0)
}

fn picture(metrics: &[&(&String, &ScoreInterval)], own: Option<&str>) -> Value {
    let mut plot = DotPlot::new("Unadjusted and fitted")
        .x_axis(Axis::linear("value, with 95% CI"))
        .series(SIDES[0])
        .series(SIDES[1]);
    for (name, score) in metrics {
        let title = if own == Some(name.as_str()) { format!("{name} (optimised)") } else { (*name).clone() };
        plot = plot.row(title, [score.clean, score.fitted].map(dot).to_vec());
    }
    wide_and_narrow(|width| plot.clone().width(width).to_inline_svg())
}

fn dot(interval: Interval) -> Dot {
    Dot { value: interval.value, low: interval.low, high: interval.high }
}

fn row(name: &str, metric: &ScoreInterval, own: Option<&str>) -> Value {
    let ScoreInterval { clean, fitted, gain: difference, .. } = metric;
    json!({
        "name": name,
        "is_own": own == Some(name),
        "clean": shown(&score(clean.value), clean.value),
        "clean_interval": score_range(clean.low, clean.high),
        "fitted": shown(&score(fitted.value), fitted.value),
        "fitted_interval": score_range(fitted.low, fitted.high),
        "low": fitted.low,
        "high": fitted.high,
        "gain": shown(&gain(difference.value), difference.value),
        "gain_interval": gain_range(difference.low, difference.high),
        "is_better": difference.low > 0.0,
        "is_worse": difference.high < 0.0,
    })
}
