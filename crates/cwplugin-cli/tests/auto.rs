//! `cwplugin fit` as most people meet it: the verdict first, and odd samples.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::Folder;

/// Rows of a black box that is too fond of the first class; `rows` of them, with `m` classes.
fn table(rows: usize, m: usize) -> String {
    let mut table = String::from("label,w");
    (0..m).for_each(|k| write!(table, ",p_c{k}").unwrap());
    for row in 0..rows {
        let class = (row * 7 + row / 3) % m;
        write!(table, "\nc{class},{}", 1 + row % 3).unwrap();
        let fond = 0.3 + 0.05 * (row % 5) as f64;
        for k in 0..m {
            let rest = (1.0 - fond) / m as f64;
            let p = rest + if k == 0 { fond * 0.6 } else { 0.0 } + if k == class { fond * 0.4 } else { 0.0 };
            write!(table, ",{p}").unwrap();
        }
    }
    table + "\n"
}

fn folder(rows: usize, m: usize) -> Folder {
    Folder::new().with("t.csv", table(rows, m))
}

/// The verdict, which `--json` prints on standard error, in one line.
fn verdict(folder: &Folder, flags: &[&str]) -> String {
    let run = folder.ok(&[&["fit", "t.csv", "--json"], flags].concat());
    let is_verdict = |line: &&str| !line.starts_with("warning:") && !line.starts_with("note:");
    run.stderr.lines().find(is_verdict).unwrap().to_string()
}

fn record(folder: &Folder, flags: &[&str]) -> Value {
    folder.ok(&[&["fit", "t.csv", "--json"], flags].concat()).json()["fit"].clone()
}

#[test]
fn the_verdict_is_a_forecast_for_new_rows() {
    let folder = folder(90, 3);
    let line = verdict(&folder, &[]);
    assert!(line.starts_with("expected macro-f1 on new rows: 0.") && line.contains(", 95% CI +0."), "{line}");
    let text = folder.ok(&["fit", "t.csv"]).text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "t.csv: 90 labelled rows, 3 classes (columns p_c0 … p_c2, label)");
    assert!(line.starts_with(lines[2]), "{text}");
    assert!(text.contains("\n  * expected ") && text.contains("\nChose expected"), "{text}");
    let fit = record(&folder, &[]);
    assert_eq!(
        (&fit["method"], &fit["chosen"], &fit["reason"]),
        (&json!("auto"), &json!("expected"), &json!("gain"))
    );
    assert_eq!(fit["candidates"][0]["method"], "clean");
    assert!(fit["forecast"]["low"].as_f64() < fit["forecast"]["high"].as_f64());
    assert_eq!(
        (&fit["candidates"][0]["standing"], &fit["candidates"][1]["standing"]),
        (&json!("replaced"), &json!("chosen"))
    );
    assert_eq!(folder.ok(&["fit", "t.csv", "--json", "--quiet"]).stderr, "");
}

#[test]
fn where_there_is_no_gain_the_black_box_stays() {
    let mut table = String::from("label,p_a,p_b\n");
    for row in 0..24 {
        let right = row % 6 != 5;
        let (label, p) = if row % 2 == 0 { ("a", 0.8) } else { ("b", 0.2) };
        writeln!(table, "{label},{0},{1}", if right { p } else { 1.0 - p }, if right { 1.0 - p } else { p })
            .unwrap();
    }
    let folder = Folder::new().with("t.csv", table);
    let line = verdict(&folder, &[]);
    assert!(
        line.starts_with("no ") && line.contains(" with 24 rows: predictions are left unchanged"),
        "{line}"
    );
    let fit = record(&folder, &["--learning-curve"]);
    assert_eq!((&fit["chosen"], &fit["reason"]), (&json!("clean"), &json!("no-reliable-gain")));
    assert_eq!(fit["learning_curve"]["points"].as_array().unwrap().len(), 2);
}

#[test]
fn single_rows_have_words_of_their_own() {
    let head = "label,p_a,p_b,p_c\n";
    for (n, rows) in [
        (1, "a,0.6,0.3,0.1\n"),
        (2, "a,0.6,0.3,0.1\nb,0.2,0.5,0.3\n"),
        (3, "a,0.6,0.3,0.1\nb,0.2,0.5,0.3\nc,0.5,0.4,0.1\n"),
    ] {
        let folder = Folder::new().with("t.csv", format!("{head}{rows}"));
        let words = "no class has two labelled examples; predictions are left unchanged";
        assert_eq!(verdict(&folder, &[]), format!("too few rows ({n}): {words}"));
        let fit = record(&folder, &["--learning-curve"]);
        assert_eq!((&fit["chosen"], &fit["reason"]), (&json!("clean"), &json!("too-few-rows")));
        assert_eq!(fit["warnings"][0]["kind"], "too-few-rows");
        assert!(fit["forecast"].get("low").is_none() && fit.get("candidates").is_none());
        let run = folder.ok(&["fit", "t.csv", "--learning-curve"]);
        assert!(run.stderr.contains("note: no learning curve"), "{}", run.stderr);
    }
}

#[test]
fn labels_of_one_class_give_a_forecast() {
    let rows = "a,0.6,0.3,0.1\na,0.2,0.5,0.3\na,0.1,0.1,0.8\na,0.5,0.3,0.2\n";
    let folder = Folder::new().with("t.csv", format!("label,p_a,p_b,p_c\n{rows}"));
    let fit = record(&folder, &[]);
    assert_eq!(fit["warnings"][0]["kind"], "one-class");
    let end = |name: &str| fit["forecast"][name].as_f64().unwrap();
    assert!(end("low") < end("fitted") && end("fitted") < end("high"), "{fit}");
}

#[test]
fn without_labels_the_cure_is_label_shift() {
    let folder = Folder::new().with("t.csv", "label,p_a,p_b\n,0.6,0.4\n,0.3,0.7\n");
    let error = "t.csv: column \"label\": no row has a label and a weight above 0";
    folder.run(&["fit", "t.csv"]).refused(1, error, "--method label-shift --source-priors");
}

#[test]
fn few_and_many_classes_weights_absent_classes_and_bare_rows_are_fitted() {
    assert_eq!(record(&folder(100, 50), &["--id", "w"])["method"], "auto");
    for (rows, m) in [(40, 2), (3, 2), (4, 3), (7, 5)] {
        let folder = folder(rows, m);
        for flags in [&[] as &[&str], &["--weight", "w"], &["--metric", "mcc"], &["--metric", "f1:c1"]] {
            let fit = record(&folder, &[flags, &["--id", "w"]].concat());
            assert_eq!(fit["method"], "auto", "{rows} {m} {flags:?}");
        }
    }
    // Class c4 has no rows, and every third row no label.
    let absent = table(60, 5).replace("\nc4,", "\n,");
    let fit = record(&Folder::new().with("t.csv", absent), &["--id", "w"]);
    assert_eq!((&fit["rows"], &fit["unlabelled"]), (&json!(48), &json!(12)));
    assert_eq!(fit["warnings"][0]["kind"], "unknown-class");
    let text = verdict(&folder(30, 2), &["--id", "w", "--learning-curve"]);
    assert!(text.contains("rows"), "{text}");
}

#[test]
fn a_flag_of_algorithm_1_means_algorithm_1() {
    let folder = folder(40, 3);
    let note = folder.ok(&["fit", "t.csv", "--id", "w", "--reference", "c1", "--json"]).stderr;
    assert!(note.contains("note: --reference selects --method cwplugin; the default is auto"), "{note}");
    let named = folder.ok(&["fit", "t.csv", "--id", "w", "--method", "cwplugin", "--reference", "c1"]).stderr;
    assert!(!named.contains("selects"), "{named}");
    for flags in [
        &["--reference", "c1"][..],
        &["--search", "grid:0.01"],
        &["--ties", "first"],
        &["--absent", "drop"],
        &["--unscored"],
        &["--buffer", "1"],
    ] {
        let fit = record(&folder, &[flags, &["--id", "w"]].concat());
        assert_eq!(fit["method"], "cwplugin", "{flags:?}");
        let run = folder.run(&[&["fit", "t.csv", "--method", "auto"], flags].concat());
        run.refused(2, &format!("{} is not supported by --method auto", flags[0]), "--method cwplugin");
    }
    folder.ok(&["stats", "t.csv", "--id", "w", "-o", "s.json"]);
    let json = folder.ok(&["fit", "--stats", "s.json", "--json"]).json();
    assert_eq!(json["fit"]["method"], "cwplugin");
}

#[test]
fn mixing_is_for_expected_alone() {
    let folder = folder(60, 3);
    let run = folder.run(&["fit", "t.csv", "--mixing", "0.5"]);
    run.refused(2, "--mixing is not supported by --method auto", "--method expected");
    for wrong in ["-0.1", "1.5", "x", "nan"] {
        let flag = format!("--mixing={wrong}");
        assert_eq!(folder.run(&["fit", "t.csv", "--method", "expected", &flag]).code, 2, "{wrong}");
    }
    let fit = record(&folder, &["--method", "expected", "--mixing", "0.5"]);
    assert_eq!((&fit["mixing"], &fit["shrinkage"]), (&json!(0.5), &json!(1.0)));
    let line = verdict(&folder, &["--method", "expected"]);
    assert!(line.ends_with("if the calibrated probabilities are right"), "{line}");
}

#[test]
fn a_learning_curve_is_shown_and_kept_for_any_method() {
    let folder = folder(60, 3);
    for method in ["auto", "expected", "cwplugin", "ascent", "bcts"] {
        let flags = ["--method", method, "--id", "w", "--learning-curve"];
        let curve = record(&folder, &flags)["learning_curve"].clone();
        let rows: Vec<&Value> =
            curve["points"].as_array().unwrap().iter().map(|point| &point["rows"]).collect();
        assert_eq!(rows, [15, 30, 45], "{method}");
        assert!(curve["limit"].is_number() && curve["slope"].is_number(), "{curve}");
        let text = folder.ok(&[&["fit", "t.csv"], &flags[..]].concat()).text();
        assert!(text.contains("learning curve") && text.contains("gain ± sd"), "{text}");
    }
    assert_eq!(folder.run(&["fit", "--stats", "s.json", "--learning-curve"]).code, 2);
}

#[test]
fn rare_classes_and_rows_that_were_fitted_are_warned_about() {
    // Class c2 has two rows.
    let rows: Vec<String> = table(60, 3).lines().map(str::to_string).collect();
    let is_rare = |line: &&String| line.starts_with("c2");
    let rare = rows.iter().filter(is_rare).take(2);
    let others = rows.iter().filter(|line| !is_rare(line));
    let table = others.chain(rare).map(String::as_str).collect::<Vec<_>>().join("\n");
    let folder = Folder::new().with("t.csv", table);
    for method in ["auto", "expected", "bagged", "ascent", "cwplugin", "vector"] {
        let run = folder.ok(&["fit", "t.csv", "--id", "w", "--method", method, "-o", "m.json"]);
        let warning = "warning: class \"c2\" has only 2 labelled rows: what is learned about it may be due to chance; label";
        assert!(run.stderr.contains(warning), "{method}: {}", run.stderr);
    }
    let run = folder.ok(&["eval", "m.json", "t.csv", "--id", "w", "--metric", "accuracy"]);
    let warning = "warning: the model was fitted on all of these rows, so the scores are too optimistic";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    let json = folder.ok(&["eval", "m.json", "t.csv", "--id", "w", "--metric", "accuracy", "--json"]).json();
    assert_eq!(json["overlap"], 1.0);
}

#[test]
fn every_method_in_the_table_is_accepted() {
    let folder = folder(60, 3);
    let fit = record(&folder, &[]);
    let tried =
        fit["candidates"].as_array().unwrap().iter().map(|candidate| candidate["method"].as_str().unwrap());
    for method in tried.chain(["unadjusted"]) {
        let name = record(&folder, &["--method", method])["method"].clone();
        assert_eq!(name, if method == "unadjusted" { "clean" } else { method });
    }
    folder.ok(&[
        "compare",
        "t.csv",
        "--methods",
        "unadjusted,cwplugin:last,cwplugin:best",
        "--sizes",
        "20",
        "--repeats",
        "1",
    ]);
}

#[test]
fn probabilities_that_only_name_a_class_are_warned_about_once() {
    for (high, low, words) in
        [("1", "0", "every probability is 0 or 1"), ("0.9", "0.1", "at most two different values")]
    {
        let row = |i: usize| {
            let (a, b) = if i.is_multiple_of(3) { (low, high) } else { (high, low) };
            format!("{},{a},{b}\n", if i.is_multiple_of(2) { "a" } else { "b" })
        };
        let table: String = std::iter::once("label,p_a,p_b\n".to_string()).chain((0..40).map(row)).collect();
        let run = Folder::new().with("t.csv", table).ok(&["fit", "t.csv"]);
        assert_eq!(run.stderr.matches(words).count(), 1, "{}", run.stderr);
    }
}
