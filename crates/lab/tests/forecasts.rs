//! `lab forecasts`, on a small table.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::Folder;

/// 400 rows whose black box over-predicts the second class.
fn table() -> String {
    let row = |row: u32| {
        let p = f64::from(row * 37 % 100) / 100.0;
        let label = if p > 0.35 { "a" } else { "b" };
        let split = if row.is_multiple_of(4) { "test" } else { "pool" };
        format!("{label},{split},{p},{}\n", 1.0 - p)
    };
    String::from("label,split,p_a,p_b\n") + &(0..400).map(row).collect::<String>()
}

fn fits(folder: &Folder) -> Vec<Value> {
    let text = String::from_utf8(folder.read("fits.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const FLAGS: [&str; 11] = [
    "forecasts",
    "rows.csv",
    "-o",
    "fits.jsonl",
    "--sizes",
    "40,80,300",
    "--metrics",
    "accuracy,macro-f1",
    "--unlabelled",
    "50",
    "--repeats",
];

#[test]
fn every_fit_is_a_line_with_its_forecast_and_its_outcome() {
    let folder = Folder::new();
    folder.write("rows.csv", table());
    folder.ok(&[&FLAGS[..], &["2"]].concat());
    let all = fits(&folder);
    assert_eq!(all.len(), 2 * 2 * 2, "a sample of 300 is more than half of the rows");
    for fit in &all {
        let number = |name: &str| fit[name].as_f64().unwrap();
        let (clean, fitted) = (number("clean"), number("fitted"));
        assert!((0.5..0.95).contains(&clean) && fitted > clean + 0.05, "{fit}");
        assert!(fit["forecast"]["fitted"].as_f64().unwrap() > clean, "{fit}");
        let rows: u64 = fit["rows"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
        assert_eq!(Some(rows), fit["size"].as_u64());
    }
    let scores: BTreeSet<String> = all.iter().map(|fit| fit["clean"].to_string()).collect();
    assert!(scores.len() > 2, "every draw has other test rows: {scores:?}");
}

#[test]
fn fits_that_are_there_are_not_repeated() {
    let folder = Folder::new();
    folder.write("rows.csv", table());
    folder.ok(&[&FLAGS[..], &["1"]].concat());
    let before = fits(&folder);
    folder.ok(&[&FLAGS[..], &["2"]].concat());
    let after = fits(&folder);
    assert!(after.starts_with(&before) && after.len() == 2 * before.len());
}
