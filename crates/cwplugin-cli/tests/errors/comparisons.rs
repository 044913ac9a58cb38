//! Errors of `compare`.

use crate::support::Folder;
use crate::support::samples::{csv, rows};

fn folder() -> Folder {
    Folder::new().with("data.csv", csv(&rows(40, 1)))
}

fn compare<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    [&["compare", "data.csv"], flags].concat()
}

#[test]
fn sizes_beyond_the_pool_are_refused() {
    let folder = folder();
    let error = "data.csv: --sizes 33, but the pool has only 32 labelled rows";
    folder.refuses(&compare(&["--sizes", "10,33,20"]), error, "use smaller --sizes, or fewer test rows");
    folder.ok(&compare(&["--sizes", "32", "--methods", "clean"]));
    let error = "data.csv: the pool has only 32 labelled rows, fewer than the smallest size, 50";
    folder.refuses(&compare(&[]), error, "--sizes");
    let run = folder.run(&compare(&["--sizes", "0"]));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("0 is not in 1.."), "{}", run.stderr);
}

#[test]
fn test_rows_that_are_not_there_are_refused() {
    let folder = folder();
    let error = "data.csv: no column \"part\"; the columns are \"label\", \"w\", \"x\", \"y\", \"split\", \"p_a\", \"p_b\", \
                 \"p_c\"";
    folder.refuses(&compare(&["--test-column", "part=test"]), error, "--test-column");
    let error = "data.csv: no labelled row has \"dev\" in column \"split\"";
    folder.refuses(&compare(&["--test-column", "split=dev"]), error, "its values are \"pool\", \"test\"");
    folder.write("data.csv", csv(&rows(40, 1)).replace(",pool,", ",test,"));
    let error = "data.csv: every labelled row has \"test\" in column \"split\"";
    folder.refuses(&compare(&["--test-column", "split=test"]), error, "its values are \"test\"");
    let error = "data.csv: a test share of 0.01 leaves no rows on one side of a split of 40 labelled rows";
    folder.refuses(&compare(&["--test-share", "0.01"]), error, "change --test-share");
    for (flag, value, says) in [
        ("--test-column", "split", "write NAME=VALUE, e.g. split=test"),
        ("--test-share", "1", "give a share between 0 and 1"),
        ("--shift", "a", "write CLASS:SHARE"),
        ("--shift", "a:2", "a share from 0 to 1"),
        ("--noise", "a:x", "a share from 0 to 1"),
        ("--noise-in", "test", "possible values: sample, everywhere"),
        ("--repeats", "0", "0 is not in 1..=100000"),
    ] {
        let run = folder.run(&compare(&[flag, value]));
        assert_eq!(run.code, 2, "{flag} {value}");
        assert!(run.stderr.contains(says), "{flag} {value}: {}", run.stderr);
    }
    let run = folder.run(&compare(&["--test-column", "split=test", "--test-share", "0.5"]));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("cannot be used with"), "{}", run.stderr);
}

#[test]
fn a_class_that_a_shift_deletes_is_named() {
    let folder = folder();
    let args = compare(&["--shift", "b:1", "--sizes", "5"]);
    let error = "data.csv: --shift leaves no row of class \"b\" in the pool";
    folder.refuses(&args, error, "use a smaller share");
    let args = compare(&["--shift", "a:0.95", "--test-column", "split=test", "--sizes", "5"]);
    let run = folder.run(&args);
    run.refused(1, "data.csv: --shift leaves no row of class \"a\" in the test rows", "smaller share");
}

#[test]
fn unknown_classes_are_refused_with_those_that_there_are() {
    let folder = folder();
    for flag in ["--shift", "--noise"] {
        let run = folder.run(&compare(&[flag, "a,d:0.5", "--sizes", "5"]));
        let error = format!("{flag} a,d:0.5: unknown class \"d\"");
        run.refused(2, &error, "the classes are \"a\", \"b\", \"c\"");
    }
}

#[test]
fn noise_is_given_once_for_a_class_and_has_a_place_only_if_there_is_some() {
    let folder = folder();
    for twice in [&["--noise", "a,b:0.5", "--noise", "b:0.2"] as &[&str], &["--noise", "b,b:0.5"]] {
        let run = folder.run(&compare(&[twice, &["--sizes", "5"]].concat()));
        run.refused(2, "--noise names class \"b\" twice", "give each class one share");
    }
    let run = folder.run(&compare(&["--noise-in", "everywhere", "--sizes", "5"]));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--noise <CLASS,…:SHARE>"), "{}", run.stderr);
}

#[test]
fn methods_and_metrics_are_those_that_there_are() {
    let folder = folder();
    let run = folder.run(&compare(&["--methods", "clean,magic"]));
    run.refused(2, "unknown method \"magic\"", "the methods are auto, cwplugin, cwplugin:published");
    let run = folder.run(&compare(&["--methods", "clean,vector,clean"]));
    run.refused(2, "--methods names \"clean\" twice", "name each method once");
    let run = folder.run(&compare(&["--methods", "clean,logistic"]));
    let error = "--method logistic needs features";
    run.refused(2, error, "--features COLUMN,COLUMN");
    let run = folder.run(&compare(&["--metrics", "accuracy,macrof1"]));
    run.refused(2, "unknown metric \"macrof1\"", "did you mean macro-f1?");
    let run = folder.run(&compare(&["--methods", "clean,vector", "--features", "x,y"]));
    run.refused(2, "--features is not supported by --methods clean,vector", "add logistic");
    let run = folder.run(&compare(&["--methods", "clean,vector", "--select", "cv"]));
    run.refused(2, "--select is not supported by --methods clean,vector", "add dirichlet-diag");
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_work() {
    let folder = folder();
    let run = folder.run(&compare(&["--csv", "./data.csv"]));
    run.refused(2, "--csv ./data.csv: would overwrite the table", "write to another file");
    let run = folder.run(&compare(&["--plot", "data.csv"]));
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.starts_with("cwplugin: error: data.csv: the folder cannot be created"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("--plot needs a folder"), "{}", run.stderr);
    let run = folder.run(&compare(&["--csv", "none/out.csv"]));
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("none/out.csv"), "{}", run.stderr);
    assert_eq!(folder.names(), ["data.csv"]);
}

#[test]
fn rows_without_labels_are_refused() {
    let folder = Folder::new().with("data.csv", "label,split,p_a,p_b\n,test,0.5,0.5\n,pool,0.2,0.8\n");
    let error = "data.csv: column \"label\": no row has a label and a weight above 0";
    folder.refuses(&compare(&[]), error, "label some rows");
    folder.refuses(&compare(&["--test-column", "split=test"]), error, "label some rows");
}
