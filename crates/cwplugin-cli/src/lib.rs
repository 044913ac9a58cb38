//! The program `cwplugin`, and the parts of it that the unpublished `crates/lab` and `fuzz` share.
//!
//! This is not a public interface and may change with any version: use the library `cwplugin`, or run the program.

// Each module imports only those above it, which tests/layers.rs checks.
mod user_error; // what is wrong, and the cure
mod closed; // standard output that nobody can read
mod atomic; // files that are written completely or not at all
mod whole_file; // files that are in memory as a whole
mod table; // files in and out, in every format
mod args; // the command line
mod output; // data on standard output, words on standard error
mod command; // metrics and oracles that are programs of the user
mod input; // a table becomes probabilities, labels and weights
mod commands; // one file for each command
mod signals; // the end of a program that is interrupted
mod program; // from a command line to an exit code

pub use args::{Common, parse_timeout};
pub use atomic::write_file;
pub use commands::methods::by_name as method_by_name;
pub use input::statistics_file::read as read_statistics;
pub use input::{
    GivenOptions, NamedMetric, decode_labelled, for_each_row, metric_by_name, read_labelled,
    refuse_listed_twice, settled,
};
pub use output::{Align, Screen, Steps, count_of, plain_table};
pub use program::{main, run};
pub use user_error::UserError;

/// The parts of `cwplugin compare`.
pub mod compare {
    pub use crate::args::{ClassShare, parse_class_share};
    pub use crate::commands::compare::results::Results;
    pub use crate::commands::compare::rows::{noise, read_split, shifts};
    pub use crate::commands::compare::{SIZES, UNLABELLED, sizes};
}
