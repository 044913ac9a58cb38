//! Runs the program in a folder and returns the parts of its output.

use serde_json::Value;

use super::extract::{MODEL, MODEL_CALIBRATION_KIND, MODEL_CLASSES, MODEL_WEIGHTS, PREDICTION, SCORE_PREFIX};
use super::record::Group;
use super::values::{Parts, at, number, parts, unrecorded};
use crate::support::{Folder, cells};

/// A fit, and the table that its model is applied to.
pub(super) struct Fit {
    name: String,
    flags: String,
    applied_to: String,
}

/// A fit of `flags`, which begin with `NAME.csv`; its model predicts `NAME-test.csv`.
pub(super) fn fit(name: impl Into<String>, flags: impl Into<String>) -> Fit {
    let flags = flags.into();
    let table = flags.split('.').next().unwrap();
    Fit { name: name.into(), applied_to: format!("{table}-test.csv"), flags }
}

impl Fit {
    /// Applies the model to something else: a table, and perhaps flags.
    pub(super) fn applied_to(self, table: &str) -> Self {
        Self { applied_to: table.into(), ..self }
    }
}

/// Runs every fit in one folder, and compares or records what they give.
pub(super) fn run_fits(group: &'static str, folder: &Folder, fits: Vec<Fit>) {
    let mut group = Group::new(group);
    for Fit { name, flags, applied_to } in fits {
        let verb = if flags.starts_with("elicit") { "" } else { "fit " };
        let (fit, apply) = (
            format!("{verb}{flags} --json --quiet"),
            format!("apply model.json {applied_to} --scores-out --to csv --quiet"),
        );
        let model = run(folder, &fit);
        folder.write("model.json", &model);
        let model = document(&model, MODEL, &fit);
        let mut parts = parts(&model, MODEL);
        parts.extend(applied(&model, &run(folder, &apply)));
        group.add(&name, &format!("cwplugin {fit} > model.json\ncwplugin {apply}"), parts);
    }
    group.finish();
}

/// What the program prints on standard output.
pub(super) fn run(folder: &Folder, line: &str) -> Vec<u8> {
    let args = shlex::split(line).unwrap();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    // Not through Folder::run: to check every model against the schema would take longer than to fit it.
    let output = folder.command(&args).output().unwrap();
    assert!(output.status.success(), "cwplugin {line}\n{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A document of which, when it is recorded, the table has to name every value.
pub(super) fn document(json: &[u8], table: &str, line: &str) -> Value {
    let document = serde_json::from_slice(json).unwrap_or_else(|error| panic!("cwplugin {line}\n{error}"));
    if Group::is_recording() {
        let unrecorded = unrecorded(&document, table);
        assert!(unrecorded.is_empty(), "cwplugin {line}\nextract.rs does not name {unrecorded:?}");
    }
    document
}

/// What `apply --scores-out` predicts, and the scores of all rows but those whose products are all zero: what those get
/// is not part of the promise.
fn applied(model: &Value, csv: &[u8]) -> Parts {
    let rows = cells(csv);
    let place = |name: &str| rows[0].iter().position(|header| header == name);
    let prediction = place(PREDICTION).unwrap();
    let predictions: Vec<&str> = rows[1..].iter().map(|row| row[prediction].as_str()).collect();
    let classes: Vec<&str> = at(model, MODEL_CLASSES).iter().map(|class| class.as_str().unwrap()).collect();
    let weights: Vec<f64> = at(model, MODEL_WEIGHTS).iter().map(|weight| weight.as_f64().unwrap()).collect();
    let is_calibrated = !at(model, MODEL_CALIBRATION_KIND)[0].is_null();
    let cell = |row: &[String], name: String| place(&name).map(|place| row[place].parse::<f64>().unwrap());
    let is_told = |row: &&Vec<String>| {
        let product = |(class, weight): (&&str, &f64)| weight * cell(row, format!("p_{class}")).unwrap();
        is_calibrated || classes.iter().zip(&weights).map(product).any(|product| product != 0.0)
    };
    let score =
        |row: &Vec<String>, class: &&str| number(cell(row, format!("{SCORE_PREFIX}{class}")).unwrap());
    let line =
        |row: &Vec<String>| classes.iter().map(|class| score(row, class)).collect::<Vec<_>>().join(" ");
    let scores: Vec<String> = rows[1..].iter().filter(is_told).map(line).collect();
    vec![("predictions".into(), predictions.join(" ")), ("scores".into(), scores.join(", "))]
}
