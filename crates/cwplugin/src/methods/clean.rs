//! `clean`: the unadjusted black box, as a baseline.

use serde_json::json;

use crate::methods::method::{ConstraintSupport, Method};
use crate::report::{FitReport, Fitted};
use crate::rule::Rule;

pub(crate) const METHOD: Method = Method {
    name: "clean",
    summary: "the unadjusted black box, as a baseline (the paper's name for it)",
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
