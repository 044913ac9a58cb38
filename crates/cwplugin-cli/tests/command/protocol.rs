//! The queries of a metric program, and how many there are.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{MACRO_F1, fit, folder};
use crate::support::{Folder, TABLE};

/// [`MACRO_F1`] that records its start and its queries.
fn spy() -> String {
    let spied = MACRO_F1.replacen("{\n", "{\n    syswrite LOG, $_;\n", 1);
    format!("open LOG, '>>', 'log.txt';\nsyswrite LOG, \"started\\n\";\n{spied}")
}

fn questions(folder: &Folder) -> (usize, Vec<Value>) {
    let log = folder.text("log.txt");
    let (starts, lines): (Vec<&str>, Vec<&str>) = log.lines().partition(|line| *line == "started");
    (starts.len(), lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn one_program_is_asked_about_pairs_and_about_all_and_never_twice() {
    let folder = folder().with("spy.pl", spy());
    folder.ok(&fit("command:perl spy.pl", &["--method", "cwplugin", "--threads", "4"]));
    let (starts, asked) = questions(&folder);
    assert_eq!(starts, 1);
    let different: HashSet<String> = asked.iter().map(Value::to_string).collect();
    assert_eq!(different.len(), asked.len(), "a question was asked twice");
    let classes: HashSet<String> = asked.iter().map(|question| question["classes"].to_string()).collect();
    assert_eq!(classes.len(), 3, "two pairs with the reference, and all classes: {classes:?}");
    assert!(classes.contains("[\"a\",\"b\",\"c\"]"), "{classes:?}");
    for question in &asked {
        let side = question["classes"].as_array().unwrap().len();
        let rows = question["confusion"].as_array().unwrap();
        assert!(rows.len() == side && rows.iter().all(|row| row.as_array().unwrap().len() == side));
    }
}

#[test]
fn rows_of_the_matrix_are_truths_and_whole_numbers_have_no_point() {
    let folder = Folder::new().with("data.csv", TABLE).with("spy.pl", spy());
    folder.ok(&["eval", "data.csv", "--metric", "command:perl spy.pl", "--resamples", "1"]);
    let (_, asked) = questions(&folder);
    let expected = json!({"classes": ["a", "b", "c"], "confusion": [[2, 0, 0], [2, 0, 0], [1, 0, 1]]});
    assert!(asked.contains(&expected), "{asked:?}");
    assert!(!folder.text("log.txt").contains(".0"), "{}", folder.text("log.txt"));
}

#[test]
fn everything_behind_the_colon_is_the_program_with_its_quotation_marks() {
    let script =
        "[ \"$#|$1|$2|$3\" = '3|a b|c,accuracy,d|$HOME' ] || exit 1\nwhile read -r line; do echo 0.5; done\n";
    let folder = Folder::with_model().with("words.sh", script);
    let metric = "command:sh words.sh 'a b' c,accuracy,d $HOME";
    let json = folder
        .ok(&["eval", "data.csv", "--metric", &format!("mcc,{metric}"), "--resamples", "9", "--json"])
        .json();
    let names: Vec<&String> = json["metrics"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["mcc", metric]);
    assert_eq!(json["metrics"][metric]["clean"], 0.5);
}

#[test]
fn what_it_says_on_standard_error_is_shown() {
    let folder = Folder::with_model()
        .with("polite.sh", "echo 'good morning' >&2\nwhile read -r line; do echo 1; done\n");
    let run = folder.ok(&["eval", "data.csv", "--metric", "command:sh polite.sh", "--quiet"]);
    assert_eq!(run.stderr, "good morning\n");
}

#[test]
fn a_shell_is_a_program_too() {
    let folder = Folder::with_model();
    let metric = "command:sh -c 'while read -r line; do echo \"${#line}\" | sed s/^/0./; done'";
    let json = folder.ok(&["eval", "data.csv", "--metric", metric, "--resamples", "9", "--json"]).json();
    let line = r#"{"classes": ["a","b","c"], "confusion": [[2, 0, 0], [2, 0, 0], [1, 0, 1]]}"#;
    let expected: f64 = format!("0.{}", line.len()).parse().unwrap();
    assert_eq!(json["metrics"][metric]["clean"], expected);
    let once = "command-once:sh -c 'cat > /dev/null; echo 0.25'";
    let json = folder.ok(&["eval", "data.csv", "--metric", once, "--resamples", "9", "--json"]).json();
    assert_eq!(json["metrics"][once]["clean"], 0.25);
}

#[test]
fn a_program_that_needs_no_question_need_not_read_it() {
    let folder = Folder::with_model();
    let json = folder
        .ok(&["eval", "data.csv", "--metric", "command-once:echo 0.25", "--resamples", "9", "--json"])
        .json();
    assert_eq!(json["metrics"]["command-once:echo 0.25"]["clean"], 0.25);
}

#[test]
fn an_empty_matrix_is_not_asked_about() {
    // Class c has no rows: its pair would be empty of one side, never of both.
    let folder = Folder::new()
        .with("data.csv", "label,p_a,p_b,p_c\na,0.6,0.3,0.1\nb,0.5,0.4,0.1\nb,0.2,0.7,0.1\n")
        .with("spy.pl", spy());
    folder.ok(&fit("command:perl spy.pl", &["--method", "cwplugin"]));
    let (_, asked) = questions(&folder);
    let sum = |question: &Value| -> f64 {
        let rows = question["confusion"].as_array().unwrap().iter();
        rows.flat_map(|row| row.as_array().unwrap()).map(|cell| cell.as_f64().unwrap()).sum()
    };
    assert!(!asked.is_empty() && asked.iter().all(|question| sum(question) > 0.0), "{asked:?}");
}
