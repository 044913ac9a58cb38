//! The methods that `auto` tried, and the choice.

use cwplugin::FitReport;
use cwplugin::methods::{AutoReport, Candidate};

use super::layout::{Column, fitting_table, wrapped};
use super::plus_minus;
use crate::output::Align;

/// The methods in the cross-validation of `auto`, the chosen one marked, and why it was chosen; empty for other methods.
pub(crate) fn candidates(report: &FitReport, width: usize) -> String {
    let auto = report.details::<AutoReport>().filter(|auto| !auto.candidates.is_empty());
    let Some(auto) = auto else { return String::new() };
    let why = report.explanation().map_or_else(String::new, |why| format!("\n{}", wrapped(&why, width)));
    table(&auto, width) + &why
}

fn table(auto: &AutoReport, width: usize) -> String {
    let tried = |cell: fn(&Candidate) -> String| auto.candidates.iter().map(cell).collect::<Vec<_>>();
    let mark = |method: &str| if method == auto.chosen { "* " } else { "  " };
    let name = |candidate: &Candidate| format!("{}{}", mark(&candidate.method), candidate.name());
    let mut columns = vec![
        Column::new("  method", Align::Left, auto.candidates.iter().map(name).collect()),
        Column::new("CV score", Align::Right, tried(|candidate| format!("{:.4}", candidate.cv_score))),
        Column::new("95% CI", Align::Left, tried(interval)),
        Column::new("gain ± sd", Align::Gain, tried(gain)),
    ];
    if !auto.candidates.iter().any(|candidate| candidate.method == auto.chosen) {
        // It could not be cross-validated.
        for (column, cell) in columns.iter_mut().zip([&*format!("* {}", auto.chosen), "–", "–", "–"]) {
            column.cells.push(cell.into());
        }
    }
    fitting_table(columns, &["95% CI"], width)
}

fn interval(candidate: &Candidate) -> String {
    let Candidate { low, high, .. } = candidate;
    let to = if *low < 0.0 { " to " } else { "–" };
    format!("{low:.4}{to}{high:.4}")
}

/// The gain over the unadjusted black box, which itself has none.
fn gain(candidate: &Candidate) -> String {
    if candidate.method == "clean" { String::new() } else { plus_minus(candidate.gain, candidate.gain_sd) }
}
