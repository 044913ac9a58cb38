//! A summary of a model in a few lines.

use crate::model::Model;
use crate::report::FitReport;

impl Model {
    /// A human-readable summary: verdict, the reason for the choice of `auto`, score on the fitted rows, weights and
    /// warnings.
    pub fn summary(&self) -> String {
        let mut lines = Vec::new();
        let report = self.report();
        lines.extend(self.verdict());
        lines.extend(report.and_then(FitReport::explanation));
        if let Some((report, score)) = report.and_then(|report| Some((report, report.score?))) {
            let metric = report.metric.as_deref().unwrap_or("score");
            let rows = report.rows.unwrap_or_default();
            lines.push(format!(
                "{metric} on the {rows} fitted rows: {:.4} unadjusted, {:.4} with method {}",
                score.clean, score.fitted, report.method
            ));
        }
        let weights = self.weights().as_slice().iter().zip(self.classes());
        let weights: Vec<String> = weights.map(|(weight, class)| format!("{class} {weight:.4}")).collect();
        let calibrated = if self.rule().calibration().is_some() { " after calibration" } else { "" };
        lines.push(format!("weights{calibrated}: {}", weights.join(", ")));
        let warnings = report.into_iter().flat_map(|report| &report.warnings);
        lines.extend(warnings.map(|warning| format!("warning: {}", warning.message)));
        lines.join("\n")
    }
}
