//! Errors: wrong flags and files, and when they are found.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, StringArray};

use super::files::{census, folder, half, predictions};
use super::{CENSUS, NLI};
use crate::support;
use crate::support::samples::{rows, write};

#[test]
fn what_cannot_be_run_is_an_error_before_the_work() {
    let folder = folder();
    let run = |args: &[&str]| folder.run(&[&["experiment", "--quiet"], args].concat());
    let hint = "write all, or one of acs-income-8feat, acs-income-linked, lmtweets,";
    run(&["tweets"]).refused(2, "unknown experiment \"tweets\"", hint);
    run(&["lm"]).refused(2, "unknown experiment \"lm\"", "snli-noise, snli-noise-target, generated-10-mild");
    let mut command = folder.command(&["experiment", "lmtweets"]);
    let output = command.env_remove("CWPLUGIN_DATA").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        stderr,
        "lab: error: no folder of prediction files\n  hint: name their folder with --data DIR or CWPLUGIN_DATA; \
         experiments/README.md describes how to create them\n"
    );
    let hint = "experiments/README.md describes how to create the prediction files";
    run(&["lmtweets", "--data", "nowhere"]).refused(1, "nowhere: no such folder", hint);
    run(&["lmtweets", "--data", "data/lmtweets.parquet"]).refused(
        1,
        "data/lmtweets.parquet: no such folder",
        hint,
    );
    // All files of all tasks are looked for before the first task is run.
    let error = "data/acs-income-linked.parquet: no such file";
    run(&["acs-income", "--data", "data"]).refused(1, error, hint);
    run(&["all", "--data", "data"]).refused(1, error, hint);
    fs::remove_file(folder.path("data/lmtweets.emb.npy")).unwrap();
    run(&["lmtweets", "--data", "data"]).refused(1, "data/lmtweets.emb.npy: no such file", hint);
    let error = "unknown method \"magic\"";
    run(&["lmtweets", "--data", "data", "--methods", "magic"]).refused(
        2,
        error,
        "the methods are auto, cwplugin",
    );
    let error = "--methods names \"clean\" twice";
    run(&["lmtweets", "--data", "data", "--methods", "clean,clean"]).refused(
        2,
        error,
        "name each method once",
    );
    assert_eq!(folder.names(), ["data"], "nothing was written");
    let args = ["anli-shift-bart", "--data", "data", "-o", "out", "--methods", "logistic"];
    run(&args).refused(
        2,
        "--methods logistic needs features, which anli-shift-bart does not have",
        "other methods",
    );
}

#[test]
fn files_that_are_not_as_they_should_be_are_errors() {
    let folder = folder();
    let run = |name: &str| folder.run(&["experiment", name, "--quiet", "--data", "data", "-o", "out"]);
    let census_hint = "experiments/README.md describes the census tables";
    folder.write("data/acs-income-8feat.parquet", census(50, &CENSUS[1..]));
    let error = "data/acs-income-8feat.parquet: no column \"AGEP\"";
    run("acs-income-8feat").refused(1, error, census_hint);
    let person = "state,y3,AGEP,COW,SCHL,MAR,OCCP,POBP,SEX,RAC1P\n";
    for (rows, error, hint) in [
        ("CA,0,1,1,1,1,1,1,1,1\n", "no row has \"TX\" in column \"state\"", "rows of CA and of TX"),
        (
            "CA,0,1,1,1,1,1,1,1,1\nTX,3,1,1,1,1,1,1,1,1\n",
            "row 2, column \"y3\": \"3\" is not 0, 1 or 2",
            census_hint,
        ),
        ("CA,0,1,x,1,1,1,1,1,1\n", "row 1, column \"COW\": \"x\" is not a finite number", census_hint),
        ("CA,0,1,1,1,1,1,1,1,\n", "row 1, column \"RAC1P\": \"\" is not a finite number", census_hint),
    ] {
        // What a file is, its content tells.
        folder.write("people.csv", format!("{person}{rows}"));
        folder.write("data/acs-income-8feat.parquet", csv_as_parquet(&folder.text("people.csv")));
        run("acs-income-8feat").refused(1, &format!("data/acs-income-8feat.parquet: {error}"), hint);
    }
    let without = |column: &str| {
        let text = StringArray::from(vec!["entailment", "neutral"]);
        let p: ArrayRef = Arc::new(Float32Array::from(vec![0.5, 0.5]));
        let mut columns: Vec<(String, ArrayRef)> =
            vec![("label".into(), Arc::new(text.clone())), ("split".into(), Arc::new(text))];
        columns.extend(["p_entailment", "p_neutral"].map(|name| (name.to_string(), Arc::clone(&p))));
        columns.retain(|(name, _)| name != column);
        write(columns)
    };
    folder.write("data/anli-bart-large.parquet", without("split"));
    let error = "data/anli-bart-large.parquet: no column \"split\"";
    run("anli-noise-bart").refused(1, error, "selects the test rows");
    folder.write("data/anli-bart-large.parquet", without("label"));
    let error = "data/anli-bart-large.parquet: no label column \"label\"; the columns are \"split\", \"p_entailment\", \
                 \"p_neutral\"";
    run("anli-noise-bart").refused(1, error, "");
    folder.write("data/anli-bart-large.parquet", without("nothing"));
    let error = "data/anli-bart-large.parquet: no labelled row has \"test\" in column \"split\"";
    run("anli-noise-bart").refused(1, error, "its values are \"entailment\", \"neutral\"");
    folder.write("data/anli-bart-large.parquet", predictions(&rows(10, 2), NLI));
    let run = run("anli-shift-bart");
    assert_eq!(run.code, 1);
    let error = "data/anli-bart-large.parquet: after the shift entailment,neutral:0.8, no row of class ";
    assert!(run.stderr.contains(error) && run.stderr.contains("is left"), "{}", run.stderr);
    folder.write("data/lmtweets.emb.npy", half(&[1; 99], 1));
    let error = "data/lmtweets.emb.npy: 99 rows, but data/lmtweets.parquet has more";
    folder.run(&["experiment", "lmtweets", "--quiet", "--data", "data", "-o", "out"]).refused(
        1,
        error,
        "in the same order",
    );
}

/// A table of text as a Parquet file of text.
fn csv_as_parquet(text: &str) -> Vec<u8> {
    let cells = support::cells(text.as_bytes());
    let column = |(place, name): (usize, &String)| {
        let values: StringArray = cells[1..].iter().map(|row| Some(row[place].clone())).collect();
        (name.clone(), Arc::new(values) as ArrayRef)
    };
    write(cells[0].iter().enumerate().map(column).collect())
}
