//! `lab experiment theory`, with few draws.

use serde_json::{Value, json};

use crate::support::Folder;
use crate::support::samples::numbers;

const FEW: [&str; 4] = ["--repeats", "2", "--sizes", "60,200"];
const FIGURES: [&str; 4] = ["elicitation", "finite-sample", "constants", "evaluations"];

fn fits<'a>(document: &'a Value, labels: &[(&str, &str)]) -> Vec<&'a Value> {
    let fits = document["fits"].as_array().unwrap().iter();
    fits.filter(|fit| labels.iter().all(|(key, value)| fit[key] == *value)).collect()
}

#[test]
fn theory_needs_no_files() {
    let folder = Folder::new();
    let args = ["experiment", "theory", "-o", "out", "--json", "--methods", "cwplugin"];
    let mut command = folder.command(&[&args as &[&str], &FEW].concat());
    let output = command.env_remove("CWPLUGIN_DATA").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["cells"], json!([]));
    let mut written = folder.json("out/theory.json");
    assert!(written["seconds"].is_number());
    written.as_object_mut().unwrap().remove("seconds");
    assert_eq!(printed["theory"], written);
    assert_eq!((&written["sizes"], &written["repeats"]), (&json!([60, 200]), &json!(2)));
    assert_eq!((&written["methods"], &written["unlabelled"]), (&json!(["cwplugin"]), &json!(0)));
    for name in FIGURES {
        let text = folder.text(&format!("out/theory-{name}.svg"));
        roxmltree::Document::parse(&text).unwrap();
        assert!(!text.contains("no data"), "{name}");
    }
    // The finer ε is, the more queries it takes.
    let cells = written["elicitation"].as_array().unwrap();
    for pair in cells.windows(2).filter(|pair| pair[0]["m"] == pair[1]["m"]) {
        assert!(pair[1]["queries"].as_f64() > pair[0]["queries"].as_f64(), "{pair:?}");
    }
    // A line search of 1/ε points evaluates the metric as often.
    for cell in written["evaluations"].as_array().unwrap().iter().filter(|cell| cell["search"] == "line") {
        assert_eq!(cell["evaluations"].as_f64(), cell["steps"].as_f64());
    }
    for fit in fits(&written, &[("part", "evaluations"), ("search", "line"), ("against", "1/ε")]) {
        assert!((fit["slope"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{fit}");
    }
    assert!(fits(&written, &[("against", "n"), ("method", "cwplugin")]).len() == 4);
}

#[test]
fn the_same_seed_gives_the_same_bits_for_any_number_of_threads() {
    let folder = Folder::new();
    let run = |output: &str, threads: &str| {
        let args = ["experiment", "theory", "-o", output, "--methods", "cwplugin", "--json", "--quiet"];
        let flags = ["--sizes", "60", "--repeats", "1", "--threads", threads];
        folder.ok(&[&args as &[&str], &flags].concat()).stdout
    };
    assert!(run("one", "1") == run("two", "2"));
    for name in FIGURES {
        let [one, two] = ["one", "two"].map(|output| folder.text(&format!("{output}/theory-{name}.svg")));
        assert_eq!(one, two, "{name}");
    }
}

#[test]
fn methods_with_maps_are_compared_by_what_they_do() {
    let folder = Folder::new();
    let args =
        ["experiment", "theory", "-o", "out", "--methods", "expected", "--sizes", "300", "--repeats", "1"];
    let run = folder.ok(&[&args as &[&str], &["--seed", "3", "--unlabelled", "50"]].concat());
    let text = String::from_utf8(run.stdout).unwrap();
    assert!(text.contains("theory: every slope, with its theoretical value"), "{text}");
    assert!(run.stderr.contains("wrote out"), "{}", run.stderr);
    let document = folder.json("out/theory.json");
    assert_eq!((&document["seed"], &document["unlabelled"]), (&json!(3), &json!(50)));
    for cell in document["finite_sample"].as_array().unwrap() {
        let error = cell["error"].as_f64().unwrap();
        assert!(error > 0.0 && error < 1.0, "{cell}");
        assert_eq!(numbers(&json!([cell["draws"], cell["failed"]])), [3.0, 0.0]); // three draws below 2,000 rows
    }
    // One size has no slope.
    assert!(
        fits(&document, &[("part", "finite-sample"), ("against", "n")])
            .iter()
            .all(|fit| fit["slope"].is_null())
    );
}

#[test]
fn flags_that_theory_does_not_support_are_refused() {
    let folder = Folder::new();
    let run = |flags: &[&str]| folder.run(&[&["experiment", "theory", "-o", "out"], flags].concat());
    run(&["--data", "."]).refused(
        2,
        "--data is not supported by theory, which generates its rows",
        "omit it",
    );
    run(&["--methods", "cwplugin,vector"]).refused(
        2,
        "--methods vector does not use the metric, so it cannot find its β",
        "choose among auto, cwplugin, cwplugin:published",
    );
    run(&["--methods", "magic"]).refused(2, "unknown method \"magic\"", "the methods are auto, cwplugin");
    assert!(folder.names().is_empty(), "nothing was written");
}
