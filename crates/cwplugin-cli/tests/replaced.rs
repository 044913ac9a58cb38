//! A table that changes between the two readings of a grid fit: refused, never scored with other rows.
#![cfg(unix)]

use crate::support::Folder;
use crate::support::rows::Rows;

/// A metric that runs a command at its first query, which comes between the two readings.
fn metric(change: &str) -> String {
    format!("read -r line\n{change}\necho 0.5\nwhile read -r line; do echo 0.5; done\n")
}

const FIT: [&str; 9] =
    ["fit", "t.csv", "--search", "grid:0.1", "--buffer", "0", "--metric", "command:sh metric.sh", "--force"];

const CHANGED: &str = "t.csv: was changed while it was read, which takes two passes";

fn folder_of(seed: u64) -> Folder {
    let folder = Folder::new();
    let rows = Rows::random(300, &["a", "b", "c"], seed);
    rows.write(&folder, "t.csv", &(0..rows.len()).collect::<Vec<_>>());
    folder
}

/// Fits while a command changes the table, with and without an old model.
fn refuses(change: &str) {
    let folder = folder_of(1).with("metric.sh", metric(change));
    let (same, other) = (folder.text("t.csv"), folder_of(2).text("t.csv"));
    for old in [None, Some("old")] {
        let _ = std::fs::remove_file(folder.path("t.csv")); // it may be a pipe by now
        for (name, table) in [("t.csv", &same), ("same.csv", &same), ("other.csv", &other)] {
            folder.write(name, table);
        }
        if let Some(old) = old {
            folder.write("m.json", old);
        }
        folder.run(&[&FIT[..], &["-o", "m.json"]].concat()).refused(1, CHANGED, "or use a copy");
        let found = folder.names().contains(&"m.json".to_string()).then(|| folder.text("m.json"));
        assert_eq!(found.as_deref(), old, "{change}");
        assert!(!folder.names().iter().any(|name| name.contains(".tmp")), "{change}: {:?}", folder.names());
    }
}

#[test]
fn a_table_that_stays_is_scored() {
    let folder = folder_of(1).with("metric.sh", metric(""));
    let model = folder.ok(&[&FIT[..], &["--json"]].concat()).json();
    assert_eq!(model["fit"]["score"]["clean"], 0.5);
}

#[test]
fn a_table_that_is_replaced_between_two_passes_is_refused() {
    for change in [
        "mv other.csv t.csv",                           // another file
        "cat other.csv > t.csv",                        // other rows in the same file
        "mv same.csv t.csv",                            // it cannot be known to be the same
        "head -n 100 same.csv > t.csv",                 // truncated
        "tail -n 3 same.csv >> t.csv",                  // more rows
        "sed 's/p_c/p_d/; s/^c,/d,/' same.csv > t.csv", // another class
        "sed 2d same.csv > x; mv x t.csv",
        ": > t.csv",
        "rm t.csv",
        "rm t.csv; mkfifo t.csv",
    ] {
        refuses(change);
    }
}

/// Length and time are restored, so that only the content tells.
#[test]
fn other_rows_of_the_same_length_and_time_are_refused() {
    let swap = "touch -r t.csv time; awk 'NR==1{print;next} {a[NR]=$0} END{for(i=NR;i>1;i--) print a[i]}' same.csv > t.csv; touch -r time t.csv";
    refuses(swap);
}
