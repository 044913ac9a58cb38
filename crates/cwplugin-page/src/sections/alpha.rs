//! The metric against α: the best values, and the model's choice.

use cwplugin::{Metric, PairCurve, PluginReport};
use serde_json::{Value, json};

use crate::draw::{Axis, LinePlot, Point, Series};
use crate::fit_page::FitPage;
use crate::number::score;
use crate::order;

/// Curves with more steps are sampled at this many points: a small plot shows no more.
const MOST_STEPS: usize = 120;

/// The same on a page with many plots.
const MOST_STEPS_OF_MANY: usize = 80;

/// Further curves are folded away.
const SEEN_AT_ONCE: usize = 6;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Option<Value> {
    let alpha = page.alpha.as_ref()?;
    let n_points = if alpha.curves.len() > order::SEEN_AT_ONCE { MOST_STEPS_OF_MANY } else { MOST_STEPS };
    let mut pairs: Vec<(f64, Value)> =
        alpha.curves.iter().map(|curve| pair(page, &alpha.metric, curve, n_points)).collect();
    // Largest effect first.
    if pairs.len() > SEEN_AT_ONCE {
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    let is_thinned = alpha.curves.iter().any(|curve| curve.cuts.len() > n_points);
    let not_drawn = pairs.len().saturating_sub(order::MOST_DRAWN);
    pairs.truncate(order::MOST_DRAWN);
    let shown = pairs.len().min(SEEN_AT_ONCE);
    let rest = pairs.split_off(shown);
    let values = |pairs: Vec<(f64, Value)>| pairs.into_iter().map(|(_, value)| value).collect::<Vec<_>>();
    Some(json!({
        "metric": alpha.metric,
        "reference": page.class(alpha.reference),
        "pairs": values(pairs),
        "rest": values(rest),
        "is_plugin": page.report().is_some_and(|report| report.details::<PluginReport>().is_some()),
        "calibrates": page.model.rule().calibration().is_some(),
        "not_drawn": not_drawn,
        "points": is_thinned.then_some(n_points),
    }))
}

/// One curve, and its effect: the best score minus that of equal weights.
fn pair<M: Metric>(page: &FitPage<M>, metric: &str, curve: &PairCurve, n_points: usize) -> (f64, Value) {
    let weights = page.model.weights().as_slice();
    let (own, fixed) = (weights[curve.class], weights[curve.reference]);
    let chosen = if own + fixed > 0.0 { own / (own + fixed) } else { 0.5 };
    let [low, high] = curve.peak.plateau;
    let (class, reference) = (page.class(curve.class), page.class(curve.reference));
    let at_half = curve.score(0.5);
    let description = format!(
        "{metric} on the rows of {class} and {reference} against α. Chosen: α = {chosen:.3} with {}; equal weights: {}; best: \
         α = {low:.3}–{high:.3} with {}.",
        score(curve.score(chosen)),
        score(at_half),
        score(curve.peak.score)
    );
    let plot = LinePlot::new(&*class)
        .size(320, 220)
        .x_axis(Axis::linear("α").range(0.0, 1.0))
        .y_axis(Axis::linear(metric))
        .series(Series::new(metric, points(curve, n_points)).steps())
        .unnamed()
        .shade(low, high, "best")
        .marker(chosen, curve.score(chosen), "chosen")
        .description(description);
    let value = json!({
        "class": class,
        "picture": plot.to_inline_svg(),
        "chosen": format!("{chosen:.4}"),
        "plateau": format!("{low:.4}–{high:.4}"),
        "score": score(curve.score(chosen)),
        "best": score(curve.peak.score),
        "at_half": score(at_half),
    });
    (curve.peak.score - at_half, value)
}

/// The steps of the curve, or its values at even points if there are too many steps.
fn points(curve: &PairCurve, n_points: usize) -> Vec<Point> {
    let mut points = vec![Point::new(0.0, curve.scores[0])];
    if curve.cuts.len() > n_points {
        let even = (1..n_points).map(|i| i as f64 / n_points as f64);
        points.extend(even.map(|alpha| Point::new(alpha, curve.score(alpha))));
    } else {
        points.extend(curve.cuts.iter().zip(&curve.scores[1..]).map(|(&cut, &score)| Point::new(cut, score)));
    }
    points.push(Point::new(1.0, *curve.scores.last().unwrap_or(&f64::NAN)));
    points
}
