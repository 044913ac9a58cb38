//! `--draws-out` and `--external`: methods outside the program, on the same draws.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::scores;
use crate::support::samples::{CLASSES, Row, csv, rows};
use crate::support::{Folder, column};

const COMPARE: [&str; 6] =
    ["compare", "data.csv", "--methods", "clean,vector", "--metrics", "accuracy,macro-f1"];

fn with<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    [&COMPARE as &[&'a str], flags].concat()
}

/// 150 rows and the draws of two samples of two sizes.
fn drawn(flags: &[&str]) -> (Folder, Vec<Row>, Value) {
    let rows = rows(150, 1);
    let folder = Folder::new().with("data.csv", csv(&rows));
    folder.ok(&with(&[&["--sizes", "20,50", "--repeats", "2", "--draws-out", "draws.json"], flags].concat()));
    let draws = folder.json("draws.json");
    (folder, rows, draws)
}

fn indices(list: &Value) -> Vec<usize> {
    list.as_array().unwrap().iter().map(|index| usize::try_from(index.as_u64().unwrap()).unwrap()).collect()
}

/// One line of predictions per draw.
fn lines(draws: &Value, method: &str, predictions: impl Fn(&Value) -> Vec<String>) -> String {
    let line = |draw: &Value| {
        json!({"method": method, "draw": draw["id"], "predictions": predictions(draw)}).to_string() + "\n"
    };
    draws["draws"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn draws_are_rows_of_the_table_and_no_test_rows() {
    for flags in [&[] as &[&str], &["--test-column", "split=test"], &["--shift", "b:0.3", "--seed", "4"]] {
        let (_, rows, draws) = drawn(flags);
        assert_eq!((&draws["format"], &draws["version"]), (&json!("cwplugin-draws"), &json!(1)));
        assert_eq!((&draws["rows"], &draws["classes"]), (&json!(150), &json!(CLASSES)));
        assert_eq!(draws["metrics"], json!(["accuracy", "macro-f1"]));
        let test: BTreeSet<usize> = indices(&draws["test"]).into_iter().collect();
        if flags.contains(&"--test-column") {
            assert!((0..150).all(|row| test.contains(&row) == (rows[row].split == "test")));
        }
        let all = draws["draws"].as_array().unwrap();
        let sizes: Vec<u64> = all.iter().map(|draw| draw["size"].as_u64().unwrap()).collect();
        assert_eq!(sizes, [20, 20, 50, 50]);
        for draw in all {
            let (labelled, unlabelled) = (indices(&draw["labelled"]), indices(&draw["unlabelled"]));
            assert_eq!(json!(labelled.len()), draw["size"]);
            let distinct: BTreeSet<usize> = labelled.iter().chain(&unlabelled).copied().collect();
            assert_eq!(distinct.len(), labelled.len() + unlabelled.len());
            assert!(distinct.is_disjoint(&test) && distinct.iter().all(|&row| row < 150));
            let labels: Vec<&str> = labelled.iter().map(|&row| CLASSES[rows[row].label.unwrap()]).collect();
            assert_eq!(draw["labels"], json!(labels));
        }
        assert_eq!(indices(&all[2]["labelled"])[..20], indices(&all[0]["labelled"]));
        assert_ne!(indices(&all[1]["labelled"]), indices(&all[0]["labelled"]));
    }
}

#[test]
fn labels_of_draws_have_the_noise() {
    let (_, rows, draws) = drawn(&["--noise", "a:1"]);
    for draw in draws["draws"].as_array().unwrap() {
        let truths = indices(&draw["labelled"]).into_iter().map(|row| CLASSES[rows[row].label.unwrap()]);
        let labels = draw["labels"].as_array().unwrap();
        assert!(truths.zip(labels).all(|(truth, label)| label != "a" && (truth == "a" || label == truth)));
    }
}

/// With noise everywhere a row has one label in all draws, and the labels of test rows are those that are scored.
#[test]
fn labels_of_test_rows_have_the_noise_that_is_everywhere() {
    let names = |draws: &Value| -> Vec<String> {
        draws["test_labels"].as_array().unwrap().iter().map(|label| label.as_str().unwrap().into()).collect()
    };
    let noise = ["--noise", "a:0.4", "--test-column", "split=test"];
    let (_, rows, draws) = drawn(&noise);
    let truths: Vec<&str> =
        indices(&draws["test"]).into_iter().map(|row| CLASSES[rows[row].label.unwrap()]).collect();
    assert_eq!(names(&draws), truths, "noise in the samples leaves the test rows");
    let flags = [&noise[..], &["--noise-in", "everywhere"]].concat();
    let (folder, _, draws) = drawn(&flags);
    let scored = names(&draws);
    let (of_class, wrong) = (
        truths.iter().filter(|truth| **truth == "a").count(),
        truths.iter().zip(&scored).filter(|(truth, label)| truth != label).count(),
    );
    assert_eq!(wrong, (of_class * 4 + 5) / 10);
    let mut labels = BTreeMap::new();
    for draw in draws["draws"].as_array().unwrap() {
        for (row, label) in indices(&draw["labelled"]).into_iter().zip(draw["labels"].as_array().unwrap()) {
            assert_eq!(*labels.entry(row).or_insert(label), label);
        }
    }
    // Predictions that equal these labels are all correct; ids of draws without noise are unknown.
    folder.write("oracle.jsonl", lines(&draws, "oracle", |_| scored.clone()));
    let more = ["--sizes", "20,50", "--repeats", "2", "--external", "oracle.jsonl", "--json"];
    let found = folder.ok(&with(&[&flags[..], &more].concat())).json();
    assert_eq!(scores(&found, "oracle", "accuracy", 50), [1.0, 1.0]);
    let other = folder.run(&with(&[&noise[..], &more].concat()));
    let id = draws["draws"][0]["id"].as_str().unwrap();
    let error = format!("oracle.jsonl, line 1: this comparison has no draw \"{id}\"");
    other.refused(1, &error, "--noise and --unlabelled");
}

/// A calibrator that is fitted and applied draw by draw has the scores of the same method inside.
#[test]
fn outside_predictions_are_scored_like_those_of_a_method() {
    for flags in [
        &["--unlabelled", "0"] as &[&str],
        &["--test-column", "split=test", "--noise", "a:0.4"],
        &["--noise", "a,c:0.5", "--noise-in", "everywhere", "--shift", "b:0.2"],
        &["--shift", "b:0.3", "--weight", "w"],
    ] {
        let (folder, rows, draws) = drawn(flags);
        let weight: &[&str] = if flags.contains(&"--weight") { &["--weight", "w"] } else { &[] };
        let test: Vec<Row> = indices(&draws["test"]).into_iter().map(|row| rows[row].clone()).collect();
        folder.write("test.csv", csv(&test));
        let outside = lines(&draws, "mine", |draw| {
            let label = |text: &Value| CLASSES.iter().position(|class| text == class);
            let labels = draw["labels"].as_array().unwrap().iter().map(label);
            let sample = indices(&draw["labelled"]).into_iter().zip(labels);
            let sample: Vec<Row> = sample.map(|(row, label)| Row { label, ..rows[row].clone() }).collect();
            folder.write("sample.csv", csv(&sample));
            folder.ok(&[&["fit", "sample.csv", "--method", "vector", "-o", "model.json"], weight].concat());
            column(&folder.ok(&["apply", "model.json", "test.csv"]).stdout, "prediction")
        });
        folder.write("mine.jsonl", outside);
        let more = ["--sizes", "20,50", "--repeats", "2", "--external", "mine.jsonl", "--json"];
        let found = folder.ok(&with(&[flags, &more].concat())).json();
        for metric in ["accuracy", "macro-f1"] {
            for size in [20, 50] {
                assert_eq!(scores(&found, "mine", metric, size), scores(&found, "vector", metric, size));
            }
        }
        let of = |method: &str| {
            let cells =
                found["cells"].as_array().unwrap().iter().filter(move |cell| cell["method"] == method);
            cells.map(|cell| cell["test_error"].as_f64().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(of("mine"), of("vector"));
        let without = folder.ok(&with(&[flags, &more[..4], &more[6..]].concat())).json();
        assert_eq!(scores(&without, "vector", "macro-f1", 50), scores(&found, "vector", "macro-f1", 50));
    }
}

#[test]
fn predictions_may_be_for_one_metric_and_classes_may_be_numbers() {
    let row = |i: usize| format!("{},{}", i % 2, ["0.5,0.5", "0,1", "0.25,0.75"][i % 3]);
    let table: Vec<String> = std::iter::once("label,p_0,p_1".into()).chain((0..60).map(row)).collect();
    let folder = Folder::new().with("data.csv", table.join("\n"));
    let compare = [
        "compare",
        "data.csv",
        "--methods",
        "clean",
        "--metrics",
        "accuracy,recall:1",
        "--sizes",
        "20",
        "--repeats",
        "1",
    ];
    let draws: Value =
        serde_json::from_slice(&folder.ok(&[&compare as &[&str], &["--draws-out", "-"]].concat()).stdout)
            .unwrap();
    let id = &draws["draws"][0]["id"];
    let n = draws["test"].as_array().unwrap().len();
    let line = |class: usize, metric: Value| {
        json!({"method": "constant", "draw": id, "metric": metric, "predictions": vec![class; n]}).to_string()
            + "\n"
    };
    folder.write("constant.jsonl", line(0, Value::Null) + "\n" + &line(1, json!("recall:1")));
    let found =
        folder.ok(&[&compare as &[&str], &["--external", "constant.jsonl", "--json"]].concat()).json();
    assert_eq!(scores(&found, "constant", "recall:1", 20), [1.0]);
    assert!(scores(&found, "constant", "accuracy", 20)[0] < 1.0);
    let text = folder.ok(&[&compare as &[&str], &["--external", "constant.jsonl"]].concat()).text();
    assert_eq!(text.matches("\n  constant ").count(), 2, "{text}");
}
