//! The comment on top of every text.

use cwplugin::Model;

use crate::literal::one_line;

/// What the model predicts and how it was fitted, in lines without a comment sign.
pub(crate) fn lines(model: &Model) -> Vec<String> {
    let m = model.classes().len();
    let what = match (model.rule().n_features(), model.rule().calibration().is_some()) {
        (Some(d), _) => format!("Predicts one of {m} classes from {d} features."),
        (None, true) => format!("Predicts one of {m} classes from calibrated and weighted probabilities."),
        (None, false) => {
            format!("Predicts one of {m} classes: the one with the largest weight * probability.")
        }
    };
    let mut lines = vec![what];
    if let Some(fit) = model.report() {
        let method = format!("Fitted by method {}", one_line(&fit.method));
        let metric = fit.metric.as_ref().map(|metric| format!(" for metric {}", one_line(metric)));
        let rows = fit.rows.map(|rows| format!(" on {rows} labelled rows"));
        lines.push(method + &metric.unwrap_or_default() + &rows.unwrap_or_default() + ".");
    }
    lines.push(format!("Written by cwplugin {}; do not edit.", env!("CARGO_PKG_VERSION")));
    lines
}

/// The same lines with a comment sign.
pub(crate) fn comment(model: &Model, sign: &str) -> String {
    lines(model).iter().fold(String::new(), |text, line| text + sign + " " + line + "\n")
}
