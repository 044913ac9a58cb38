//! The same again: the commands, and the model file.

use cwplugin::Metric;
use cwplugin::methods::AutoReport;
use serde_json::{Value, json};

use crate::fit_page::FitPage;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let record = page.record();
    json!({
        "commands": page.words.commands.join("\n"),
        "gives_model_again": page.gives_model_again,
        "model": page.model.to_json(),
        "was_fitted": page.flags.is_some(),
        "method": record.map(|record| record.method.as_str()),
        "chosen": record.and_then(|record| record.details::<AutoReport>()).map(|auto| auto.chosen),
    })
}
