//! What the program does, run as people run it; every file is a chapter. `cargo test -p cwplugin-cli elicit` reads one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too

mod help; // the wording, as snapshots
mod transcripts; // every console block of the pages
mod demo; // one story, the same numbers everywhere
mod fit; // what it learns, writes and says
mod auto; // … as most people meet it
mod methods; // … with every method
mod label_shift; // … with labels and without
mod logistic; // … on features
mod model_schema; // models follow docs/model.schema.json
mod apply; // predictions beside every column
mod export; // models for other engines
mod eval; // metrics before and after
mod report; // … as a page to look at
mod stats; // the query for databases
mod counting; // what the query counts, counted here
mod merge; // … and added up
mod fit_stats; // … and fitted
mod command; // metrics that are programs
mod subject_to; // … and limits to metrics
mod elicit; // a hidden metric, found through the program alone
mod fit_oracle; // … where a program answers
mod compare; // methods side by side
mod formats; // one table in every format
mod odd; // odd but good tables
mod rows; // odd but good rows
mod streams; // standard input, standard output, and whoever stops reading
mod streaming; // more rows than the buffer holds
mod memory; // … and it does not grow with them
mod threads; // their number changes nothing but the time
mod errors; // what is refused, and what is said about it
mod same_results; // several hundred fits, to the last bit as they were recorded

mod support; // a folder to work in, the program run there, and what came of it

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_cwplugin");

/// A file without its line above would compile nowhere and test nothing.
#[test]
fn every_file_has_its_line() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let line = format!("\nmod {};", name.trim_end_matches(".rs"));
        assert!(
            ["main.rs", "snapshots"].contains(&&*name) || include_str!("main.rs").contains(&line),
            "{name}"
        );
    }
}
