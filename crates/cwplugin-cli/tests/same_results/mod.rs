//! The results of several hundred fits, to the last bit as they were recorded: a refactoring changes none of them.
//!
//! `testdata/same-results.txt` has a line per case, with a hash of the values of every part of its results. A failing test
//! names the case, its commands, the part and the present values. `extract.rs` says where in the program's output each
//! value stands; if a field is renamed, it alone has to follow. Where results are meant to change, record them anew:
//!
//! ```sh
//! CWPLUGIN_RECORD=$PWD/testdata/same-results.txt cargo nextest run -p cwplugin-cli --test main same_results
//! ```
//!
//! `CWPLUGIN_FULL_RECORD=FILE` writes the values themselves, with or without recording: two such files, of before and
//! after, show what changed. Both variables take absolute paths, since tests run in the folder of their crate.
//!
//! Logarithms, exponentials and matrix products may differ in the last bit between processors and systems, and a search
//! may then end elsewhere; so the record is for the kind of machine that it was made on.
#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]

mod extract; // where every value stands in what the program writes
mod values; // … and its canonical text
mod record; // compared with the record, or recorded
mod run; // the program, run for a case
mod tables; // the rows
mod formats; // … in other formats
mod programs; // metrics and oracles that are programs
mod cases; // the fits
mod statistics; // counted rows
mod elicit; // sessions
mod evaluations; // eval and compare
mod exports; // models for other engines
mod onnx; // … read from their bytes

use cases::{algorithm1, forecasts, inputs, limits, methods, metrics};
use run::{Fit, run_fits};

fn same(group: &'static str, fits: Vec<Fit>) {
    run_fits(group, &tables::folder(), fits);
}

#[test]
fn settings_of_algorithm_1() {
    same("settings", algorithm1::settings());
}

#[test]
fn algorithm_1_on_every_table() {
    same("tables", algorithm1::tables());
}

#[test]
fn ways_of_algorithm_1() {
    same("ways", algorithm1::ways());
}

#[test]
fn every_metric_by_algorithm_1() {
    same("metrics", metrics::by_algorithm1());
}

#[test]
fn every_metric_by_search() {
    same("searched-metrics", metrics::by_search());
}

#[test]
fn every_metric_by_expectation() {
    same("expected-metrics", metrics::by_expectation());
}

#[test]
fn metrics_that_are_programs() {
    same("programs", metrics::by_program());
}

#[test]
fn calibrators() {
    same("calibrators", methods::calibrators());
}

#[test]
fn cross_validation() {
    same("cross-validation", methods::cross_validated());
}

#[test]
fn label_shift() {
    same("label-shift", methods::label_shift());
}

#[test]
fn searches_over_all_classes() {
    same("searches", methods::searches());
}

#[test]
fn expected() {
    same("expected", forecasts::expected());
}

#[test]
fn bagged() {
    same("bagged", forecasts::bagged());
}

#[test]
fn auto() {
    same("auto", forecasts::auto());
}

#[test]
fn auto_of_more_classes() {
    same("auto-more", forecasts::auto_of_more_classes());
}

#[test]
fn learning_curves() {
    same("learning-curves", forecasts::learning_curves());
}

#[test]
fn limits_to_metrics() {
    same("limits", limits::limits());
}

#[test]
fn every_kind_of_input() {
    same("inputs", inputs::inputs());
}
