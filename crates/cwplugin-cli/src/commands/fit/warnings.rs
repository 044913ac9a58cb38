//! Warnings of a fit, with advice.

use cwplugin::methods::{CalibrationReport, LabelShiftReport};
use cwplugin::{Absent, FitReport, PluginReport, Warning};

use crate::output::Screen;

/// Warnings of one kind that are printed.
const SHOWN_WARNINGS: usize = 3;

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
