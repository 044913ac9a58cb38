//! `cwplugin eval`: the numbers equal a computation in plain Rust.

use serde_json::{Value, json};

use crate::support::{Folder, TABLE, WEIGHTS, cells};

fn eval(folder: &Folder, flags: &[&str]) -> Value {
    folder.ok(&[&["eval", "data.csv", "--json"], flags].concat()).json()
}

fn eval_model(folder: &Folder, flags: &[&str]) -> Value {
    folder.ok(&[&["eval", "model.json", "data.csv", "--json"], flags].concat()).json()
}

/// The confusion matrix `[truth][predicted]` of [`TABLE`] under these weights.
fn confusion(weights: [f64; 3]) -> [[f64; 3]; 3] {
    let mut counts = [[0.0; 3]; 3];
    for row in &cells(TABLE.as_bytes())[1..] {
        let Some(truth) = ["a", "b", "c"].iter().position(|class| *class == row[1]) else { continue };
        let p: Vec<f64> = row[2..].iter().zip(weights).map(|(p, w)| p.parse::<f64>().unwrap() * w).collect();
        let best = (1..3).fold(0, |best, k| if p[k] > p[best] { k } else { best });
        counts[truth][best] += 1.0;
    }
    counts
}

fn accuracy(c: &[[f64; 3]; 3]) -> f64 {
    (0..3).map(|k| c[k][k]).sum::<f64>() / c.iter().flatten().sum::<f64>()
}

fn macro_f1(c: &[[f64; 3]; 3]) -> f64 {
    let f1 = |k: usize| 2.0 * c[k][k] / (c[k].iter().sum::<f64>() + c.iter().map(|row| row[k]).sum::<f64>());
    (0..3).map(f1).sum::<f64>() / 3.0
}

/// Minus the mean cost of the rows.
fn cost(c: &[[f64; 3]; 3], costs: [[f64; 3]; 3]) -> f64 {
    let paid: f64 = (0..9).map(|i| c[i / 3][i % 3] * costs[i / 3][i % 3]).sum();
    -paid / c.iter().flatten().sum::<f64>()
}

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-12, "{value} {expected}");
}

#[test]
fn scores_and_confusion_equal_a_plain_computation() {
    let json = eval_model(&Folder::with_model(), &[]);
    let (clean, fitted) = (confusion([1.0; 3]), confusion(WEIGHTS));
    assert_ne!(clean, fitted);
    assert_eq!(json["confusion"], json!({"clean": clean, "fitted": fitted}));
    assert_eq!((&json["rows"], &json["unlabelled"]), (&json!(6), &json!(1)));
    assert_eq!(json["classes"], json!(["a", "b", "c"]));
    for (name, score) in [("accuracy", accuracy as fn(&_) -> f64), ("macro-f1", macro_f1)] {
        near(&json["metrics"][name]["clean"], score(&clean));
        near(&json["metrics"][name]["fitted"], score(&fitted));
    }
    for (k, class) in json["per_class"].as_array().unwrap().iter().enumerate() {
        near(&class["fitted"]["recall"], fitted[k][k] / fitted[k].iter().sum::<f64>());
        near(&class["clean"]["precision"], {
            let predicted: f64 = clean.iter().map(|row| row[k]).sum();
            if predicted > 0.0 { clean[k][k] / predicted } else { 0.0 }
        });
    }
}

#[test]
fn every_metric_has_the_documented_fields_and_lies_in_its_interval() {
    let folder = Folder::with_model();
    let json = eval_model(&folder, &[]);
    let metrics = json["metrics"].as_object().unwrap();
    let plain = folder.ok(&["metrics", "--json"]).json();
    let plain: Vec<_> = plain["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["name"].as_str().unwrap().to_string())
        .filter(|name| !name.contains(':'))
        .collect();
    assert_eq!(metrics.keys().collect::<Vec<_>>(), plain.iter().collect::<Vec<_>>());
    for (name, scores) in metrics {
        let of = |field: &str| scores[field].as_f64().unwrap_or_else(|| panic!("{name} {field}"));
        assert!(of("low") <= of("fitted") && of("fitted") <= of("high"), "{name}: {scores}");
        let [low, high] = [0, 1].map(|i| scores["clean_interval"][i].as_f64().unwrap());
        assert!(low <= of("clean") && of("clean") <= high, "{name}: {scores}");
        let [low, high] = [0, 1].map(|i| scores["gain_interval"][i].as_f64().unwrap());
        assert!(low <= of("gain") && of("gain") <= high, "{name}: {scores}");
        assert!((of("gain") - (of("fitted") - of("clean"))).abs() < 1e-12, "{name}: {scores}");
    }
}

#[test]
fn without_a_model_only_the_black_box_is_evaluated() {
    let json = eval(&Folder::with_model(), &[]);
    let clean = confusion([1.0; 3]);
    assert_eq!(json["confusion"], json!({"clean": clean}));
    let scores = &json["metrics"]["macro-f1"];
    near(&scores["clean"], macro_f1(&clean));
    assert!(scores["fitted"].is_null());
    assert!(
        scores["low"].as_f64() <= scores["clean"].as_f64()
            && scores["clean"].as_f64() <= scores["high"].as_f64()
    );
    let text = Folder::with_model().ok(&["eval", "data.csv"]).text();
    assert!(!text.contains("fitted"), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::with_model();
    let args = ["eval", "model.json", "data.csv", "--json", "--seed", "3"];
    let one = folder.ok(&[&args[..], &["--threads", "1"]].concat()).stdout;
    for threads in ["2", "8"] {
        assert_eq!(folder.ok(&[&args[..], &["--threads", threads]].concat()).stdout, one);
    }
    let other = eval_model(&folder, &["--seed", "4"]);
    let same: Value = serde_json::from_slice(&one).unwrap();
    assert_ne!(other["metrics"], same["metrics"], "the seed draws the resamples");
    assert_eq!(other["confusion"], same["confusion"]);
}

#[test]
fn lists_of_metrics_may_be_written_in_any_way() {
    let folder = Folder::with_model();
    let names = |flags: &[&str]| -> Vec<String> {
        eval(&folder, flags)["metrics"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(names(&["--metric", "mcc,f1:b"]), ["mcc", "f1:b"]);
    assert_eq!(names(&["--metric", "mcc", "--metric", "f1:b"]), ["mcc", "f1:b"]);
    assert_eq!(names(&["--metric", "mcc,mcc", "--metric", "mcc"]), ["mcc"]);
    let all = names(&["--metric", "all"]);
    assert!(all.len() > 10);
    assert_eq!(names(&[]), all);
    assert_eq!(names(&["--metric", "all,f1:b"]), [&all[..], &["f1:b".to_string()]].concat());
    assert_eq!(names(&["--metric", "linear-diagonal:1,2,1"]).len(), 1);
    assert_eq!(names(&["--metric", "mcc,linear-diagonal:1,2,1,accuracy"]).len(), 3);
}

#[test]
fn a_linear_diagonal_metric_is_the_weighted_diagonal() {
    let json = eval_model(&Folder::with_model(), &["--metric", "linear-diagonal:1,2,1"]);
    let scores = json["metrics"].as_object().unwrap().values().next().unwrap();
    let c = confusion(WEIGHTS);
    near(&scores["fitted"], (c[0][0] + 2.0 * c[1][1] + c[2][2]) / 4.0 / 6.0);
}

#[test]
fn a_cost_matrix_may_be_bare_or_named_in_any_order() {
    let costs = [[0.0, 1.0, 2.0], [10.0, 0.0, 3.0], [4.0, 5.0, -1.0]];
    let folder = Folder::with_model()
        .with("bare.csv", "0,1,2\n10,0,3\n4,5,-1\n")
        .with("named.csv", "\u{feff}truth,c,a,b\r\nb, 3,10,0\r\nc,-1,4,5\r\na,2,0,1\r\n");
    for name in ["cost:bare.csv", "cost:named.csv"] {
        let json = eval_model(&folder, &["--metric", name]);
        near(&json["metrics"][name]["clean"], cost(&confusion([1.0; 3]), costs));
        near(&json["metrics"][name]["fitted"], cost(&confusion(WEIGHTS), costs));
    }
    assert_eq!(eval(&folder, &["--metric", "cost:bare.csv,mcc"])["metrics"].as_object().unwrap().len(), 2);
}

#[test]
fn a_linear_fractional_metric_is_a_ratio_of_weighted_diagonals() {
    let folder = Folder::with_model()
        .with("list.json", r#"{"a": [1, 2, 3], "b": 0.5, "c": [0, -0.5, 0.25], "d": 1}"#)
        .with(
            "named.json",
            r#"{"d": 1.0, "c": {"c": 25e-2, "b": -0.5}, "b": 0.5, "a": {"c": 3, "a": 1, "b": 2}}"#,
        );
    for name in ["linear-fractional:list.json", "linear-fractional:named.json"] {
        let json = eval_model(&folder, &["--metric", &format!("mcc,{name}")]);
        let c = confusion(WEIGHTS);
        let x = [c[0][0] / 6.0, c[1][1] / 6.0, c[2][2] / 6.0];
        let expected = (x[0] + 2.0 * x[1] + 3.0 * x[2] + 0.5) / (1.0 - 0.5 * x[1] + 0.25 * x[2]);
        near(&json["metrics"][name]["fitted"], expected);
    }
}

#[test]
fn row_weights_weigh_the_confusion_matrix() {
    let table = "label,w,p_a,p_b\na,2,0.9,0.1\nb,0.5,0.9,0.1\nb,0,0.9,0.1\n,9,0.5,0.5\n";
    let folder = Folder::new().with("data.csv", table);
    let json = eval(&folder, &["--weight", "w", "--metric", "accuracy"]);
    assert_eq!(json["confusion"]["clean"], json!([[2.0, 0.0], [0.5, 0.0]]));
    near(&json["metrics"]["accuracy"]["clean"], 0.8);
}

#[test]
fn a_metric_without_a_denominator_is_0() {
    let folder = Folder::new().with("data.csv", "label,p_a,p_b\na,0.9,0.1\na,0.8,0.2\n");
    let json = eval(&folder, &["--metric", "cohen-kappa,accuracy"]);
    near(&json["metrics"]["cohen-kappa"]["clean"], 0.0);
    near(&json["metrics"]["accuracy"]["clean"], 1.0);
}

#[test]
fn resamples_may_be_few_but_not_none() {
    let folder = Folder::with_model();
    let one = eval_model(&folder, &["--resamples", "1", "--metric", "mcc"]);
    let scores = &one["metrics"]["mcc"];
    assert!(scores["low"].as_f64() <= scores["high"].as_f64());
    for none in ["0", "-1", "1000000000", "x"] {
        let run = folder.run(&["eval", "data.csv", "--resamples", none]);
        assert_eq!(run.code, 2, "{none}");
    }
}
