//! What was tried, and why it was done.

use cwplugin::{
    AutoReport, Calibration, Details, Estimate, ExpectedReport, Fitted, Freedom, LearningCurve, Model,
    Reason, Report, Slope,
};

use super::summary::class_weights;
use crate::output::{Align, plain_table};

/// Every method on rows held out, and what `auto` made of it.
pub(crate) fn trials(fitted: &Fitted) -> String {
    let Some(auto) = fitted.report().auto().filter(|auto| !auto.tried.is_empty()) else {
        return String::new();
    };
    let columns = [
        ("method", Align::Left),
        ("out-of-fold score", Align::Right),
        ("95 %", Align::Left),
        ("gain", Align::Right),
    ];
    let table = auto.tried.iter().map(|trial| {
        let (low, high) = trial.interval;
        let gain = if trial.method == "clean" { String::new() } else { plus_minus(trial.gain) };
        vec![trial.method.into(), format!("{:.4}", trial.score), format!("{low:.4} … {high:.4}"), gain]
    });
    format!("{}\n  {}\n\n", plain_table(&columns, table), why(auto))
}

/// What was done, and why.
fn why(auto: &AutoReport) -> String {
    let share = auto.expected.as_ref().map_or("", |expected| way(expected.share));
    let gain = auto.gain.unwrap_or(Estimate { mean: 0.0, sd: 0.0 });
    let promised = format!("forecast and trial promise {}", plus_minus(gain));
    match auto.reason {
        Reason::Gain => format!("took expected, {share} from the black box to it: {promised}"),
        Reason::Rival => format!("took {}: on rows held out it was clearly better", auto.chosen),
        _ if gain.mean <= 0.0 => format!("kept the black box: {promised}"),
        _ if gain.mean > gain.sd => {
            format!("kept the black box: {promised}, too little to be worth a change")
        }
        _ => format!("kept the black box: {promised}, less than its own uncertainty"),
    }
}

fn way(share: f64) -> &'static str {
    match share {
        share if share < 0.375 => "a quarter of the way",
        share if share < 0.625 => "half of the way",
        share if share < 0.875 => "three quarters of the way",
        _ => "all the way",
    }
}

fn plus_minus(gain: Estimate) -> String {
    format!("{:+.4} ± {:.4}", gain.mean, gain.sd)
}

/// What `expected` made of the probabilities.
pub(super) fn expected(report: &Report) -> String {
    let Details::Expected(ExpectedReport { freedom, floor, share, mixing, .. }) = &report.details else {
        return String::new();
    };
    let slopes = match freedom {
        Freedom::Shared => "one slope for all classes",
        Freedom::PerClass => "a slope per class",
        Freedom::Matrix => "a slope of every class on every other",
    };
    let labels = if *mixing > 0.0 { format!(", labels count {mixing}") } else { String::new() };
    format!("\n  {slopes}, probabilities from {floor:.1e} up, {}{labels}\n", way(*share))
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

/// What fewer labels would have brought.
pub(super) fn learning_curve(curve: &LearningCurve) -> String {
    if curve.points.is_empty() {
        return String::new();
    }
    let columns = [
        ("rows fitted", Align::Right),
        ("clean", Align::Right),
        ("fitted", Align::Right),
        ("gain ± sd", Align::Right),
    ];
    let table = curve.points.iter().map(|point| {
        let scores = [point.clean, point.fitted].map(|score| format!("{score:.4}"));
        let row = std::iter::once(point.rows.to_string()).chain(scores);
        row.chain([plus_minus(point.gain)]).collect()
    });
    let law = curve.law.map_or_else(String::new, |(limit, slope)| {
        format!("\n  the gain of n rows is about {limit:+.4} − {slope:.4} / n\n")
    });
    format!("\nlearning curve, scored on the labelled rows left out\n\n{}{law}", plain_table(&columns, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_words() {
        let words = [0.25, 0.5, 0.75, 1.0].map(way);
        assert_eq!(
            words,
            ["a quarter of the way", "half of the way", "three quarters of the way", "all the way"]
        );
    }
}
