//! Invalid formulas: the fact, the place, the cure.

use std::fmt::Write as _;

use crate::support::Folder;

#[test]
fn a_formula_that_cannot_be_read_is_shown_with_a_caret_under_the_place() {
    let folder = Folder::with_model();
    let long = format!("expr:{}recal[a]", "tp[a]/n + ".repeat(40));
    let mut said = String::new();
    for metric in [
        "expr:2*tp[a]/(2*tp[a]+fp[a]+5*fn[spam])",
        "expr:mean(recal)",
        "expr:average(tp)",
        "expr:1 + tp(a)",
        "expr:mean(recall",
        "expr:",
        "expr:tp[\"ünï\"] × 2",
        "expr:x = 5;\n2*recall",
        &long,
    ] {
        for verb in ["fit", "eval"] {
            let run = folder.run(&[verb, "data.csv", "--metric", metric]);
            assert_eq!((run.code, run.stdout.is_empty()), (2, true), "{metric}: {}", run.stderr);
            if verb == "fit" {
                writeln!(said, "$ fit --metric {metric:.40}\n{}", run.stderr).unwrap();
            }
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!("errors__formulas", said);
    });
}

#[test]
fn a_formula_with_commas_is_one_of_a_list() {
    let folder = Folder::with_model();
    let list = "accuracy,expr:min(recall[a],C[a,b],2),macro-f1,expr:mean(f1)";
    let json = folder.ok(&["eval", "data.csv", "--metric", list, "--json", "--quiet"]).json();
    let metrics = json["metrics"].as_object().unwrap();
    let names: Vec<&str> = metrics.keys().map(String::as_str).collect();
    assert_eq!(names, ["accuracy", "expr:min(recall[a],C[a,b],2)", "macro-f1", "expr:mean(f1)"]);
    assert_eq!(metrics["macro-f1"]["clean"], metrics["expr:mean(f1)"]["clean"]);
}

#[test]
fn a_model_keeps_its_formula_and_is_that_of_the_metric_it_is() {
    let folder = Folder::with_model();
    for method in ["auto", "cwplugin", "ascent"] {
        let model = |metric: &str| {
            folder.ok(&["fit", "data.csv", "--method", method, "--metric", metric, "--json", "-q"]).json()
        };
        let (named, formula) = (model("macro-f1"), model("expr:mean(f1)"));
        assert_eq!(formula["fit"]["metric"], "expr:mean(f1)");
        assert_eq!(named["weights"], formula["weights"], "{method}");
    }
}

#[test]
fn a_formula_that_is_no_number_is_refused() {
    let run = Folder::with_model().run(&["fit", "data.csv", "--metric", "expr:exp(1e6*sum(tp))"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("metric expr:exp(1e6*sum(tp)) is NaN, not a finite number"),
        "{}",
        run.stderr
    );
}
