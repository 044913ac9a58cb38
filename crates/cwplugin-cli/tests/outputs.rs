//! Outputs that the docs do not show, as snapshots; `INSTA_UPDATE=always` accepts changes.

use insta::assert_snapshot;

use crate::support::Folder;

fn output(args: &[&str]) -> String {
    Folder::new().ok(args).text()
}

#[test]
fn list_of_metrics() {
    assert_snapshot!(output(&["metrics"]));
}

#[test]
fn demo() {
    assert_snapshot!(output(&["demo"]));
}

/// Both streams of a run on the tables of the demo.
fn on_the_demo(args: &[&str]) -> String {
    let folder = Folder::new();
    folder.ok(&["demo", "--save", "."]);
    folder.ok(&["fit", "sample.csv", "-o", "model.json"]);
    let run = folder.ok(args);
    format!("{}--- standard error\n{}", run.text(), run.stderr)
}

#[test]
fn fit_bagged() {
    assert_snapshot!(on_the_demo(&["fit", "sample.csv", "--method", "bagged"]));
}

#[test]
fn eval() {
    assert_snapshot!(on_the_demo(&["eval", "model.json", "test.csv"]));
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(output(&["--version"]), format!("cwplugin {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(output(&["-V"]), output(&["--version"]));
}

#[test]
fn the_lists_equal_their_json() {
    for verb in ["metrics", "methods"] {
        let folder = Folder::new();
        let (text, json) = (folder.ok(&[verb]).text(), folder.ok(&[verb, "--json"]).json());
        let entries = json[verb].as_array().unwrap();
        assert!(entries.len() >= 2);
        for entry in entries {
            let (name, summary) = (entry["name"].as_str().unwrap(), entry["summary"].as_str().unwrap());
            let is_listed = text.lines().any(|line| line.trim().starts_with(name) && line.contains(summary));
            assert!(is_listed, "{name}: {text}");
        }
    }
}
