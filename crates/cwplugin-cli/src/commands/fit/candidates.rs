//! What `auto` tried, and why it chose.

use cwplugin::methods::{AutoReport, Candidate, ExpectedReport, Freedom, Reason};
use cwplugin::{Calibration, FitReport, LearningCurve, Model, Slope};

use super::summary::class_weights;
use crate::output::{Align, plain_table};

/// Every method in cross-validation, and the choice.
pub(crate) fn candidates(report: &FitReport) -> String {
    let auto = report.details::<AutoReport>().filter(|auto| !auto.candidates.is_empty());
    let Some(auto) = auto else { return String::new() };
    let columns = [
        ("method", Align::Left),
        ("cv score", Align::Right),
        ("95% CI", Align::Left),
        ("gain ± sd", Align::Right),
    ];
    let table = auto.candidates.iter().map(|candidate| {
        let Candidate { method, cv_score, low, high, gain, gain_sd, .. } = candidate;
        let gain = if method == "clean" { String::new() } else { plus_minus(*gain, *gain_sd) };
        vec![method.clone(), format!("{cv_score:.4}"), format!("{low:.4}–{high:.4}"), gain]
    });
    format!("{}\n  {}\n\n", plain_table(&columns, table), why(&auto))
}

/// What was chosen, and why.
fn why(auto: &AutoReport) -> String {
    let (gain, sd) = auto.estimated_gain.map_or((0.0, 0.0), |gain| (gain.mean, gain.sd));
    let estimated = format!("estimated gain {}", plus_minus(gain, sd));
    match auto.reason {
        Reason::Gain => {
            let shrinkage = auto.expected.as_ref().map_or(1.0, |expected| expected.shrinkage);
            format!("chose expected with shrinkage {shrinkage}: {estimated}")
        }
        Reason::Rival => format!("chose {}: clearly better in cross-validation", auto.chosen),
        _ if gain <= 0.0 => format!("left the predictions unchanged: {estimated}"),
        _ if gain > sd => {
            format!("left the predictions unchanged: {estimated}, too small to be worth a change")
        }
        _ => format!("left the predictions unchanged: {estimated}, less than its uncertainty"),
    }
}

fn plus_minus(gain: f64, sd: f64) -> String {
    format!("{gain:+.4} ± {sd:.4}")
}

/// How `expected` calibrated the probabilities.
pub(super) fn expected(report: &FitReport) -> String {
    if report.details::<AutoReport>().is_some() {
        return String::new();
    }
    let Some(ExpectedReport { freedom, floor, shrinkage, mixing, .. }) = report.details() else {
        return String::new();
    };
    let slopes = match freedom {
        Freedom::Shared => "one slope for all classes",
        Freedom::PerClass => "a slope per class",
        Freedom::Matrix => "a slope of every class on every other",
    };
    let labels = if mixing > 0.0 { format!(", mixing {mixing}") } else { String::new() };
    format!("\n  {slopes}, probabilities clipped at {floor:.1e}, shrinkage {shrinkage}{labels}\n")
}

/// The rows of each class, and what the rule does to it.
pub(super) fn class_rule(model: &Model, rows: &[u64]) -> String {
    let Some(Calibration::Affine { map, .. }) = model.rule().calibration() else {
        return class_weights(model, rows);
    };
    let slope = |class: usize| match map.slope() {
        Slope::Diagonal(slopes) => format!("{:.4}", slopes[class]),
        Slope::Matrix(_) => "matrix".into(),
    };
    let columns = [
        ("class", Align::Left),
        ("rows", Align::Right),
        ("slope", Align::Right),
        ("bias", Align::Right),
        ("weight", Align::Right),
    ];
    let table = model.classes().iter().enumerate().map(|(class, name)| {
        let weight = model.weights().as_slice()[class];
        let numbers = [slope(class), format!("{:.4}", map.bias()[class]), format!("{weight:.6}")];
        [name.clone(), rows[class].to_string()].into_iter().chain(numbers).collect()
    });
    plain_table(&columns, table)
}

/// The gain with fewer labels.
pub(super) fn learning_curve(curve: &LearningCurve) -> String {
    if curve.points.is_empty() {
        return String::new();
    }
    let columns = [
        ("rows fitted", Align::Right),
        ("unadjusted", Align::Right),
        ("fitted", Align::Right),
        ("gain ± sd", Align::Right),
    ];
    let table = curve.points.iter().map(|point| {
        let scores = [point.clean, point.fitted].map(|score| format!("{score:.4}"));
        let row = std::iter::once(point.rows.to_string()).chain(scores);
        row.chain([plus_minus(point.gain, point.gain_sd)]).collect()
    });
    let law = curve.limit.zip(curve.slope).map_or_else(String::new, |(limit, slope)| {
        format!("\n  the gain of n rows is about {limit:+.4} − {slope:.4} / n\n")
    });
    format!("\nlearning curve, scored on the labelled rows left out\n\n{}{law}", plain_table(&columns, table))
}
