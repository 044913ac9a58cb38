//! One table in every format: the same rows, the same weights, the same predictions, in and out.

use crate::support::{Folder, cells, column, model, testdata};

/// Files with all seven columns.
const TABLES: [&str; 16] = [
    "table.csv",
    "table.csv.gz",
    "table.csv.zst",
    "table-crlf-bom.csv",
    "table-semicolon.csv",
    "table.tsv",
    "table.jsonl",
    "table.jsonl.gz",
    "table-snappy.parquet",
    "table-zstd.parquet",
    "table-gzip.parquet",
    "table-lz4.parquet",
    "table-polars.parquet",
    "table.arrow",
    "table.arrows",
    "table-lz4.feather",
];

/// Files with the same columns in other types, or one more.
const VARIANTS: [&str; 3] = ["table-dictionary.parquet", "table-polars.arrow", "table-pandas.parquet"];

/// Files with the matrix alone.
const ARRAYS: [&str; 5] =
    ["table.npz", "table-int.npz", "probs.npy", "probs-fortran.npy", "probs-bigendian.npy"];

/// Single and half precision: the same predictions from rounded numbers.
const ROUNDED: [&str; 3] = ["table-float32.parquet", "probs-f4.npy", "probs-f2.npy"];

fn fixture(name: &str) -> String {
    testdata(&format!("formats/{name}"))
}

fn folder() -> Folder {
    Folder::new().with("model.json", model(&["negative", "neutral", "very positive"], &[0.3, 0.5, 0.2]))
}

fn predictions(folder: &Folder, file: &str) -> Vec<String> {
    column(&folder.ok(&["apply", "model.json", file, "--to", "csv"]).stdout, "prediction")
}

fn expected() -> Vec<String> {
    let expected = predictions(&folder(), &fixture("table.csv"));
    assert_eq!(expected[..4], ["negative", "neutral", "very positive", "neutral"]);
    expected
}

#[test]
fn predictions_are_the_same_from_every_format() {
    let (folder, expected) = (folder(), expected());
    for name in TABLES.into_iter().chain(VARIANTS).chain(ARRAYS).chain(ROUNDED) {
        assert_eq!(predictions(&folder, &fixture(name)), expected, "{name}");
    }
}

#[test]
fn weights_are_the_same_from_every_format() {
    let folder = folder();
    let fit = |name: &str, flags: &[&str]| {
        folder.ok(&[&["fit", &fixture(name), "--method", "cwplugin", "--json"], flags].concat()).json()
    };
    let plain = fit("table.csv", &[]);
    assert_eq!((&plain["fit"]["rows"], &plain["fit"]["unlabelled"]), (&10.into(), &2.into()));
    for name in TABLES.into_iter().chain(VARIANTS).chain(["table.npz"]) {
        assert_eq!(fit(name, &[]), plain, "{name}");
    }
    let labels = fixture("labels-text.npy");
    let flags = ["--label", &labels, "--classes", "negative,neutral,very positive"];
    assert_eq!(fit("probs.npy", &flags), plain);
    let weighted = fit("table.csv", &["--weight", "weight"]);
    assert_ne!(weighted["weights"], plain["weights"]);
    for name in TABLES.into_iter().chain(VARIANTS) {
        assert_eq!(fit(name, &["--weight", "weight"]), weighted, "{name}");
    }
}

#[test]
fn evaluations_are_the_same_from_every_format() {
    let folder = folder();
    let eval =
        |name: &str| folder.ok(&["eval", "model.json", &fixture(name), "--json", "--resamples", "20"]).stdout;
    let plain = eval("table.csv");
    for name in TABLES.into_iter().chain(VARIANTS).chain(["table.npz"]) {
        assert_eq!(eval(name), plain, "{name}");
    }
}

#[test]
fn every_format_goes_into_every_format_and_back() {
    let (folder, expected) = (folder(), expected());
    for from in [
        "table.csv",
        "table.tsv",
        "table.jsonl",
        "table-snappy.parquet",
        "table.arrow",
        "table.npz",
        "probs.npy",
    ] {
        for to in ["csv", "tsv", "jsonl", "parquet", "arrow", "csv.gz", "jsonl.zst", "feather"] {
            let out = format!("out.{to}");
            folder.ok(&["apply", "model.json", &fixture(from), "-o", &out]);
            // The columns of an unnamed matrix are written under their numbers.
            if from == "probs.npy" {
                continue;
            }
            let back =
                folder.ok(&["apply", "model.json", &out, "--to", "csv", "--prediction", "again"]).stdout;
            assert_eq!(column(&back, "prediction"), expected, "{from} → {to}");
            assert_eq!(column(&back, "again"), expected, "{from} → {to}");
        }
    }
}

#[test]
fn columns_survive_the_journey_through_every_format() {
    let folder = folder();
    let whole = cells(&std::fs::read(fixture("table.csv")).unwrap());
    for to in ["csv", "tsv", "jsonl", "parquet", "arrow"] {
        for from in ["table.csv", "table.jsonl", "table-polars.parquet", "table.arrow"] {
            let out = format!("out.{to}");
            folder.ok(&["apply", "model.json", &fixture(from), "-o", &out]);
            let back = cells(
                &folder.ok(&["apply", "model.json", &out, "--to", "csv", "--prediction", "again"]).stdout,
            );
            assert_eq!(back.len(), whole.len());
            assert_eq!(back[0][..7], whole[0][..], "{from} → {to}");
            for (row, original) in back[1..].iter().zip(&whole[1..]) {
                // The id keeps its zeros, the note its line breaks, the label its name.
                assert_eq!(
                    (&row[0], &row[1], &row[6]),
                    (&original[0], &original[1], &original[6]),
                    "{from} → {to}"
                );
                for column in 2..6 {
                    let [found, wanted] =
                        [row, original].map(|row| row[column].parse::<f64>().unwrap().to_bits());
                    assert_eq!(found, wanted, "{from} → {to}: {} {}", row[column], original[column]);
                }
            }
        }
    }
}

#[test]
fn numbers_are_numbers_in_formats_that_have_them() {
    let folder = folder();
    let text = folder.ok(&["apply", "model.json", &fixture("table.csv"), "--to", "jsonl"]).text();
    let row: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(row["p_negative"], 0.7);
    assert_eq!((&row["id"], &row["prediction"]), (&"00000".into(), &"negative".into()));
    // What is JSON already stays as it was written.
    let source = std::fs::read_to_string(fixture("table.jsonl")).unwrap();
    let text = folder.ok(&["apply", "model.json", &fixture("table.jsonl")]).text();
    for (out, original) in text.lines().zip(source.lines()) {
        assert!(out.starts_with(original.trim_end_matches('}')), "{out}\n{original}");
    }
}

#[test]
fn the_format_of_a_name_can_be_overruled() {
    let folder = folder();
    folder.ok(&["apply", "model.json", &fixture("table.csv"), "-o", "out.txt", "--to", "jsonl"]);
    assert!(folder.text("out.txt").starts_with('{'));
    folder.ok(&["apply", "model.json", &fixture("table.csv"), "-o", "plain"]);
    assert!(folder.text("plain").starts_with("id,label"));
    std::fs::copy(fixture("table-zstd.parquet"), folder.path("data.bin")).unwrap();
    assert_eq!(predictions(&folder, "data.bin"), expected());
    let run = folder.ok(&["apply", "model.json", "data.bin", "--format", "parquet", "--to", "csv"]);
    assert_eq!(column(&run.stdout, "prediction"), expected());
}
