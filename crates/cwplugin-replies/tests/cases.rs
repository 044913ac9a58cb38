//! Rows and errors compared with those of `testdata/replies/reference`, which was written from the same specification
//! without looking at this crate.

use crate::support::{Case, Expected, ExpectedRow, cases};

const TOLERANCE: f64 = 1e-12;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE
}

/// What differs from the expected rows or the expected error.
fn difference(case: &Case) -> Option<String> {
    let found: Result<Vec<ExpectedRow>, _> = if case.source().is_some() {
        case.rows().map(|rows| {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            let row = |row: cwplugin_replies::Row<'_>| ExpectedRow {
                id: owned(row.id),
                label: owned(row.label),
                probabilities: Some(row.probabilities.to_vec()),
                counts: None,
                other: row.other,
            };
            rows.iter().map(row).collect()
        })
    } else {
        case.votes().map(|votes| {
            let row = |votes: cwplugin_replies::Votes| ExpectedRow {
                id: Some(votes.id),
                label: votes.label,
                probabilities: None,
                counts: Some(votes.counts),
                other: votes.other as f64,
            };
            votes.into_iter().map(row).collect()
        })
    };
    match (&case.expected, found) {
        (Expected::Rows(expected), Ok(found)) => {
            if expected.len() != found.len() {
                return Some(format!("{} rows, expected {}", found.len(), expected.len()));
            }
            let pairs = expected.iter().zip(&found).enumerate();
            pairs
                .filter(|(_, (a, b))| !same(a, b))
                .map(|(i, (a, b))| format!("row {i}: {b:?}, expected {a:?}"))
                .next()
        }
        (Expected::Error { row, kind }, Err((found, error))) => {
            let same = error.kind() == kind && (*row == found || row.is_none());
            (!same).then(|| format!("row {found:?}, {}: {error}; expected row {row:?}, {kind}", error.kind()))
        }
        (Expected::Rows(_), Err((row, error))) => Some(format!("row {row:?}, {}: {error}", error.kind())),
        (Expected::Error { row, kind }, Ok(_)) => Some(format!("no error, expected row {row:?}, {kind}")),
    }
}

fn same(a: &ExpectedRow, b: &ExpectedRow) -> bool {
    let probabilities = match (&a.probabilities, &b.probabilities) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b)),
        (a, b) => a.is_none() && b.is_none(),
    };
    a.id == b.id && a.label == b.label && a.counts == b.counts && probabilities && close(a.other, b.other)
}

#[test]
fn rows_and_errors_are_those_of_the_reference() {
    let differences: Vec<String> =
        cases().iter().filter_map(|case| Some(format!("{}: {}", case.name, difference(case)?))).collect();
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
