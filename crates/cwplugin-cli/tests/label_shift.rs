//! `fit --method label-shift`: with labels, without, and with both.

use serde_json::{Value, json};

use crate::support::samples::{CLASSES, Row, csv, numbers, parquet, rows};
use crate::support::{Folder, column};

const PRIORS: &str = "a=0.2,b=0.3,c=0.5";

fn model(folder: &Folder, data: &str, flags: &[&str]) -> Value {
    folder.ok(&[&["fit", data, "--method", "label-shift", "--json"], flags].concat()).json()
}

fn without_labels(rows: &[Row]) -> Vec<Row> {
    rows.iter().map(|row| Row { label: None, ..row.clone() }).collect()
}

#[test]
fn labels_may_be_empty_or_missing_altogether() {
    let sample = rows(150, 1);
    let bare: String = std::iter::once("p_a,p_b,p_c\n".to_string())
        .chain(sample.iter().map(|row| row.p.map(|b| b.to_string()).join(",") + "\n"))
        .collect();
    let folder = Folder::new().with("empty.csv", csv(&without_labels(&sample))).with("bare.csv", bare);
    let args = ["fit", "empty.csv", "--method", "label-shift", "--source-priors", PRIORS, "-o", "m.json"];
    let run = folder.ok(&args);
    assert!(
        run.text().starts_with("empty.csv: no labels, 150 unlabelled rows, 3 classes "),
        "{}",
        run.text()
    );
    assert!(run.stderr.contains("the rows were not scored: no row has a label"), "{}", run.stderr);
    let fit = &folder.json("m.json")["fit"];
    assert_eq!((&fit["rows"], &fit["unlabelled"]), (&json!(0), &json!(150)));
    assert!(fit.get("score").is_none() && fit.get("metric").is_none(), "{fit}");
    assert_eq!(numbers(&fit["source_priors"]), [0.2, 0.3, 0.5]);
    assert!((numbers(&fit["target_priors"]).iter().sum::<f64>() - 1.0).abs() < 1e-12);

    let run = folder.ok(&[&["fit", "bare.csv"], &args[2..]].concat());
    assert!(run.stderr.contains("note: no column \"label\": every row is unlabelled"), "{}", run.stderr);
    assert_eq!(model(&folder, "bare.csv", &["--source-priors", PRIORS])["fit"], *fit);
    // The metric is accepted, and means nothing.
    assert_eq!(model(&folder, "bare.csv", &["--source-priors", PRIORS, "--metric", "mcc"])["fit"], *fit);
    let predicted = column(&folder.ok(&["apply", "m.json", "bare.csv"]).stdout, "prediction");
    assert_eq!(predicted.len(), 150);
    folder.write("labelled.csv", csv(&sample));
    let args = ["eval", "m.json", "labelled.csv", "--metric", "mcc", "--resamples", "9", "--json"];
    assert_eq!(folder.ok(&args).json()["rows"], 150);
}

#[test]
fn however_the_priors_are_written_the_model_is_the_same() {
    let sample = rows(80, 2);
    let folder = Folder::new()
        .with("data.csv", csv(&sample))
        .with("data.parquet", parquet(&sample, true))
        .with("p.json", "{\"c\": 0.5, \"a\": 0.2, \"b\": 0.3}")
        .with("list.json", "[0.2, 0.3, 0.5]")
        .with("p.csv", "class,prior\nb,0.3\na,0.2\nc,0.5\n")
        .with("bare.csv", "a,0.2\nb,0.3\nc,0.5\n");
    let expected = model(&folder, "data.csv", &["--source-priors", PRIORS, "--threads", "1"]);
    for priors in ["c=0.5, b=0.3, a=0.2", "0.2,0.3,0.5", "p.json", "list.json", "p.csv", "bare.csv"] {
        for data in ["data.csv", "data.parquet"] {
            assert_eq!(
                model(&folder, data, &["--source-priors", priors, "--threads", "2"]),
                expected,
                "{priors}"
            );
        }
    }
    let swapped = model(&folder, "data.csv", &["--source-priors", PRIORS, "--classes", "c,a,b"]);
    let weights = |model: &Value, order: [usize; 3]| order.map(|k| numbers(&model["weights"])[k]);
    for (a, b) in weights(&swapped, [1, 2, 0]).into_iter().zip(weights(&expected, [0, 1, 2])) {
        assert!((a - b).abs() < 1e-12);
    }
}

#[test]
fn all_labels_give_the_formula_and_some_are_joined_by_the_other_rows() {
    let mut sample = rows(100, 3);
    let folder = Folder::new().with("all.csv", csv(&sample));
    let weights = numbers(&model(&folder, "all.csv", &["--source-priors", PRIORS])["weights"]);
    let count = |class: usize| sample.iter().filter(|row| row.label == Some(class)).count();
    let expected: Vec<f64> = [0.2, 0.3, 0.5]
        .iter()
        .enumerate()
        .map(|(class, prior)| (count(class) as f64 + 0.5) / (100.0 * prior + 0.5))
        .collect();
    let sum: f64 = expected.iter().sum();
    for (found, expected) in weights.iter().zip(&expected) {
        assert!((found - expected / sum).abs() < 1e-12, "{weights:?} {expected}");
    }
    sample.iter_mut().skip(30).for_each(|row| row.label = None);
    folder.write("some.csv", csv(&sample));
    let told = folder
        .ok(&["fit", "some.csv", "--method", "label-shift", "--source-priors", PRIORS, "--verbose"])
        .text();
    assert!(told.starts_with("some.csv: 30 labelled rows and 70 unlabelled rows, "), "{told}");
    assert!(told.contains("source prior   target prior     weight"), "{told}");
    let alone = folder.ok(&["fit", "some.csv", "--method", "label-shift"]).text();
    assert!(alone.starts_with("some.csv: 30 labelled rows (70 unlabelled rows not used), "), "{alone}");
}

#[test]
fn rows_that_no_weight_explains_are_counted() {
    let table = "p_a,p_b,label\n0.6,0.4,a\n0.7,0.3,b\n0.2,0.8,b\n1,0,b\n";
    let folder = Folder::new().with("data.csv", table);
    let text = folder.ok(&["fit", "data.csv", "--method", "label-shift", "--verbose"]).text();
    assert!(text.contains("Newton steps, 1 labelled row ignored: the label has probability 0\n"), "{text}");
}

#[test]
fn compare_takes_the_priors() {
    let folder = Folder::new().with("data.csv", csv(&rows(200, 4)));
    let args = [
        "compare",
        "data.csv",
        "--methods",
        "clean,label-shift",
        "--sizes",
        "40",
        "--metrics",
        "mcc",
        "--json",
    ];
    let score =
        |flags: &[&str]| folder.ok(&[&args as &[&str], flags].concat()).json()["cells"][1]["mean"].clone();
    assert_ne!(score(&[]), score(&["--source-priors", PRIORS]));
    assert_eq!(CLASSES.len(), 3);
}
