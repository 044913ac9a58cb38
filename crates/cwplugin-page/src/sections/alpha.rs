//! The metric against α: what was chosen, and what else might have been.

use cwplugin::{Metric, PairCurve, PluginReport};
use crate::draw::{Axis, LinePlot, Point, Series};
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::score;
use crate::order;

/// A curve of more steps is drawn at so many places: a small picture shows no more.
const MOST_STEPS: usize = 120;

/// The same where there are many pictures, all on one page.
const MOST_STEPS_OF_MANY: usize = 80;

/// So many curves are shown at once; the others wait behind a click.
const SEEN_AT_ONCE: usize = 6;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Option<Value> {
    let alpha = page.alpha.as_ref()?;
    let places = if alpha.curves.len() > order::SEEN_AT_ONCE { MOST_STEPS_OF_MANY } else { MOST_STEPS };
    let mut pairs: Vec<(f64, Value)> =
        alpha.curves.iter().map(|curve| pair(page, &alpha.metric, curve, places)).collect();
    // Those on which most depends come first; a stable sort keeps the order of the rest.
    if pairs.len() > SEEN_AT_ONCE {
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    let is_thinned = alpha.curves.iter().any(|curve| curve.cuts.len() > places);
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
        "is_plugin": page.record().is_some_and(|record| record.details::<PluginReport>().is_some()),
        "mends": page.model.rule().calibration().is_some(),
        "not_drawn": not_drawn,
        "places": is_thinned.then_some(places),
    }))
}

/// One curve, and what hangs on it: how far its ends are below its best.
fn pair<M: Metric>(page: &FitPage<M>, metric: &str, curve: &PairCurve, places: usize) -> (f64, Value) {
    let weights = page.model.weights().as_slice();
    let (own, fixed) = (weights[curve.class], weights[curve.reference]);
    let chosen = if own + fixed > 0.0 { own / (own + fixed) } else { 0.5 };
    let [low, high] = curve.peak.plateau;
    let (class, reference) = (page.class(curve.class), page.class(curve.reference));
    let at_half = curve.score(0.5);
    let description = format!(
        "{metric} on the rows of {class} and {reference} against the share of the weight that {class} has. Chosen: {chosen:.3}, \
         where it is {}; at equal weights {}; best from {low:.3} to {high:.3}, {}.",
        score(curve.score(chosen)),
        score(at_half),
        score(curve.peak.score)
    );
    let plot = LinePlot::new(&*class)
        .size(320, 220)
        .x_axis(Axis::linear("α").range(0.0, 1.0))
        .y_axis(Axis::linear(metric))
        .series(Series::new(metric, points(curve, places)).steps())
        .unnamed()
        .stretch(low, high, "best")
        .marker(chosen, curve.score(chosen), "chosen")
        .description(description);
    let value = json!({
        "class": class,
        "picture": plot.to_inline_svg(),
        "chosen": format!("{chosen:.4}"),
        "plateau": format!("{low:.4} … {high:.4}"),
        "score": score(curve.score(chosen)),
        "best": score(curve.peak.score),
        "at_half": score(at_half),
    });
    (curve.peak.score - at_half, value)
}

/// Where the curve jumps, and to what; of a curve of very many steps, its value at even places.
fn points(curve: &PairCurve, places: usize) -> Vec<Point> {
    let mut points = vec![Point::new(0.0, curve.scores[0])];
    if curve.cuts.len() > places {
        let even = (1..places).map(|i| i as f64 / places as f64);
        points.extend(even.map(|alpha| Point::new(alpha, curve.score(alpha))));
    } else {
        points.extend(curve.cuts.iter().zip(&curve.scores[1..]).map(|(&cut, &score)| Point::new(cut, score)));
    }
    points.push(Point::new(1.0, *curve.scores.last().unwrap_or(&f64::NAN)));
    points
}
