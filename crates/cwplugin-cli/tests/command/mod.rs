//! Metrics that are programs: their queries, their answers, and that none survives.
#![cfg(unix)]

mod equal; // the same bits as the built-in metric
mod protocol; // the queries
mod faults; // programs that do not answer
mod survivors; // nothing is left running
mod page; // the programs of docs/metrics.md

use crate::support::Folder;
use crate::support::samples::{csv, rows};

/// Macro-F1 in the library's order of operations; answers many queries.
pub(crate) const MACRO_F1: &str = "\
import json, sys
for line in sys.stdin:
    C = json.loads(line)['confusion']
    score = present = 0.0
    for k in range(len(C)):
        true = predicted = 0.0
        for j in range(len(C)):
            true += C[k][j]
            predicted += C[j][k]
        if true > 0 or predicted > 0:
            score += 2.0 * C[k][k] / (true + predicted)
            present += 1.0
    print(repr(score / present), flush=True)
";

/// A folder with some rows and [`MACRO_F1`].
pub(crate) fn folder() -> Folder {
    Folder::new().with("data.csv", csv(&rows(90, 3))).with("macro_f1.py", MACRO_F1)
}

/// `fit data.csv` with a program as its metric.
pub(crate) fn fit<'a>(metric: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["fit", "data.csv", "--metric", metric], more].concat()
}
