//! Warnings of a fit, with advice.

use cwplugin::methods::{CalibrationReport, LabelShiftReport};
use cwplugin::{Absent, FitReport, Model, PluginReport, Warning};

use super::Fitting;
use crate::output::Screen;

/// Warnings of one kind that are printed.
const SHOWN_WARNINGS: usize = 3;

/// Classes that are listed in one warning.
const LISTED_CLASSES: usize = 8;

/// Prints the warnings by kind; the model file has them all. `tried_all` is `--reference best`.
pub(super) fn warn(screen: &Screen, fit: &Fitting, tried_all: bool) {
    let Some(report) = fit.model.report() else { return };
    let is_new = |warning: &&Warning| {
        !(fit.has_warned_of_values && ["one-hot", "two-valued"].contains(&&*warning.kind))
    };
    let warnings: Vec<&Warning> = report.warnings.iter().filter(is_new).collect();
    for of_kind in warnings.chunk_by(|a, b| a.kind == b.kind) {
        if of_kind[0].kind == Warning::FEW_ROWS && of_kind.len() > 1 {
            screen.warn(few_rows(of_kind, &fit.model, &fit.rows));
            continue;
        }
        let shown = if of_kind.len() > SHOWN_WARNINGS + 1 { SHOWN_WARNINGS } else { of_kind.len() };
        for warning in &of_kind[..shown] {
            screen.warn(format_args!("{}{}", warning.message, advice(warning, report, tried_all)));
        }
        if let Some(more) = of_kind.get(shown..).filter(|more| !more.is_empty()) {
            screen.warn(format_args!("… and {} more classes ({})", more.len(), more[0].kind));
        }
    }
}

/// One line for all classes with few rows, the fewest first.
fn few_rows(warnings: &[&Warning], model: &Model, rows: &[u64]) -> String {
    let rows_of = |warning: &Warning| {
        let class = model.classes().iter().position(|name| warning.class.as_ref() == Some(name))?;
        Some((rows[class], &model.classes()[class]))
    };
    let mut classes: Vec<(u64, &String)> = warnings.iter().filter_map(|warning| rows_of(warning)).collect();
    classes.sort_by_key(|(rows, _)| *rows);
    let listed: Vec<String> =
        classes.iter().take(LISTED_CLASSES).map(|(rows, name)| format!("{name} {rows}")).collect();
    let more = match classes.len().saturating_sub(LISTED_CLASSES) {
        0 => String::new(),
        more => format!(" and {more} more classes"),
    };
    format!(
        "few labelled rows ({}{more}): what is learned about these classes may be due to chance; label more rows of them",
        listed.join(", ")
    )
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
        "one-hot" | "two-valued" => " (--from votes)",
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
