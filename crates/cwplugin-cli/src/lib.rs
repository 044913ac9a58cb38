//! The program `cwplugin`, and the parts of it that the unpublished `crates/lab` shares.
//!
//! This is not an interface for users, and may change with any version: call the library `cwplugin`, or run the program.

mod program; // from a command line to an exit status
mod args; // what the user asked for
mod refusal; // what is said when it will not go on
mod table; // files in and out, whatever the format
mod input; // a table becomes probabilities, labels and weights
mod statistics_file; // counters of cuts, in files
mod command; // metrics that the user's own programs compute
mod commands; // one verb, one file
mod output; // what the user sees
mod atomic; // a file is written whole or not at all

pub use args::{Common, parse_timeout};
pub use atomic::write_file;
pub use commands::methods::by_name as method_by_name;
pub use input::{
    NamedMetric, decode_labelled, for_each_row, metric_by_name, read_labelled, refuse_listed_twice, settled,
};
pub use output::{Align, Screen, Spinner, Steps, count_of, plain_table};
pub use program::{main, run};
pub use refusal::Refusal;

/// What `cwplugin compare` does, in parts.
pub mod compare {
    pub use crate::args::{Spoil, parse_spoil};
    pub use crate::commands::compare::pictures::grid;
    pub use crate::commands::compare::results::Results;
    pub use crate::commands::compare::rows::{noise, read_split, shifts};
    pub use crate::commands::compare::{SIZES, UNLABELLED, sizes};
}
