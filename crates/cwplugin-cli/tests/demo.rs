//! `cwplugin demo`: the same numbers everywhere.

use crate::support::Folder;

#[test]
fn the_demo_is_what_fit_and_eval_say_of_its_tables() {
    let folder = Folder::new();
    let saved = folder.ok(&["demo", "--save", "sub/demo", "--json"]).json();
    assert_eq!(saved["written"], serde_json::json!(["sub/demo/sample.csv", "sub/demo/test.csv"]));
    let model =
        folder.ok(&["fit", "sub/demo/sample.csv", "--metric", "macro-f1", "-o", "m.json", "--json"]).json();
    let metrics = "macro-f1,accuracy,mcc,macro-g-mean";
    let test = folder.ok(&["eval", "m.json", "sub/demo/test.csv", "--metric", metrics, "--json"]).json();
    let demo = folder.ok(&["demo", "--json"]).json();
    assert_eq!(demo["model"], model);
    assert_eq!(demo["test"], test);

    // The page is that of `report`, but for the command at its end.
    assert_eq!(demo["report"], "cwplugin-demo.html");
    folder.write("model.json", folder.text("m.json"));
    folder.ok(&["demo", "--save", "."]);
    folder.ok(&["report", "model.json", "sample.csv", "--test", "test.csv", "-o", "report.html"]);
    let main = |page: &str| {
        folder
            .text(page)
            .split("<section id=\"reproduce\"")
            .next()
            .unwrap()
            .split("<main")
            .last()
            .unwrap()
            .to_string()
    };
    assert_eq!(main("cwplugin-demo.html"), main("report.html"));
    folder.ok(&["demo", "-o", "other.html"]);
    assert_eq!(folder.text("other.html"), folder.text("cwplugin-demo.html"));
}

#[test]
fn the_text_has_the_numbers_of_its_json() {
    let folder = Folder::new();
    let (text, json) = (folder.ok(&["demo"]).text(), folder.ok(&["demo", "--json"]).json());
    let scores = &json["test"]["metrics"]["macro-f1"];
    let (clean, fitted) = (scores["clean"].as_f64().unwrap(), scores["fitted"].as_f64().unwrap());
    assert!(fitted > clean, "{clean} → {fitted}");
    assert!(text.contains(&format!("the model raises macro-F1 from {clean:.3} to {fitted:.3}.")), "{text}");
    for trial in json["model"]["fit"]["candidates"].as_array().unwrap() {
        let (method, score) = (trial["method"].as_str().unwrap(), trial["cv_score"].as_f64().unwrap());
        let name = if method == "clean" { "unadjusted" } else { method };
        let is_shown = |line: &str| {
            line.trim().trim_start_matches("* ").starts_with(name) && line.contains(&format!("{score:.4}"))
        };
        assert!(text.lines().any(is_shown), "{method} {score}: {text}");
    }
    for name in ["macro-f1", "accuracy", "mcc", "macro-g-mean"] {
        let fitted = json["test"]["metrics"][name]["fitted"].as_f64().unwrap();
        let is_shown =
            text.lines().any(|line| line.trim().starts_with(name) && line.contains(&format!("{fitted:.4}")));
        assert!(is_shown, "{name} {fitted}: {text}");
    }
}

#[test]
fn a_seed_always_gives_the_same_text() {
    let folder = Folder::new();
    let (zero, one) = (folder.ok(&["demo"]).stdout, folder.ok(&["demo", "--seed", "1"]).stdout);
    assert_ne!(zero, one);
    assert_eq!(folder.ok(&["demo", "--seed", "1"]).stdout, one);
    assert_eq!(folder.ok(&["demo", "--threads", "8"]).stdout, zero);
    assert!(folder.ok(&["demo"]).text().contains("expected macro-f1 on new rows: "));
}

#[test]
fn saving_again_overwrites_and_leaves_nothing_else() {
    let folder = Folder::new();
    for _ in 0..2 {
        let run = folder.ok(&["demo", "--save", "."]);
        assert!(run.stdout.is_empty());
        assert_eq!(folder.names(), ["sample.csv", "test.csv"]);
    }
    assert_eq!(folder.ok(&["demo", "--save", ".", "--quiet"]).stderr, "");
}
