//! Standard input, standard output, and closed pipes.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use crate::support::{Folder, TABLE, cells, column, model, testdata};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(testdata(&format!("formats/{name}"))).unwrap()
}

/// A folder with a model of the fixtures' classes.
fn folder() -> Folder {
    Folder::new().with("model.json", model(&["negative", "neutral", "very positive"], &[0.3, 0.5, 0.2]))
}

#[test]
fn every_format_is_recognised_on_standard_input() {
    let folder = folder();
    let expected = column(
        &folder.run_on(&["apply", "model.json", "-"], &fixture("table.csv")).ok().stdout,
        "prediction",
    );
    assert_eq!(expected.len(), 12);
    for name in [
        "table.csv.gz",
        "table.csv.zst",
        "table-semicolon.csv",
        "table-crlf-bom.csv",
        "table.tsv",
        "table.jsonl",
        "table.jsonl.gz",
        "table-zstd.parquet",
        "table.arrow",
        "table.arrows",
        "table-lz4.feather",
        "table.npz",
        "probs.npy",
    ] {
        let run = folder.run_on(&["apply", "model.json", "-", "--to", "csv"], &fixture(name)).ok();
        assert_eq!(column(&run.stdout, "prediction"), expected, "{name}");
        if name != "probs.npy" {
            assert_eq!(
                folder.run_on(&["fit", "-", "--json"], &fixture(name)).ok().json()["fit"]["rows"],
                10,
                "{name}"
            );
            let json = folder.run_on(&["eval", "-", "--json", "--metric", "mcc"], &fixture(name)).ok().json();
            assert_eq!(json["rows"], 10, "{name}");
        }
    }
}

#[test]
fn a_wrong_row_of_a_stream_is_told_like_one_of_a_file() {
    let run = Folder::with_model().run_on(&["fit", "-"], TABLE.replace("0.7,", "0.8,").as_bytes());
    run.refused(
        1,
        "<stdin>: row 1, columns \"p_a\", \"p_b\", \"p_c\": the values sum to 1.1, not to 1",
        "--normalize",
    );
}

#[test]
fn a_dash_as_output_is_standard_output() {
    let folder = Folder::with_model();
    let plain = folder.ok(&["apply", "model.json", "data.csv"]).stdout;
    assert_eq!(folder.ok(&["apply", "model.json", "data.csv", "-o", "-"]).stdout, plain);
    let jsonl = folder.ok(&["apply", "model.json", "data.csv", "-o", "-", "--to", "jsonl"]).text();
    assert_eq!(jsonl.lines().count(), 7);
    let parquet = folder.ok(&["apply", "model.json", "data.csv", "-o", "-", "--to", "parquet"]).stdout;
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    assert_eq!(folder.names(), ["data.csv", "model.json"]);
}

#[test]
fn verbs_can_be_piped_into_one_another() {
    let folder = Folder::with_model();
    let out = folder.ok(&["apply", "model.json", "data.csv"]).stdout;
    let again = folder.run_on(&["apply", "model.json", "-", "--prediction", "again"], &out).ok().stdout;
    assert_eq!(column(&again, "again"), column(&out, "prediction"));
    assert_eq!(cells(&again)[0].last().unwrap(), "again");
}

/// Runs the program, reads one line of its output, hangs up, and gives exit code and standard error.
fn hang_up(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(!line.is_empty(), "{args:?}");
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (child.wait().unwrap().code(), stderr)
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let folder =
        Folder::with_model().with("long.csv", format!("p_a,p_b,p_c\n{}", "0.2,0.3,0.5\n".repeat(30_000)));
    for args in [
        &["apply", "model.json", "long.csv", "--to", "jsonl"] as &[&str],
        &["apply", "model.json", "long.csv", "--json"],
        &["apply", "model.json", "long.csv"],
        &["apply", "model.json", "long.csv", "--to", "tsv"],
        &["apply", "model.json", "long.csv", "--scores-out", "-o", "-"],
    ] {
        assert_eq!(hang_up(&folder, args), (Some(0), String::new()), "{args:?}");
    }
}

#[test]
fn short_outputs_survive_a_closed_pipe_too() {
    let folder = Folder::with_model();
    for args in [
        &["metrics"] as &[&str],
        &["metrics", "--json"],
        &["demo"],
        &["fit", "data.csv", "--quiet"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = folder.command(args).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
    }
}

#[test]
fn a_full_disk_is_told_with_a_cure() {
    let folder = Folder::with_model();
    for args in [
        &["metrics"] as &[&str],
        &["methods", "--json"],
        &["fit", "data.csv"],
        &["apply", "model.json", "data.csv"],
        &["eval", "data.csv", "--json"],
        &["stats", "data.csv"],
        &["--help"],
        &["--version"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = folder.command(args).stdout(full).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let lines: Vec<&str> = stderr.lines().collect();
        assert!(
            lines[0].starts_with("cwplugin: error: <stdout>: cannot be written (No space left"),
            "{args:?}: {stderr}"
        );
        assert!(lines.len() == 2 && lines[1].starts_with("  hint: "), "{args:?}: {stderr}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_standard_output_is_an_error_and_dev_null_is_not() {
    let folder = Folder::with_model();
    let run = |args: &[&str], redirection: &str| {
        let line = format!("exec '{}' {} {redirection}", crate::PROGRAM, args.join(" "));
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &line]).current_dir(folder.path(".")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for args in [
        &["metrics"] as &[&str],
        &["methods", "--json"],
        &["fit", "data.csv"],
        &["apply", "model.json", "data.csv"],
        &["apply", "model.json", "data.csv", "--to", "parquet"],
        &["eval", "data.csv", "--json"],
        &["stats", "data.csv"],
        &["export", "model.json", "--to", "python"],
        &["--help"],
        &["--version"],
    ] {
        let (code, stderr) = run(args, ">&-");
        assert_eq!(code, Some(1), "{args:?}: {stderr}");
        let error = "cwplugin: error: <stdout>: cannot be written (it is closed)\n  hint: redirect it";
        assert!(stderr.contains(error), "{args:?}: {stderr}");
        for redirection in ["> /dev/null", "<> /dev/null 1>&0"] {
            let (code, stderr) = run(args, redirection);
            assert_eq!(code, Some(0), "{args:?} {redirection}: {stderr}");
        }
    }
    // Nothing is printed: all is in the file.
    assert_eq!(run(&["apply", "model.json", "data.csv", "-o", "out.csv"], ">&-").0, Some(0));
    assert_eq!(folder.read("out.csv"), folder.ok(&["apply", "model.json", "data.csv"]).stdout);
}

#[test]
fn there_is_no_colour_without_a_terminal_or_with_no_color() {
    let folder = Folder::with_model();
    for args in [
        &["fit", "data.csv"] as &[&str],
        &["eval", "data.csv"],
        &["demo"],
        &["--help"],
        &["fit", "no.csv"],
        &["fit"],
    ] {
        for value in [None, Some("1")] {
            let mut command = folder.command(args);
            if let Some(value) = value {
                command.env("NO_COLOR", value);
            }
            let output = command.output().unwrap();
            assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{args:?}");
        }
    }
}

#[test]
fn json_documents_are_alone_on_standard_output() {
    let folder = Folder::with_model();
    for args in [
        &["fit", "data.csv"] as &[&str],
        &["eval", "data.csv"],
        &["apply", "model.json", "data.csv"],
        &["metrics"],
        &["methods"],
        &["demo"],
        &["demo", "--save", "."],
        &["stats", "data.csv"],
        &["stats", "data.csv", "-o", "s.csv"],
        &["merge", "s.csv"],
        &["fit", "--stats", "s.csv"],
    ] {
        let run = folder.ok(&[args, &["--json"]].concat());
        assert!(run.json().is_object(), "{args:?}");
        assert_eq!(run.stdout.last(), Some(&b'\n'), "{args:?}");
    }
}
