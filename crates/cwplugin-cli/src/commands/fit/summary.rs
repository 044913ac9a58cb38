//! The text summary of a fit: verdict, scores, classes and constraints.

use cwplugin::methods::{AutoReport, BaggedReport, Candidate, ExpectedReport, LabelShiftReport, Reason};
use cwplugin::{ConstraintStatus, FitReport, LearningCurve, Model, ScorePair};

use super::details::details;
use crate::output::{Align, count_of, plain_table};

/// The fit as a text; `rows` are the labelled rows of each class.
pub(super) fn summary(model: &Model, rows: &[u64]) -> String {
    let Some(report) = model.report() else { return String::new() };
    let verdict = model.verdict().map_or_else(String::new, |verdict| format!("{verdict}\n\n"));
    let curve = report.learning_curve.as_ref().map_or_else(String::new, learning_curve);
    verdict
        + &candidates(report)
        + &headline(report)
        + &details(model, report, rows)
        + &constraints(report)
        + &curve
}

/// Rows and score.
fn headline(report: &FitReport) -> String {
    let (labelled, unlabelled) = (report.rows.unwrap_or_default(), report.unlabelled.unwrap_or_default());
    if labelled == 0 {
        return format!("no labels; {}\n\n", count_of(unlabelled, "unlabelled row"));
    }
    let shift = report.details::<LabelShiftReport>();
    let uses_unlabelled = shift.is_some_and(|shift| shift.source_priors.is_some())
        || report.details::<AutoReport>().is_some()
        || report.details::<ExpectedReport>().is_some();
    let unlabelled = match unlabelled {
        0 => String::new(),
        n if uses_unlabelled => format!(" and {}", count_of(n, "unlabelled row")),
        n => format!(" ({} not used)", count_of(n, "unlabelled row")),
    };
    let score = report.score.map_or_else(String::new, |ScorePair { clean, fitted }| {
        format!(": {clean:.4} → {fitted:.4} ({:+.4})", fitted - clean)
    });
    let metric = report.metric.as_deref().unwrap_or("the metric");
    format!("{metric} on {}{unlabelled}{score}\n\n", count_of(labelled, "labelled row"))
}

/// The methods in the cross-validation of `auto`, and the choice.
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
        let (name, gain) = match method.as_str() {
            "clean" => ("clean (unadjusted)".to_string(), String::new()),
            _ => (method.clone(), plus_minus(*gain, *gain_sd)),
        };
        vec![name, format!("{cv_score:.4}"), format!("{low:.4}–{high:.4}"), gain]
    });
    format!("{}\n  {}\n\n", plain_table(&columns, table), choice(&auto))
}

/// What `auto` chose, and why.
fn choice(auto: &AutoReport) -> String {
    let (gain, sd) = auto.estimated_gain.map_or((0.0, 0.0), |gain| (gain.mean, gain.sd));
    let estimated = format!("estimated gain {}", plus_minus(gain, sd));
    match auto.reason {
        Reason::Gain => {
            let shrinkage = auto.expected.as_ref().map_or(1.0, |expected| expected.shrinkage);
            format!("chose expected with shrinkage {shrinkage}: {estimated}")
        }
        Reason::BetterAlternative => format!("chose {}: clearly better in cross-validation", auto.chosen),
        _ if gain <= 0.0 => format!("left the predictions unchanged: {estimated}"),
        _ if gain > sd => format!("left the predictions unchanged: {estimated}, too small to matter"),
        _ => format!("left the predictions unchanged: {estimated}, less than its uncertainty"),
    }
}

fn plus_minus(gain: f64, sd: f64) -> String {
    format!("{gain:+.4} ± {sd:.4}")
}

/// Whether the rule meets the constraints.
fn constraints(report: &FitReport) -> String {
    if report.constraints.is_empty() {
        return String::new();
    }
    let changed = match report.details::<BaggedReport>() {
        _ if report.adjusted != Some(true) => "",
        Some(_) => "\n  weights changed to meet the constraints after the refits\n",
        None => "\n  weights changed to meet the constraints\n",
    };
    format!("\n{}{changed}", constraint_table(&report.constraints))
}

/// Every constraint on these rows, and its probability on new ones.
pub(crate) fn constraint_table(constraints: &[ConstraintStatus]) -> String {
    let columns = [
        ("subject to", Align::Left),
        ("on these rows", Align::Right),
        ("margin", Align::Right),
        ("holds on new rows", Align::Right),
    ];
    let table = constraints.iter().map(|status| {
        let ConstraintStatus { constraint, value, margin, probability, .. } = status;
        let percent = 100.0 * probability;
        vec![constraint.clone(), format!("{value:.4}"), format!("{margin:+.4}"), format!("{percent:.1}%")]
    });
    plain_table(&columns, table)
}

/// The gain with fewer labels.
fn learning_curve(curve: &LearningCurve) -> String {
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
        format!("\n  the gain with n rows is about {limit:+.4} − {slope:.4} / n\n")
    });
    format!("\nlearning curve, scored on the labelled rows left out\n\n{}{law}", plain_table(&columns, table))
}
