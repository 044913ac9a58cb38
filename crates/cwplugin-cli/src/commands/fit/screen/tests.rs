//! Snapshots of the text at several widths and numbers of classes; `INSTA_UPDATE=always` accepts changes.

use cwplugin::{Model, Outcomes, Probabilities, Sample};
use insta::assert_snapshot;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

use super::Shown;
use crate::commands::fit::Detail;
use crate::output::rendered;

const WIDTHS: [usize; 3] = [60, 80, 140];

fn names(m: usize) -> Vec<String> {
    let name = |class: usize| match class {
        1 => "complaint about a delivery that came late".to_string(),
        class => format!("topic-{class:02}"),
    };
    (0..m).map(name).collect()
}

/// A candidate: method, score, gain and what decided.
fn candidate(method: &str, score: f64, lead: (f64, f64), standing: &str) -> Value {
    json!({
        "method": method, "cv_score": score, "low": score - 0.06, "high": score + 0.05,
        "gain": score - 0.61, "gain_sd": 0.034,
        "lead": {"mean": lead.0, "sd": lead.1}, "standing": standing,
    })
}

/// A report of `auto`, with fields replaced.
fn report(fields: &Value) -> Value {
    let mut fit = json!({
        "method": "auto", "metric": "macro-f1", "rows": 240, "unlabelled": 500, "seed": 0,
        "score": {"clean": 0.6123, "fitted": 0.7431},
        "chosen": "expected", "reason": "gain", "shrinkage": 0.5, "slopes": "shared", "floor": 1e-6, "mixing": 0.0,
        "estimated_gain": {"mean": 0.0412, "sd": 0.0305}, "forecast_gain": {"mean": 0.0391, "sd": 0.04},
        "forecast": {"clean": 0.6143, "fitted": 0.6555, "low": 0.59, "high": 0.72, "gain": 0.0412, "gain_sd": 0.0305},
        "candidates": [
            candidate("clean", 0.61, (0.0, 0.0), "replaced"),
            candidate("expected", 0.6533, (0.0412, 0.0305), "chosen"),
            candidate("cwplugin:last", 0.5911, (-0.0622, 0.041), "not-better"),
            candidate("cwplugin:best", 0.6604, (0.0071, 0.0313), "within-noise"),
            candidate("ascent", 0.7122, (0.0589, 0.0391), "within-noise"),
            candidate("bagged", 0.6499, (-0.0034, 0.0307), "not-better"),
        ],
        "warnings": [],
    });
    for (name, value) in fields.as_object().unwrap() {
        fit[name] = value.clone();
    }
    fit
}

fn model(m: usize, fit: &Value) -> Model {
    let is_unchanged = fit["chosen"] == "clean";
    let weight = |class: usize| if is_unchanged { 1.0 } else { 1.0 + (class * 7 % 5) as f64 };
    let weights: Vec<f64> = (0..m).map(weight).collect();
    let total: f64 = weights.iter().sum();
    let weights: Vec<f64> = weights.into_iter().map(|weight| weight / total).collect();
    let document = json!({
        "format": "cwplugin-model", "version": 1, "cwplugin": "0", "classes": names(m), "calibration": null,
        "weights": weights, "fit": fit,
    });
    Model::from_json(&document.to_string()).unwrap()
}

/// The text of a fit on rows in which each class is confused with the next.
fn text(model: &Model, detail: Detail, width: usize) -> String {
    let m = model.classes().len();
    let n = 240;
    let mut values = vec![0.2 / m as f64; n * m];
    let labels: Vec<Option<usize>> = (0..n).map(|row| Some((row * 7 + row / 3) % m)).collect();
    for (row, label) in labels.iter().enumerate() {
        let class = label.unwrap();
        let share = 0.8 * ((row * 37 % 100) as f64 / 100.0);
        values[row * m + class] += share;
        values[row * m + (class + 1) % m] += 0.8 - share;
    }
    let sample = Sample::new(Probabilities::new(values, m).unwrap(), labels).unwrap();
    let mut outcomes = Outcomes::new(m);
    outcomes.add_sample(&sample, model.rule()).unwrap();
    let rows: Vec<u64> = (0..m).map(|class| sample.n_rows_of(class)).collect();
    let description = format!("{m} classes (columns p_topic-00 … p_topic-{:02}, label)", m - 1);
    let shown = Shown {
        model,
        file: "data/tickets.csv",
        description: &description,
        rows: &rows,
        outcomes: Some(&outcomes),
    };
    rendered(&shown.text(detail, width), false)
}

fn check_width(text: &str, width: usize) {
    for line in text.lines() {
        assert!(line.width() <= width, "{} > {width}: {line}", line.width());
    }
}

#[test]
fn screens_of_2_to_100_classes() {
    let fit = report(&json!({}));
    for m in [2, 6, 20, 100] {
        let model = model(m, &fit);
        for width in WIDTHS {
            let text = text(&model, Detail::Short, width);
            check_width(&text, width);
            assert!(text.lines().count() <= if width < 80 { 36 } else { 34 }, "{text}");
            assert_eq!(text.matches("\n   * ").count() + text.matches("\n  * ").count(), 1, "{text}");
            assert_snapshot!(format!("{m}_classes_{width}_columns"), text);
        }
    }
}

#[test]
fn everything_is_shown_if_asked_for() {
    let text = text(&model(20, &report(&json!({}))), Detail::Verbose, 80);
    assert!(names(20).iter().all(|name| text.contains(name)), "{text}");
    assert_snapshot!(text);
}

#[test]
fn screens_of_other_verdicts() {
    let unchanged = report(&json!({
        "chosen": "clean", "reason": "no-reliable-gain", "estimated_gain": {"mean": -0.012, "sd": 0.03},
        "forecast": {"clean": 0.61, "fitted": 0.61, "gain": 0.0, "gain_sd": 0.0},
        "candidates": [
            candidate("clean", 0.61, (0.0, 0.0), "chosen"),
            candidate("expected", 0.5933, (-0.012, 0.03), "not-better"),
            candidate("ascent", 0.7122, (0.1022, 0.034), "within-noise"),
        ],
    }));
    let alternative = report(&json!({
        "chosen": "ascent", "reason": "better-alternative", "estimated_gain": {"mean": 0.012, "sd": 0.03},
        "forecast": {"clean": 0.61, "fitted": 0.8322, "low": 0.7, "high": 0.9, "gain": 0.2222, "gain_sd": 0.034},
        "candidates": [
            candidate("clean", 0.61, (0.0, 0.0), "replaced"),
            candidate("expected", 0.6233, (0.012, 0.03), "within-noise"),
            candidate("ascent", 0.8322, (0.2222, 0.034), "chosen"),
        ],
    }));
    let one_class = report(&json!({
        "chosen": "clean", "reason": "one-class", "estimated_gain": null, "candidates": [],
        "forecast": {"clean": 0.61, "fitted": 0.61, "gain": 0.0, "gain_sd": 0.0},
    }));
    let without = json!({
        "method": "ascent", "metric": "macro-f1", "rows": 240, "unlabelled": 500, "seed": 0,
        "score": {"clean": 0.6123, "fitted": 0.7431}, "start": "clean", "cycles": 3, "evaluations": 812,
        "converged": true, "warnings": [],
    });
    for (name, fit) in [
        ("unchanged", unchanged),
        ("alternative", alternative),
        ("one_class", one_class),
        ("ascent", without),
    ] {
        let text = text(&model(3, &fit), Detail::Short, 80);
        check_width(&text, 80);
        assert_snapshot!(name, text);
    }
}
