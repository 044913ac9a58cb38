//! The number of threads changes nothing but the time.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{self, Folder};

const ROWS: usize = 9_000;

/// Rows enough for several blocks and batches; some fields are quoted, some rows have no label, all differ.
fn long_table() -> String {
    let mut table = String::from("id,label,p_a,p_b,p_c\n");
    let id = "x".repeat(80);
    for row in 0..ROWS {
        let (a, b) = (row % 700, row % 13 * 20);
        let label = ["a", "b", "\"c\"", ""][row % 4];
        writeln!(table, "\"{id}, {row}\",{label},0.{a:03},0.{b:03},0.{:03}", 1000 - a - b).unwrap();
    }
    table.replace(",0.1000\n", ",1\n")
}

#[test]
fn one_thread_and_four_give_the_same_bytes() {
    let folder = Folder::with_model().with("long.csv", long_table());
    folder.ok(&["apply", "model.json", "long.csv", "-o", "long.parquet", "--prediction", "p1"]);
    folder.ok(&["apply", "model.json", "long.csv", "-o", "long.jsonl", "--prediction", "p1"]);
    // A table is read and written by threads of its own: each format of either is here.
    for command in [
        &["apply", "model.json", "long.csv", "--to", "csv"] as &[&str],
        &["apply", "model.json", "long.csv", "--to", "jsonl", "--scores-out"],
        &["apply", "model.json", "long.jsonl", "--to", "parquet"],
        &["apply", "model.json", "long.parquet", "--to", "arrow"],
        &["apply", "model.json", "long.csv", "--json"],
        &["eval", "model.json", "long.csv", "--json", "--resamples", "20"],
        &["eval", "model.json", "long.jsonl", "--json", "--resamples", "2"],
        &["fit", "long.csv", "--json", "--method", "bagged", "--n-bootstrap", "2"],
        &["fit", "long.parquet", "--json", "--method", "cwplugin"],
    ] {
        let with = |threads: &str| folder.ok(&[command, &["--threads", threads]].concat()).stdout;
        let (one, four) = (with("1"), with("4"));
        assert!(!one.is_empty());
        assert!(one == four, "{command:?}");
    }
}

#[test]
fn rows_keep_their_order_and_the_last_is_there() {
    let folder = Folder::with_model().with("long.csv", long_table());
    let out = folder.ok(&["apply", "model.json", "long.csv", "--threads", "4"]).stdout;
    let ids = support::column(&out, "id");
    assert_eq!(ids.len(), ROWS);
    assert!(ids.iter().enumerate().all(|(row, id)| id.ends_with(&format!("x, {row}"))));
}

#[test]
fn the_first_wrong_row_is_refused_wherever_it_is() {
    let table = long_table();
    let lines: Vec<&str> = table.lines().collect();
    // A bad value, a ragged row, a bad sum and an unknown label, in any order: the first of them counts.
    let wrong = [
        ("x,a,oops,0.5,0.5", ", column \"p_a\": \"oops\" is not a number"),
        ("x,a,0.5,0.5", " has 4 fields, the header has 5"),
        ("x,a,0.5,0.5,0.5", ", columns \"p_a\", \"p_b\", \"p_c\": the values sum to 1.5, not to 1"),
        ("x,d,0.5,0.5,0", ", column \"label\": unknown class \"d\""),
        ("x,a,0.5,0.5,", ", column \"p_c\": the value is missing"),
    ];
    for first in 0..wrong.len() {
        for (row, step) in [(20, 1), (2_500, 1_500), (ROWS - 5, 1)] {
            let mut lines = lines.clone();
            for place in 0..wrong.len() {
                if let Some(line) = lines.get_mut(row + place * step) {
                    *line = wrong[(first + place) % wrong.len()].0;
                }
            }
            let folder = Folder::new().with("bad.csv", lines.join("\n"));
            for threads in ["1", "4"] {
                let run = folder.run(&["eval", "bad.csv", "--threads", threads]);
                run.refused(1, &format!("bad.csv: row {row}{}", wrong[first].1), "");
            }
        }
    }
}

#[test]
fn a_refusal_does_not_wait_for_the_rest_of_a_stream() {
    let folder = Folder::with_model();
    for threads in ["1", "4"] {
        let args = ["apply", "model.json", "-", "--threads", threads];
        let mut child = folder.command(&args).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // Enough for a block or two; the stream stays open, and the reader waits for more of it.
        let rows = format!("p_a,p_b,p_c\n0.9,0.3,0.5\n{}", "0.2,0.3,0.5\n".repeat(50_000));
        let _ = stdin.write_all(rows.as_bytes());
        let start = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > Duration::from_secs(30) => {
                    child.kill().unwrap();
                    panic!("still running with {threads} threads");
                }
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        assert_eq!(status.code(), Some(1), "{threads}");
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with("cwplugin: error: <stdin>: row 1, columns"), "{stderr}");
        drop(stdin);
    }
}
