use std::process::Command;

use serde_json::{Value, json};

use crate::support::Folder;

/// A model that names this feature.
fn with_feature(name: &str) -> String {
    let model = json!({
        "format": "cwplugin-model", "version": 1, "cwplugin": "0.1.0", "classes": ["a", "b", "c"],
        "calibration": {
            "kind": "logistic", "input": "features", "features": [name], "matrix": [[1], [0], [0]], "bias": [0, 0, 0],
        },
        "weights": [0.25, 0.25, 0.5], "fit": null,
    });
    model.to_string()
}

#[test]
fn a_model_whose_feature_is_a_path_cannot_show_the_content_of_that_file() {
    let folder =
        Folder::with_model().with("secret.csv", "x\nsecret\n").with("m.json", with_feature("secret.csv"));
    for verb in ["apply", "eval", "report"] {
        let error = "data.csv: no feature column \"secret.csv\"; the columns are \"id\", \"label\", \"p_a\", \"p_b\", \"p_c\"";
        folder.attack(&[verb, "m.json", "data.csv"], error, "--features");
    }
    // What the user names is a file.
    folder.attack(
        &["apply", "m.json", "data.csv", "--features", "secret.csv"],
        "secret.csv: row 1, column \"x\": \"secret\" is not a number",
        "features must be numbers",
    );
}

#[test]
fn a_model_whose_feature_is_a_pipe_cannot_make_the_program_wait_for_it() {
    let folder = Folder::with_model();
    assert!(Command::new("mkfifo").arg(folder.path("pipe.csv")).status().unwrap().success());
    folder.write("m.json", with_feature(folder.path("pipe.csv").to_str().unwrap()));
    for verb in ["apply", "eval", "report"] {
        let run = folder.limited(&[verb, "m.json", "data.csv"]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stderr.contains("no feature column"), "{}", run.stderr);
    }
}

#[test]
fn a_model_that_names_a_feature_millions_of_times_is_refused() {
    let mut model: Value = serde_json::from_str(&with_feature("p_a")).unwrap();
    let names = vec!["p_a"; 1 << 20];
    model["calibration"]["features"] = json!(names);
    model["calibration"]["matrix"] = json!([vec![0; 1 << 20], vec![0; 1 << 20], vec![0; 1 << 20]]);
    let folder = Folder::with_model().with("m.json", model.to_string());
    folder.attack(
        &["apply", "m.json", "data.csv"],
        "m.json: the model names feature \"p_a\" twice",
        "fit the model again",
    );
}

#[test]
fn a_model_that_names_programs_and_files_as_metrics_runs_and_opens_none() {
    let folder = Folder::with_model().with("costs.csv", "secret\n");
    let fit = [
        "fit",
        "data.csv",
        "--metric",
        "accuracy",
        "--method",
        "ascent",
        "--subject-to",
        "recall:a>=0.1",
        "-o",
        "m.json",
    ];
    folder.ok(&fit);
    for named in
        ["command:touch ran", "command-once:touch ran", "cost:costs.csv", "linear-fractional:costs.csv"]
    {
        let model =
            folder.text("m.json").replace("recall:a", named).replace("\"accuracy\"", &format!("{named:?}"));
        assert!(model.matches(named).count() >= 2, "the metric and the constraint: {model}");
        folder.write("named.json", model);
        for args in [
            &["eval", "named.json", "data.csv"][..],
            &["report", "named.json", "data.csv", "-o", "page.html", "--refits", "0"],
            &["apply", "named.json", "data.csv"],
            &["export", "named.json", "--to", "python"],
        ] {
            let run = folder.limited(args).ok();
            assert!(!run.stderr.contains("secret") && !run.text().contains("secret"), "{args:?}");
            assert!(!folder.path("ran").exists(), "{args:?} ran the program of {named}");
        }
        let eval = folder.limited(&["eval", "named.json", "data.csv"]).ok();
        assert!(eval.stderr.contains("it names a file or a program; use --metric"), "{}", eval.stderr);
    }
}
