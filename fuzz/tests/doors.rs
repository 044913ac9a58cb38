//! Every door with its first inputs, with those that once failed, and with thousands of small changes of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use cwplugin_fuzz::{DOORS, Door, MOST_TIME, Mutations};

/// Changed inputs of a door, fewer if they take longer than [`ENOUGH`].
const CHANGES: usize = 2_000;
const ENOUGH: Duration = Duration::from_millis(1_500);

/// Lets an input in; a panic comes with the input, as an escaped text.
fn run(door: &Door, input: &[u8]) {
    struct Shown<'a>(&'a Door, &'a [u8]);
    impl Drop for Shown<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                let _ = writeln!(
                    std::io::stderr(),
                    "{}: the input is \"{}\"",
                    self.0.name,
                    self.1.escape_ascii()
                );
            }
        }
    }
    let (start, shown) = (Instant::now(), Shown(door, input));
    door.run(input);
    drop(shown);
    assert!(
        start.elapsed() < MOST_TIME,
        "{}: {:?} for \"{}\"",
        door.name,
        start.elapsed(),
        input.escape_ascii()
    );
}

fn check(name: &str) {
    let door = Door::by_name(name);
    let inputs = door.inputs();
    assert!(inputs.len() > 1, "{name} has no first inputs");
    for input in &inputs {
        assert!(input.len() <= door.longest, "{name}: a first input has {} bytes", input.len());
        run(door, input);
    }
    let start = Instant::now();
    let changed = Mutations::new(inputs, door.words()).take(CHANGES);
    for input in changed.take_while(|_| start.elapsed() < ENOUGH) {
        run(door, &input);
    }
}

macro_rules! doors {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

doors! {
    tables
    label_files
    reply_files
    replies
    votes
    class_maps
    lists
    models
    remembered
    statistics
    statistics_files
    sessions
    formulas
    metrics
    metric_files
    exports
    onnx
    kernels
}

#[test]
fn every_door_is_tested_and_has_a_fuzz_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    assert_eq!(DOORS.map(|door| door.name), TESTED);
    for name in TESTED {
        let target = fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(target.contains(&format!("by_name(\"{name}\").run(input)")), "{name}");
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
    }
}
