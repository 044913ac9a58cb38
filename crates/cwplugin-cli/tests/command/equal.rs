//! A program that computes macro-F1 gives the model that macro-F1 gives, to the last bit.

use serde_json::Value;

use super::{fit, folder};
use crate::support::Folder;

const PROGRAM: &str = "command:perl macro_f1.pl";

#[test]
fn the_model_is_the_same_but_for_the_name_of_the_metric() {
    let folder = folder();
    for method in [&["cwplugin"][..], &["cwplugin:published"], &["ascent"], &["bagged", "--n-bootstrap", "3"]]
    {
        let fit = |metric, more: &[&'static str]| fit(metric, &[&["--method"], method, more].concat());
        folder.ok(&fit("macro-f1", &["-o", "built-in.json"]));
        let built_in = folder.text("built-in.json").replace("\"macro-f1\"", &format!("\"{PROGRAM}\""));
        for threads in ["1", "4"] {
            folder.ok(&fit(PROGRAM, &["--threads", threads, "-o", "program.json"]));
            assert_eq!(folder.text("program.json"), built_in, "{method:?} on {threads} threads");
        }
    }
}

/// The table, cut after so many rows: each method asks a question or more for every row.
fn first_rows(folder: &Folder, n: usize) -> String {
    folder.text("data.csv").split_inclusive('\n').take(1 + n).collect()
}

/// The same, but for the last digits of numbers outside the weights.
fn assert_near(found: &Value, expected: &Value, place: &str) {
    match (found, expected) {
        (Value::Number(found), Value::Number(expected)) => {
            let [found, expected] = [found, expected].map(|number| number.as_f64().unwrap());
            assert!(
                (found - expected).abs() < 1e-12 * expected.abs().max(1.0),
                "{place}: {found} {expected}"
            );
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            found.iter().zip(expected).for_each(|(found, expected)| assert_near(found, expected, place));
        }
        (Value::Object(found), Value::Object(expected)) if found.len() == expected.len() => {
            expected
                .iter()
                .for_each(|(key, expected)| assert_near(&found[key], expected, &format!("{place}.{key}")));
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}

/// Shares of rows are added up in another order by the library, which keeps the sums at hand: a forecast may differ in its last
/// digit. The rule may not.
#[test]
fn methods_that_count_shares_of_rows_find_the_same_rule() {
    let folder = folder();
    folder.write("data.csv", first_rows(&folder, 12));
    // Either asks thousands of questions.
    for (method, threads) in [("expected", &["1", "4"][..]), ("auto", &["4"])] {
        let fit =
            |metric, threads| folder.ok(&fit(metric, &["--method", method, "--threads", threads, "--json"]));
        let mut built_in = fit("macro-f1", "2").json();
        built_in["fit"]["metric"] = PROGRAM.into();
        let programs: Vec<_> = threads.iter().map(|threads| fit(PROGRAM, threads)).collect();
        assert!(programs.iter().all(|program| program.stdout == programs[0].stdout), "{method}");
        let program = programs[0].json();
        assert_eq!(program["weights"], built_in["weights"], "{method}");
        assert_eq!(program["calibration"], built_in["calibration"], "{method}");
        assert_near(&program, &built_in, method);
    }
}

#[test]
fn evaluations_and_comparisons_are_the_same() {
    let folder = folder();
    let eval = |metric| {
        let json = folder.ok(&["eval", "data.csv", "--metric", metric, "--resamples", "50", "--json"]).json();
        json["metrics"][metric].clone()
    };
    assert_eq!(eval(PROGRAM), eval("macro-f1"));
    let compare = |metric| {
        let methods = "clean,cwplugin,expected,vector";
        let args = [
            "compare",
            "data.csv",
            "--metrics",
            metric,
            "--methods",
            methods,
            "--sizes",
            "12",
            "--repeats",
            "2",
        ];
        folder.ok(&[&args[..], &["--csv", "-"]].concat()).text()
    };
    assert_eq!(compare(PROGRAM), compare("macro-f1").replace(",macro-f1,", &format!(",{PROGRAM},")));
}

#[test]
fn a_program_that_is_started_for_every_matrix_gives_the_same_too() {
    let folder = folder();
    folder.write("data.csv", first_rows(&folder, 15));
    let once = "command-once:perl macro_f1.pl"; // its input ends behind the first question
    let args = ["--method", "cwplugin", "--search", "grid:0.25", "--json"];
    let built_in = folder.ok(&fit("macro-f1", &args)).json();
    let program = folder.ok(&fit(once, &args)).json();
    assert_eq!(program["weights"], built_in["weights"]);
    assert_eq!(program["fit"]["score"], built_in["fit"]["score"]);
}

#[test]
fn statistics_and_row_weights_are_no_different() {
    let folder = folder();
    folder.ok(&["stats", "data.csv", "--bins", "50", "-o", "stats.json"]);
    let from_stats =
        |metric| folder.ok(&["fit", "--stats", "stats.json", "--metric", metric, "--json"]).json();
    assert_eq!(from_stats(PROGRAM)["weights"], from_stats("macro-f1")["weights"]);
    let weighted =
        |metric| folder.ok(&fit(metric, &["--weight", "w", "--method", "cwplugin", "--json"])).json();
    assert_eq!(weighted(PROGRAM)["weights"], weighted("macro-f1")["weights"]);
}

#[test]
fn binary_search_must_be_forced() {
    let folder = folder();
    let run = folder.run(&fit(PROGRAM, &["--search", "binary:0.01"]));
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("may have several peaks"), "{}", run.stderr);
    let forced = |metric| folder.ok(&fit(metric, &["--search", "binary:0.01", "--force", "--json"])).json();
    assert_eq!(forced(PROGRAM)["weights"], forced("macro-f1")["weights"]);
}
