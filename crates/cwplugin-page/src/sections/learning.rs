//! The learning curve.

use cwplugin::{LearningCurve, Metric};
use serde_json::{Value, json};

use super::wide_and_narrow;
use crate::draw::{Axis, LinePlot, Point, Series};
use crate::fit_page::FitPage;
use crate::number::{self, gain, score};

/// Points of the fitted curve.
const POINTS: usize = 40;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Option<Value> {
    // A gain of 0 everywhere is not worth a plot.
    let has_gain =
        |curve: &LearningCurve| curve.points.iter().any(|point| point.gain != 0.0 || point.gain_sd > 0.0);
    let curve = page.learning.as_ref().filter(|curve| has_gain(curve))?;
    let labelled = page.rows.n_labelled();
    let metric = page.report().and_then(|report| report.metric.as_deref()).unwrap_or("the metric");
    let rows = curve.points.iter().map(|point| {
        json!({
            "rows": number::count(point.rows as f64), "clean": score(point.clean), "fitted": score(point.fitted),
            "gain": gain(point.gain), "gain_sd": format!("{:.4}", point.gain_sd),
        })
    });
    Some(json!({
        "metric": metric,
        "picture": picture(curve, metric, labelled),
        "rows": rows.collect::<Vec<_>>(),
        "fit": curve.limit.zip(curve.slope).map(|(limit, slope)| {
            json!({"limit": gain(limit), "slope": (slope > 0.0).then(|| number::factor(slope))})
        }),
        "is_enough": curve.rows_needed.is_some_and(|needed| needed <= labelled),
        "needed": curve.rows_needed.map(number::rows),
    }))
}

fn picture(curve: &LearningCurve, metric: &str, labelled: u64) -> Value {
    let measured = curve.points.iter().map(|point| Point {
        x: point.rows as f64,
        y: point.gain,
        low: point.gain - point.gain_sd,
        high: point.gain + point.gain_sd,
    });
    let mut plot = LinePlot::new("Gain against the number of labelled rows")
        .x_axis(Axis::log("labelled rows"))
        .y_axis(Axis::linear(format!("gain of {metric}")))
        .series(Series::new("measured", measured.collect()).markers_only());
    if let (Some(limit), Some(slope), Some(first)) = (curve.limit, curve.slope, curve.points.first()) {
        // Up to four times the labelled rows: the fit is rough beyond.
        let (from, to) = (first.rows as f64, 4.0 * (labelled as f64).max(first.rows as f64));
        let fit = (0..=POINTS).map(|i| {
            let n = from * (to / from).powf(i as f64 / POINTS as f64);
            Point::new(n, limit - slope / n)
        });
        plot = plot.series(Series::new("fit", fit.collect()).line_only());
    }
    let plot = plot.note(
        "Means over random subsets of the labelled rows, scored on the rows left out; bars: one standard deviation.",
    );
    wide_and_narrow(|width| plot.clone().size(width.min(640), 300).to_inline_svg())
}
