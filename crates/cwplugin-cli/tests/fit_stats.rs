//! `cwplugin fit --stats`: which flags go with statistics, and which files are none.

use serde_json::json;

use crate::support::metrics::spelled_out;
use crate::support::rows::Rows;
use crate::support::{Folder, TABLE, without_options};

/// A folder with a table, its statistics on a grid of ten against `c`, as a document and as a table, and a model.
fn folder() -> Folder {
    let folder = Folder::new().with("data.csv", TABLE);
    for name in ["s.json", "s.csv", "s.parquet"] {
        folder.ok(&["stats", "data.csv", "--bins", "10", "-o", name]);
    }
    folder.ok(&["fit", "data.csv", "-o", "model.json"]);
    folder
}

#[test]
fn one_file_serves_every_metric() {
    let folder = Folder::new().with_metric_files();
    let rows = Rows::random(300, &["a", "b", "c", "d"], 5);
    rows.write(&folder, "data.csv", &(0..rows.len()).collect::<Vec<_>>());
    folder.ok(&["stats", "data.csv", "--reference", "b", "--bins", "50", "-o", "s.parquet"]);
    for metric in folder.ok(&["metrics", "--json"]).json()["metrics"].as_array().unwrap() {
        let name = spelled_out(metric["name"].as_str().unwrap());
        let is_quasi_concave = metric["quasi_concave"] == true;
        for (search, force) in [("grid:0.02", false), ("binary:0.02", !is_quasi_concave)] {
            let flags = ["--metric", &name, "--search", search, "--json", "--force"];
            let flags = &flags[..if force { 6 } else { 5 }];
            let counted = folder.ok(&[&["fit", "--stats", "s.parquet"], flags].concat());
            let whole = ["fit", "data.csv", "--reference", "b", "--unscored"];
            let whole = folder.ok(&[&whole[..], flags].concat());
            assert_eq!(without_options(counted.json()), without_options(whole.json()), "{name} {search}");
        }
        if !is_quasi_concave {
            let binary = ["fit", "--stats", "s.parquet", "--metric", &name, "--search", "binary:0.02"];
            assert_eq!(folder.run(&binary).code, 2, "{name}");
        }
    }
}

#[test]
fn what_it_prints_is_what_fit_prints_but_for_the_score() {
    let folder = folder();
    let run = folder.ok(&["fit", "--stats", "s.json", "-o", "m.json"]);
    assert!(
        run.text()
            .starts_with("s.json: 6 labelled rows (1 unlabelled row not used), 3 classes (statistics)\n\n"),
        "{}",
        run.text()
    );
    let note = "note: the rows were not scored: statistics do not hold the rows; run `cwplugin eval` on them";
    assert!(run.stderr.contains(note) && run.stderr.contains("wrote m.json"), "{}", run.stderr);
    let model = folder.json("m.json");
    assert!(model["fit"].get("score").is_none());
    assert_eq!((&model["fit"]["search"], &model["fit"]["reference"]), (&json!("grid:0.1"), &json!("c")));
    assert_eq!(folder.ok(&["fit", "--stats", "s.csv", "--quiet"]).stderr, "");
    for flags in [&["--json"][..], &["-o", "-"], &["--json", "--quiet"]] {
        let run = folder.ok(&[&["fit", "--stats", "s.parquet"], flags].concat());
        assert_eq!(run.stdout, folder.read("m.json"), "{flags:?}");
    }
    for name in ["s.json", "s.csv", "s.parquet"] {
        let run = folder.run_on(&["fit", "--stats", "-", "--json"], &folder.read(name)).ok();
        assert_eq!(run.stdout, folder.read("m.json"), "{name}");
    }
    folder.ok(&["apply", "m.json", "data.csv"]);
    folder.ok(&["eval", "m.json", "data.csv"]);
}

#[test]
fn the_settings_of_the_statistics_may_be_repeated() {
    let folder = folder();
    let plain = folder.ok(&["fit", "--stats", "s.json", "--json"]).json();
    for flags in [
        ["--search", "grid:0.1"],
        ["--reference", "last"],
        ["--reference", "c"],
        ["--reference", "class:c"],
        ["--method", "cwplugin"],
    ] {
        let model = folder.ok(&[&["fit", "--stats", "s.json", "--json"], &flags[..]].concat()).json();
        assert_eq!(without_options(model), plain);
    }
    // The largest class is the reference of these statistics only if it was counted against.
    folder.ok(&["stats", "data.csv", "--bins", "10", "--reference", "a", "-o", "a.json"]);
    folder.ok(&["fit", "--stats", "a.json", "--reference", "largest"]);
}

#[test]
fn flags_that_contradict_the_statistics_are_refused_with_both_values() {
    let folder = folder();
    let refused = |flags: &[&str], error: &str, cure: &str| {
        for stats in ["s.json", "s.csv"] {
            let before = folder.names();
            let args = [&["fit", "--stats", stats, "-o", "m.json"], flags].concat();
            folder.run(&args).refused(2, error, cure);
            assert_eq!(folder.names(), before);
        }
    };
    let counted = "but the statistics were counted on grid:0.1";
    for search in ["exact", "grid:0.01", "binary:0.01"] {
        refused(
            &["--search", search],
            &format!("--search {search}, {counted}"),
            "use binary:0.1, or count again",
        );
    }
    for reference in ["a", "best", "largest"] {
        let error = format!("--reference {reference}, but the statistics were counted against \"c\"");
        refused(&["--reference", reference], &error, "cwplugin stats DATA --reference NAME");
    }
    refused(&["--reference", "z"], "--reference z: unknown class", "\"a\", \"b\", \"c\"");
    refused(&["--metric", "f1:z"], "metric \"f1:z\": unknown class \"z\"", "\"a\", \"b\", \"c\"");
    let error = "metric mcc may have several peaks on a pair, so binary search may miss the best";
    refused(&["--metric", "mcc", "--search", "binary:0.1"], error, "--force");
}

#[test]
fn flags_about_rows_do_not_go_with_statistics() {
    let folder = folder();
    for flags in [
        &["data.csv"][..],
        &["--label", "y"],
        &["--classes", "a,b"],
        &["--prefix", "p_"],
        &["--weight", "w"],
        &["--id", "id"],
        &["--scores", "logits"],
        &["--normalize"],
        &["--format", "csv"],
        &["--delimiter", ";"],
        &["--buffer", "0"],
        &["--unscored"],
    ] {
        let run = folder.run(&[&["fit", "--stats", "s.json"], flags].concat());
        assert_eq!(run.code, 2, "{flags:?}");
        let told = if flags[0] == "data.csv" { "[DATA]" } else { flags[0] };
        let both = run.stderr.contains("'--stats <FILE>' cannot be used with '") && run.stderr.contains(told);
        assert!(both && run.stderr.contains("--help"), "{}", run.stderr);
    }
    let run = folder.run(&["fit", "--stats", "s.json", "-o", "s.json"]);
    run.refused(2, "-o s.json: would overwrite the statistics", "write to another file");
    let run = folder.run(&["fit", "--stats", "missing.json", "-o", "no/m.json"]);
    run.refused(1, "missing.json: no such file", "check the path");
    let run = folder.run(&["fit", "--stats", "s.json", "-o", "no/m.json"]);
    run.refused(1, "no/m.json: the folder no does not exist", "mkdir -p no");
    assert_eq!(folder.run(&["fit"]).code, 2);
}

#[test]
fn statistics_without_labelled_rows_are_nothing_to_fit() {
    let folder = Folder::new().with("data.csv", "label,p_a,p_b\n,0.5,0.5\n");
    folder.ok(&["stats", "data.csv", "-o", "s.json"]);
    let error = "s.json: no row has a label and a weight above 0";
    folder.run(&["fit", "--stats", "s.json"]).refused(1, error, "check the labels");
    folder.write("one.csv", "label,p_a,p_b\na,0.5,0.5\n");
    folder.ok(&["stats", "one.csv", "-o", "s.csv"]);
    let error = "s.csv: reference class \"b\" has no labelled rows";
    folder.run(&["fit", "--stats", "s.csv"]).refused(1, error, "--absent drop");
    folder.ok(&["fit", "--stats", "s.csv", "--absent", "drop"]);
}
