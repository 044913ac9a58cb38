//! Source priors that are missing, too many or invalid.

use crate::support::Folder;
use crate::support::samples::{csv, rows};

const SHIFT: [&str; 4] = ["fit", "data.csv", "--method", "label-shift"];

fn folder() -> Folder {
    Folder::new().with("data.csv", csv(&rows(20, 1)))
}

/// Exit 1 for errors in a file, exit 2 for the command line.
fn refuses(folder: &Folder, priors: &str, error: &str, hint: &str) {
    let is_file = folder.path(priors).extension().is_some_and(|ending| ending == "csv" || ending == "json");
    let compare = ["compare", "data.csv", "--methods", "label-shift", "--sizes", "5"];
    for verb in [&SHIFT as &[&str], &compare] {
        let run = folder.run(&[verb, &["--source-priors", priors]].concat());
        run.refused(if is_file { 1 } else { 2 }, error, hint);
    }
}

#[test]
fn what_is_no_share_is_refused_with_its_class() {
    let folder = folder();
    let small = "give a very rare class a small prior, such as 0.001";
    for (priors, error, hint) in [
        (
            "a=0.5,b=x,c=0.5",
            "--source-priors: class \"b\": \"x\" is not a number",
            "write 0.25, not 25% or 1/4",
        ),
        ("a=0.5,b=0,c=0.5", "--source-priors: class \"b\": \"0\" is not a number above 0", small),
        ("0.6,0.6,-0.2", "--source-priors: class \"c\": \"-0.2\" is not a number above 0", small),
        ("nan,0.5,0.5", "--source-priors: class \"a\": \"nan\" is not a number above 0", small),
        (
            "0.5,0.5,0.25",
            "--source-priors: the priors sum to 1.25, not to 1",
            "divided by their sum they are a=0.4000,b=0.4000,c=0.2000",
        ),
    ] {
        refuses(&folder, priors, error, hint);
    }
}

#[test]
fn every_class_is_named_once() {
    let folder = folder();
    let form = "write --source-priors a=PRIOR,b=PRIOR,c=PRIOR, or one number per class in this order";
    for (priors, error, hint) in [
        ("0.5,0.5", "--source-priors: 2 given, but there are 3 classes", form),
        ("a=0.5,b=0.5", "--source-priors: class \"c\" is missing", form),
        ("a=0.5,d=0.5", "--source-priors: unknown class \"d\"", "the classes are \"a\", \"b\", \"c\""),
        ("a=0.5,b=0.2,a=0.3", "--source-priors: class \"a\" occurs twice", "name each class once"),
    ] {
        refuses(&folder, priors, error, hint);
    }
}

#[test]
fn a_file_of_shares_has_to_be_one() {
    let folder = folder()
        .with("p.csv", "class,share\na,0.5,1\n")
        .with("p.json", "{\"a\": ")
        .with("q.json", "{\"a\": 1}")
        .with("twice.json", "{\"a\": 0.5, \"b\": 0.3, \"c\": 0.2, \"a\": 0.1}");
    let hint = "write lines of class,prior, or a JSON object of priors by class";
    refuses(&folder, "no.csv", "no.csv: no such file", hint);
    refuses(&folder, "p.csv", "--source-priors p.csv: line 2 has 3 fields, not 2", hint);
    refuses(&folder, "p.json", "--source-priors p.json: EOF while parsing a value at line 1 column 6", hint);
    let error = "--source-priors twice.json: field \"a\" occurs twice (keep one) at line 1 column 34";
    refuses(&folder, "twice.json", error, hint);
    let form = "write --source-priors a=PRIOR,b=PRIOR,c=PRIOR, or one number per class in this order";
    refuses(&folder, "q.json", "--source-priors q.json: class \"b\" is missing", form);
    let args = [&SHIFT as &[&str], &["--source-priors", "p.csv", "-o", "p.csv"]].concat();
    assert_eq!(folder.run(&args).code, 2);
}

#[test]
fn priors_without_label_shift_and_label_shift_without_anything_are_refused() {
    let folder = folder();
    let priors = ["--source-priors", "0.5,0.3,0.2"];
    folder.run(&[&["fit", "data.csv"], &priors as &[&str]].concat()).refused(
        2,
        "--source-priors is not supported by --method auto",
        "omit it, or use --method label-shift",
    );
    folder.run(&[&["compare", "data.csv", "--methods", "clean,bcts"], &priors as &[&str]].concat()).refused(
        2,
        "--source-priors is not supported by --methods clean,bcts",
        "omit it, or add label-shift to --methods",
    );
    for flag in [["--search", "exact"], ["--buffer", "0"]] {
        folder.run(&[&SHIFT as &[&str], &flag].concat()).refused(
            2,
            &format!("{} is not supported by --method label-shift", flag[0]),
            "omit it, or use --method cwplugin",
        );
    }
    folder.write("empty.csv", "p_a,p_b,p_c,label\n0.5,0.3,0.2,\n");
    folder.refuses(
        &["fit", "empty.csv", "--method", "label-shift"],
        "empty.csv: column \"label\": no row has a label and a weight above 0",
        "label some rows, or give the class priors of the training data: --source-priors CLASS=PRIOR,…",
    );
    // A named column must exist.
    let run = folder.run(&[&SHIFT as &[&str], &priors, &["--label", "truth"]].concat());
    assert!(run.stderr.contains("no label column \"truth\""), "{}", run.stderr);
    folder.write("weightless.csv", "p_a,p_b,p_c,w,label\n0.5,0.3,0.2,0,\n");
    folder.refuses(
        &[&["fit", "weightless.csv", "--weight", "w", "--method", "label-shift"], &priors as &[&str]]
            .concat(),
        "weightless.csv: no row has a weight above 0",
        "check the labels and the row weights",
    );
}
