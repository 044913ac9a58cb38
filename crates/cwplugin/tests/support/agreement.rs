//! Whether numbers agree, and whether a fit of the library is that of plain loops.

use cwplugin::{Metric, Model, PluginReport, Search};

use super::fits::{details, score};
use super::metrics::class_names;
use super::naive::{self, Naive};
use super::tables::Table;

/// Whether two numbers agree to 1e-12, relative above 1.
pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

/// Whether two lists agree to 1e-12.
pub(crate) fn all_close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| close(a, b))
}

/// A fit equals that of plain loops: reference, α and score of every pair, weights, and the scores before and after.
pub(crate) fn assert_same_fit(
    table: &Table,
    metric: &dyn Metric,
    expected: &Naive,
    found: &Model,
    case: &str,
) {
    let PluginReport { reference, search, pairs, .. } = details(found);
    let classes = class_names(table.m);
    assert_eq!(reference, classes[expected.reference], "{case}\n{table:?}");
    for (class, expected) in classes.iter().zip(&expected.peaks) {
        let found = pairs.iter().find(|pair| pair.class == *class).map(|pair| (pair.alpha, pair.score));
        match (expected, found) {
            (Some(expected), Some(found)) => {
                let is_same = match search {
                    Search::Exact => is_same_log_odds(expected.0, found.0),
                    _ => expected.0 == found.0,
                };
                assert!(is_same, "{case}, {class}: α {} but found {}\n{table:?}", expected.0, found.0);
                assert!(close(expected.1, found.1), "{case}, {class}: {expected:?} {found:?}\n{table:?}");
            }
            _ => assert_eq!(*expected, found, "{case}, {class}\n{table:?}"),
        }
    }
    let weights = found.weights().as_slice();
    assert!(all_close(&expected.weights, weights), "{case}: {:?} {weights:?}\n{table:?}", expected.weights);
    let found = score(found);
    assert!(close(expected.clean, found.clean), "{case}: {} {found:?}", expected.clean);
    let fitted = naive::whole_score(table, metric, weights);
    assert!(close(fitted, found.fitted), "{case}: {fitted} {found:?}");
}

fn is_same_log_odds(a: f64, b: f64) -> bool {
    let log_odds = |alpha: f64| (alpha / (1.0 - alpha)).ln();
    a == b || (log_odds(a) - log_odds(b)).abs() < 1e-9
}
