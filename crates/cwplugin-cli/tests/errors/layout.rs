//! Columns that are missing, repeated or too few, and rows that do not match them.

use crate::support::{Folder, testdata};

fn bad(table: &str) -> Folder {
    Folder::with_model().with("bad.csv", table)
}

#[test]
fn a_missing_label_column_is_refused_with_the_columns_that_there_are() {
    let folder = bad("id,truth,p_a,p_b,p_c\n1,a,1,0,0\n");
    let error =
        "bad.csv: no label column \"label\"; the columns are \"id\", \"truth\", \"p_a\", \"p_b\", \"p_c\"";
    folder.labelled_refuse(&["bad.csv"], error, "--label NAME");
    folder.ok(&["fit", "bad.csv", "--label", "truth"]);
    folder.ok(&["apply", "model.json", "bad.csv"]);
}

#[test]
fn a_label_column_that_is_nearly_called_so_is_pointed_out() {
    for name in ["Label", "labels", "LABEL", "lable"] {
        let folder = bad(&format!("{name},p_a,p_b,p_c\na,1,0,0\n"));
        let error = format!(
            "bad.csv: no label column \"label\"; the columns are \"{name}\", \"p_a\", \"p_b\", \"p_c\""
        );
        folder.labelled_refuse(&["bad.csv"], &error, &format!("did you mean --label {name}?"));
        folder.ok(&["fit", "bad.csv", "--label", name]);
    }
}

#[test]
fn a_table_with_an_unknown_delimiter_is_told_so() {
    let folder = bad("label p_a p_b p_c\na 1 0 0\n");
    let error = "bad.csv: no label column \"label\"; the columns are \"label p_a p_b p_c\"";
    folder.labelled_refuse(&["bad.csv"], error, "--delimiter CHAR");
    folder.ok(&["fit", "bad.csv", "--delimiter", " "]);
}

#[test]
fn an_npy_file_without_labels_is_told_how_to_get_them() {
    let data = testdata("formats/probs.npy");
    let error = format!("{data}: no label column \"label\"; the columns are \"0\", \"1\", \"2\"");
    Folder::new().refuses(&["fit", &data], &error, "--label FILE.npy");
    Folder::new().ok(&["fit", &data, "--label", &testdata("formats/labels-int.npy")]);
}

#[test]
fn a_missing_weight_column_is_refused() {
    let folder = bad("label,p_a,p_b,p_c\na,1,0,0\n");
    let error = "bad.csv: no weight column \"w\"; the columns are \"label\", \"p_a\", \"p_b\", \"p_c\"";
    folder.all_refuse(&["bad.csv", "--weight", "w"], error, "--weight NAME");
}

#[test]
fn a_class_that_is_listed_but_has_no_column_is_refused() {
    let folder = bad("label,p_a,p_b,p_c\na,1,0,0\n");
    let error = "bad.csv: no column for class \"d\" of --classes; the columns are \"label\", \"p_a\", \"p_b\", \"p_c\"";
    folder.all_refuse(
        &["bad.csv", "--classes", "a,b,d"],
        error,
        "looked for \"d\", \"p_d\", \"prob_d\", \"proba_d\"",
    );
}

#[test]
fn a_class_of_the_model_without_a_column_is_refused() {
    let folder = bad("label,p_a,p_b\na,1,0\n");
    let error =
        "bad.csv: no column for class \"c\" of model.json; the columns are \"label\", \"p_a\", \"p_b\"";
    for verb in [&["apply", "model.json"] as &[&str], &["eval", "model.json"]] {
        folder.refuses(
            &[verb, &["bad.csv"]].concat(),
            error,
            "looked for \"p_c\", \"prob_c\", \"proba_c\", \"c\"",
        );
    }
}

#[test]
fn a_class_that_the_model_does_not_know_is_refused() {
    let folder = bad("label,p_a,p_b,p_c,p_d\na,0.5,0.2,0.1,0.2\n");
    let error = "bad.csv: class column \"p_d\" is not in model.json, whose classes are \"a\", \"b\", \"c\"";
    for verb in [&["apply", "model.json"] as &[&str], &["eval", "model.json"]] {
        folder.refuses(&[verb, &["bad.csv"]].concat(), error, "fit a model on all classes");
        folder.ok(&[verb, &["bad.csv", "--classes", "a,b,c", "--normalize"]].concat());
    }
}

#[test]
fn other_classes_than_the_models_cannot_be_listed() {
    let folder = bad("label,p_a,p_b,p_c,p_d\na,0.5,0.2,0.3,0\n");
    let error =
        "bad.csv: --classes names \"a\", \"b\", \"d\", but the classes of model.json are \"a\", \"b\", \"c\"";
    for verb in [&["apply", "model.json"] as &[&str], &["eval", "model.json"]] {
        folder.refuses(&[verb, &["bad.csv", "--classes", "a,b,d"]].concat(), error, "in any order");
    }
}

#[test]
fn fewer_than_two_classes_are_refused() {
    let folder = bad("label,note\na,x\n");
    let error = "bad.csv: no class column found, at least 2 class columns are needed; the columns are \"label\", \"note\"";
    folder.refuses(&["fit", "bad.csv"], error, "one column per class");
    folder.refuses(&["eval", "bad.csv"], error, "one column per class");
    let folder = bad("label,p_a,note\na,1,x\n");
    let error = "bad.csv: one column of probabilities, \"p_a\", is enough for two classes only, but the labels have \"a\"";
    folder.refuses(&["fit", "bad.csv"], error, "--classes ham,spam --positive spam");
    let folder = bad("label,p_a,p_b\na,1,0\n");
    let error = "bad.csv: only \"p_a\" found, at least 2 class columns are needed; the columns are \"label\", \"p_a\", \"p_b\"";
    folder.refuses(&["fit", "bad.csv", "--classes", "a"], error, "--classes A,B,C");
}

#[test]
fn two_columns_of_one_class_are_refused() {
    let folder = bad("label,p_a,p_b,p_a,p_c\na,0.5,0.2,0.2,0.1\n");
    folder.all_refuse(&["bad.csv"], "bad.csv: class column \"p_a\" occurs twice", "rename or drop one");
}

#[test]
fn two_label_columns_are_refused() {
    let folder = bad("label,p_a,p_b,label,p_c\na,0.5,0.2,b,0.3\n");
    folder.labelled_refuse(
        &["bad.csv"],
        "bad.csv: label column \"label\" occurs twice",
        "rename or drop one",
    );
}

#[test]
fn a_class_listed_twice_is_wrong_usage() {
    let folder = bad("label,p_a,p_b\na,0.5,0.5\n");
    let run = folder.run(&["fit", "bad.csv", "--classes", "a,b,a"]);
    run.refused(2, "--classes names \"a\" twice", "once");
}

#[test]
fn a_prefix_that_no_column_has_is_refused() {
    let folder = bad("label,p_a,p_b,p_c\na,1,0,0\n");
    let error =
        "bad.csv: no column starts with \"score_\"; the columns are \"label\", \"p_a\", \"p_b\", \"p_c\"";
    folder.refuses(&["fit", "bad.csv", "--prefix", "score_"], error, "start of the names");
}

#[test]
fn ragged_rows_are_refused() {
    for (row, error) in [
        ("b,0.5,0.5", "bad.csv: row 2 has 3 fields, the header has 4"),
        ("b,0.5,0.5,0,0", "bad.csv: row 2 has 5 fields, the header has 4"),
        ("b", "bad.csv: row 2 has 1 field, the header has 4"),
    ] {
        let folder = bad(&format!("label,p_a,p_b,p_c\na,1,0,0\n{row}\nc,0,0,1\n"));
        folder.all_refuse(&["bad.csv"], error, "unclosed quote");
    }
}

#[test]
fn a_header_alone_is_refused() {
    for table in ["label,p_a,p_b,p_c", "label,p_a,p_b,p_c\n\n\n"] {
        bad(table).all_refuse(&["bad.csv"], "bad.csv: the table has no rows", "add rows below the header");
    }
    let folder = bad("label,a,b,c\n");
    folder.all_refuse(&["bad.csv"], "bad.csv: the table has no rows", "add rows below the header");
}

#[test]
fn a_file_without_a_header_is_refused() {
    let folder = bad("0.5,0.3,0.2\n0.1,0.2,0.7\n");
    folder.all_refuse(
        &["bad.csv"],
        "bad.csv: first line looks like data (0.5, 0.3, 0.2)",
        "add a header line",
    );
}

#[test]
fn cost_matrices_of_the_wrong_shape_are_refused() {
    for (costs, error) in [
        ("0,1\n1,0\n", "costs.csv: the table is 2 × 2, but there are 3 classes"),
        ("0,1,1\n1,0,1\n", "costs.csv: the table is 2 × 3, but there are 3 classes"),
        ("0,1,1\n1,0,x\n1,1,0\n", "costs.csv: line 2, field 3: \"x\" is not a finite number"),
        ("0,1,1\n1,0,inf\n1,1,0\n", "costs.csv: line 2, field 3: \"inf\" is not a finite number"),
        (
            ",a,b,d\na,0,1,1\nb,1,0,1\nc,1,1,0\n",
            "costs.csv: class \"c\" is missing; the file names \"a\", \"b\", \"d\"",
        ),
    ] {
        let folder = Folder::with_model().with("costs.csv", costs);
        folder.labelled_refuse(&["data.csv", "--metric", "cost:costs.csv"], error, "class");
    }
    let folder = Folder::with_model().with("costs.csv", "0,1,1\n1,0\n1,1,0\n");
    let error = "costs.csv: line 2 has 2 fields, line 1 has 3";
    folder.labelled_refuse(&["data.csv", "--metric", "cost:costs.csv"], error, "3 × 3 numbers");
    let error = "no.csv: no such file";
    folder.labelled_refuse(&["data.csv", "--metric", "cost:no.csv"], error, "cost:FILE");
}

#[test]
fn coefficients_that_cannot_be_used_are_refused() {
    for (text, error, hint) in [
        (
            r#"{"a": [1, 2], "c": {}, "d": 1}"#,
            "field \"a\" has 2 numbers, but there are 3 classes",
            "one number for each",
        ),
        (
            r#"{"a": {"d": 2}, "c": {}, "d": 1}"#,
            "field \"a\": unknown class \"d\"",
            "the classes are \"a\", \"b\"",
        ),
        (
            r#"{"a": {}, "c": {"b": 1e200}, "d": 1}"#,
            "field \"c\", class \"b\": 1e+200 is not a number from -1e100 to 1e100",
            "0.25",
        ),
        (r#"{"a": {}, "c": {}, "d": 1, "f": 1}"#, "unknown field \"f\"", "as lists"),
        (
            r#"{"a": {}, "c": {"b": -2}, "d": 1}"#,
            "the denominator is -1 where every row is of class \"b\" and right",
            "d above 2",
        ),
        (r#"{"a": {}, "c": {}, "d": 0}"#, "the denominator is 0 where no row is right", "d above 0"),
        ("a,b\n", "expected value at line 1 column 1", "as lists"),
        (
            r#"{"a": {}, "c": {}, "d": 1, "d": 2}"#,
            "field \"d\" occurs twice (keep one) at line 1 column 30",
            "as lists",
        ),
    ] {
        let folder = Folder::with_model().with("f.json", text);
        let args = ["data.csv", "--metric", "linear-fractional:f.json"];
        folder.labelled_refuse(&args, &format!("f.json: {error}"), hint);
    }
    let args = ["data.csv", "--metric", "linear-fractional:no.json"];
    Folder::with_model().labelled_refuse(&args, "no.json: no such file", "linear-fractional:FILE");
    let args = ["data.csv", "--metric", "linear-fractional:."];
    Folder::with_model().labelled_refuse(&args, ".: is a folder, not coefficients", "linear-fractional:FILE");
}
