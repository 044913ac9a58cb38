//! `clean`: the unadjusted black box, as a baseline.

use serde_json::json;

use crate::methods::method::{ConstraintSupport, Method};
use crate::report::{FitReport, Fitted};
use crate::rule::Rule;

/// The name of `clean` for people, which is accepted too.
pub(crate) const UNADJUSTED: &str = "unadjusted";

/// The name of a method to show to people.
pub(crate) fn shown_name(method: &str) -> &str {
    if method == METHOD.name { UNADJUSTED } else { method }
}

pub(crate) const METHOD: Method = Method {
    name: "clean",
    summary: "the unadjusted black box, as a baseline (the paper's name for it); also `unadjusted`",
    options: &[],
    uses_metric: false,
    uses_unlabelled: false,
    needs_features: false,
    constraints: ConstraintSupport::None,
    fit: |sample, metric, _| {
        let report = FitReport::new(metric.name(), sample.class_totals(), &json!({}));
        Fitted::new(Rule::clean(sample.n_classes())?, report, sample, metric)
    },
};
