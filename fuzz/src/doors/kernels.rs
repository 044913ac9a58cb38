//! Small samples through the library and through plain loops: predictions, confusion matrices, searches, fits from statistics,
//! and coordinate ascent.

use cwplugin::plugin::Settings;
use cwplugin::rule::argmax_weighted;
use cwplugin::{
    Absent, Confusion, Fit, Metric, Probabilities, Reference, Sample, Search, Statistics, Step, Ties, Weights,
};

use crate::Door;
use crate::bytes::Bytes;
use crate::support::agreement::assert_same_fit;
use crate::support::close;
use crate::support::fits::{plugin_with, score};
use crate::support::metrics::every_metric;
use crate::support::naive::{self, Tried};
use crate::support::tables::Table;

pub(super) const DOOR: Door =
    Door { name: "kernels", title: "small samples, through plain loops too", longest: 512, check, seeds };

const TIES: [Ties; 3] = [Ties::First, Ties::NearestHalf, Ties::Middle];

/// Input: classes, metric, search, rule for ties, weights of the classes, then the rows.
fn check(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let m = 2 + bytes.below(4);
    let mut metrics = every_metric(m);
    let metric = metrics.swap_remove(bytes.below(metrics.len()));
    let (bins, ties) = ([0, 2, 10, 37][bytes.below(4)], bytes.pick(&TIES));
    let (reference, absent) = (bytes.below(m), bytes.pick(&[Absent::Keep, Absent::Drop]));
    let weights: Vec<f64> = (0..m).map(|_| bytes.share()).collect();
    let table = table(&mut bytes, m);
    let sample = table.sample();
    if let Ok(weights) = Weights::new(weights) {
        check_predictions(&table, &sample, &weights);
    }
    let settings = Settings { reference: Reference::Class(reference), search: search(bins), ties, absent };
    check_search(&table, &sample, &*metric, settings, bins);
    check_ascent(&table, &sample, &*metric);
}

/// Rows of shares, in quarters of weight.
fn table(bytes: &mut Bytes<'_>, m: usize) -> Table {
    let is_weighted = bytes.byte() & 1 == 1;
    let mut table = Table { m, rows: Vec::new(), labels: Vec::new(), weights: Vec::new() };
    while !bytes.is_empty() && table.rows.len() < 24 {
        let label = Some(bytes.below(m + 1)).filter(|label| *label < m);
        let weight = if is_weighted { f64::from(bytes.byte() % 9) / 4.0 } else { 1.0 };
        let mut row: Vec<f64> = (0..m).map(|_| bytes.share()).collect();
        let sum: f64 = row.iter().sum();
        if sum <= 0.0 {
            row[label.unwrap_or(0)] = 1.0;
        } else {
            for value in &mut row {
                *value /= sum;
            }
        }
        table.rows.push(row);
        table.labels.push(label);
        table.weights.push(weight);
    }
    if table.rows.is_empty() {
        table = Table { m, rows: vec![vec![1.0 / m as f64; m]], labels: vec![Some(0)], weights: vec![1.0] };
    }
    table
}

fn search(bins: usize) -> Search {
    if bins == 0 { Search::Exact } else { Search::Grid(Step::bins(bins).unwrap()) }
}

/// The first of the largest products is predicted, in either precision, and counted exactly.
fn check_predictions(table: &Table, sample: &Sample, weights: &Weights) {
    let plain = |row: &[f64]| {
        let products: Vec<f64> = row.iter().zip(weights.as_slice()).map(|(b, w)| b * w).collect();
        let top = products.iter().copied().fold(0.0, f64::max);
        products.iter().position(|product| *product >= top).unwrap_or(0)
    };
    let expected: Vec<usize> = table.rows.iter().map(|row| plain(row)).collect();
    assert_eq!(weights.predict(sample.probabilities()).unwrap(), expected, "{weights:?} {table:?}");
    let single: Vec<usize> = table.rows.iter().map(|row| argmax_weighted(row, weights.as_slice())).collect();
    assert_eq!(single, expected, "{weights:?} {table:?}");
    let narrow: Vec<f32> = table.rows.concat().into_iter().map(|value| value as f32).collect();
    let widened: Vec<f64> = narrow.iter().map(|value| f64::from(*value)).collect();
    let expected_narrow: Vec<usize> = widened.chunks(table.m).map(plain).collect();
    let narrow = Probabilities::from_f32(narrow, table.m).unwrap();
    assert_eq!(weights.predict(&narrow).unwrap(), expected_narrow, "{weights:?} {table:?}");
    let mut confusion = Confusion::zeros(table.m);
    for ((label, weight), predicted) in table.labels.iter().zip(&table.weights).zip(&expected) {
        if let Some(label) = label {
            confusion.add(*label, *predicted, *weight);
        }
    }
    let counted = sample.confusion(weights).unwrap();
    assert!(counted.rows().eq(confusion.rows()), "{counted:?} {confusion:?}");
}

/// A search equals that of plain loops, and on a grid the same is fitted from counters.
fn check_search(table: &Table, sample: &Sample, metric: &dyn Metric, settings: Settings, bins: usize) {
    let Settings { reference, ties, absent, .. } = settings;
    let Reference::Class(class) = reference else { return };
    let tried = if bins == 0 { Tried::EveryCut } else { Tried::Grid(1.0 / bins as f64) };
    let case = format!("{} {settings:?}", metric.name());
    let fit = plugin_with(metric, settings);
    match (naive::fit(table, metric, tried, ties, absent, class), fit.fit(sample)) {
        (None, Err(_)) => {}
        (Some(expected), Ok(found)) => {
            assert_same_fit(table, metric, &expected, &found, &case);
            if bins > 0 {
                let mut counted =
                    Statistics::new(sample.classes().to_vec(), class, Step::bins(bins).unwrap()).unwrap();
                counted.add_rows(sample).unwrap();
                let counted = fit.fit_statistics(&counted).unwrap();
                assert_eq!(counted.weights(), found.weights(), "{case}\n{table:?}");
            }
        }
        (expected, found) => panic!("{case}: expected {expected:?}, found {found:?}\n{table:?}"),
    }
}

/// Ascent never ends below the start, and reports the score of its weights.
fn check_ascent(table: &Table, sample: &Sample, metric: &dyn Metric) {
    let Ok(model) = Fit::new(metric).method("ascent").fit(sample) else { return };
    let (found, weights) = (score(&model), model.weights().as_slice());
    let (clean, fitted) =
        (naive::whole_score(table, metric, &vec![1.0; table.m]), naive::whole_score(table, metric, weights));
    assert!(
        close(found.clean, clean) && close(found.fitted, fitted),
        "{found:?} {clean} {fitted}\n{table:?}"
    );
    assert!(fitted >= clean - 1e-12 * clean.abs().max(1.0), "{fitted} is below {clean}\n{table:?}");
}

fn seeds() -> Vec<Vec<u8>> {
    let input = |step: u8| (0..90_u8).map(|i| i.wrapping_mul(53).wrapping_mul(step) ^ (i >> 2)).collect();
    (1..40).map(input).collect()
}
