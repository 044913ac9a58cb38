//! Input that is valid, but probably a mistake: a warning says why, and what to do.

use std::fmt::Write as _;

use crate::support::samples::{CLASSES, rows};
use crate::support::{Folder, column};

/// A table of random rows; `cells` are written after the label.
fn table(
    header: &str,
    label: impl Fn([f64; 3], usize) -> usize,
    cells: impl Fn([f64; 3], usize) -> String,
) -> String {
    let mut text = format!("label,{header}\n");
    for (i, row) in rows(60, 5).iter().enumerate() {
        let label = label(row.p, row.label.unwrap_or_default());
        writeln!(text, "{},{}", CLASSES[label], cells(row.p, i)).unwrap();
    }
    text
}

fn probabilities(p: [f64; 3]) -> String {
    p.map(|p| p.to_string()).join(",")
}

fn largest(p: [f64; 3]) -> usize {
    (0..3).rev().max_by(|&a, &b| p[a].total_cmp(&p[b])).unwrap()
}

/// The warnings of a fit that contain this text, one line each.
fn warnings(folder: &Folder, args: &[&str], about: &str) -> Vec<String> {
    let run = folder.ok(&[&["fit"], args].concat());
    let lines = run.stderr.lines().filter_map(|line| line.strip_prefix("warning: "));
    lines.filter(|line| line.contains(about)).map(String::from).collect()
}

/// Fits that keep the rows, and fits that count them.
const FITS: [&[&str]; 3] = [
    &["data.csv", "--method", "ascent"],
    &["data.csv", "--method", "cwplugin", "--search", "grid:0.01", "--reference", "a"],
    &["data.csv", "--method", "cwplugin", "--search", "grid:0.01", "--reference", "a", "--buffer", "0"],
];

#[test]
fn labels_that_are_all_predictions_are_warned_about() {
    let says = "every label is the class with the largest probability, so nothing can be improved on these rows: check that \
                the labels are the truth, not the predictions of the black box";
    let header = "p_a,p_b,p_c";
    let predicted = Folder::new().with("data.csv", table(header, |p, _| largest(p), |p, _| probabilities(p)));
    let own = Folder::new().with("data.csv", table(header, |_, label| label, |p, _| probabilities(p)));
    for args in FITS {
        assert_eq!(warnings(&predicted, args, "every label"), [says], "{args:?}");
        assert!(warnings(&own, args, "every label").is_empty(), "{args:?}");
    }
    predicted.ok(&["fit", "data.csv", "-o", "model.json"]);
    let json = predicted.json("model.json");
    let kinds = json["fit"]["warnings"].as_array().unwrap().iter().map(|warning| &warning["kind"]);
    assert_eq!(kinds.filter(|kind| *kind == "labels-as-predicted").count(), 1);
}

#[test]
fn a_row_that_outweighs_all_others_is_warned_about() {
    let with = |weight: &'static str| {
        let cells = move |p, i| format!("{},{}", if i == 17 { weight } else { "1" }, probabilities(p));
        Folder::new().with("data.csv", table("weight,p_a,p_b,p_c", |_, label| label, cells))
    };
    let says = "the row weights leave an effective number of 1.0 of 60 rows: the heaviest, of weight 1e99, has 100% of the total \
                weight; check the weights, or limit the largest";
    let (heavy, even) = (with("1e99"), with("3"));
    for args in FITS {
        let args = [args, &["--weight", "weight"]].concat();
        assert_eq!(warnings(&heavy, &args, "row weights"), [says], "{args:?}");
        assert!(warnings(&even, &args, "row weights").is_empty(), "{args:?}");
    }
}

#[test]
fn probabilities_that_are_read_as_logits_are_warned_about() {
    let folder = Folder::new()
        .with("data.csv", table("p_a,p_b,p_c", |_, label| label, |p, _| probabilities(p)))
        .with("one.csv", table("p_b", |_, label| label.min(1), |p, _| p[1].to_string()))
        .with(
            "logits.csv",
            table("p_a,p_b,p_c", |_, label| label, |p, _| probabilities(p.map(|p| (p + 0.01).ln()))),
        );
    let says = |file: &str, what: &str| {
        format!("{file}: {what}, but they are read as logits; omit --scores logits if that is what they are")
    };
    let rows = says("data.csv", "\"p_a\", \"p_b\", \"p_c\": every row sums to 1 like probabilities");
    let one = says("one.csv", "\"p_b\": the numbers are from 0 to 1 like probabilities");
    assert_eq!(warnings(&folder, &["data.csv", "--scores", "logits"], "logits"), [rows]);
    assert_eq!(warnings(&folder, &["one.csv", "--positive", "b", "--scores", "logits"], "logits"), [one]);
    assert!(warnings(&folder, &["logits.csv", "--scores", "logits"], "logits").is_empty());
    folder.ok(&["fit", "logits.csv", "--scores", "logits", "-o", "model.json"]);
    let run = folder.ok(&["apply", "model.json", "data.csv"]);
    let cure =
        "read as logits as in the fit of model.json; fit a model on such numbers if that is what they are";
    assert!(run.stderr.contains(cure), "{}", run.stderr);
    let run = folder.ok(&["apply", "model.json", "logits.csv"]);
    assert!(
        !run.stderr.contains("logits;") && column(&run.stdout, "prediction").len() == 60,
        "{}",
        run.stderr
    );
}
