//! Constraints and learning curve of a fit.

use cwplugin::methods::BaggedReport;
use cwplugin::{ConstraintStatus, FitReport, LearningCurve};

use super::plus_minus;
use crate::output::{Align, plain_table};

/// Whether the rule meets the constraints.
pub(super) fn constraints(report: &FitReport) -> String {
    if report.constraints.is_empty() {
        return String::new();
    }
    let changed = match report.details::<BaggedReport>() {
        _ if report.adjusted != Some(true) => "",
        Some(_) => "\n  weights changed to meet the constraints after the refits\n",
        None => "\n  weights changed to meet the constraints\n",
    };
    format!("{}{changed}", constraint_table(&report.constraints))
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
        format!("\n  the gain with n rows is about {limit:+.4} − {slope:.4} / n\n")
    });
    format!("learning curve, scored on the labelled rows left out\n\n{}{law}", plain_table(&columns, table))
}
