//! What `lab` does, run as people run it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too

mod experiment; // the paper's experiments, on small files
mod forecasts; // forecasts against outcomes
mod bench; // what it prints
mod readme; // its console blocks

#[path = "../../cwplugin-cli/tests/support/mod.rs"]
#[allow(dead_code)] // some helpers are for the other program alone
mod support;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_lab");

/// A file without its line above would compile nowhere and test nothing.
#[test]
fn every_file_has_its_line() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let line = format!("\nmod {};", name.trim_end_matches(".rs"));
        assert!(name == "main.rs" || include_str!("main.rs").contains(&line), "{name}");
    }
}
