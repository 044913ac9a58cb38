//! Folders, truncated files, and outputs that cannot be written.

use std::fs;

use crate::support::{Folder, TABLE, model, testdata};

/// A folder with the model of the fixtures and the first part of one of them, as `name`.
fn cut(fixture: &str, name: &str, share: f64) -> Folder {
    let whole = fs::read(testdata(&format!("formats/{fixture}"))).unwrap();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let kept = (whole.len() as f64 * share) as usize;
    let model = model(&["negative", "neutral", "very positive"], &[0.2, 0.3, 0.5]);
    Folder::new().with("model.json", model).with(name, &whole[..kept])
}

/// Every command rejects the file and names it; the message of the decoder about a truncated file is not checked. Unit
/// tests cut files everywhere.
fn all_refuse_cut(folder: &Folder, name: &str, says: &str) {
    let run = folder.run(&["eval", name]);
    let error = run.stderr.lines().next().unwrap_or_default();
    assert!(error.starts_with(&format!("cwplugin: error: {name}: ")) && error.contains(says), "{error}");
    folder.all_refuse(&[name], error.trim_start_matches("cwplugin: error: "), "again");
}

#[test]
fn cut_columnar_files_are_refused() {
    all_refuse_cut(
        &cut("table-snappy.parquet", "cut.parquet", 0.5),
        "cut.parquet",
        "not a valid Parquet file",
    );
    all_refuse_cut(&cut("table-zstd.parquet", "cut.parquet", 0.5), "cut.parquet", "not a valid Parquet file");
    all_refuse_cut(&cut("table.arrow", "cut.arrow", 0.5), "cut.arrow", "not a valid Arrow file");
    all_refuse_cut(&cut("table-lz4.feather", "cut.feather", 0.5), "cut.feather", "not a valid Arrow file");
}

#[test]
fn a_cut_arrow_stream_is_refused_where_it_ends() {
    for share in [0.1, 0.5, 0.9] {
        let folder = cut("table.arrows", "cut.arrows", share);
        for verb in [&["fit"] as &[&str], &["eval"], &["apply", "model.json", "-o", "out.csv"]] {
            let run = folder.run(&[verb, &["cut.arrows"]].concat());
            let error = run
                .stderr
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("cwplugin: error: ")
                .to_string();
            assert!(error.starts_with("cut.arrows: not a valid Arrow file"), "{verb:?}: {error}");
            run.refused(1, &error, "again");
        }
        assert_eq!(folder.names(), ["cut.arrows", "model.json"]);
    }
}

#[test]
fn cut_numpy_files_are_refused() {
    all_refuse_cut(&cut("probs.npy", "cut.npy", 0.5), "cut.npy", "not a valid NPY file");
    all_refuse_cut(&cut("table.npz", "cut.npz", 0.5), "cut.npz", "not a valid NPZ file");
    all_refuse_cut(&cut("table-int.npz", "cut.npz", 0.5), "cut.npz", "not a valid NPZ file");
}

#[test]
fn cut_compressed_files_are_refused() {
    all_refuse_cut(&cut("table.csv.gz", "cut.csv.gz", 0.5), "cut.csv.gz", "compressed data ends too early");
    all_refuse_cut(
        &cut("table.csv.zst", "cut.csv.zst", 0.5),
        "cut.csv.zst",
        "compressed data ends too early",
    );
    all_refuse_cut(
        &cut("table.jsonl.gz", "cut.jsonl.gz", 0.5),
        "cut.jsonl.gz",
        "compressed data ends too early",
    );
}

#[test]
fn a_cut_stream_is_refused_like_a_cut_file() {
    let whole = fs::read(testdata("formats/table.csv.gz")).unwrap();
    let run = Folder::new().run_on(&["fit", "-"], &whole[..whole.len() / 2]);
    run.refused(1, "<stdin>: the compressed data ends too early", "again");
}

#[test]
fn empty_files_are_refused() {
    for name in ["e.csv", "e.tsv", "e.jsonl", "e.parquet", "e.arrow", "e.npy", "e.npz", "e.csv.gz", "e"] {
        Folder::with_model().with(name, "").all_refuse(&[name], &format!("{name}: is empty"), "");
    }
    Folder::with_model().with("e.csv", "\n\n").all_refuse(&["e.csv"], "e.csv: is empty", "header line");
    Folder::new().run(&["fit", "-"]).refused(1, "<stdin>: is empty", "");
}

#[test]
fn a_missing_file_is_refused() {
    let folder = Folder::with_model();
    folder.all_refuse(&["no.csv"], "no.csv: no such file", "check the path");
    folder.refuses(&["apply", "no.json", "data.csv"], "no.json: no such file", "cwplugin fit -o FILE");
}

#[test]
fn a_folder_is_no_table() {
    let folder = Folder::with_model();
    fs::create_dir(folder.path("dir")).unwrap();
    folder.all_refuse(&["dir"], "dir: is a folder", "name a file in it");
}

#[test]
fn a_file_of_another_format_than_its_name_says_is_refused() {
    let folder = Folder::with_model().with("data.parquet", TABLE);
    let error = "data.parquet: looks like a CSV file, not Parquet";
    folder.all_refuse(&["data.parquet"], error, "--format csv");
    folder.ok(&["fit", "data.parquet", "--format", "csv"]);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_work() {
    let folder = Folder::with_model().with("file", "");
    fs::create_dir(folder.path("dir")).unwrap();
    let before = folder.names();
    for (output, error, hint) in [
        ("dir", "dir: is a folder", "name a file in it"),
        ("no/out.csv", "no/out.csv: the folder no does not exist", "mkdir -p no"),
        ("file/out.csv", "file/out.csv: file is not a folder", "write to another folder"),
    ] {
        folder.refuses(&["fit", "data.csv", "-o", output], error, hint);
        folder.refuses(&["apply", "model.json", "data.csv", "-o", output], error, hint);
    }
    assert_eq!(folder.names(), before);
    assert!(fs::read_dir(folder.path("dir")).unwrap().next().is_none());
}

#[test]
fn a_demo_that_cannot_be_saved_is_refused() {
    let folder = Folder::new().with("file", "");
    for (place, why) in [("file", "File exists (os error 17)"), ("file/dir", "Not a directory (os error 20)")]
    {
        let run = folder.run(&["demo", "--save", place]);
        run.refused(1, &format!("{place}: the folder cannot be created ({why})"), "choose");
    }
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn jsonl_faults_are_told_with_their_row() {
    let good = "{\"label\": \"a\", \"p_a\": 0.5, \"p_b\": 0.3, \"p_c\": 0.2}\n";
    for (row, error) in [
        (
            "{\"label\": \"b\", \"p_a\": NaN, \"p_b\": 0.3, \"p_c\": 0.2}",
            "bad.jsonl: row 2, column 23: expected value",
        ),
        (
            "{\"label\": \"b\", \"p_a\": null, \"p_b\": 0.3, \"p_c\": 0.7}",
            "bad.jsonl: row 2, column \"p_a\": the value is missing",
        ),
        (
            "{\"label\": \"b\", \"p_b\": 0.3, \"p_c\": 0.7}",
            "bad.jsonl: row 2, column \"p_a\": the value is missing",
        ),
        (
            "{\"label\": \"b\", \"p_a\": -0.5, \"p_b\": 0.5, \"p_c\": 1}",
            "bad.jsonl: row 2, column \"p_a\": -0.5 is negative",
        ),
        ("[1, 2]", "bad.jsonl: row 2: is an array, not an object"),
    ] {
        let folder = Folder::with_model().with("bad.jsonl", format!("{good}{row}\n"));
        folder.all_refuse(&["bad.jsonl"], error, "");
    }
}
