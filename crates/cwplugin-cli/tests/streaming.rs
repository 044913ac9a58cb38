//! A grid fit of more rows than the buffer holds: counted, forgotten, and the same model.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::rows::{ODD_NAMES, Rows};
use crate::support::{Folder, TABLE, testdata};

const GRID: [&str; 2] = ["--search", "grid:0.01"];

/// The model of rows that are kept, and of the same rows counted chunk by chunk.
fn kept_and_counted(folder: &Folder, table: &str, flags: &[&str]) -> [String; 2] {
    [&[][..], &["--buffer", "0"]].map(|buffer| {
        let args = [&["fit", table, "-o", "m.json"], flags, buffer].concat();
        let run = folder.ok(&args);
        assert!(!run.stderr.contains("not scored"), "{}", run.stderr);
        folder.text("m.json")
    })
}

/// Enough rows for several chunks, in a file of the format that its name says.
fn long(folder: &Folder, name: &str) -> Rows {
    let rows = Rows::random(12_000, &["a", "b", "c"], 3);
    rows.write(folder, name, &(0..rows.len()).collect::<Vec<_>>());
    rows
}

#[test]
fn every_format_gives_the_same_model() {
    let folder = Folder::new();
    for name in [
        "table.csv",
        "table.csv.gz",
        "table.csv.zst",
        "table.tsv",
        "table.jsonl",
        "table.jsonl.gz",
        "table-zstd.parquet",
        "table-float32.parquet",
        "table-dictionary.parquet",
        "table.arrow",
        "table.arrows",
        "table-lz4.feather",
        "table.npz",
    ] {
        let weighed = ["--metric", "mcc", "--ties", "first", "--weight", "weight"];
        let has_weights = name != "table.npz";
        for more in [&[][..], &weighed[..if has_weights { 6 } else { 4 }]] {
            let flags = [&GRID, more].concat();
            let [kept, counted] = kept_and_counted(&folder, &testdata(&format!("formats/{name}")), &flags);
            assert_eq!(kept, counted, "{name} {more:?}");
            assert!(kept.contains("\"score\": {\"clean\""), "{kept}");
        }
    }
    let labels = testdata("formats/labels-text.npy");
    let flags = ["--label", &labels, "--classes", "negative,neutral,very positive"];
    for name in ["probs.npy", "probs-fortran.npy", "probs-bigendian.npy", "probs-f4.npy", "probs-f2.npy"] {
        let flags = [&GRID[..], &flags].concat();
        let [kept, counted] = kept_and_counted(&folder, &testdata(&format!("formats/{name}")), &flags);
        assert_eq!(kept, counted, "{name}");
    }
}

#[test]
fn every_setting_gives_the_same_model() {
    let folder = Folder::new();
    long(&folder, "long.csv");
    let weighed = ["--weight", "w", "--ties", "nearest-half", "--absent", "drop"];
    // How the reference is found and how a pair is searched do not depend on each other.
    for (reference, search, metric, more) in [
        ("last", "grid:0.01", "macro-f1", &[][..]),
        ("a", "binary:0.003", "accuracy", &weighed),
        ("class:b", "grid:0.03", "g-mean", &weighed),
        ("largest", "grid:0.01", "macro-f1", &[]),
        ("largest", "binary:0.003", "accuracy", &weighed),
        ("best", "grid:0.03", "g-mean", &weighed),
        ("best", "binary:0.003", "accuracy", &[]),
    ] {
        let settings = ["--reference", reference, "--search", search, "--metric", metric];
        let [kept, counted] = kept_and_counted(&folder, "long.csv", &[&settings[..], more].concat());
        assert_eq!(kept, counted, "{settings:?} {more:?}");
    }
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
    let folder = Folder::new();
    for (name, classes) in [("plain.jsonl", &["a", "b", "c"][..]), ("odd.parquet", &ODD_NAMES)] {
        let rows = Rows::random(9_000, classes, 8);
        rows.write(&folder, name, &(0..rows.len()).collect::<Vec<_>>());
        let sorted = format!("sorted-{name}");
        rows.write(&folder, &sorted, &rows.sorted_by_label());
        let flags = [&GRID[..], &["--weight", "w"]].concat();
        let [kept, counted] = kept_and_counted(&folder, name, &flags);
        assert_eq!(kept, counted, "{name}");
        assert_eq!(kept_and_counted(&folder, &sorted, &flags), [kept.clone(), kept], "{sorted}");
    }
}

#[test]
fn among_classes_as_large_the_first_is_fixed() {
    let rows = ["b,0.3,0.6,0.1", "c,0.1,0.2,0.7", "a,0.5,0.4,0.1", "c,0.3,0.4,0.3", "b,0.5,0.4,0.1"];
    let folder = Folder::new().with("t.csv", format!("label,p_a,p_b,p_c\n{}\n", rows.join("\n")));
    let [kept, counted] = kept_and_counted(&folder, "t.csv", &GRID);
    assert_eq!(kept, counted);
    assert!(kept.contains("\"reference\": \"b\""), "{kept}");
}

#[test]
fn a_small_buffer_is_filled_first() {
    let folder = Folder::new();
    let mut table = String::from("label,p_a,p_b,p_c\n");
    for row in 0..50_000 {
        let share = row % 97;
        writeln!(table, "{},0.{share:02},0.01,{:.2}", ["a", "b", "c"][row % 3], 0.99 - share as f64 / 100.0)
            .unwrap();
    }
    folder.write("t.csv", table);
    let models = ["0", "1", "64"].map(|buffer| {
        folder.ok(&["fit", "t.csv", "--search", "grid:0.01", "--buffer", buffer, "-o", "m.json", "--quiet"]);
        folder.text("m.json")
    });
    assert!(models[0] == models[1] && models[1] == models[2], "{}\n{}", models[0], models[1]);
}

fn without_score(mut model: Value) -> Value {
    let record = model["fit"].as_object_mut().unwrap();
    record.remove("score");
    record["warnings"].as_array_mut().unwrap().retain(|warning| warning["kind"] != "below-clean");
    model
}

#[test]
fn a_stream_is_not_scored_and_says_so() {
    let folder = Folder::new();
    long(&folder, "long.jsonl");
    let bytes = folder.read("long.jsonl");
    let kept = folder.ok(&[&["fit", "long.jsonl", "--json"], &GRID[..]].concat()).json();
    let run = folder.run_on(&["fit", "-", "--search", "grid:0.01", "--buffer", "0", "--json"], &bytes).ok();
    assert_eq!(run.json(), without_score(kept.clone()));
    assert!(run.json()["fit"].get("score").is_none());
    let note =
        "note: the rows were not scored: a stream is read only once; run `cwplugin eval` on the same rows";
    assert!(run.stderr.lines().any(|line| line == note), "{}", run.stderr);
    // What the buffer holds is scored, stream or not.
    let run = folder.run_on(&["fit", "-", "--search", "grid:0.01", "--json"], &bytes).ok();
    assert_eq!(run.json(), kept);
    assert!(!run.stderr.contains("not scored"), "{}", run.stderr);
}

#[test]
fn unscored_rows_are_read_once_and_give_the_same_weights() {
    let folder = Folder::new();
    long(&folder, "long.csv");
    let scored = folder.ok(&[&["fit", "long.csv", "--json"], &GRID[..]].concat()).json();
    for buffer in ["0", "64"] {
        let args = ["fit", "long.csv", "--search", "grid:0.01", "--unscored", "--buffer", buffer];
        let run = folder.ok(&[&args[..], &["--json"]].concat());
        assert_eq!(run.json(), without_score(scored.clone()), "{buffer}");
        assert!(run.stderr.contains("note: the rows were not scored: --unscored\n"), "{}", run.stderr);
        let run = folder.ok(&[&args[..], &["-o", "m.json"]].concat());
        assert!(run.text().contains(" labelled rows") && !run.text().contains('→'), "{}", run.text());
    }
    // The best reference is found by scores, so they are known.
    let best =
        folder.ok(&["fit", "long.csv", "--reference", "best", "--unscored", "--buffer", "0", "--json"]);
    assert!(best.json()["fit"]["score"]["fitted"].is_number() && !best.stderr.contains("not known"));
    // An exact search keeps the rows for any buffer size.
    let [kept, counted] = kept_and_counted(&folder, "long.csv", &["--search", "exact"]);
    assert_eq!(kept, counted);
}

#[test]
fn outputs_are_as_those_of_kept_rows() {
    let folder = Folder::new().with("data.csv", TABLE);
    for flags in [&[][..], &["--json"], &["--quiet"], &["-o", "-"], &["--json", "--quiet", "-o", "m.json"]] {
        let kept = [&["fit", "data.csv"], &GRID[..], flags].concat();
        let counted = [&kept[..], &["--buffer", "0"]].concat();
        let (kept, counted) = (folder.ok(&kept), folder.ok(&counted));
        assert_eq!((kept.text(), kept.stderr), (counted.text(), counted.stderr), "{flags:?}");
    }
}

#[test]
fn what_is_refused_is_refused_alike() {
    let folder = Folder::new()
        .with("unlabelled.csv", "label,p_a,p_b\n,0.5,0.5\n,0.1,0.9\n")
        .with("weightless.csv", "label,w,p_a,p_b\na,0,0.5,0.5\nb,0,0.1,0.9\n")
        .with("only-a.csv", "label,p_a,p_b\na,0.5,0.5\n")
        .with("header.csv", "label,p_a,p_b\n");
    let rows = long(&folder, "long.csv");
    folder.write("late.csv", folder.text("long.csv") + "a,1,0.5,0.5,0.5\n");
    folder.write("costs.csv", "0,1\n1,0\n");
    let before = folder.names();
    let late = format!(
        "late.csv: row {}, columns \"p_a\", \"p_b\", \"p_c\": the values sum to 1.5, not to 1",
        rows.len() + 1
    );
    let none = "no row has a label and a weight above 0";
    for (flags, code, error, cure) in [
        (
            &["unlabelled.csv"][..],
            1,
            &*format!("unlabelled.csv: column \"label\": {none}"),
            "label some rows",
        ),
        (
            &["unlabelled.csv", "--reference", "last"],
            1,
            &format!("unlabelled.csv: column \"label\": {none}"),
            "label",
        ),
        (
            &["weightless.csv", "--weight", "w"],
            1,
            &format!("weightless.csv: column \"label\": {none}"),
            "label",
        ),
        (
            &["only-a.csv", "--reference", "b"],
            1,
            "only-a.csv: reference class \"b\" has no labelled rows",
            "largest",
        ),
        (&["header.csv"], 1, "header.csv: the table has no rows", "add rows"),
        (&["late.csv"], 1, &late, "--normalize"),
        (&["long.csv", "--reference", "z"], 2, "--reference z: unknown class", "\"a\", \"b\", \"c\""),
    ] {
        for buffer in ["0", "64"] {
            let args = [&["fit", "--buffer", buffer, "-o", "m.json"], &GRID[..], flags].concat();
            folder.run(&args).refused(code, error, cure);
            assert_eq!(folder.names(), before, "{args:?}");
        }
    }
    let args = ["fit", "long.csv", "--search", "binary:0.01", "--metric", "mcc", "--buffer", "0"];
    let error = "metric mcc may have several peaks on a pair, so binary search may miss the best";
    folder.run(&args).refused(2, error, "--search exact");
    for buffer in ["-1", "x", "0.5"] {
        assert_eq!(folder.run(&["fit", "long.csv", &format!("--buffer={buffer}")]).code, 2);
    }
}

#[test]
fn any_number_of_threads_counts_alike() {
    let folder = Folder::new();
    long(&folder, "long.csv");
    let models = ["1", "2", "5"].map(|threads| {
        folder
            .ok(&[
                "fit",
                "long.csv",
                "--search",
                "grid:0.01",
                "--buffer",
                "0",
                "--json",
                "--threads",
                threads,
                "--weight",
                "w",
            ])
            .text()
    });
    assert!(models.iter().all(|model| *model == models[0]));
}
