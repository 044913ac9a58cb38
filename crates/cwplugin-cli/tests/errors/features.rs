//! Features that are missing, too many or not numbers.

use std::fs;

use crate::support::Folder;
use crate::support::samples::{csv, features, npy, rows};

const HINT: &str = "--features FILE must have one row for each row of the table, in the same order";

/// `data.csv` with columns `x` and `y`, the same in `f.npy`, and models on each.
fn folder() -> Folder {
    let sample = rows(20, 1);
    let folder = Folder::new().with("data.csv", csv(&sample)).with("f.npy", features(&sample));
    folder.ok(&["fit", "data.csv", "--method", "logistic", "--features", "x,y", "-o", "columns.json"]);
    folder.ok(&["fit", "data.csv", "--method", "logistic", "--features", "f.npy", "-o", "file.json"]);
    folder.ok(&["fit", "data.csv", "--method", "vector", "-o", "vector.json"]);
    folder
}

/// `fit`, `apply` and `eval` refuse these features.
fn all_refuse(folder: &Folder, data: &str, features: &str, error: &str, hint: &str) {
    for verb in [
        &["fit", data, "--method", "logistic"] as &[&str],
        &["apply", "file.json", data],
        &["eval", "file.json", data],
        &["compare", data, "--methods", "logistic", "--sizes", "5"],
    ] {
        // What goes to standard output has gone when a file turns out to be longer than the table.
        let to_file: &[&str] = if verb[0] == "apply" { &["-o", "out.csv"] } else { &[] };
        folder.refuses(&[verb, &["--features", features], to_file].concat(), error, hint);
        assert!(!folder.path("out.csv").exists());
    }
}

/// The table with another value in row 6, column `x`.
fn with_x(value: &str) -> String {
    let table = csv(&rows(20, 1));
    let lines = table.lines().enumerate().map(|(i, line)| {
        let mut cells: Vec<&str> = line.split(',').collect();
        if i == 6 {
            cells[2] = value;
        }
        cells.join(",") + "\n"
    });
    lines.collect()
}

#[test]
fn a_file_of_other_length_is_refused() {
    let folder = folder();
    for (rows, error) in [
        (19, "other.npy: 19 rows, but data.csv has more"),
        (21, "other.npy: 21 rows, but data.csv has fewer"),
        (1, "other.npy: 1 row, but data.csv has more"),
    ] {
        folder.write("other.npy", npy(&vec![1.0; 2 * rows], 2));
        all_refuse(&folder, "data.csv", "other.npy", error, HINT);
    }
    let long = rows(8_500, 2);
    folder.write("long.csv", csv(&long));
    folder.write("long.npy", features(&long[1..]));
    let args = ["apply", "file.json", "long.csv", "--features", "long.npy", "-o", "out.csv"];
    folder.refuses(&args, "long.npy: 8499 rows, but long.csv has more", HINT);
    assert!(!folder.path("out.csv").exists());
}

#[test]
fn a_file_that_is_not_there_or_empty_is_refused() {
    let folder = folder();
    all_refuse(&folder, "data.csv", "no.npy", "no.npy: no such file", "check the path");
    folder.write("none.npy", npy(&[], 2));
    let args = ["fit", "data.csv", "--method", "logistic", "--features", "none.npy"];
    folder.refuses(&args, "none.npy: the table has no rows", "one row for each row of the table");
    fs::create_dir(folder.path("dir.npy")).unwrap();
    let run = folder.run(&["fit", "data.csv", "--method", "logistic", "--features", "dir.npy"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("cwplugin: error: dir.npy: is a folder"), "{}", run.stderr);
}

#[test]
fn a_number_in_a_file_that_is_none_is_refused_with_its_place() {
    let folder = folder();
    let mut numbers = vec![1.0; 40];
    for (value, says) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")] {
        numbers[15] = value;
        folder.write("bad.npy", npy(&numbers, 2));
        let error = format!("bad.npy: row 8, column \"1\": {says} is not finite");
        all_refuse(&folder, "data.csv", "bad.npy", &error, "replace it with a number, or drop the row");
    }
    folder.write("bad.csv", format!("u,v\n{}1,1e60\n", "1,2\n".repeat(19)));
    let error = "bad.csv: row 20, column \"v\": 1e60 is not a number from -3.4028234663852886e38 to \
                 3.4028234663852886e38";
    all_refuse(&folder, "data.csv", "bad.csv", error, "replace it");
    folder.write("bad.csv", format!("u,v\n{}1,x\n", "1,2\n".repeat(19)));
    let error = "bad.csv: row 20, column \"v\": \"x\" is not a number";
    all_refuse(&folder, "data.csv", "bad.csv", error, "a file of numbers");
}

#[test]
fn a_number_in_a_column_that_is_none_is_refused_with_its_place() {
    let folder = folder();
    for (value, fact, hint) in [
        ("inf", "inf is not finite", "replace it with a number, or drop the row"),
        ("NaN", "NaN is not finite", "replace it with a number, or drop the row"),
        ("1e200", "1e200 is not a number from -1e100 to 1e100", "replace it"),
        ("oops", "\"oops\" is not a number", "choose columns with --features NAME,NAME"),
        ("", "the value is missing", "fill it in, or drop the row"),
    ] {
        folder.write("bad.csv", with_x(value));
        let error = format!("bad.csv: row 6, column \"x\": {fact}");
        all_refuse(&folder, "bad.csv", "x,y", &error, hint);
        folder.refuses(&["apply", "columns.json", "bad.csv"], &error, hint);
        folder.refuses(&["eval", "columns.json", "bad.csv"], &error, hint);
    }
    let error = "bad.csv: row 6, column \"x\": the value is missing";
    all_refuse(&folder, "bad.csv", "y,x", error, "fill it in, or drop the row");
    let error = "data.csv: row 1, column \"split\": \"test\" is not a number";
    all_refuse(&folder, "data.csv", "x,split", error, "features must be numbers");
    // With a file, the position of a column is found too.
    folder.write("bad.csv", with_x("inf"));
    let args = ["fit", "bad.csv", "--method", "logistic", "--features", "f.npy,y,x"];
    folder.refuses(&args, "bad.csv: row 6, column \"x\": inf is not finite", "replace it");
}

#[test]
fn a_missing_column_is_refused_with_those_that_there_are() {
    let folder = folder();
    let columns = "the columns are \"label\", \"w\", \"x\", \"y\", \"split\", \"p_a\", \"p_b\", \"p_c\"";
    let error = format!("data.csv: no feature column \"size\"; {columns}");
    all_refuse(&folder, "data.csv", "x,size", &error, "name the feature columns with --features NAME,NAME");
    let error = format!("data.csv: no feature column \"splitt\"; {columns}");
    all_refuse(&folder, "data.csv", "splitt", &error, "did you mean --features split?");
    folder.write("other.csv", csv(&rows(20, 1)).replacen(",x,", ",u,", 1));
    let error = "other.csv: no feature column \"x\"; the columns are \"label\", \"w\", \"u\", \"y\", \"split\", \
                 \"p_a\", \"p_b\", \"p_c\"";
    folder.refuses(&["apply", "columns.json", "other.csv"], error, "--features NAME,NAME");
    folder.refuses(&["eval", "columns.json", "other.csv"], error, "--features NAME,NAME");
    folder.ok(&["apply", "columns.json", "other.csv", "--features", "u,y"]);
}

#[test]
fn as_many_features_are_needed_as_the_model_looks_at() {
    let folder = folder();
    folder.write("wide.npy", npy(&[1.0; 60], 3));
    for (features, found) in [("x", "1 number"), ("wide.npy", "3 numbers"), ("x,f.npy", "3 numbers")] {
        for model in ["file.json", "columns.json"] {
            let error = format!("--features {features}: {found} in every row, but the model {model} needs 2");
            let hint = "give the features of the fit";
            folder.refuses(&["apply", model, "data.csv", "--features", features], &error, hint);
            folder.refuses(&["eval", model, "data.csv", "--features", features], &error, hint);
        }
    }
}

#[test]
fn features_that_are_not_needed_are_wrong_usage() {
    let folder = folder();
    for method in ["cwplugin", "clean", "probing", "dirichlet-full"] {
        let run = folder.run(&["fit", "data.csv", "--method", method, "--features", "x"]);
        let error = format!("--features is not supported by --method {method}");
        run.refused(2, &error, "omit it, or use --method logistic");
    }
    let error = "vector.json: the model does not use features";
    let run = folder.run(&["apply", "vector.json", "data.csv", "--features", "x"]);
    run.refused(2, error, "omit --features");
    let run = folder.run(&["eval", "vector.json", "data.csv", "--features", "x"]);
    run.refused(2, error, "omit --features");
    let run = folder.run(&["eval", "data.csv", "--features", "x"]);
    run.refused(2, "--features is not supported without a model", "omit it");
    let run = folder.run(&["fit", "data.csv", "--method", "logistic", "--features", "x,x"]);
    run.refused(2, "--features names \"x\" twice", "name each column or file once");
}

#[test]
fn features_that_are_needed_and_not_given_are_wrong_usage() {
    let folder = folder();
    let run = folder.run(&["fit", "data.csv", "--method", "logistic"]);
    let error = "--method logistic needs features";
    run.refused(2, error, "name them: --features COLUMN,COLUMN or --features FILE.npy");
    let error = "file.json: the model needs 2 features for every row";
    let hint = "give them as in the fit: --features FILE.npy";
    folder.run(&["apply", "file.json", "data.csv"]).refused(2, error, hint);
    folder.run(&["eval", "file.json", "data.csv"]).refused(2, error, hint);
}

#[test]
fn an_output_does_not_replace_the_features() {
    let folder = folder();
    let before = folder.read("f.npy");
    let run = folder.run(&["fit", "data.csv", "--method", "logistic", "--features", "f.npy", "-o", "f.npy"]);
    run.refused(2, "-o f.npy: would overwrite the features", "write to another file");
    let run = folder.run(&["apply", "file.json", "data.csv", "--features", "f.npy", "-o", "./f.npy"]);
    run.refused(2, "-o ./f.npy: would overwrite the features", "write to another file");
    let run = folder.run(&["compare", "data.csv", "--features", "f.npy", "--csv", "f.npy"]);
    run.refused(2, "--csv f.npy: would overwrite the features", "write to another file");
    assert_eq!(folder.read("f.npy"), before);
}

#[test]
fn methods_refuse_the_options_of_others() {
    let folder = folder();
    for (flag, value) in [
        ("--search", Some("exact")),
        ("--reference", Some("a")),
        ("--ties", Some("first")),
        ("--absent", Some("drop")),
        ("--buffer", Some("3")),
        ("--force", None),
        ("--unscored", None),
    ] {
        for method in ["vector", "probing", "clean"] {
            let args: Vec<&str> =
                ["fit", "data.csv", "--method", method, flag].into_iter().chain(value).collect();
            let error = format!("{flag} is not supported by --method {method}");
            folder.run(&args).refused(2, &error, "omit it, or use --method cwplugin");
        }
    }
    let run = folder.run(&["fit", "--stats", "none.json", "--method", "vector"]);
    run.refused(2, "--stats is not supported by --method vector", "use --method cwplugin");
    for method in ["cwplugin", "cwplugin:published", "vector", "temperature", "clean"] {
        let run = folder.run(&["fit", "data.csv", "--method", method, "--select", "cv"]);
        let error = format!("--select is not supported by --method {method}");
        run.refused(2, &error, "omit it, or use --method dirichlet-diag");
    }
    for method in ["cwplugin", "ascent", "vector"] {
        let run = folder.run(&["fit", "data.csv", "--method", method, "--n-bootstrap", "20"]);
        let error = format!("--n-bootstrap is not supported by --method {method}");
        run.refused(2, &error, "omit it, or use --method bagged");
    }
    let run = folder.run(&["fit", "data.csv", "--method", "bagged", "--n-bootstrap", "1"]);
    assert!(run.code == 2 && run.stderr.contains("at least 2 refits are needed"), "{}", run.stderr);
    let run = folder.run(&["fit", "data.csv", "--method", "dirichlet-diag", "--select", "best"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("in-sample"), "{}", run.stderr);
}
