//! Statistics as JSON and as a table: refused, or equal after every way through a file, merged without a panic, and fitted.

use cwplugin::metric::MacroF1;
use cwplugin::plugin::StatisticsLine;
use cwplugin::{Fit, Statistics, Step};
use cwplugin_cli::read_statistics;
use serde_json::Value;

use super::models::check_model;
use super::tables::check_error;
use crate::Door;
use crate::bytes::Bytes;
use crate::corpus::joined;
use crate::files::file;
use crate::support::tables::{Kind, random_table};

pub(super) const DOOR: Door =
    Door { name: "statistics", title: "statistics as JSON", longest: 8 << 10, check, seeds };

pub(super) const FILES: Door = Door {
    name: "statistics_files",
    title: "statistics in files",
    longest: 8 << 10,
    check: check_file,
    seeds: file_seeds,
};

const NAMES: [&str; 4] = ["s.csv", "s.jsonl", "s.json", "s.parquet"];

/// Counters that a document may claim here: a fit takes time for each.
const MOST_COUNTERS: usize = 1 << 16;

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if is_small(text)
        && let Ok(statistics) = Statistics::from_json(text)
    {
        check_statistics(&statistics);
    }
}

/// Whether a document claims few counters, if it is one.
fn is_small(text: &str) -> bool {
    let Ok(document) = serde_json::from_str::<Value>(text) else { return true };
    let step = document["step"].as_f64().unwrap_or(1.0);
    let classes = document["classes"].as_array().map_or(0, Vec::len) as f64;
    classes / step < MOST_COUNTERS as f64
}

/// Input: the extension, the bytes.
fn check_file(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let name = bytes.pick(&NAMES);
    let content = bytes.rest();
    if !std::str::from_utf8(content).map_or(true, |text| is_small(text) && has_small_bins(text)) {
        return;
    }
    match read_statistics(&file(name, content)) {
        Ok(statistics) => check_statistics(&statistics),
        Err(error) => check_error(&error),
    }
}

/// Whether a table holds no number that could be a large number of bins.
fn has_small_bins(text: &str) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | 'e' | 'E' | '+'));
    numbers.filter_map(|number| number.parse::<f64>().ok()).all(|number| number < 5000.0)
}

fn check_statistics(statistics: &Statistics) {
    if statistics.classes().len() * statistics.step().points() > MOST_COUNTERS {
        return;
    }
    let written = statistics.to_json();
    let read = Statistics::from_json(&written).unwrap();
    assert_eq!(read.to_json(), written, "the same statistics give the same bytes");
    // Whole numbers above 2^53 are not exact in a table. A table has no totals: their weights may differ from those of a
    // document in the last digit.
    if statistics.n_labelled().max(statistics.n_unlabelled()) < 1 << 53 {
        let read = Statistics::from_lines(&statistics.to_lines()).unwrap();
        assert_eq!(Statistics::from_lines(&read.to_lines()).as_ref(), Ok(&read));
    }
    let mut sum = statistics.clone();
    sum.merge(statistics).unwrap();
    let fit = Fit::new(MacroF1)
        .method("cwplugin")
        .option("search", format!("grid:{}", statistics.step().epsilon()));
    if let Ok(model) = fit.fit_statistics(statistics) {
        check_model(&model);
    }
}

/// Statistics with and without weights.
fn documents() -> Vec<Statistics> {
    let kinds =
        [Kind::Rounded, Kind::FractionalWeights, Kind::Unlabelled, Kind::AbsentClass, Kind::IntegerWeights];
    let count = |(seed, kind): (u64, Kind)| {
        let sample = random_table(seed, kind, 0).sample();
        let reference = sample.n_classes() - 1;
        let mut statistics =
            Statistics::new(sample.classes().to_vec(), reference, Step::bins(10).unwrap()).unwrap();
        statistics.add_rows(&sample).unwrap();
        statistics
    };
    (1..).zip(kinds).map(count).collect()
}

fn seeds() -> Vec<Vec<u8>> {
    documents().iter().map(|statistics| statistics.to_json().into_bytes()).collect()
}

fn file_seeds() -> Vec<Vec<u8>> {
    let cell = |value: Option<String>| value.unwrap_or_default();
    let csv = |statistics: &Statistics| {
        let line = |line: StatisticsLine| {
            let (class, label) = (cell(line.class), cell(line.label));
            let (bin, rows) = (cell(line.bin.map(|n| n.to_string())), cell(line.rows.map(|n| n.to_string())));
            format!("{},{class},{label},{bin},{rows},{}\n", line.kind, cell(line.each.map(|x| x.to_string())))
        };
        let lines: Vec<String> = statistics.to_lines().into_iter().map(line).collect();
        joined(&[0], format!("kind,class,label,bin,rows,each\n{}", lines.concat()).as_bytes())
    };
    let json = |statistics: &Statistics| joined(&[2], statistics.to_json().as_bytes());
    documents().iter().flat_map(|statistics| [csv(statistics), json(statistics)]).collect()
}
