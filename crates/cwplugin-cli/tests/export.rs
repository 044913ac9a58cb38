//! `cwplugin export`: models for other engines. `make exports` runs them there; the crate's tests compare them with the library.

use std::process::Command;

use insta::assert_snapshot;

use crate::support::Folder;

/// A folder with `model.json`, and the model as an ONNX file of its own: a classifier like any other.
fn with_classifier() -> Folder {
    let folder = Folder::with_model();
    folder.ok(&["export", "model.json", "-o", "classifier.onnx"]);
    folder
}

#[test]
fn weights_as_sql() {
    let args = ["export", "model.json", "--to", "sql", "--dialect", "duckdb"];
    assert_snapshot!(Folder::with_model().ok(&args).text());
}

#[test]
fn weights_as_python() {
    assert_snapshot!(Folder::with_model().ok(&["export", "model.json", "--to", "python"]).text());
}

#[test]
fn weights_as_rust() {
    assert_snapshot!(Folder::with_model().ok(&["export", "model.json", "--to", "rust"]).text());
}

#[test]
fn the_name_of_the_file_says_the_target() {
    let folder = Folder::with_model();
    for (name, target) in [("m.onnx", "onnx"), ("m.py", "python"), ("m.rs", "rust"), ("m.sql", "sql")] {
        let dialect: &[&str] = if target == "sql" { &["--dialect", "spark"] } else { &[] };
        let run = folder.ok(&[&["export", "model.json", "-o", name], dialect].concat());
        assert_eq!((run.text().as_str(), run.stderr.as_str()), ("", &*format!("wrote {name}\n")));
        let printed = folder.ok(&[&["export", "model.json", "--to", target], dialect].concat());
        assert_eq!(printed.stdout, folder.read(name), "{target}");
    }
}

#[test]
fn json_says_what_was_written() {
    let folder = with_classifier();
    let text = folder.ok(&["export", "model.json", "--to", "rust"]).text();
    let json = folder.ok(&["export", "model.json", "--to", "rust", "--json"]).json();
    assert_eq!((json["to"].as_str(), json["text"].as_str()), (Some("rust"), Some(&*text)));
    let json = folder.ok(&["export", "model.json", "--json", "-o", "m.py"]).json();
    assert_eq!((json["output"].as_str(), json.get("text")), (Some("m.py"), None));
    let args = ["export", "model.json", "--append-to", "classifier.onnx", "-o", "whole.onnx", "--json"];
    let json = folder.ok(&args).json();
    assert_eq!(json["tensor"], "scores");
    assert_eq!(json["outputs"], serde_json::json!(["cwplugin_label", "cwplugin_scores"]));
    assert_eq!(json["is_order_known"], false);
}

#[test]
fn a_model_goes_behind_a_classifier_that_stays_as_it_was() {
    let folder = with_classifier();
    let before = folder.read("classifier.onnx");
    let run = folder.ok(&["export", "model.json", "--append-to", "classifier.onnx", "-o", "whole.onnx"]);
    assert!(folder.read("whole.onnx").starts_with(&before) && folder.read("classifier.onnx") == before);
    let told = "wrote whole.onnx\n\
        added outputs cwplugin_label and cwplugin_scores, computed from scores\n\
        its columns are matched by position to the classes \"a\", \"b\", \"c\"\n";
    assert_eq!(run.stderr, told);
}

#[test]
fn python_predicts_as_apply_does() {
    if Command::new("python3").arg("--version").output().is_err() {
        return; // nothing to run it with
    }
    let folder = Folder::new();
    folder.ok(&["demo", "--save", "."]);
    for method in ["auto", "cwplugin", "probing"] {
        folder.ok(&["fit", "sample.csv", "--method", method, "-o", "model.json"]);
        folder.ok(&["export", "model.json", "-o", "model.py"]);
        folder.ok(&["apply", "model.json", "test.csv", "-o", "out.csv"]);
        let script = "import csv, model\n\
            rows = list(csv.DictReader(open('out.csv')))\n\
            found = model.predict_all([[row['p_' + c] for c in model.CLASSES] for row in rows])\n\
            assert found == [row['prediction'] for row in rows] and len(found) == 520\n";
        let mut python = Command::new("python3");
        let output = python.args(["-B", "-c", script]).current_dir(folder.path(".")).output().unwrap();
        assert!(output.status.success(), "{method}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_flag_of_another_target_is_refused() {
    let folder = with_classifier();
    for (flags, error) in [
        (&["--to", "onnx", "--dialect", "duckdb"][..], "--dialect is not supported by --to onnx"),
        (&["--to", "python", "--prefix", "p_"], "--prefix is not supported by --to python"),
        (&["--to", "rust", "--columns", "x,y,z"], "--columns is not supported by --to rust"),
        (&["--to", "sql", "--input", "float"], "--input is not supported by --to sql"),
        (&["--to", "python", "--scores", "logits"], "--scores is not supported by --to python"),
        (&["--to", "sql", "--append-to", "classifier.onnx"], "--append-to is not supported by --to sql"),
        (&["--to", "onnx", "--output-name", "x"], "--output-name is not supported without --append-to"),
        (&["--to", "onnx", "--by-position"], "--by-position is not supported without --append-to"),
        (
            &["--to", "onnx", "--append-to", "classifier.onnx", "--input", "float"],
            "--input is not supported with --append-to",
        ),
    ] {
        folder.run(&[&["export", "model.json"], flags].concat()).refused(2, error, "omit");
    }
}

#[test]
fn what_is_missing_is_said() {
    let folder = with_classifier();
    let refused =
        |args: &[&str], error, hint| folder.run(&[&["export"], args].concat()).refused(2, error, hint);
    refused(&["model.json"], "no target", "--to onnx, sql, python or rust");
    refused(&["model.json", "-o", "model.txt"], "model.txt: unknown extension", "--to onnx");
    refused(&["model.json", "--to", "sql"], "--to sql needs --dialect", "--dialect duckdb");
    refused(
        &["model.json", "--to", "onnx", "--json"],
        "--json and the ONNX model both write to standard output",
        "-o FILE.onnx",
    );
    refused(
        &["model.json", "--append-to", "classifier.onnx", "-o", "classifier.onnx"],
        "-o classifier.onnx: would overwrite the classifier",
        "write to another file",
    );
    refused(
        &["model.json", "--to", "rust", "-o", "model.json"],
        "-o model.json: would overwrite the model",
        "write to another file",
    );
}

#[test]
fn what_is_no_classifier_is_refused_and_leaves_no_file() {
    let folder = with_classifier().with("empty.onnx", "").with("odd.onnx", "no ONNX at all");
    let whole = folder.read("classifier.onnx");
    folder.write("half.onnx", &whole[..whole.len() / 2]);
    let before = folder.names();
    for (file, error, hint) in [
        ("none.onnx", "none.onnx: no such file", "--append-to needs the ONNX file"),
        ("empty.onnx", "empty.onnx: not an ONNX model: the file is empty", "a converter"),
        ("odd.onnx", "odd.onnx: not an ONNX model: it is damaged or truncated", "a converter"),
        ("half.onnx", "half.onnx: not an ONNX model: it is damaged or truncated", "a converter"),
    ] {
        let args = ["export", "model.json", "--append-to", file, "-o", "whole.onnx"];
        folder.run(&args).refused(1, error, hint);
    }
    let append =
        ["export", "model.json", "--append-to", "classifier.onnx", "-o", "whole.onnx", "--output-name"];
    let named = |name| [&append[..], &[name]].concat();
    let outputs = "\"label\" (string [N]), \"scores\" (double [N, 3])";
    let error = format!("classifier.onnx: the ONNX model has no tensor \"p\"; its outputs are {outputs}");
    folder.run(&named("p")).refused(1, &error, "--output-name NAME");
    let error = "classifier.onnx: \"label\" (string [N]) does not have 3 numbers per row, one per class";
    folder.run(&named("label")).refused(1, error, "--output-name NAME");
    assert_eq!(folder.names(), before);
}
