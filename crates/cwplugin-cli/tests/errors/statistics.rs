//! Invalid or damaged statistics.

use std::fs;

use crate::support::{Folder, cells};

/// The hint for every file without statistics.
const CURE: &str = "write statistics with `cwplugin stats DATA -o FILE`";

/// A folder with a table, a model, and statistics of the table as a document and in two tables.
fn folder() -> Folder {
    let folder = Folder::with_model();
    for name in ["s.json", "s.csv", "s.parquet"] {
        folder.ok(&["stats", "data.csv", "--bins", "10", "-o", name]);
    }
    folder
}

/// `fit --stats` and `merge` refuse `file`, and neither writes anything.
fn refused(folder: &Folder, file: &str, error: &str, cure: &str) {
    let before = folder.names();
    for args in [
        &["fit", "--stats", file][..],
        &["merge", file],
        &["fit", "--stats", file, "-o", "out.json"],
        &["merge", "s.csv", file, "-o", "out.json"],
    ] {
        folder.run(args).refused(1, error, cure);
    }
    assert_eq!(folder.names(), before);
}

#[test]
fn files_that_are_something_else_are_refused() {
    let folder = folder();
    let error = "model.json: not valid statistics: field \"format\" is \"cwplugin-model\", not \"cwplugin-statistics\"";
    refused(&folder, "model.json", error, CURE);
    refused(&folder, "data.csv", "data.csv: not statistics: no column \"kind\"", CURE);
    folder.write("object.json", "{}\n");
    refused(&folder, "object.json", "object.json: not statistics: no column \"kind\"", CURE);
    folder.write("empty.json", "");
    folder.write("empty.csv", "");
    fs::create_dir(folder.path("dir.json")).unwrap();
    for name in ["empty.json", "empty.csv"] {
        refused(&folder, name, &format!("{name}: is empty"), "check the program");
    }
    refused(&folder, "dir.json", "dir.json: is a folder", "name a file in it");
    for name in ["missing.json", "missing.parquet"] {
        refused(&folder, name, &format!("{name}: no such file"), "check the path");
    }
    folder.write("less.csv", "kind,class,label,bin,rows\nclass,a,,0,1\n");
    refused(&folder, "less.csv", "less.csv: not statistics: no column \"each\"", CURE);
}

#[test]
fn statistics_are_no_model() {
    let folder = folder();
    let error = "s.json: not a model: field \"format\" is \"cwplugin-statistics\", not \"cwplugin-model\"";
    folder.refuses(&["apply", "s.json", "data.csv"], error, "cwplugin fit -o FILE");
    folder.refuses(&["eval", "s.json", "data.csv"], error, "cwplugin fit -o FILE");
    let error = "s.csv: not a model: expected value at line 1 column 1";
    folder.refuses(&["apply", "s.csv", "data.csv"], error, "cwplugin fit -o FILE");
    let run = folder.run(&["stats", "s.csv", "--label", "kind"]);
    assert!(
        run.code == 1 && run.stderr.contains("s.csv: "),
        "statistics are no table of rows: {}",
        run.stderr
    );
}

#[test]
fn statistics_with_a_field_twice_are_refused() {
    let folder = folder();
    let text = folder.text("s.json").replace("  \"rows\": 6,", "  \"rows\": 6,\n  \"rows\": 6,");
    folder.write("twice.json", &text);
    let line = 1 + text.lines().position(|line| line == "  \"rows\": 6,").unwrap() + 1;
    let error = format!(
        "twice.json: not valid statistics: field \"rows\" occurs twice (keep one) at line {line} column 8"
    );
    refused(&folder, "twice.json", &error, CURE);
}

#[test]
fn another_version_is_refused() {
    let folder = folder();
    for (version, told) in [("2", "2"), ("\"1\"", "\"1\""), ("1.5", "1.5"), ("null", "null")] {
        let text = folder.text("s.json").replace("\"version\": 1,", &format!("\"version\": {version},"));
        folder.write("v.json", text);
        let error = format!("v.json: the file has version {told}; this cwplugin reads version 1");
        refused(&folder, "v.json", &error, "a newer cwplugin, or count the rows again");
    }
}

#[test]
fn numbers_that_cannot_be_are_refused_with_their_place() {
    let folder = folder();
    let line = "cut,a,c,5,1,1.0\n";
    let row = cells(&folder.read("s.csv")).iter().position(|cells| cells.join(",") + "\n" == line).unwrap();
    let with = |other: &str, error: &str| {
        folder.write("t.csv", folder.text("s.csv").replace(line, other));
        refused(&folder, "t.csv", &format!("t.csv: {error}"), CURE);
    };
    let at = |column: &str| format!("row {row}, column \"{column}\": ");
    with("cut,a,c,four,1,1.0\n", &(at("bin") + "\"four\" is not a number"));
    with("cut,a,c,4.5,1,1.0\n", &(at("bin") + "\"4.5\" is not a whole number"));
    with("cut,a,c,4,1e30,1.0\n", &(at("rows") + "\"1e30\" is not a whole number"));
    with("cut,a,c,4,1,heavy\n", &(at("each") + "\"heavy\" is not a number"));
    let line = |error: &str| format!("not valid statistics: line {row}: {error}");
    with("cut,a,c,4,-1,1.0\n", &line("\"rows\" is not a number of rows"));
    with("cut,a,c,4,,1.0\n", &line("\"rows\" is not a number of rows"));
    with("cut,a,c,4,1,-1\n", &line("\"each\" is not a weight"));
    with("cut,a,c,4,1,inf\n", &line("\"each\" is not a weight"));
    with("weight,a,c,4,,inf\n", &line("\"each\" is not a weight"));
    with("weight,a,c,4,,\n", &line("\"each\" is not a weight"));
    with("cut,a,c,11,1,1.0\n", &line("the bin is not on the grid"));
    with("cut,a,b,4,1,1.0\n", &line("the label is neither the class nor the reference"));
    with("cut,c,c,4,1,1.0\n", &line("the reference cannot be paired with itself"));
    with("cut,z,c,4,1,1.0\n", &line("unknown class \"z\""));
    with("hole,a,c,4,1,1.0\n", &line("unknown kind \"hole\""));
    with("bad,,,,3,\n", &line("3 rows have a missing or negative probability, or do not sum to 1"));
    with("unknown,,z,,2,\n", &line("2 rows have the unknown label \"z\""));
    let tiny = "rows have probabilities below 1e-290, whose bin SQL cannot compute: round them to 0";
    with("cut,a,c,-1,1,1.0\n", &line(tiny));
}

#[test]
fn counts_beyond_all_rows_are_refused() {
    let folder = folder();
    let text = folder.text("s.json");
    for count in [u64::MAX, 1 << 63, 1 << 53] {
        for (from, to) in [
            ("\"rows\": 2, ", format!("\"rows\": {count}, ")),
            ("[[1, 1, 0]", format!("[[1, {count}, {count}]")),
            ("\"rows\": 6", format!("\"rows\": {count}")),
        ] {
            assert!(text.contains(from), "{from}: {text}");
            folder.write("many.json", text.replacen(from, &to, 1));
            let run = folder.run(&["fit", "--stats", "many.json"]);
            assert_eq!(run.code, 1, "{to}: {}", run.stderr);
            assert!(run.stderr.contains("many.json: not valid statistics: "), "{to}: {}", run.stderr);
        }
    }
}

#[test]
fn a_table_as_other_programs_save_it_is_read() {
    let folder = folder();
    let expected = folder.ok(&["merge", "s.json"]).stdout;
    let text = folder.text("s.csv");
    let (head, lines) = text.split_once('\n').unwrap();
    let mut turned: Vec<&str> = lines.lines().collect();
    turned.reverse();
    for (name, text) in [
        ("capitals.csv", text.replacen(head, &head.to_uppercase(), 1)),
        ("floats.csv", text.replace("reference,c,,10,6,", "reference,c,,10.0,6.0,NaN")),
        ("turned.csv", format!("{head}\n{}\n", turned.join("\n"))),
        ("crlf.csv", text.replace('\n', "\r\n")),
        ("semicolon.csv", text.replace(',', ";")),
        ("document", folder.text("s.json").replace('\n', "")),
    ] {
        folder.write(name, text);
        assert_eq!(
            String::from_utf8_lossy(&folder.ok(&["merge", name]).stdout),
            String::from_utf8_lossy(&expected),
            "{name}"
        );
    }
}
