//! Odd but good rows: labels, weights, ties and scores that mean what a person would think they mean.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use parquet::arrow::ArrowWriter;
use serde_json::json;

use crate::support::{self, Folder, TABLE, cells, column, model, testdata};

/// The weights that `fit` finds in `name`.
fn weights(folder: &Folder, args: &[&str]) -> serde_json::Value {
    folder.ok(&[&["fit", "--json"], args].concat()).json()["weights"].clone()
}

#[test]
fn one_row_is_enough() {
    let folder = Folder::new().with("one.csv", "label,p_a,p_b\na,0.4,0.6\n");
    let json = folder.ok(&["fit", "one.csv", "-o", "m.json", "--json"]).json();
    assert_eq!(json["fit"]["rows"], 1);
    assert_eq!(json["weights"], serde_json::json!([0.5, 0.5]), "nothing can be held out");
    assert_eq!(json["fit"]["warnings"][0]["kind"], "too-few-rows");
    let json = folder.ok(&["eval", "m.json", "one.csv", "--metric", "accuracy", "--json"]).json();
    assert_eq!(json["metrics"]["accuracy"]["low"], 0.0);
}

#[test]
fn equal_probabilities_and_exact_ties_go_to_the_first_class() {
    let folder = Folder::new().with("m.json", model(&["a", "b", "c"], &[0.25, 0.5, 0.25])).with(
        "ties.csv",
        "p_a,p_b,p_c\n0.5,0.25,0.25\n0.4,0.2,0.4\n0.5,0,0.5\n0,0.4,0.6\n0.3333,0.3333,0.3333\n",
    );
    let out = folder.ok(&["apply", "m.json", "ties.csv"]).stdout;
    assert_eq!(column(&out, "prediction"), ["a", "a", "a", "b", "b"]);
    let table = format!("label,p_a,p_b\n{}{}", "a,0.5,0.5\n".repeat(3), "b,0.5,0.5\n".repeat(4));
    let folder = Folder::new().with("flat.csv", table);
    let json =
        folder.ok(&["fit", "flat.csv", "--method", "cwplugin", "--json", "--metric", "accuracy"]).json();
    assert_eq!(json["fit"]["score"]["fitted"], 4.0 / 7.0);
}

#[test]
fn a_class_without_probability_or_rows_keeps_its_weight_and_is_warned_of() {
    let folder = Folder::new()
        .with("data.csv", "label,p_a,p_b,p_c,p_d\na,0.6,0.4,0,0\nb,0.7,0.3,0,0\nc,0.5,0.5,0,0\n");
    let run = folder.ok(&["fit", "data.csv", "--reference", "a", "--json"]);
    let weights = run.json()["weights"].clone();
    assert_eq!(weights[0], weights[2]);
    assert_eq!(weights[0], weights[3]);
    let kinds: Vec<_> =
        run.json()["fit"]["warnings"].as_array().unwrap().iter().map(|w| w["kind"].clone()).collect();
    assert!(kinds.contains(&"never-probable".into()) && kinds.contains(&"absent-class".into()), "{kinds:?}");
    assert!(run.stderr.contains("warning: ") && run.stderr.contains("\"d\""), "{}", run.stderr);
}

#[test]
fn unlabelled_rows_are_counted_and_change_nothing() {
    let folder = Folder::with_model().with("more.csv", format!("{TABLE}r8,,0.9,0.05,0.05\nr9, ,0,0,1\n"));
    // A method that uses labelled rows only.
    let fit = |file| folder.ok(&["fit", file, "--method", "cwplugin", "--json"]).json();
    let (few, more) = (fit("data.csv"), fit("more.csv"));
    assert_eq!((&few["fit"]["rows"], &few["fit"]["unlabelled"]), (&6.into(), &1.into()));
    assert_eq!((&more["fit"]["rows"], &more["fit"]["unlabelled"]), (&6.into(), &3.into()));
    assert_eq!(few["weights"], more["weights"]);
}

#[test]
fn labels_that_pandas_wrote_as_floats_are_integers() {
    let folder = Folder::new()
        .with("int.csv", "label,p_0,p_1,p_2\n0,0.5,0.3,0.2\n1,0.4,0.4,0.2\n2,0.3,0.3,0.4\n,1,0,0\n")
        .with("float.csv", "label,p_0,p_1,p_2\n0.0,0.5,0.3,0.2\n1.0,0.4,0.4,0.2\n2.0,0.3,0.3,0.4\n,1,0,0\n");
    assert_eq!(weights(&folder, &["int.csv"]), weights(&folder, &["float.csv"]));
    let jsonl = "{\"label\":1.0,\"p_0\":0.5,\"p_1\":0.5}\n{\"label\":0,\"p_0\":1,\"p_1\":0}\n{\"label\":null,\"p_0\":1,\"p_1\":0}\n";
    let json = folder.with("x.jsonl", jsonl).ok(&["fit", "x.jsonl", "--json"]).json();
    assert_eq!((&json["fit"]["rows"], &json["fit"]["unlabelled"]), (&2.into(), &1.into()));
}

#[test]
fn integer_labels_are_positions_where_columns_have_no_names() {
    let (probs, labels) = (testdata("formats/probs.npy"), testdata("formats/labels-int.npy"));
    let folder = Folder::new();
    let plain = folder.ok(&["fit", &probs, "--label", &labels, "--json"]).json();
    assert_eq!(plain["classes"], serde_json::json!(["0", "1", "2"]));
    let named = folder
        .ok(&["fit", &probs, "--label", &labels, "--classes", "x,y,z", "--json", "-o", "m.json"])
        .json();
    assert_eq!(named["classes"], serde_json::json!(["x", "y", "z"]));
    assert_eq!(named["weights"], plain["weights"]);
    let json = folder.ok(&["eval", "m.json", &probs, "--label", &labels, "--metric", "mcc", "--json"]).json();
    assert_eq!(json["rows"], 12);
}

#[test]
fn row_weights_count_like_repeated_rows() {
    let (mut once, mut often) = (String::from("label,w,p_a,p_b,p_c\n"), String::from("label,p_a,p_b,p_c\n"));
    for (i, row) in cells(TABLE.as_bytes())[1..7].iter().enumerate() {
        writeln!(once, "{},{},{}", row[1], i + 1, row[2..].join(",")).unwrap();
        often += &format!("{},{}\n", row[1], row[2..].join(",")).repeat(i + 1);
    }
    let folder = Folder::new().with("once.csv", once).with("often.csv", often);
    let (once, often) = (
        weights(&folder, &["once.csv", "--weight", "w", "--metric", "accuracy", "--reference", "a"]),
        weights(&folder, &["often.csv", "--metric", "accuracy", "--reference", "a"]),
    );
    for k in 0..3 {
        assert!((once[k].as_f64().unwrap() - often[k].as_f64().unwrap()).abs() < 1e-12, "{once} {often}");
    }
}

#[test]
fn logits_and_log_probabilities_predict_like_their_probabilities() {
    let folder = Folder::with_model();
    let expected = column(&folder.ok(&["apply", "model.json", "data.csv"]).stdout, "prediction");
    for (kind, shift) in [("logprobs", 0.0), ("logits", 3.5)] {
        let mut table = String::from("p_a,p_b,p_c\n");
        for row in &cells(TABLE.as_bytes())[1..] {
            let logs: Vec<String> =
                row[2..].iter().map(|p| (p.parse::<f64>().unwrap().ln() + shift).to_string()).collect();
            writeln!(table, "{}", logs.join(",")).unwrap();
        }
        folder.write("logs.csv", table);
        let out = folder.ok(&["apply", "model.json", "logs.csv", "--scores", kind]).stdout;
        assert_eq!(column(&out, "prediction"), expected, "{kind}");
    }
}

#[test]
fn scores_of_any_scale_work_with_normalize() {
    let mut scaled = String::from("label,p_a,p_b,p_c\n");
    for row in &cells(TABLE.as_bytes())[1..] {
        let values: Vec<String> =
            row[2..].iter().map(|p| (p.parse::<f64>().unwrap() * 100.0).to_string()).collect();
        writeln!(scaled, "{},{}", row[1], values.join(",")).unwrap();
    }
    let folder = Folder::with_model().with("scaled.csv", scaled);
    let (scaled, plain) = (weights(&folder, &["scaled.csv", "--normalize"]), weights(&folder, &["data.csv"]));
    for k in 0..3 {
        assert!((scaled[k].as_f64().unwrap() - plain[k].as_f64().unwrap()).abs() < 1e-9, "{scaled} {plain}");
    }
}

#[test]
fn a_row_of_weight_0_takes_no_part() {
    let folder = Folder::new()
        .with(
            "with.csv",
            "label,w,p_a,p_b\na,0,0.99,0.01\na,1,0.6,0.4\nb,1,0.55,0.45\nb,1,0.3,0.7\nb,1,0.2,0.8\n",
        )
        .with("without.csv", "label,p_a,p_b\na,0.6,0.4\nb,0.55,0.45\nb,0.3,0.7\nb,0.2,0.8\n");
    let (with, without) =
        (weights(&folder, &["with.csv", "--weight", "w"]), weights(&folder, &["without.csv"]));
    assert_eq!(with, without);
}

#[test]
fn numbers_in_quotes_are_numbers_in_json_too() {
    let folder =
        Folder::with_model().with("x.jsonl", "{\"p_a\": \"0.25\", \"p_b\": 0.5, \"p_c\": \"2.5e-1\"}\n");
    assert_eq!(folder.ok(&["apply", "model.json", "x.jsonl", "--json"]).json()["predictions"][0], "b");
}

#[test]
fn a_missing_number_as_label_is_an_unlabelled_row() {
    // pandas turns integers with gaps into floats with NaN; Arrow has integers with null.
    let floats: ArrayRef = Arc::new(Float64Array::from(vec![0.0, 1.0, f64::NAN]));
    let integers: ArrayRef = Arc::new(Int64Array::from(vec![Some(0), Some(1), None]));
    for label in [floats, integers] {
        let p = |values: Vec<f64>| Arc::new(Float64Array::from(values)) as ArrayRef;
        let columns = [("label", label), ("p_0", p(vec![0.6, 0.5, 0.9])), ("p_1", p(vec![0.4, 0.5, 0.1]))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        let folder = Folder::new().with("data.parquet", writer.into_inner().unwrap());
        let json = folder.ok(&["fit", "data.parquet", "--json"]).json();
        assert_eq!((&json["fit"]["rows"], &json["fit"]["unlabelled"]), (&2.into(), &1.into()));
    }
}

#[test]
fn a_log_probability_above_zero_is_refused() {
    let folder = Folder::new().with("t.csv", "label,p_a,p_b\na,0.7,0.3\n");
    let run = folder.run(&["fit", "t.csv", "--scores", "logprobs", "--normalize"]);
    run.refused(1, "t.csv: row 1, column \"p_a\": log-probability 0.7 is above 0", "omit --scores logprobs");
}

#[test]
fn types_that_text_does_not_have_are_read_and_written() {
    let folder = Folder::new();
    std::fs::copy(support::testdata("formats/types.parquet"), folder.path("t.parquet")).unwrap();
    let model = folder.ok(&["fit", "t.parquet", "-o", "m.json", "--json"]).json();
    assert_eq!(model["classes"], json!(["False", "True"]), "labels are true and false");
    assert_eq!((&model["fit"]["rows"], &model["fit"]["unlabelled"]), (&json!(3), &json!(1)));
    let csv = folder.ok(&["apply", "m.json", "t.parquet", "--to", "csv"]).text();
    assert!(csv.contains("true,0.20,0.7998047") && csv.contains("2026-03-01T11:00:00Z"), "{csv}");
    assert!(csv.contains("2026-07-01T10:00:00Z"), "{csv}");
    let lines = folder.ok(&["apply", "m.json", "t.parquet", "--to", "jsonl"]).text();
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((&first["label"], &first["tags"]), (&json!(true), &json!(["a", "b"])));
    for format in ["parquet", "arrow", "tsv"] {
        folder.ok(&["apply", "m.json", "t.parquet", "-o", &format!("out.{format}")]);
    }
}
