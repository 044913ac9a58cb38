//! The text of a fit: what was read, the verdict, what was tried and why, and what changes.

use cwplugin::methods::{AutoReport, ExpectedReport, LabelShiftReport};
use cwplugin::{FitReport, Model, Outcomes, ScorePair};

use super::candidates::candidates;
use super::classes::changes;
use super::details::details;
use super::layout::wrapped;
use super::summary::{constraints, learning_curve};
use super::{Detail, Fitting};
use crate::output::count_of;

/// What there is to show of a fit.
pub(super) struct Shown<'a> {
    pub(super) model: &'a Model,
    /// The name of the input.
    pub(super) file: &'a str,
    /// Classes, columns and labels.
    pub(super) description: &'a str,
    /// Labelled rows of each class.
    pub(super) rows: &'a [u64],
    /// The predictions on the labelled rows, before and after.
    pub(super) outcomes: Option<&'a Outcomes>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(fit: &'a Fitting, file: &'a str) -> Self {
        let Fitting { model, rows, description, outcomes, .. } = fit;
        Self { model, file, description, rows, outcomes: outcomes.as_ref() }
    }

    /// The text, in lines of at most this width where possible.
    pub(super) fn text(&self, detail: Detail, width: usize) -> String {
        let Some(report) = self.model.report() else { return String::new() };
        let verdict = self.model.verdict();
        let scores = headline(report);
        let by_class = self.outcomes.map(|outcomes| changes(outcomes, self.model, self.rows, detail, width));
        let curve = report.learning_curve.as_ref().map_or_else(String::new, learning_curve);
        let (scores, details) = match detail {
            Detail::Verbose => (scores, details(self.model, report, self.rows)),
            // If the rows were not predicted, the weights are all there is.
            Detail::Short if by_class.is_none() => (scores, details(self.model, report, self.rows)),
            // Without an estimate for new rows, the score on these is.
            Detail::Short => (scores.filter(|_| verdict.is_none()), String::new()),
        };
        let line = |text: String| wrapped(&text, width);
        let parts = [
            line(self.read(report)),
            verdict.map(line).unwrap_or_default(),
            candidates(report, width),
            scores.map(line).unwrap_or_default(),
            by_class.unwrap_or_default(),
            details,
            constraints(report),
            curve,
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The file, its rows and its columns.
    fn read(&self, report: &FitReport) -> String {
        let (labelled, unlabelled) = (report.rows.unwrap_or_default(), report.unlabelled.unwrap_or_default());
        let is_used = report.details::<AutoReport>().is_some()
            || report.details::<ExpectedReport>().is_some()
            || report.details::<LabelShiftReport>().is_some_and(|shift| shift.source_priors.is_some());
        let rows = match (labelled, unlabelled) {
            (0, n) => format!("no labels, {}", count_of(n, "unlabelled row")),
            (n, 0) => count_of(n, "labelled row"),
            (n, more) if is_used => {
                format!("{} and {}", count_of(n, "labelled row"), count_of(more, "unlabelled row"))
            }
            (n, more) => {
                format!("{} ({} not used)", count_of(n, "labelled row"), count_of(more, "unlabelled row"))
            }
        };
        format!("{}: {rows}, {}", self.file, self.description)
    }
}

/// The score on the fitted rows, if they were scored.
fn headline(report: &FitReport) -> Option<String> {
    let ScorePair { clean, fitted } = report.score?;
    let metric = report.metric.as_deref().unwrap_or("the metric");
    let rows = count_of(report.rows.unwrap_or_default(), "fitted row");
    let gain = fitted - clean;
    Some(format!("{metric} on the {rows}: {clean:.4} → {fitted:.4} ({gain:+.4}), optimistic"))
}

#[cfg(test)]
mod tests; // snapshots
