//! Errors of `compare --draws-out` and `--external`.

use serde_json::{Value, json};

use crate::support::Folder;
use crate::support::samples::{csv, rows};

const COMPARE: [&str; 10] =
    ["compare", "data.csv", "--methods", "clean", "--metrics", "mcc", "--sizes", "10", "--repeats", "2"];

/// The table, and lines for its two draws that predict one class for all of its 8 test rows.
fn folder() -> (Folder, Vec<Value>) {
    let folder = Folder::new().with("data.csv", csv(&rows(40, 1)));
    folder.ok(&with(&["--draws-out", "draws.json"]));
    let draws = folder.json("draws.json");
    assert_eq!(draws["test"].as_array().unwrap().len(), 8);
    let line = |draw: &Value| json!({"method": "mine", "draw": draw["id"], "predictions": (vec!["a"; 8])});
    let lines = draws["draws"].as_array().unwrap().iter().map(line).collect();
    (folder, lines)
}

fn with<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    [&COMPARE as &[&'a str], flags].concat()
}

fn write(folder: &Folder, lines: &[Value]) {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    folder.write("mine.jsonl", lines.join("\n"));
}

fn refuses(folder: &Folder, lines: &[Value], error: &str, hint: &str) {
    write(folder, lines);
    folder.refuses(&with(&["--external", "mine.jsonl"]), error, hint);
}

#[test]
fn predictions_that_do_not_fit_the_draws_are_refused() {
    let (folder, lines) = folder();
    let changed = |field: &str, value: Value| {
        let mut lines = lines.clone();
        lines[1][field] = value;
        lines
    };
    let error = "external method \"mine\": draw 1 of 10 rows has 7 predictions for 8 test rows";
    refuses(&folder, &changed("predictions", json!(vec!["a"; 7])), error, "predict every row of \"test\"");
    let error = "mine.jsonl, line 2: test row 0: unknown class \"d\"";
    refuses(
        &folder,
        &changed("predictions", json!(vec!["d"; 8])),
        error,
        "the classes are \"a\", \"b\", \"c\"",
    );
    let error = "mine.jsonl, line 2: test row 0: unknown class \"1\"";
    refuses(&folder, &changed("predictions", json!([1, 1])), error, "the classes are");
    let error = "external method \"mine\": no predictions for draw 1 of 10 rows and metric mcc";
    refuses(&folder, &lines[..1], error, "for every draw in the file of --draws-out");
    let error = "mine.jsonl, line 2: this comparison has no draw \"10-1-abc\"";
    refuses(&folder, &changed("draw", json!("10-1-abc")), error, "use the ids of --draws-out");
    let error = "mine.jsonl, line 2: metric \"accuracy\" is not compared";
    refuses(&folder, &changed("metric", json!("accuracy")), error, "the metrics are \"mcc\"");
    let twice = [&lines[..], &lines[..1]].concat();
    let id = lines[0]["draw"].as_str().unwrap();
    let error = format!("mine.jsonl, line 3: \"mine\" has predictions for draw \"{id}\" already");
    refuses(&folder, &twice, &error, "one line per method, draw and metric");
    let auto: Vec<Value> = lines
        .iter()
        .map(|line| json!({"method": "auto", "draw": line["draw"], "predictions": (vec!["a"; 8])}))
        .collect();
    refuses(&folder, &auto, "external method \"auto\": another method has this name", "give it another name");
    write(&folder, &lines);
    folder.ok(&with(&["--external", "mine.jsonl"]));
}

/// An id tells the draws of another seed, number of rows or test share apart.
#[test]
fn predictions_for_other_draws_are_refused() {
    let (folder, lines) = folder();
    write(&folder, &lines);
    let error = format!("mine.jsonl, line 1: this comparison has no draw {}", lines[0]["draw"]);
    for other in [["--seed", "1"], ["--unlabelled", "3"], ["--test-share", "0.3"], ["--noise", "a:0.5"]] {
        let args = with(&[&["--external", "mine.jsonl"] as &[&str], &other].concat());
        folder.refuses(&args, &error, "same table, sizes, repeats, seed");
    }
}

#[test]
fn files_that_are_not_predictions_are_refused() {
    let (folder, _) = folder();
    let args = with(&["--external", "mine.jsonl"]);
    let hint = "each line is {\"method\": NAME";
    folder.refuses(&args, "mine.jsonl: no such file", hint);
    folder.write("mine.jsonl", "\n");
    folder.refuses(&args, "mine.jsonl: is empty, not predictions", hint);
    folder.write("mine.jsonl", "{\"method\": \"mine\"}\n");
    folder.refuses(&args, "mine.jsonl, line 1: not predictions of a draw (missing field `draw`)", hint);
    folder.write("mine.jsonl", "\n\na,b\n");
    folder.refuses(&args, "mine.jsonl, line 3: not predictions of a draw (expected value)", hint);
}

#[test]
fn outputs_do_not_collide() {
    let (folder, lines) = folder();
    write(&folder, &lines);
    let run = folder.run(&with(&["--external", "mine.jsonl", "--draws-out", "mine.jsonl"]));
    run.refused(2, "--draws-out mine.jsonl: would overwrite the predictions", "write to another file");
    let run = folder.run(&with(&["--draws-out", "-", "--json"]));
    run.refused(2, "--json and --draws-out - both write to standard output", "--draws-out FILE");
}
