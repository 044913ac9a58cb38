//! The text summary of a fit: verdict, scores, classes, constraints and warnings.

use cwplugin::methods::{
    AutoReport, BaggedReport, CalibrationReport, Candidate, ExpectedReport, LabelShiftReport, Reason,
};
use cwplugin::{Absent, ConstraintStatus, FitReport, LearningCurve, Model, PluginReport, ScorePair, Warning};

use super::details::details;
use crate::output::{Align, Screen, count_of, plain_table};

/// Warnings of one kind that are printed.
const SHOWN_WARNINGS: usize = 3;

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
        let to = if *low < 0.0 { " to " } else { "–" };
        vec![name, format!("{cv_score:.4}"), format!("{low:.4}{to}{high:.4}"), gain]
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

/// Prints the warnings by kind; the model file has them all. `tried_all` is `--reference best`.
pub(super) fn warn(screen: &Screen, report: &FitReport, tried_all: bool) {
    for of_kind in report.warnings.chunk_by(|a, b| a.kind == b.kind) {
        let shown = if of_kind.len() > SHOWN_WARNINGS + 1 { SHOWN_WARNINGS } else { of_kind.len() };
        for warning in &of_kind[..shown] {
            screen.warn(format_args!("{}{}", warning.message, advice(warning, report, tried_all)));
        }
        if let Some(more) = of_kind.get(shown..).filter(|more| !more.is_empty()) {
            screen.warn(format_args!("… and {} more classes ({})", more.len(), more[0].kind));
        }
    }
}

fn advice(warning: &Warning, report: &FitReport, tried_all: bool) -> &'static str {
    let plugin = report.details::<PluginReport>();
    let is_reference =
        plugin.as_ref().is_some_and(|plugin| Some(&plugin.reference) == warning.class.as_ref());
    let is_dropped = plugin.as_ref().is_some_and(|plugin| plugin.absent == Absent::Drop);
    let is_shift = report.details::<LabelShiftReport>().is_some();
    match &*warning.kind {
        "absent-class" if is_dropped => "; --absent keep keeps its weight",
        "absent-class" | "unknown-class" => "; label some rows of it",
        "never-probable" if is_reference => "; it cannot be the reference: try another --reference",
        "never-probable" => "; check its column",
        "few-rows" => "; label more rows of it",
        "unmet" => "; the weights are the closest: relax a constraint, or set fewer at once",
        "one-class" => "; label rows of other classes",
        "too-few-rows" => "; label more rows",
        "flat-curve" => "; for a metric about one class use --reference CLASS",
        "at-border" => "; try another --reference, or more rows",
        "not-converged" if is_shift => "; look for rows with a weight far above the others",
        "not-converged" => "; more rows, or --select cv, may help",
        "below-clean" if is_shift || report.details::<CalibrationReport>().is_some() => {
            "; the method does not optimise this metric"
        }
        "below-clean" if plugin.is_some() && tried_all => {
            ", because each class is tuned alone; try --ties nearest-half, or --method auto"
        }
        "below-clean" if plugin.is_some() => {
            ", because each class is tuned alone; try --reference best or --ties nearest-half"
        }
        "below-clean" => "; try another method, or use the unadjusted predictions",
        _ => "",
    }
}
