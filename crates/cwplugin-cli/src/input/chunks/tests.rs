//! Parts of a few rows each, made on four threads.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arrow_array::cast::AsArray as _;
use clap::Parser as _;

use super::*;
use crate::args::{Args, Command};
use crate::input::{Columns, Needs};
use crate::output::Screen;
use crate::table::ReadOptions;

/// The bytes of a row: a part holds two of them.
const ROW: usize = "a,0.250,0.750\n".len();

/// A table of `rows` rows in which a few are wrong: the first class has the probability `row/1000`.
fn table(rows: usize, wrong: &[usize]) -> tempfile::NamedTempFile {
    let mut text = String::from("label,p_a,p_b\n");
    for row in 0..rows {
        let (a, b) = (row % 1000, if wrong.contains(&row) { 900 } else { 1000 - row % 1000 });
        writeln!(text, "a,{}.{:03},{}.{:03}", a / 1000, a % 1000, b / 1000, b % 1000).unwrap();
    }
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

/// The table in parts of two rows; four threads are at work on any machine.
fn open(path: &Path) -> (Input, Progress) {
    let _ = rayon::ThreadPoolBuilder::new().num_threads(4).build_global(); // another test may have been first
    assert_eq!(rayon::current_num_threads(), 4);
    let args = Args::parse_from(["cwplugin", "eval", "--quiet", path.to_str().unwrap()]);
    let Command::Eval(eval) = &args.command else { unreachable!() };
    let screen = Screen::new("cwplugin", &args.common);
    let needs = Needs { columns: Columns::All, ..Needs::LABELLED };
    let mut input = Input::open(path, &eval.data, needs, &screen).unwrap();
    let options = ReadOptions { block_bytes: 2 * ROW, ..ReadOptions::default() };
    input.reader = Reader::open(path, &options).unwrap();
    (input, screen.progress("testing"))
}

/// The first row of a chunk.
fn row_of(chunk: &Chunk) -> usize {
    chunk.batch.column(1).as_string::<i32>().value(0).replace('.', "").parse().unwrap()
}

fn until(what: &str, is_true: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn chunks_keep_the_order_of_the_rows() {
    let file = table(1000, &[]);
    let (input, mut progress) = open(file.path());
    let made = Arc::new(Mutex::new(Vec::new()));
    let mut chunks = input
        .map({
            let made = Arc::clone(&made);
            move |chunk| {
                // Every fourth part takes its time, and the others overtake it.
                let row = row_of(&chunk);
                if row.is_multiple_of(8) {
                    thread::sleep(Duration::from_millis(2));
                }
                made.lock().unwrap().push(row);
                Ok((row, chunk.sample.n_rows()))
            }
        })
        .unwrap();
    let (mut rows, mut parts) = (0, 0);
    while let Some((row, n)) = chunks.next(&mut progress).unwrap() {
        assert_eq!(row, rows);
        (rows, parts) = (rows + n, parts + 1);
    }
    assert_eq!(rows, 1000);
    assert!(parts > 100, "{parts}");
    assert!(!made.lock().unwrap().is_sorted(), "nothing was overtaken");
    assert!(chunks.next(&mut progress).unwrap().is_none(), "the end stays the end");
}

#[test]
fn the_first_wrong_row_is_refused_though_a_later_one_is_found_sooner() {
    // Rows 5 and 9 are wrong, parts 2 and 4 from 0; the first part is not done before the sixth.
    let file = table(100, &[5, 9]);
    let (input, mut progress) = open(file.path());
    let seen = AtomicUsize::new(0);
    let mut chunks = input
        .map(move |chunk| {
            let row = row_of(&chunk);
            seen.fetch_max(row, Ordering::SeqCst);
            if row == 0 {
                until("no later part", || seen.load(Ordering::SeqCst) >= 10);
            }
            Ok(row)
        })
        .unwrap();
    assert_eq!(chunks.next(&mut progress).unwrap(), Some(0));
    assert_eq!(chunks.next(&mut progress).unwrap(), Some(2));
    let refusal = chunks.next(&mut progress).unwrap_err().to_string();
    assert!(refusal.contains(": row 6, columns \"p_a\", \"p_b\": the values sum to"), "{refusal}");
    // Nothing follows an error.
    assert!(chunks.next(&mut progress).unwrap().is_none());
}

#[test]
fn few_parts_are_in_memory_and_the_reader_ends_when_nobody_reads() {
    let file = table(1000, &[]);
    let (input, mut progress) = open(file.path());
    let made = Arc::new(AtomicUsize::new(0));
    let mut chunks = input
        .map({
            let made = Arc::clone(&made);
            move |_| Ok(made.fetch_add(1, Ordering::SeqCst))
        })
        .unwrap();
    assert!(chunks.next(&mut progress).unwrap().is_some());
    until("the queue is filled", || made.load(Ordering::SeqCst) >= 9);
    thread::sleep(Duration::from_millis(50));
    assert_eq!(made.load(Ordering::SeqCst), 9, "two parts a thread, and one with the command");
    drop(chunks);
    until("the reader has let go", || Arc::strong_count(&made) == 1);
    assert_eq!(made.load(Ordering::SeqCst), 9, "nothing was made for nobody");
}

#[test]
fn a_panic_is_the_commands_own() {
    let file = table(1000, &[]);
    let (input, mut progress) = open(file.path());
    let mut chunks = input
        .map(|chunk| {
            let row = row_of(&chunk);
            assert!(row < 4, "on purpose");
            Ok(row)
        })
        .unwrap();
    assert_eq!(chunks.next(&mut progress).unwrap(), Some(0));
    assert_eq!(chunks.next(&mut progress).unwrap(), Some(2));
    let panic = panic::catch_unwind(AssertUnwindSafe(|| chunks.next(&mut progress))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
}
