//! Metrics that are programs: their queries, their answers, and that none survives.
#![cfg(unix)]

mod equal; // the same bits as the built-in metric
mod protocol; // the queries
mod faults; // programs that do not answer
mod survivors; // nothing is left running
mod page; // the programs of docs/metrics.md

use crate::support::Folder;
use crate::support::samples::{csv, rows};

/// Macro-F1 in the library's order of operations; answers many queries. In Perl, which is there wherever git is and starts fast.
pub(crate) const MACRO_F1: &str = r#"$| = 1;
while (<STDIN>) {
    my @C = map { [split /,/] } /\[([^\[\]"]+)\]/g;
    my ($score, $present) = (0, 0);
    for my $k (0 .. $#C) {
        my ($true, $predicted) = (0, 0);
        for my $j (0 .. $#C) {
            $true += $C[$k][$j];
            $predicted += $C[$j][$k];
        }
        if ($true > 0 || $predicted > 0) {
            $score += 2 * $C[$k][$k] / ($true + $predicted);
            $present += 1;
        }
    }
    printf "%.17g\n", $score / $present;
}
"#;

/// A folder with some rows and [`MACRO_F1`].
pub(crate) fn folder() -> Folder {
    Folder::new().with("data.csv", csv(&rows(90, 3))).with("macro_f1.pl", MACRO_F1)
}

/// `fit data.csv` with a program as its metric.
pub(crate) fn fit<'a>(metric: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["fit", "data.csv", "--metric", metric], more].concat()
}
