//! One function for each door through which bytes of strangers come in.
//!
//! libFuzzer calls them (`make fuzz`), and so does the test in `tests/`, which needs no instrumented code. A door fails by a
//! panic, by an allocation beyond [`MOST_BYTES`], or by taking longer than [`MOST_TIME`]. What it checks besides is at the top
//! of its file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // that is how a door fails
#![allow(clippy::float_cmp)] // the same input gives the same bits

mod memory; // an allocation beyond the limit ends the process
mod bytes; // choices and texts from the input
mod files; // inputs as files
mod corpus; // the first inputs
mod mutations; // inputs that are changed a little
mod rows; // samples, and what holds for each of them
mod tokens; // generated code in tokens
mod doors;
#[path = "../../crates/cwplugin/tests/support"]
mod support {
    //! Plain implementations, shared with the tests of the library.
    #![allow(dead_code, unused_imports)] // a part of it is used here

    pub(crate) mod agreement;
    pub(crate) mod fits;
    pub(crate) mod metrics;
    pub(crate) mod naive;
    pub(crate) mod tables;
    pub(crate) mod tie_rules;

    pub(crate) use agreement::{all_close, close};
}
/// Where the reference evaluator of formulas, a file of the library's tests, looks for it.
mod metric {
    pub(crate) use cwplugin::Confusion;
}

use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

pub use doors::DOORS;
pub use memory::MOST_BYTES;
pub use mutations::Mutations;

/// The longest time for one input, also the `-timeout` of libFuzzer.
pub const MOST_TIME: Duration = Duration::from_secs(5);

/// A door and its first inputs.
#[derive(Debug, Clone, Copy)]
pub struct Door {
    /// The name of the fuzz target, of the folders of its inputs and of its dictionary.
    pub name: &'static str,
    /// What comes in.
    pub title: &'static str,
    /// The longest input, in bytes.
    pub longest: usize,
    check: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
}

impl Door {
    /// The door of that name.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn by_name(name: &str) -> &'static Self {
        let door = DOORS.iter().find(|door| door.name == name);
        door.unwrap_or_else(|| panic!("{name} is not in the list of doors"))
    }

    /// Lets an input in.
    ///
    /// # Panics
    ///
    /// If a check fails.
    pub fn run(&self, input: &[u8]) {
        // Runs repeat themselves on one thread only.
        static ONE_THREAD: Once = Once::new();
        ONE_THREAD.call_once(|| drop(rayon::ThreadPoolBuilder::new().num_threads(1).build_global()));
        (self.check)(&input[..input.len().min(self.longest)]);
    }

    /// The first inputs, and those that once failed.
    pub fn inputs(&self) -> Vec<Vec<u8>> {
        let mut inputs = (self.seeds)();
        inputs.extend(self.failures().into_iter().map(|(_, input)| input));
        inputs
    }

    /// Inputs that once failed, by name.
    pub fn failures(&self) -> Vec<(PathBuf, Vec<u8>)> {
        corpus::files(&folder().join("failures").join(self.name))
    }

    /// The words of the dictionary.
    pub fn words(&self) -> Vec<Vec<u8>> {
        corpus::words(&folder().join("dictionaries").join(format!("{}.dict", self.name)))
    }

    /// For libFuzzer, before it reads its corpus: writes the first inputs into the folder `FUZZ_SEEDS`.
    ///
    /// # Panics
    ///
    /// If they cannot be written.
    pub fn write_inputs(&self) {
        if let Some(folder) = std::env::var_os("FUZZ_SEEDS") {
            corpus::write(Path::new(&folder), &self.inputs());
        }
    }
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
