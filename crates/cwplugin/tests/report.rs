//! Reports as JSON: typed details, and fields that are unknown here.

use cwplugin::methods::{
    AscentReport, AutoReport, BaggedReport, CalibrationReport, ExpectedReport, LabelShiftReport,
    ProbingReport,
};
use cwplugin::metric::MacroF1;
use cwplugin::{Fit, FitReport, PluginReport, Sample};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::fits::methods;
use crate::support::tables::{Kind, random_table};

fn sample() -> Sample {
    random_table(9, Kind::Unlabelled, 3).sample()
}

/// Which types read the details of a report.
fn types(report: &FitReport) -> Vec<&'static str> {
    fn reads<T: DeserializeOwned>(report: &FitReport) -> bool {
        report.details::<T>().is_some()
    }
    let types = [
        ("plugin", reads::<PluginReport> as fn(&FitReport) -> bool),
        ("ascent", reads::<AscentReport>),
        ("bagged", reads::<BaggedReport>),
        ("expected", reads::<ExpectedReport>),
        ("auto", reads::<AutoReport>),
        ("probing", reads::<ProbingReport>),
        ("label-shift", reads::<LabelShiftReport>),
        ("calibration", reads::<CalibrationReport>),
    ];
    types.into_iter().filter(|(_, reads)| reads(report)).map(|(name, _)| name).collect()
}

#[test]
fn the_details_of_a_method_are_read_as_its_own_type() {
    for method in methods() {
        let model = Fit::new(MacroF1).method(method.name).fit(&sample()).unwrap();
        let expected: &[&str] = match method.name {
            name if name.starts_with("cwplugin") => &["plugin"],
            "ascent" => &["ascent"],
            "bagged" => &["bagged"],
            "expected" => &["expected"],
            "auto" => &["expected", "auto"], // it reports what `expected` found, too
            "probing" => &["probing"],
            "label-shift" => &["label-shift"],
            "temperature" | "bcts" | "vector" | "vector:probability" | "svs" | "sms" | "logistic" => {
                &["calibration"]
            }
            name if name.starts_with("dirichlet") => &["calibration"],
            _ => &[],
        };
        assert_eq!(types(model.report().unwrap()), expected, "{}", method.name);
    }
}

#[test]
fn a_report_is_read_back_from_json() {
    for method in methods() {
        let model = Fit::new(MacroF1).method(method.name).seed(3).fit(&sample()).unwrap();
        let report = model.report().unwrap();
        let text = serde_json::to_string(report).unwrap();
        let read: FitReport = serde_json::from_str(&text).unwrap();
        assert_eq!(read, *report, "{}", method.name);
        assert_eq!(serde_json::to_string(&read).unwrap(), text, "{}", method.name);
    }
}

#[test]
fn unknown_fields_are_kept_and_missing_ones_have_defaults() {
    let document = json!({"method": "later", "folds": [1, 2], "score": {"clean": 0.25, "fitted": 0.5}});
    let report: FitReport = serde_json::from_value(document).unwrap();
    assert_eq!((report.method.as_str(), report.score.unwrap().fitted), ("later", 0.5));
    assert_eq!((report.rows, report.warnings.len(), report.forecast), (None, 0, None));
    assert_eq!(types(&report), [""; 0]);
    assert_eq!(report.details::<Value>(), Some(json!({"folds": [1, 2]})));
    assert_eq!(serde_json::to_value(&report).unwrap()["folds"], json!([1, 2]));
}
