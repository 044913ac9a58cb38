//! What the library promises, seen from outside; every file is a chapter. `cargo test -p cwplugin elicit` reads one.
//!
//! `oracle.rs`, the numbers made outside, is a program of its own: it is also built without default features.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too
#![allow(clippy::float_cmp)] // the same input gives the same bits

mod layers; // which module may import which
mod root; // the names at the crate's root
mod contracts; // threads, `Debug`, and the wording of every error
mod metrics_page; // docs/metrics.md describes the metrics that there are
mod monotone; // metrics that no right prediction lowers
mod formula; // metrics that a user writes down
mod linear_fractional; // … and ratios
mod paper; // small examples worked by hand
mod brute_force; // Algorithm 1 a second time, as plain loops
mod two_classes; // Algorithm 1 as a threshold
mod properties; // laws of the search and of the weights
mod same_bits; // laws of the input
mod statistics; // laws of counters that merge
mod ascent; // laws of coordinate ascent
mod bagged; // laws of bagging
mod probing; // the probing classifier, against NumPy
mod label_shift; // target prior over source prior, against EM and SciPy
mod calibration; // calibrators, against SciPy, scikit-learn and netcal
mod structured; // structured scaling, against probmetrics
mod calibration_laws; // … and their laws
mod auto; // what `expected` and `auto` promise
mod odd_samples; // … on any sample
mod constraints; // fits under constraints
mod fit; // what all methods share
mod methods; // the table of methods and options
mod progress; // stages and steps of every fit
mod model; // predictions, scores, evaluation and summary
mod labels; // samples from rows with names, indices or options of either
mod report; // reports as JSON
mod comparison; // methods side by side
mod elicit; // a hidden metric, found by asking
mod picture; // the picture of the README

mod support; // random tables, every metric, fits, and Algorithm 1 written a second time

/// A file without its line above would compile nowhere and test nothing.
#[test]
fn every_file_has_its_line() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let line = format!("\nmod {};", name.trim_end_matches(".rs"));
        assert!(
            ["main.rs", "oracle.rs"].contains(&&*name) || include_str!("main.rs").contains(&line),
            "{name}"
        );
    }
}
