//! `cwplugin apply`: all columns of the input, and the prediction.

use std::fmt::Write as _;

use serde_json::json;

use crate::support::{self, Folder, TABLE, WEIGHTS, cells, column, testdata};

/// `argmax_k w_k · p_k` for every row of [`TABLE`], worked out here.
fn expected() -> Vec<&'static str> {
    let predict = |row: &Vec<String>| {
        let p: Vec<f64> = row[2..5].iter().map(|p| p.parse().unwrap()).collect();
        let mut best = 0;
        for k in 1..3 {
            if WEIGHTS[k] * p[k] > WEIGHTS[best] * p[best] {
                best = k;
            }
        }
        ["a", "b", "c"][best]
    };
    cells(TABLE.as_bytes())[1..].iter().map(predict).collect()
}

#[test]
fn all_columns_come_back_in_order_with_the_prediction() {
    let folder = Folder::with_model();
    let out = cells(&folder.ok(&["apply", "model.json", "data.csv"]).stdout);
    let mut table = cells(TABLE.as_bytes());
    for (row, new) in table.iter_mut().zip(std::iter::once("prediction").chain(expected())) {
        row.push(new.to_string());
    }
    assert_eq!(out, table);
}

#[test]
fn text_comes_back_as_it_went_in() {
    let rows = ["\"x, \"\"y\"\"\",1e-1, 007 ,.20,0.70", "\"two\nlines\",0.2,,0.2,0.6"];
    let header = "note,p_c,\"a, b\",p_b,p_a";
    let folder = Folder::with_model().with("odd.csv", format!("{header}\n{}\n{}\n", rows[0], rows[1]));
    let out = folder.ok(&["apply", "model.json", "odd.csv"]).text();
    assert_eq!(out, format!("{header},prediction\n{},a\n{},c\n", rows[0], rows[1]));
}

#[test]
fn labels_are_not_looked_at() {
    let folder =
        Folder::with_model().with("data.csv", TABLE.replace(",a,", ",?,").replacen(",?,", ",unknown,", 1));
    assert_eq!(column(&folder.ok(&["apply", "model.json", "data.csv"]).stdout, "prediction"), expected());
}

#[test]
fn row_order_is_kept_over_many_batches() {
    let rows = 30_000;
    let mut table = String::from("id,p_a,p_b,p_c\n");
    for row in 0..rows {
        writeln!(table, "{row},{}", ["1,0,0", "0,1,0", "0,0,1"][row % 3]).unwrap();
    }
    let folder = Folder::with_model().with("long.csv", table);
    let out = folder.ok(&["apply", "model.json", "long.csv"]).stdout;
    let (ids, predictions) = (column(&out, "id"), column(&out, "prediction"));
    assert_eq!(ids.len(), rows);
    for (row, (id, prediction)) in ids.iter().zip(predictions).enumerate() {
        assert_eq!((id.parse::<usize>().unwrap(), prediction.as_str()), (row, ["a", "b", "c"][row % 3]));
    }
}

#[test]
fn scores_are_the_weighted_probabilities_divided_by_their_sum() {
    let folder = Folder::with_model();
    let out = cells(&folder.ok(&["apply", "model.json", "data.csv", "--scores-out"]).stdout);
    assert_eq!(out[0][5..], ["prediction", "score_a", "score_b", "score_c"]);
    for row in &out[1..] {
        let p: Vec<f64> = row[2..5].iter().map(|p| p.parse().unwrap()).collect();
        let scores: Vec<f64> = row[6..].iter().map(|p| p.parse().unwrap()).collect();
        assert!((scores.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{scores:?}");
        let sum: f64 = (0..3).map(|k| WEIGHTS[k] * p[k]).sum();
        for k in 0..3 {
            assert!((scores[k] - WEIGHTS[k] * p[k] / sum).abs() < 1e-12, "{scores:?}");
        }
    }
}

#[test]
fn the_prediction_can_have_another_name() {
    let folder = Folder::with_model();
    let out = folder.ok(&["apply", "model.json", "data.csv", "--prediction", "class, fitted"]).stdout;
    assert_eq!(column(&out, "class, fitted"), expected());
}

#[test]
fn a_column_that_is_there_already_is_not_overwritten() {
    let folder = Folder::with_model();
    let error = "data.csv: column \"id\" exists already";
    folder.refuses(&["apply", "model.json", "data.csv", "--prediction", "id"], error, "--prediction NAME");
    folder.ok(&["apply", "model.json", "data.csv", "-o", "once.csv", "--scores-out"]);
    let error = "once.csv: column \"prediction\" exists already";
    folder.refuses(&["apply", "model.json", "once.csv"], error, "--prediction NAME");
    let error = "once.csv: column \"score_a\" exists already";
    let args = ["apply", "model.json", "once.csv", "--prediction", "again", "--scores-out"];
    folder.refuses(&args, error, "omit --scores-out");
    let out = folder.ok(&["apply", "model.json", "once.csv", "--prediction", "again"]).stdout;
    assert_eq!(column(&out, "again"), column(&out, "prediction"));
}

#[test]
fn json_without_an_output_holds_the_predictions() {
    let folder = Folder::with_model();
    let json = folder.ok(&["apply", "model.json", "data.csv", "--json"]).json();
    let counts = json!({"a": 1, "b": 3, "c": 3});
    assert_eq!(json, json!({"rows": 7, "changed": 4, "predicted": counts, "predictions": expected()}));
}

#[test]
fn json_with_an_output_is_a_summary() {
    let folder = Folder::with_model();
    let run = folder.ok(&["apply", "model.json", "data.csv", "--json", "-o", "out.csv"]);
    let counts = json!({"a": 1, "b": 3, "c": 3});
    assert_eq!(run.json(), json!({"rows": 7, "changed": 4, "predicted": counts, "output": "out.csv"}));
    assert_eq!(folder.read("out.csv"), folder.ok(&["apply", "model.json", "data.csv"]).stdout);
}

#[test]
fn standard_output_is_the_table_and_words_go_elsewhere() {
    let folder = Folder::with_model();
    let run = folder.ok(&["apply", "model.json", "data.csv"]);
    assert_eq!(run.stderr, "7 rows, 4 predictions changed by the model\n");
    let quiet = folder.ok(&["apply", "model.json", "data.csv", "--quiet"]);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (run.stdout, ""));
    let run = folder.ok(&["apply", "model.json", "data.csv", "-o", "out.csv"]);
    assert!(run.stdout.is_empty());
}

#[test]
fn a_file_can_be_replaced_by_its_own_predictions() {
    let folder = Folder::with_model();
    folder.ok(&["apply", "model.json", "data.csv", "-o", "data.csv"]);
    assert_eq!(column(&folder.read("data.csv"), "prediction"), expected());
    assert_eq!(folder.names(), ["data.csv", "model.json"]);
}

#[test]
fn weights_that_the_user_wrote_need_not_sum_to_1() {
    let folder = Folder::with_model().with("own.json", support::model(&["a", "b", "c"], &[1.0, 2.0, 4.0]));
    assert_eq!(column(&folder.ok(&["apply", "own.json", "data.csv"]).stdout, "prediction"), expected());
}

#[test]
fn a_class_of_weight_0_is_never_predicted() {
    let folder = Folder::with_model().with("own.json", support::model(&["a", "b", "c"], &[0.0, 1.0, 1.0]));
    let predictions = column(&folder.ok(&["apply", "own.json", "data.csv"]).stdout, "prediction");
    assert!(!predictions.contains(&"a".to_string()), "{predictions:?}");
}

#[test]
fn columns_without_names_are_taken_in_the_order_of_the_model() {
    let folder = Folder::with_model();
    let out = folder.ok(&["apply", "model.json", &testdata("formats/probs.npy")]).stdout;
    assert_eq!(column(&out, "prediction")[..4], ["a", "b", "c", "b"]);
}

#[test]
fn equal_scores_and_the_first_class_if_all_products_are_zero() {
    let folder = Folder::new()
        .with("m.json", support::model(&["a", "b", "c", "d"], &[0.0, 1.0, 0.0, 1.0]))
        .with("data.csv", "p_a,p_b,p_c,p_d\n1,0,0,0\n0.25,0,0.75,0\n0.5,0.5,0,0\n");
    let out = folder.ok(&["apply", "m.json", "data.csv", "--scores-out"]).stdout;
    assert_eq!(column(&out, "prediction"), ["a", "a", "b"]);
    for class in ["a", "b", "c", "d"] {
        let scores = column(&out, &format!("score_{class}"));
        assert_eq!(scores[..2], ["0.25", "0.25"], "{class}");
    }
    assert_eq!(column(&out, "score_b")[2], "1.0");
}

#[test]
fn a_refused_command_creates_no_file() {
    let folder = Folder::with_model().with("bad.csv", "label,p_a,p_b,p_c\na,0.9,0.9,0.9\n");
    let before = folder.names();
    for command in [&["fit", "bad.csv"] as &[&str], &["apply", "model.json", "bad.csv"]] {
        let run = folder.run(&[command, &["-o", "new.csv"]].concat());
        assert_eq!((run.code, folder.names()), (1, before.clone()), "{}", run.stderr);
    }
}
