//! Models: predictions, scores, evaluation and summary.

use cwplugin::methods::{AutoReport, Reason};
use cwplugin::metric::{self, MacroF1, Metric};
use cwplugin::{Error, Fit, LearningCurve, Model, Sample, Side, Weights};

use crate::support::fits::{details, methods, plugin, score};

const CLASSES: [&str; 3] = ["ham", "spam", "eggs"];

fn rows<const N: usize>(rows: [[f64; 3]; N]) -> Sample {
    Sample::from_rows(rows, &CLASSES).unwrap()
}

fn weights(weights: [f64; 3]) -> Model {
    Model::new(CLASSES.map(String::from).to_vec(), Weights::new(weights.to_vec()).unwrap()).unwrap()
}

/// A black box that over-predicts "ham".
fn labelled(n: usize) -> Sample {
    let kinds = [([0.8, 0.1, 0.1], 0), ([0.5, 0.4, 0.1], 1), ([0.5, 0.1, 0.4], 2), ([0.6, 0.3, 0.1], 0)];
    let rows: Vec<_> = kinds.iter().cycle().take(n).collect();
    let sample = Sample::from_rows(rows.iter().map(|row| row.0), &CLASSES).unwrap();
    sample.labels(rows.iter().map(|row| row.1)).unwrap()
}

#[test]
fn predictions_are_names_and_scores_are_shares_of_the_weighted_products() {
    let (model, new) = (weights([1.0, 2.0, 1.0]), rows([[0.5, 0.3, 0.2], [0.5, 0.2, 0.3]]));
    assert_eq!(model.predict(&new).unwrap(), ["spam", "ham"]);
    assert_eq!(model.rule().predict(&new).unwrap(), [1, 0]);
    let scores = model.predict_proba(&new).unwrap();
    for (row, expected) in
        [[0.5 / 1.3, 0.6 / 1.3, 0.2 / 1.3], [0.5 / 1.2, 0.4 / 1.2, 0.3 / 1.2]].iter().enumerate()
    {
        for (found, expected) in scores.row(row).zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }
    assert_eq!(model.rule().predict_with_scores(&new).unwrap(), (vec![1, 0], scores));
}

#[test]
fn a_row_whose_products_are_all_zero_scores_one_mth_and_gets_the_first_class() {
    let (model, new) = (weights([0.0, 0.0, 1.0]), rows([[0.75, 0.25, 0.0], [0.75, 0.0, 0.25]]));
    assert_eq!(model.predict(&new).unwrap(), ["ham", "eggs"]);
    let scores = model.predict_proba(&new).unwrap();
    assert_eq!(scores.row(0).collect::<Vec<_>>(), [1.0 / 3.0; 3]);
    assert_eq!(scores.row(1).collect::<Vec<_>>(), [0.0, 0.0, 1.0]);
}

#[test]
fn the_largest_score_is_the_prediction_whatever_the_method() {
    let sample = labelled(80);
    for method in methods() {
        let model = Fit::new(MacroF1).method(method.name).fit(&sample).unwrap();
        let (predicted, scores) = model.rule().predict_with_scores(&sample).unwrap();
        assert_eq!(predicted, model.rule().predict(&sample).unwrap(), "{}", method.name);
        assert_eq!(scores, model.predict_proba(&sample).unwrap(), "{}", method.name);
        for (row, &class) in predicted.iter().enumerate() {
            let top = scores.row(row).fold(0.0, f64::max);
            assert!((scores.get(row, class) - top).abs() < 1e-15, "{} row {row}", method.name);
            assert!((scores.row(row).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn rows_of_other_classes_or_without_features_are_errors() {
    let two = Sample::from_rows([[0.5, 0.5]], &["a", "b"]).unwrap();
    let expected = Error::LengthMismatch { what: "classes", found: 2, expected: 3 };
    assert_eq!(weights([1.0; 3]).predict(&two).unwrap_err(), expected);
    assert_eq!(weights([1.0; 3]).predict_proba(&two).unwrap_err(), expected);
    assert_eq!(weights([1.0; 3]).evaluate(&two.labels([0]).unwrap()).unwrap_err(), expected);
    let unlabelled = rows([[0.5, 0.3, 0.2]]);
    assert_eq!(weights([1.0; 3]).evaluate(&unlabelled).unwrap_err(), Error::NoLabelledRows);
}

#[test]
fn an_evaluation_has_the_metric_of_the_fit_first_and_the_usual_ones() {
    let (train, test) = labelled(200).split(0.25, 1).unwrap();
    let name = "f1:spam";
    let own = metric::by_name(name, train.classes()).unwrap();
    let model = plugin(&own).subject_to("recall:ham>=0.2").fit(&train).unwrap();
    let evaluation = model.evaluate(&test).unwrap();
    assert_eq!(evaluation.metrics[0], name);
    assert_eq!(evaluation.metrics[1..], metric::plain_names().collect::<Vec<_>>());
    let confusion = model.rule().confusion(&test).unwrap();
    assert_eq!(evaluation.outcomes.confusion(Side::Fitted), confusion);
    assert_eq!(evaluation.scores[0].fitted.value, own.score(&confusion));
    assert_eq!(evaluation.constraints[0].constraint, "recall:ham>=0.2");
    assert_eq!(evaluation.to_json()["metrics"][name]["fitted"], own.score(&confusion));

    let table = evaluation.to_string();
    assert_eq!(table.lines().count(), 1 + evaluation.metrics.len());
    assert!(table.starts_with("50 labelled rows, "), "{table}");
    let line = table.lines().nth(1).unwrap();
    assert!(line.starts_with("f1:spam") && line.contains("95% CI") && line.contains("gain +"), "{line}");
    let plain = plugin(MacroF1).fit(&train).unwrap().evaluate(&test).unwrap();
    assert_eq!(plain.metrics.iter().filter(|name| *name == "macro-f1").count(), 1);
    assert_eq!(plain.metrics[0], "macro-f1");
}

#[test]
fn a_summary_has_verdict_score_weights_and_warnings() {
    let model = Fit::new(MacroF1).fit(&labelled(200)).unwrap();
    let summary = model.summary();
    let lines: Vec<&str> = summary.lines().collect();
    assert_eq!(details::<AutoReport>(&model).reason, Reason::Gain);
    assert!(lines[0].starts_with("expected macro-f1 on new rows: "), "{summary}");
    assert!(lines[1].starts_with("Chose expected"), "{summary}");
    let found = score(&model);
    let expected = format!(
        "macro-f1 on the 200 fitted rows: {:.4} unadjusted, {:.4} with method auto",
        found.clean, found.fitted
    );
    assert_eq!(lines[2], expected);
    assert!(lines[3].starts_with("weights after calibration: ham 0."), "{summary}");
    assert_eq!(lines.len(), 4, "{summary}");

    let few = plugin(MacroF1).fit(&labelled(4)).unwrap().summary();
    let warnings: Vec<&str> = few.lines().filter_map(|line| line.strip_prefix("warning: ")).collect();
    assert_eq!(
        warnings[0],
        "class \"ham\" has only 2 labelled rows: what is learned about it may be due to chance"
    );
    assert_eq!(weights([1.0, 2.0, 1.0]).summary(), "weights: ham 0.2500, spam 0.5000, eggs 0.2500");
}

/// The verdict of `auto` with this reason, estimated gain and learning curve, on 20 rows.
fn verdict(reason: &str, gain: Option<[f64; 2]>, curve: Option<LearningCurve>) -> String {
    let gain = gain
        .map_or(String::new(), |[mean, sd]| format!(r#", "estimated_gain": {{"mean": {mean}, "sd": {sd}}}"#));
    let fit =
        format!(r#""fit": {{"method": "auto", "rows": 20, "chosen": "clean", "reason": "{reason}"{gain}}}"#);
    let text = weights([1.0; 3]).to_json().replace("\"fit\": null", &fit);
    let model = Model::from_json(&text).unwrap();
    curve.into_iter().fold(model, Model::with_learning_curve).verdict().unwrap()
}

#[test]
fn the_verdict_says_why_predictions_are_left_unchanged() {
    let unchanged = "predictions are left unchanged";
    assert_eq!(
        verdict("one-class", None, None),
        format!("only one class is labelled (20 rows): {unchanged}")
    );
    assert_eq!(
        verdict("too-few-rows", None, None),
        format!("too few rows (20): no class has two labelled examples; {unchanged}")
    );
    let no_gain = |gain, words: &str, more: &str| {
        let found = verdict("no-reliable-gain", Some(gain), None);
        assert!(found.starts_with(&format!("{words} with 20 rows: {unchanged} (estimated gain ")), "{found}");
        assert!(found.ends_with(more), "{found}");
    };
    // 20 rows · (1.96 · sd / gain)²
    no_gain(
        [0.02, 0.02],
        "no reliable gain",
        "+0.02, 95% CI -0.02 to +0.06); about 60 more labels would settle it",
    );
    no_gain([0.01, 0.05], "no reliable gain", "; it would take more than 400 labels to settle it");
    no_gain([-0.01, 0.02], "no sign of a gain", "; more labels are unlikely to change that");
    let mut curve = LearningCurve::default();
    (curve.limit, curve.slope) = (Some(0.06), Some(0.6));
    let by_curve = verdict("no-reliable-gain", Some([0.02, 0.02]), Some(curve));
    assert!(by_curve.ends_with("about 10 more labels would settle it"), "{by_curve}");
    assert_eq!(weights([1.0; 3]).verdict(), None);
}

#[test]
fn an_interval_of_negative_numbers_is_written_with_to() {
    let fit = r#""fit": {"method": "expected", "metric": "cost:c.csv", "rows": 20,
        "forecast": {"clean": -3, "fitted": -2.1, "gain": 0.9, "gain_sd": 0.1, "low": -2.8, "high": -1.5}}"#;
    let model = Model::from_json(&weights([1.0; 3]).to_json().replace("\"fit\": null", fit)).unwrap();
    let expected = "expected cost:c.csv on new rows: -3.00 → -2.10 (+0.90, 95% CI +0.70 to +1.10), \
                    if the calibrated probabilities are right";
    assert_eq!(model.verdict().unwrap(), expected);
}
