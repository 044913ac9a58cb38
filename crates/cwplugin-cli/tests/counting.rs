//! `cwplugin stats DATA`: what is counted, and where it goes.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch};
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

use crate::support::{Folder, TABLE, cells, testdata};

/// `a` and `b` have three rows each, of which one weighs nothing; `c`, the reference, has none with probability 0.
const WEIGHED: &str = "\
label,w,p_a,p_b,p_c
a,0.1,0.7,0.2,0.1
a,0.1,0.7,0.2,0.1
a,0,0.7,0.2,0.1
b,2,0.5,0.5,0
b,1,0,1,0
b,1,1,0,0
c,0.1,0,0,1
c,0.2,0.4,0,0.6
,1,0.3,0.3,0.4
 ,0,0.3,0.3,0.4
";

fn count(table: &str, flags: &[&str]) -> Value {
    let folder = Folder::new().with("data.csv", table);
    folder.ok(&[&["stats", "data.csv", "--bins", "10"], flags].concat()).json()
}

#[test]
fn every_counter_is_what_the_inequality_says() {
    let statistics = count(WEIGHED, &["--weight", "w"]);
    // What two doubles add up to exactly: the nearest double, and the rest.
    let sum = 0.1 + 0.2;
    let parts = json!([sum, (0.1 - sum) + 0.2]);
    let expected = json!({
        "format": "cwplugin-statistics", "version": 1, "cwplugin": env!("CARGO_PKG_VERSION"),
        "classes": ["a", "b", "c"], "reference": "c", "step": 0.1, "bins": 10, "rows": 7, "unlabelled": 2,
        "totals": [
            {"class": "a", "rows": 2, "weight": [0.2], "probable": true},
            {"class": "b", "rows": 3, "weight": [4.0], "probable": true},
            {"class": "c", "rows": 2, "weight": parts, "probable": true},
        ],
        "pairs": [
            {"class": "a", "cuts": [[2, 2, 0], [7, 0, 1], [10, 0, 1]],
             "weights": [[2, [0.2], []], [7, [], [0.2]], [10, [], [0.1]]]},
            // A row moves at the first alpha above its cut; where both probabilities are 0, at none.
            {"class": "b", "cuts": [[1, 2, 0], [10, 1, 2]],
             "weights": [[1, [3.0], []], [10, [1.0], parts]]},
        ],
    });
    assert_eq!(statistics, expected);
}

#[test]
fn without_weights_there_are_only_rows() {
    let statistics = count(WEIGHED, &["--reference", "class:a", "--id", "w"]);
    assert_eq!((&statistics["rows"], &statistics["reference"]), (&json!(8), &json!("a")));
    for part in statistics["totals"].as_array().unwrap() {
        assert!(part.get("weight").is_none(), "{part}");
    }
    let pairs = statistics["pairs"].as_array().unwrap();
    assert!(pairs.iter().all(|pair| pair.get("weights").is_none()), "{pairs:?}");
    assert_eq!(pairs.iter().map(|pair| &pair["class"]).collect::<Vec<_>>(), ["b", "c"]);
}

#[test]
fn the_table_holds_the_same_as_the_document() {
    let folder = Folder::new().with("data.csv", WEIGHED);
    folder.ok(&["stats", "data.csv", "--weight", "w", "--bins", "10", "-o", "s.csv"]);
    let lines = cells(&folder.read("s.csv"));
    assert_eq!(lines[0], ["kind", "class", "label", "bin", "rows", "each"]);
    for line in [
        ["class", "b", "", "1", "1", ""],
        ["unlabelled", "", "", "", "2", ""],
        ["cut", "b", "c", "10", "2", "0.0"],
        ["weight", "b", "c", "10", "", "0.30000000000000004"],
        ["weight", "b", "c", "10", "", "-2.7755575615628914e-17"],
    ] {
        assert!(lines.iter().any(|other| other == &line), "{line:?}: {lines:?}");
    }
    assert_eq!(lines.last().unwrap(), &["reference", "c", "", "10", "7", ""], "the end of the table");
}

#[test]
fn what_it_says_goes_to_standard_error() {
    let folder = Folder::new().with("data.csv", TABLE);
    let run = folder.ok(&["stats", "data.csv", "-o", "s.json"]);
    let counted = "6 labelled rows (1 unlabelled row ignored), 3 classes × 1000 bins, reference \"c\"\n";
    assert_eq!((run.text().as_str(), run.stderr), ("", format!("{counted}wrote s.json\n")));
    let run = folder.ok(&["stats", "data.csv"]);
    assert_eq!(run.text(), folder.text("s.json"));
    assert!(run.stderr.starts_with(counted) && run.stderr.contains("with -o stats.json"), "{}", run.stderr);
    for flags in [&["--quiet"][..], &["--quiet", "-o", "-"], &["--quiet", "--json", "-o", "t.parquet"]] {
        let run = folder.ok(&[&["stats", "data.csv"], flags].concat());
        assert_eq!((run.text(), run.stderr.as_str()), (folder.text("s.json"), ""), "{flags:?}");
    }
    let run = folder.run_on(&["stats", "-", "--quiet"], TABLE.as_bytes()).ok();
    assert_eq!(run.text(), folder.text("s.json"));
    for threads in ["1", "3"] {
        assert_eq!(folder.ok(&["stats", "data.csv", "--threads", threads]).text(), folder.text("s.json"));
    }
    assert_eq!(folder.names(), ["data.csv", "s.json", "t.parquet"]);
}

#[test]
fn labels_of_every_kind_are_counted_alike() {
    let folder =
        Folder::new().with("text.csv", "label,p_0,p_1\n0,0.75,0.25\n1,0.5,0.5\n1,0.25,0.75\n,0.5,0.5\n");
    let expected = folder.ok(&["stats", "text.csv"]).stdout;
    let line = |label: &str, p: f64| format!("{{\"label\": {label}, \"p_0\": {p}, \"p_1\": {}}}\n", 1.0 - p);
    for (name, labels) in [
        ("floats.jsonl", ["0.0", "1.0", "1.0", "null"]),
        ("whole.jsonl", ["0", "1", "1", "null"]),
        ("texts.jsonl", ["\"0\"", "\" 1\"", "\"1.0\"", "\"\""]),
    ] {
        let lines: String =
            labels.iter().zip([0.75, 0.5, 0.25, 0.5]).map(|(label, p)| line(label, p)).collect();
        folder.write(name, lines);
        assert_eq!(folder.ok(&["stats", name]).stdout, expected, "{name}");
    }
    let whole: ArrayRef = Arc::new(Int64Array::from(vec![Some(0), Some(1), Some(1), None]));
    let truth: ArrayRef = Arc::new(BooleanArray::from(vec![Some(false), Some(true), Some(true), None]));
    let floats: ArrayRef =
        Arc::new(Float64Array::from(vec![Some(0.0), Some(1.0), Some(1.0), Some(f64::NAN)]));
    let p: ArrayRef = Arc::new(Float64Array::from(vec![0.75, 0.5, 0.25, 0.5]));
    let q: ArrayRef = Arc::new(Float64Array::from(vec![0.25, 0.5, 0.75, 0.5]));
    for (name, labels) in [("whole.parquet", whole), ("truth.parquet", truth), ("floats.parquet", floats)] {
        let columns = [("label", labels), ("p_0", Arc::clone(&p)), ("p_1", Arc::clone(&q))];
        let (batch, mut bytes) = (RecordBatch::try_from_iter(columns).unwrap(), Vec::new());
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        folder.write(name, bytes);
        assert_eq!(folder.ok(&["stats", name]).stdout, expected, "{name}");
    }
}

#[test]
fn every_format_of_the_rows_is_counted_alike() {
    let folder = Folder::new();
    let fixture = |name: &str| testdata(&format!("formats/{name}"));
    let expected = folder.ok(&["stats", &fixture("table.csv")]).stdout;
    for name in [
        "table.csv.gz",
        "table.csv.zst",
        "table.tsv",
        "table.jsonl",
        "table-zstd.parquet",
        "table.arrows",
        "table.npz",
    ] {
        assert_eq!(folder.ok(&["stats", &fixture(name)]).stdout, expected, "{name}");
    }
    let labels = fixture("labels-text.npy");
    let flags = ["--label", &labels, "--classes", "negative,neutral,very positive"];
    let run = folder.ok(&[&["stats", &fixture("probs-fortran.npy")], &flags[..]].concat());
    assert_eq!(run.stdout, expected);
    let run = folder.run(&["stats", &fixture("probs.npy"), "--label", &labels, "-o", &labels]);
    run.refused(2, &format!("-o {labels}: would overwrite the labels"), "write to another file");
}

#[test]
fn a_wrong_table_leaves_no_file() {
    let folder = Folder::new()
        .with("data.csv", TABLE)
        .with("bad.csv", TABLE.replace("r6,c,0.5", "r6,c,0.6"))
        .with("empty.csv", "label,p_a,p_b\n")
        .with("unknown.csv", TABLE.replace("r6,c", "r6,d"));
    let before = folder.names();
    for output in ["s.json", "s.csv", "s.parquet", "s.arrow", "s.jsonl"] {
        let stats = |table: &str| folder.run(&["stats", table, "-o", output]);
        let error = "bad.csv: row 6, columns \"p_a\", \"p_b\", \"p_c\": the values sum to 1.1, not to 1";
        stats("bad.csv").refused(1, error, "--normalize");
        stats("empty.csv").refused(1, "empty.csv: the table has no rows", "add rows");
        assert_eq!(stats("unknown.csv").code, 1);
        stats("no.csv").refused(1, "no.csv: no such file", "check the path");
        assert_eq!(folder.names(), before, "{output}");
        folder.write(output, "old");
        assert_eq!(stats("bad.csv").code, 1);
        assert_eq!(folder.text(output), "old", "a refused run keeps the old file");
        std::fs::remove_file(folder.path(output)).unwrap();
    }
}

#[test]
fn flags_that_are_not_supported_are_refused() {
    let folder = Folder::new().with("data.csv", TABLE);
    let refused = |flags: &[&str], code, error: &str, cure: &str| {
        folder.run(&[&["stats", "data.csv"], flags].concat()).refused(code, error, cure);
    };
    refused(&["-o", "data.csv"], 2, "-o data.csv: would overwrite the table", "write to another file");
    refused(&["-o", "no/s.csv"], 1, "no/s.csv: the folder no does not exist", "mkdir -p no");
    refused(&["-o", "s.npy"], 2, "s.npy: NPY files cannot be written", "parquet");
    let error = "--reference largest: not known before the rows are counted";
    refused(&["--reference", "largest"], 2, error, "--reference NAME");
    refused(&["--reference", "d"], 2, "--reference d: unknown class", "last or one of \"a\", \"b\", \"c\"");
    refused(&["--table", "t"], 2, "--table is not supported without --sql", "omit --table");
    refused(&["--columns", "x,y"], 2, "--columns is not supported without --sql", "omit");
    for flags in
        [&["stats"][..], &["stats", "data.csv", "--sql", "duckdb"], &["stats", "data.csv", "--bins", "1"]]
    {
        assert_eq!(folder.run(flags).code, 2, "{flags:?}");
    }
    assert_eq!(folder.names(), ["data.csv"]);
}

#[test]
fn more_counters_than_fit_are_refused() {
    let classes: Vec<String> = (0..200).map(|class| format!("p_{class}")).collect();
    let table = format!("label,{}\n0,1{}\n", classes.join(","), ",0".repeat(199));
    let folder = Folder::new().with("wide.csv", table);
    let run = folder.run(&["stats", "wide.csv", "--bins", "1000000", "-o", "s.json"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("--bins 1000000: ") && run.stderr.contains("fewer bins"), "{}", run.stderr);
}
