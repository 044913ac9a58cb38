//! Programs that do not answer, or not with a number.

use super::{fit, folder};
use crate::support::Folder;

/// A program that gives so many right answers, and then does something else.
fn after(answers: usize, then: &str) -> String {
    format!(
        "$| = 1;\nwhile (<STDIN>) {{\n    if ($i++ < {answers}) {{ print \"0.5\\n\" }} else {{ {then} }}\n}}\n"
    )
}

/// The behaviour of the program, the message, and a part of the hint.
const FAULTS: [(&str, &str, &str); 11] = [
    ("exit 3", "ended with exit code 3 before it answered", "command-once:PROGRAM"),
    ("kill 9, $$", "ended by a signal before it answered", "every line until its input ends"),
    ("print \"nan\\n\"", "answered \"nan\", which is not a finite number", "one finite number"),
    ("print \"-inf\\n\"", "answered \"-inf\", which is not a finite number", "one finite number"),
    ("print \"about half\\n\"", "answered \"about half\", which is more than one number", "nothing else"),
    ("print \"0.5 0.6\\n\"", "answered \"0.5 0.6\", which is more than one number", "nothing else"),
    ("print \"half\\n\"", "answered \"half\", which is not a number", "such as 0.75"),
    ("print \"\\n\"", "answered with an empty line", "such as 0.75"),
    ("print \"\\xff\\xfe\\n\"", "answered \"\u{fffd}\u{fffd}\", which is not UTF-8 text", "such as 0.75"),
    (
        "close STDOUT; sleep 1000",
        "closed its standard output before it answered",
        "every line until its input ends",
    ),
    ("print \"0.5\\n\" x 3; sleep 1000", "printed \"0.5\" without a query", "one line"),
];

/// One fault of a program, at once or after some answers.
fn check_fault(answers: usize, (then, said, cure): (&str, &str, &str)) {
    let folder = Folder::with_model().with("bad.pl", after(answers, then));
    let metric = "command:perl bad.pl";
    let error = format!("{metric}: the program {said}");
    // The message does not depend on the verb.
    let eval = vec!["eval", "data.csv", "--metric", metric];
    folder.refuses(&if answers == 0 { eval } else { fit(metric, &["--quiet"]) }, &error, cure);
}

#[test]
fn every_fault_has_its_message() {
    // All at once: the time goes into waiting for programs that do not end.
    std::thread::scope(|scope| {
        for answers in [0, 7] {
            for fault in FAULTS {
                scope.spawn(move || check_fault(answers, fault));
            }
        }
    });
}

#[test]
fn the_question_can_be_asked_by_hand() {
    let folder = Folder::with_model().with("bad.pl", after(0, "print \"x\\n\""));
    let run = folder.run(&["eval", "data.csv", "--metric", "command:perl bad.pl"]);
    let (_, by_hand) = run.stderr.split_once("try it by hand: ").unwrap();
    let output =
        std::process::Command::new("sh").args(["-c", by_hand]).current_dir(folder.path("")).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "x\n", "{by_hand}");
}

#[test]
fn endless_answers_are_cut_off() {
    for endless in ["cat /dev/zero", "yes", "sh -c 'yes | tr -d \"\\n\"'"] {
        for form in ["command", "command-once"] {
            let folder = Folder::with_model();
            let metric = format!("{form}:{endless}");
            let run = folder.run(&["eval", "data.csv", "--metric", &metric]);
            assert_eq!(run.code, 1, "{metric}: {}", run.stderr);
            assert!(
                ["answered", "printed"]
                    .iter()
                    .any(|verb| run.stderr.contains(&format!("{metric}: the program {verb} \""))),
                "{}",
                run.stderr
            );
            assert!(run.stderr.len() < 1000, "{}", run.stderr);
        }
    }
}

#[test]
fn a_program_that_takes_too_long_is_told_from_one_that_does_not_flush() {
    for form in ["command", "command-once"] {
        let metric = format!("{form}:sleep 1000");
        let folder = Folder::with_model();
        let error = format!("{metric}: the program did not answer within 0.2 seconds");
        let args = ["eval", "data.csv", "--metric", &metric, "--metric-timeout", "0.2"];
        folder.refuses(&args, &error, "--metric-timeout SECONDS");
    }
    let lazy = after(1000, "").replacen("$| = 1", "$| = 0", 1);
    let folder = Folder::with_model().with("lazy.pl", lazy);
    let args = ["eval", "data.csv", "--metric", "command:perl lazy.pl", "--metric-timeout", "0.4"];
    let error = "command:perl lazy.pl: the program did not answer within 0.4 seconds";
    folder.refuses(&args, error, "print(score, flush=True)");
}

#[test]
fn a_program_that_reads_nothing_is_late_however_long_the_question() {
    let classes: Vec<String> = (0..200).map(|k| format!("class{k}")).collect();
    let row = |label: &str| format!("{label}{}\n", ",0.005".repeat(200));
    let header = classes.iter().fold("label".to_string(), |all, class| all + ",p_" + class);
    let table = format!("{header}\n{}{}", row("class0"), row("class7"));
    let folder = Folder::new().with("data.csv", table);
    let args = ["eval", "data.csv", "--metric", "command:sleep 1000", "--metric-timeout", "0.3"];
    folder.refuses(&args, "command:sleep 1000: the program did not answer within 0.3 seconds", "flush");
}

#[test]
fn a_program_that_closes_its_input_is_refused() {
    let folder = Folder::with_model();
    // It closes its input before it answers the first query, so the second cannot be sent.
    let metric = "command:sh -c 'read line; exec 0<&-; echo 1; sleep 1000'";
    let args = ["eval", "data.csv", "--metric", metric];
    folder.refuses(
        &args,
        &format!("{metric}: the program closed its standard input before it answered"),
        "every line until its input ends",
    );
}

#[test]
fn programs_that_answer_once_must_end_well() {
    for (program, said) in [
        ("sh -c 'echo 0.5; exit 2'", "ended with exit code 2"),
        ("sh -c 'kill -9 $$'", "ended by a signal"),
        ("true", "ended without an answer"),
        ("echo", "answered with an empty line"),
        ("printf '0.5\\n0.6'", "answered \"0.5\n0.6\", which is more than one number"),
        ("echo inf", "answered \"inf\", which is not a finite number"),
    ] {
        let folder = Folder::with_model();
        let metric = format!("command-once:{program}");
        let run = folder.run(&["eval", "data.csv", "--metric", &metric]);
        assert_eq!(run.code, 1, "{metric}: {}", run.stderr);
        let error = format!("{metric}: the program {said}").replace('\n', "\\n");
        assert!(run.stderr.starts_with(&format!("cwplugin: error: {error}\n")), "{}", run.stderr);
    }
    let metric = "command-once:sh -c 'echo 0.5; exec 1>&-; sleep 1000'";
    let args = ["eval", "data.csv", "--metric", metric, "--metric-timeout", "0.5"];
    let run = Folder::with_model().run(&args);
    assert!(run.code == 1 && run.stderr.contains("did not answer within 0.5 seconds"), "{}", run.stderr);
}

#[test]
fn programs_that_cannot_be_started_are_refused_before_any_work() {
    let folder = Folder::with_model().with("plain.txt", "no program");
    for form in ["command", "command-once"] {
        let metric = format!("{form}:no-such-program-here x");
        let error = format!("{metric}: the program cannot be started: no such file");
        folder.refuses(&fit(&metric, &["--quiet"]), &error, "command:python3 metric.py");
        let metric = format!("{form}:./plain.txt");
        let error = format!("{metric}: the program cannot be started: it is not executable");
        folder.refuses(&fit(&metric, &["--quiet"]), &error, "chmod +x");
    }
    for (metric, error) in [
        ("command:", "no program is named"),
        ("command-once:  ", "no program is named"),
        ("command:python3 'x.py", "unclosed quotation mark"),
    ] {
        folder.run(&fit(metric, &[])).refused(2, &format!("{metric}: {error}"), "command:python3 metric.py");
    }
}

#[test]
fn a_timeout_without_a_program_means_nothing() {
    let folder = Folder::with_model();
    let run = folder.run(&fit("mcc", &["--metric-timeout", "3"]));
    run.refused(2, "--metric-timeout is not supported by --metric mcc", "omit it");
    let run = folder.run(&["eval", "data.csv", "--metric-timeout", "3"]);
    run.refused(2, "--metric-timeout is not supported by --metric all", "omit it");
    for wrong in ["0", "-1", "x", "nan", "1e9"] {
        let run = folder.run(&fit("mcc", &[&format!("--metric-timeout={wrong}")]));
        assert!(run.code == 2 && run.stderr.contains("give seconds from 0.001 to 86400"), "{}", run.stderr);
    }
}

/// Methods that go on if a fit fails must not go on without the metric.
#[test]
fn no_method_goes_on_without_its_program() {
    for answers in [0, 1, 5, 40, 300] {
        let folder = folder().with("bad.pl", after(answers, "exit 7"));
        let metric = "command:perl bad.pl";
        let error = format!("{metric}: the program ended with exit code 7 before it answered");
        for method in ["auto", "cwplugin", "ascent", "bagged", "expected", "probing", "vector", "clean"] {
            let run = folder.run(&fit(metric, &["--method", method, "-o", "model.json", "--quiet"]));
            if run.code == 0 {
                // A few questions are all that some methods have.
                let is_done = answers >= 40 || (answers > 0 && ["vector", "clean"].contains(&method));
                assert!(
                    is_done && std::fs::remove_file(folder.path("model.json")).is_ok(),
                    "{method} {answers}"
                );
            } else {
                run.refused(1, &error, "command-once:PROGRAM");
                assert!(!folder.path("model.json").exists(), "{method} {answers}");
            }
        }
        let curve = ["--method", "cwplugin", "--learning-curve", "--quiet"];
        folder.run(&fit(metric, &curve)).refused(1, &error, "command-once:PROGRAM");
    }
}

#[test]
fn comparisons_end_in_the_failure_and_not_in_failed_cells() {
    for answers in [0, 3, 100] {
        let folder = folder().with("bad.pl", after(answers, "exit 7"));
        let metric = "command:perl bad.pl";
        let error = format!("{metric}: the program ended with exit code 7 before it answered");
        let compare = [
            "compare",
            "data.csv",
            "--metrics",
            "mcc",
            "--metrics",
            metric,
            "--sizes",
            "20",
            "--repeats",
            "2",
        ];
        let run =
            folder.run(&[&compare[..], &["--methods", "clean,vector,ascent", "--csv", "cells.csv"]].concat());
        run.refused(1, &error, "command-once:PROGRAM");
        assert!(!folder.path("cells.csv").exists());
    }
}
