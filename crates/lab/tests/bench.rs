//! `lab bench`: what it prints; how fast anything is says the machine.

use serde_json::{Value, json};

use crate::support::{Folder, TABLE, testdata};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn bench(folder: &Folder, flags: &[&str]) -> Value {
    let run = folder.ok(&[&["bench", "--json", "--repeats", "2", "--threads", "2"], flags].concat());
    let json = run.json();
    let mut fields = keys(&json);
    fields.sort_unstable();
    assert_eq!(
        fields,
        ["classes", "dtype", "metric", "ratios", "repeats", "rows", "seconds", "step", "threads"]
    );
    let [mut seconds, mut ratios] = [keys(&json["seconds"]), keys(&json["ratios"])];
    seconds.sort_unstable();
    ratios.sort_unstable();
    assert_eq!(
        (&seconds[..], &ratios[..]),
        (&["apply", "exact", "floor", "grid"][..], &["apply", "exact", "grid"][..])
    );
    for part in ["seconds", "ratios"] {
        let numbers = json[part].as_object().unwrap();
        assert!(numbers.values().all(|number| number.as_f64().is_some_and(|x| x >= 0.0)), "{json}");
    }
    assert_eq!((&json["threads"], &json["repeats"]), (&json!(2), &json!(2)));
    json
}

#[test]
fn the_document_says_what_was_measured() {
    let folder = Folder::new();
    let flags = ["--rows", "1e3", "--classes", "4", "--step", "0.05", "--metric", "mcc"];
    for dtype in ["f32", "f64"] {
        let json = bench(&folder, &[&flags[..], &["--dtype", dtype]].concat());
        let told = ["rows", "classes", "dtype", "step", "metric"].map(|field| json[field].clone());
        assert_eq!(told, [json!(1000), json!(4), json!(dtype), json!(0.05), json!("mcc")]);
    }
    let json = bench(&folder, &["--rows", "300", "--classes", "2"]);
    let told = ["dtype", "step", "metric"].map(|field| json[field].clone());
    assert_eq!(told, [json!("f64"), json!(0.01), json!("macro-f1")]);
    assert!(folder.names().is_empty());
}

#[test]
fn the_rows_of_a_table_are_taken_instead() {
    let folder = Folder::new().with("data.csv", TABLE);
    let json = bench(&folder, &["--data", "data.csv"]);
    assert_eq!((&json["rows"], &json["classes"]), (&json!(7), &json!(3)));
    let json = bench(
        &folder,
        &["--data", &testdata("formats/table-float32.parquet"), "--dtype", "f32", "--metric", "f1:neutral"],
    );
    assert_eq!((&json["rows"], &json["dtype"]), (&json!(12), &json!("f32")));
}

#[test]
fn decoding_alone_is_measured_too() {
    let folder = Folder::new().with("data.csv", TABLE);
    for name in ["data.csv", &testdata("formats/table.jsonl.gz"), &testdata("formats/table.arrow")] {
        let json = folder.ok(&["bench", "--data", name, "--decode", "--repeats", "2", "--json"]).json();
        assert_eq!(keys(&json), ["rows", "seconds"]);
        assert_eq!(keys(&json["seconds"]), ["decode"]);
        assert!(json["seconds"]["decode"].as_f64().unwrap() >= 0.0);
        assert_eq!(json["rows"], if name == "data.csv" { 7 } else { 12 });
    }
    let text = folder.ok(&["bench", "--data", "data.csv", "--decode", "--repeats", "1"]).text();
    assert!(text.starts_with("7 rows decoded in "), "{text}");
}

#[test]
fn people_get_a_table() {
    let run =
        Folder::new().ok(&["bench", "--rows", "500", "--classes", "3", "--repeats", "1", "--threads", "1"]);
    let text = run.text();
    assert!(
        text.starts_with("500 rows × 3 classes, f64, 1 threads, macro-f1, step 0.01, median of 1\n"),
        "{text}"
    );
    for line in ["floor", "grid", "exact", "apply"] {
        assert!(text.lines().any(|other| other.trim_start().starts_with(line)), "{line}: {text}");
    }
    assert_eq!(run.stderr, "");
}

#[test]
fn a_full_disk_is_told_with_a_cure() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let args = ["bench", "--rows", "200", "--classes", "2", "--repeats", "1"];
    let output = Folder::new().command(&args).stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("lab: error: <stdout>: cannot be written (No space left"), "{stderr}");
    assert!(stderr.lines().nth(1).is_some_and(|line| line.starts_with("  hint: ")), "{stderr}");
}

#[cfg(unix)]
#[test]
fn a_failed_program_of_a_metric_ends_the_measurement() {
    let folder = Folder::new().with("data.csv", TABLE);
    for flags in [&[] as &[&str], &["--fits", "--method", "ascent"]] {
        let bench = ["bench", "--data", "data.csv", "--metric", "command:sh -c 'exit 7'", "--repeats", "1"];
        let error = "command:sh -c 'exit 7': the program ended with exit code 7 before it answered";
        folder.run(&[&bench, flags].concat()).refused(1, error, "command-once:PROGRAM");
    }
}

#[test]
fn what_cannot_be_measured_is_an_error() {
    let folder = Folder::new()
        .with("unlabelled.csv", "label,p_a,p_b\n,0.5,0.5\n")
        .with("only-a.csv", "label,p_a,p_b\na,0.5,0.5\n");
    let refused = |flags: &[&str], code, error: &str, cure: &str| {
        folder.run(&[&["bench", "--repeats", "1"], flags].concat()).refused(code, error, cure);
    };
    refused(&["--data", "no.csv"], 1, "no.csv: no such file", "check the path");
    refused(&["--data", "no.csv", "--decode"], 1, "no.csv: no such file", "check the path");
    let error = "unlabelled.csv: column \"label\": no row has a label and a weight above 0";
    refused(&["--data", "unlabelled.csv"], 1, error, "label some rows");
    refused(
        &["--data", "only-a.csv"],
        1,
        "the fixed class, \"b\", has no labelled rows",
        "rows of its last class",
    );
    refused(
        &["--rows", "1", "--classes", "50"],
        1,
        "the fixed class, \"49\", has no labelled rows",
        "--rows N",
    );
    refused(&["--rows", "9", "--metric", "f2"], 2, "unknown metric \"f2\"", "cwplugin metrics");
    let run = folder.run(&["bench", "--rows", "1e10", "--classes", "100000"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("do not fit into memory: ") && run.stderr.contains("hint: use fewer"));
    for flags in [
        &["--decode"][..],
        &["--data", "only-a.csv", "--rows", "5"],
        &["--data", "only-a.csv", "--classes", "5"],
        &["--rows", "0"],
        &["--rows", "1.5"],
        &["--classes", "1"],
        &["--dtype", "f16"],
        &["--step", "0.7"],
        &["--repeats", "0"],
    ] {
        assert_eq!(folder.run(&[&["bench"], flags].concat()).code, 2, "{flags:?}");
    }
}
