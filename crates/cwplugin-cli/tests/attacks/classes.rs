use std::time::{Duration, Instant};

use serde_json::json;

use super::npy;
use crate::support::{Folder, model};

/// One labelled row of a table with this many columns, each called like this.
fn one_row(m: usize, prefix: &str) -> String {
    let names: Vec<String> = (0..m).map(|class| format!("{prefix}{class}")).collect();
    let zeros = vec!["0"; m - 1].join(",");
    format!("label,{}\n0,1,{zeros}\n", names.join(","))
}

#[test]
fn one_row_of_many_classes_cannot_make_a_matrix_of_gigabytes() {
    let error = "w.csv: 20000 class columns, at most 10000 are supported";
    for prefix in ["p_", "", "c"] {
        let folder = Folder::new().with("w.csv", one_row(20_000, prefix));
        for verb in ["fit", "eval", "stats", "compare"] {
            folder.attack(&[verb, "w.csv"], error, "--classes A,B,C");
        }
    }
}

#[test]
fn one_row_of_many_classes_in_other_formats_is_refused_too() {
    let values = vec![0; 8 * 20_000];
    let keys: Vec<String> = (0..20_000).map(|class| format!("\"p_{class}\": 0")).collect();
    let folder = Folder::new()
        .with("w.npy", npy("<f8", false, "(1, 20000)", &values))
        .with("y.npy", npy("<i8", false, "(1,)", &[0; 8]))
        .with("w.jsonl", format!("{{\"label\": \"0\", {}}}\n", keys.join(", ")));
    let error = |file: &str| format!("{file}: 20000 class columns, at most 10000 are supported");
    folder.attack(&["eval", "w.npy", "--label", "y.npy"], &error("w.npy"), "--classes A,B,C");
    folder.attack(&["eval", "w.jsonl"], &error("w.jsonl"), "--classes A,B,C");
}

#[test]
fn a_table_of_ten_thousand_classes_is_read() {
    let folder = Folder::new().with("w.csv", one_row(10_000, "p_"));
    folder.limited(&["stats", "w.csv", "--reference", "last", "-o", "s.json"]).ok();
}

/// Comparing all pairs of 160,000 names took 70 s.
#[test]
fn a_header_of_very_many_names_is_refused_at_once() {
    let folder = Folder::new().with("w.csv", one_row(160_000, "p_"));
    let start = Instant::now();
    folder.attack(
        &["stats", "w.csv"],
        "w.csv: the table has more than 65536 columns",
        "one column per class",
    );
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_line_of_very_many_keys_cannot_take_gigabytes() {
    let keys: Vec<String> = (0..700_000).map(|key| format!("\"k{key}\":0")).collect();
    let folder = Folder::with_model().with("w.jsonl", format!("{{\"p_a\":1,{}}}\n", keys.join(",")));
    let error = "w.jsonl: the table has more than 65536 columns";
    folder.attack(&["apply", "model.json", "w.jsonl"], error, "one column per class");
}

#[test]
fn documents_of_too_many_classes_are_refused() {
    let names: Vec<String> = (0..20_000).map(|class| class.to_string()).collect();
    let classes: Vec<&str> = names.iter().map(String::as_str).collect();
    let statistics = json!({
        "format": "cwplugin-statistics", "version": 1, "cwplugin": "0.1.0", "classes": classes, "reference": "0",
        "step": 0.5, "bins": 2, "rows": 0, "unlabelled": 0, "totals": [], "pairs": [],
    });
    let folder = Folder::with_model()
        .with("m.json", model(&classes, &vec![1.0; 20_000]))
        .with("s.json", statistics.to_string());
    let most = "20000 classes given, at most 10000 are supported";
    folder.attack(
        &["apply", "m.json", "data.csv"],
        &format!("m.json: not a valid model: {most}"),
        "write a model",
    );
    folder.attack(&["merge", "s.json"], &format!("s.json: not valid statistics: {most}"), "write statistics");
}
