//! Wording, as snapshots: a change is deliberate, or it is not made. `INSTA_UPDATE=always` accepts all of it.

use insta::assert_snapshot;

use crate::support::Folder;

fn help(args: &[&str]) -> String {
    Folder::new().ok(args).text()
}

#[test]
fn help_of_the_program() {
    assert_snapshot!(help(&["--help"]));
}

#[test]
fn help_of_fit() {
    assert_snapshot!(help(&["fit", "--help"]));
}

#[test]
fn help_of_apply() {
    assert_snapshot!(help(&["apply", "--help"]));
}

#[test]
fn help_of_export() {
    assert_snapshot!(help(&["export", "--help"]));
}

#[test]
fn help_of_eval() {
    assert_snapshot!(help(&["eval", "--help"]));
}

#[test]
fn help_of_report() {
    assert_snapshot!(help(&["report", "--help"]));
}

#[test]
fn help_of_stats() {
    assert_snapshot!(help(&["stats", "--help"]));
}

#[test]
fn help_of_merge() {
    assert_snapshot!(help(&["merge", "--help"]));
}

#[test]
fn help_of_compare() {
    assert_snapshot!(help(&["compare", "--help"]));
}

#[test]
fn help_of_metrics() {
    assert_snapshot!(help(&["metrics", "--help"]));
}

#[test]
fn help_of_methods() {
    assert_snapshot!(help(&["methods", "--help"]));
}

#[test]
fn help_of_demo() {
    assert_snapshot!(help(&["demo", "--help"]));
}

#[test]
fn list_of_metrics() {
    assert_snapshot!(help(&["metrics"]));
}

#[test]
fn list_of_methods() {
    assert_snapshot!(help(&["methods"]));
}

#[test]
fn story_of_the_demo() {
    assert_snapshot!(help(&["demo"]));
}

/// Both streams of a run on the demo's tables.
fn on_the_demo(args: &[&str]) -> String {
    let folder = Folder::new();
    folder.ok(&["demo", "--save", "."]);
    folder.ok(&["fit", "sample.csv", "-o", "model.json"]);
    let run = folder.ok(args);
    format!("{}--- standard error\n{}", run.text(), run.stderr)
}

#[test]
fn fit_on_the_demo() {
    assert_snapshot!(on_the_demo(&["fit", "sample.csv", "-o", "model.json"]));
}

#[test]
fn fit_of_algorithm_1_on_the_demo() {
    assert_snapshot!(on_the_demo(&["fit", "sample.csv", "--method", "cwplugin"]));
}

#[test]
fn fit_as_published_on_the_demo() {
    assert_snapshot!(on_the_demo(&["fit", "sample.csv", "--method", "cwplugin:published"]));
}

#[test]
fn fit_bagged_on_the_demo() {
    assert_snapshot!(on_the_demo(&["fit", "sample.csv", "--method", "bagged"]));
}

#[test]
fn eval_on_the_demo() {
    assert_snapshot!(on_the_demo(&["eval", "test.csv", "--model", "model.json"]));
}

#[test]
fn eval_without_a_model_on_the_demo() {
    assert_snapshot!(on_the_demo(&["eval", "test.csv", "--metric", "macro-f1,f1:nine"]));
}

#[test]
fn apply_on_the_demo() {
    let all = on_the_demo(&["apply", "model.json", "test.csv", "--json", "-o", "out.csv"]);
    assert_snapshot!(all);
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(help(&["--version"]), format!("cwplugin {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(help(&["-V"]), help(&["--version"]));
}

#[test]
fn the_lists_are_the_same_as_json() {
    for (verb, key) in [("metrics", "metrics"), ("methods", "methods")] {
        let folder = Folder::new();
        let (text, json) = (folder.ok(&[verb]).text(), folder.ok(&[verb, "--json"]).json());
        let entries = json[key].as_array().unwrap();
        assert!(entries.len() >= 2);
        for entry in entries {
            let (name, summary) = (entry["name"].as_str().unwrap(), entry["summary"].as_str().unwrap());
            let told = text.lines().any(|line| line.trim().starts_with(name) && line.contains(summary));
            assert!(told, "{name}: {text}");
        }
    }
}
