//! Runs of the program. `cargo nextest run -p cwplugin-cli elicit` runs the tests of one file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too

mod layers; // the order of the modules
mod outputs; // outputs that the docs do not show, as snapshots
mod transcripts; // every console block of the docs
mod demo; // the end-to-end example
mod fit; // what a fit learns, writes and prints
mod auto; // … with the default method
mod methods; // … with every method
mod label_shift; // … with and without labels
mod logistic; // … on features
mod apply; // predictions
mod export; // ONNX, SQL, Python and Rust
mod eval; // metrics before and after
mod report; // … as an HTML page
mod stats; // the SQL query for statistics
mod counting; // … equals the statistics of the program
mod merge; // statistics are added up
mod fit_stats; // … and fitted
mod command; // metrics that are programs
mod subject_to; // constraints
mod elicit; // a hidden metric, by ask and tell
mod elicit_run; // … with a program
mod elicit_names; // … in a file with several names
mod compare; // methods side by side
mod formats; // one table in every format
mod replies; // replies of black boxes
mod found_tables; // tables that need to be recognised
mod remembered; // what a model remembers about its input
mod odd_replies; // replies and votes that are damaged or incomplete
mod messy_tables; // tables that need a clear message
mod suspicious; // valid, but probably a mistake
mod odd; // unusual but valid tables
mod rows; // unusual but valid rows
mod faults; // what writes, under faults of the system
mod streams; // standard input, standard output, and closed pipes
mod streaming; // more rows than the buffer holds
mod replaced; // … of a table that changes between two passes
mod memory; // … in bounded memory
mod terminal; // width, colour, progress and manual pages
mod control_characters; // names that would control the terminal
mod completions; // what the shells complete
mod threads; // results do not depend on their number
mod errors; // messages of errors
mod attacks; // files that try to take memory, time or other files
mod same_results; // hundreds of fits, equal to the last bit to recorded ones

mod support; // a folder to work in, and runs of the program there

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_cwplugin");

/// A file that is not declared above would not be compiled.
#[test]
fn every_file_is_declared() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let line = format!("\nmod {};", name.trim_end_matches(".rs"));
        assert!(
            ["main.rs", "snapshots"].contains(&&*name) || include_str!("main.rs").contains(&line),
            "{name}"
        );
    }
}
