//! Invalid models, and models of other classes than the data.

use std::fs;

use crate::support::{Folder, TABLE, column, model};

/// `apply` and `eval` refuse `m.json` of this content.
fn refused(content: &str, error: &str, hint: &str) {
    let folder = Folder::with_model().with("m.json", content);
    folder.refuses(&["apply", "m.json", "data.csv"], error, hint);
    folder.refuses(&["eval", "m.json", "data.csv"], error, hint);
}

#[test]
fn a_file_that_is_no_model_is_refused() {
    refused("", "m.json: is empty, not a model", "cwplugin fit");
    refused("{}", "m.json: not a model: field \"format\" is missing, not \"cwplugin-model\"", "cwplugin fit");
    refused(
        "[1, 2]",
        "m.json: not a model: field \"format\" is missing, not \"cwplugin-model\"",
        "cwplugin fit",
    );
    let cut = &model(&["a", "b", "c"], &[1.0, 2.0, 3.0])[..60];
    refused(cut, "m.json: not a model: EOF while parsing a string at line 1 column 60", "cwplugin fit");
}

#[test]
fn a_model_of_another_version_is_refused() {
    let text = model(&["a", "b", "c"], &[1.0, 2.0, 3.0]).replace("\"version\":1", "\"version\":2");
    let error = "m.json: not a supported model: the file has version 2; this cwplugin reads version 1";
    refused(&text, error, "newer cwplugin");
}

#[test]
fn a_calibration_that_cannot_be_applied_is_refused() {
    let with = |calibration: &str| {
        let text = model(&["a", "b", "c"], &[1.0, 2.0, 3.0]);
        text.replace("\"calibration\":null", &format!("\"calibration\":{calibration}"))
    };
    let error = "m.json: not a supported model: the model has a calibration of kind \"spline\", which \
                 this cwplugin cannot apply";
    refused(&with(r#"{"kind": "spline"}"#), error, "newer cwplugin");
    for (calibration, says) in [
        ("{}", "missing field `kind`"),
        (r#"{"kind": "vector"}"#, "the calibration has no field \"input\""),
        (
            r#"{"kind": "vector", "input": "odds", "diagonal": [1, 1, 1], "bias": [0, 0, 0]}"#,
            "the calibration's input is \"odds\", not log, probability or features",
        ),
        (
            r#"{"kind": "vector", "input": "log", "bias": [0, 0, 0]}"#,
            "the calibration must have either a diagonal or a matrix",
        ),
        (
            r#"{"kind": "dirichlet", "input": "log", "matrix": [[1, 0, 0], [0, 1], [0, 0, 1]], "bias": [0, 0, 0]}"#,
            "the calibration's matrix has rows of different lengths",
        ),
        (
            r#"{"kind": "logistic", "input": "features", "features": ["x"], "matrix": [[1, 2], [3, 4], [5, 6]], "bias": [0, 0, 0]}"#,
            "the calibration names 1 features, but has slopes for 2",
        ),
        (r#"{"kind": "probing", "steps": []}"#, "at least 2 classes are needed, 0 given"),
        (
            r#"{"kind": "probing", "steps": [{"share": 0.5, "factors": [1, 1, 1]}]}"#,
            "the shares of the steps sum to 0.5, not to 1",
        ),
        (
            r#"{"kind": "vector", "input": "log", "diagonal": [1, 1], "bias": [0, 0]}"#,
            "expected 3 classes of the calibration, found 2",
        ),
        (
            r#"{"kind": "vector", "input": "log", "diagonal": [1, 1], "bias": [0, 0, 0]}"#,
            "expected 3 slopes, found 2",
        ),
    ] {
        let folder = Folder::with_model().with("m.json", with(calibration));
        let run = folder.run(&["apply", "m.json", "data.csv"]);
        assert!(run.code == 1 && run.stderr.contains(says), "{calibration}: {}", run.stderr);
    }
}

#[test]
fn a_model_without_its_calibration_is_refused() {
    let text = model(&["a", "b", "c"], &[1.0, 2.0, 3.0]).replace("\"calibration\":null,", "");
    let error = "m.json: not a complete model: field \"calibration\" is missing, so it is unknown whether probabilities are \
                 calibrated before the weights";
    refused(&text, error, "copy the whole file again, or add \"calibration\": null");
}

#[test]
fn a_document_with_a_field_twice_is_refused() {
    let text = model(&["a", "b", "c"], &[1.0, 2.0, 3.0]).replacen('{', "{\"weights\":[3,2,1],", 1);
    let place = text.rfind("\"weights\"").unwrap() + "\"weights\"".len();
    let error =
        format!("m.json: not a model: field \"weights\" occurs twice (keep one) at line 1 column {place}");
    refused(&text, &error, "cwplugin fit");
    let text = model(&["a", "b", "c"], &[1.0, 2.0, 3.0]).replace(
        "\"calibration\":null",
        "\"calibration\":{\"kind\":\"vector\",\"input\":\"log\",\"bias\":[0,0,0],\"bias\":[9,0,0],\"diagonal\":[1,1,1]}",
    );
    let folder = Folder::with_model().with("m.json", text);
    let run = folder.run(&["apply", "m.json", "data.csv"]);
    assert!(run.code == 1 && run.stderr.contains("field \"bias\" occurs twice"), "{}", run.stderr);
}

#[test]
fn weights_that_make_no_sense_are_refused() {
    for (weights, says) in
        [(&[1.0, 2.0] as &[f64], "expected 3 weights, found 2"), (&[-1.0, 1.0, 1.0], "-1"), (&[0.0; 3], "0")]
    {
        let folder = Folder::with_model().with("m.json", model(&["a", "b", "c"], weights));
        let run = folder.run(&["apply", "m.json", "data.csv"]);
        let error = run.stderr.lines().next().unwrap().trim_start_matches("cwplugin: error: ").to_string();
        assert!(
            error.starts_with("m.json: not a valid model: ") && error.contains(says),
            "{weights:?}: {error}"
        );
        folder.refuses(&["apply", "m.json", "data.csv"], &error, "cwplugin fit");
    }
}

#[test]
fn a_folder_is_no_model() {
    let folder = Folder::with_model();
    fs::create_dir(folder.path("dir")).unwrap();
    folder.refuses(&["apply", "dir", "data.csv"], "dir: is a folder, not a model", "cwplugin fit -o FILE");
    folder.refuses(&["eval", "dir", "data.csv"], "dir: is a folder, not a model", "cwplugin fit -o FILE");
}

#[test]
fn a_table_in_the_place_of_the_model_is_told_so() {
    let folder = Folder::with_model();
    let error = "data.csv: not a model: expected value at line 1 column 1";
    folder.refuses(&["apply", "data.csv", "data.csv"], error, "cwplugin apply MODEL DATA");
    let folder = folder.with("binary.parquet", b"PAR1\xff\xfe\x00");
    let error = "binary.parquet: not a model: the file is not text";
    folder.refuses(&["apply", "binary.parquet", "data.csv"], error, "cwplugin apply MODEL DATA");
}

#[test]
fn classes_are_matched_by_name_whatever_their_order() {
    let folder =
        Folder::with_model().with("turned.json", model(&["c", "a", "b"], &[4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]));
    let turned: Vec<String> = TABLE
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            [cells[3], cells[1], cells[4], cells[0], cells[2]].join(",")
        })
        .collect();
    folder.write("turned.csv", turned.join("\n"));
    let expected = column(&folder.ok(&["apply", "model.json", "data.csv"]).stdout, "prediction");
    assert_eq!(expected, ["a", "b", "b", "b", "c", "c", "c"]);
    for (model, data) in
        [("turned.json", "data.csv"), ("model.json", "turned.csv"), ("turned.json", "turned.csv")]
    {
        let run = folder.ok(&["apply", model, data]);
        assert_eq!(column(&run.stdout, "prediction"), expected, "{model} {data}");
        let run = folder.ok(&["apply", model, data, "--classes", "b,c,a"]);
        assert_eq!(column(&run.stdout, "prediction"), expected, "{model} {data} --classes");
        let json = folder.ok(&["eval", model, data, "--metric", "macro-f1", "--json"]).json();
        assert_eq!(json["rows"], 6);
        assert_eq!(json["changed"], 4);
    }
}
