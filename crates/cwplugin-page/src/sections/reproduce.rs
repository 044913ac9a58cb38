//! Commands and model file.

use cwplugin::methods::AutoReport;
use cwplugin::{FitReport, Metric};
use serde_json::{Value, json};

use crate::fit_page::FitPage;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let report = page.report();
    json!({
        "commands": page.provenance.commands.join("\n"),
        "reproduces_model": page.reproduces_model,
        "model": page.model.to_json(),
        "has_fit_command": page.flags.is_some(),
        "method": report.map(|report| report.method.as_str()),
        "chosen": report.and_then(FitReport::details::<AutoReport>).map(|auto| auto.chosen),
    })
}
