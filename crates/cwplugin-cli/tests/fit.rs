//! `cwplugin fit`: the model, the output and the messages.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::metrics::spelled_out;
use crate::support::{Folder, TABLE, testdata};

/// Twelve rows of three classes on which the settings make a difference; class `d` has no rows.
fn folder() -> Folder {
    let mut table = TABLE.replace("p_c\n", "p_c,p_d\n");
    for (i, (label, a, b, c)) in
        [("a", 40, 35, 15), ("b", 30, 25, 35), ("c", 45, 25, 20), ("a", 35, 15, 40)].iter().enumerate()
    {
        writeln!(table, "s{i},{label},0.{a},0.{b},0.{c}").unwrap();
    }
    let rows = table.lines().enumerate().map(|(i, line)| {
        let used = if i > 7 { "0.1" } else { "0" };
        if i == 0 { format!("{line}\n") } else { format!("{line},{used}\n") }
    });
    Folder::new().with("data.csv", rows.collect::<String>())
}

fn fit(folder: &Folder, flags: &[&str]) -> Value {
    folder.ok(&[&["fit", "data.csv", "--json"], flags].concat()).json()
}

#[test]
fn every_combination_of_settings_fits_and_is_recorded() {
    let folder = folder();
    for reference in ["last", "largest", "best", "b"] {
        for search in ["exact", "grid:0.05", "binary:0.01"] {
            for ties in ["first", "nearest-half", "middle"] {
                for absent in ["keep", "drop"] {
                    let flags = [
                        "--reference",
                        reference,
                        "--search",
                        search,
                        "--ties",
                        ties,
                        "--absent",
                        absent,
                        "--force",
                    ];
                    // The last class has no rows: it can be the reference only if absent classes are dropped.
                    if (reference, absent) == ("last", "keep") {
                        let args = [&["fit", "data.csv"] as &[&str], &flags].concat();
                        let error = "data.csv: reference class \"d\" has no labelled rows";
                        folder.run(&args).refused(1, error, "--reference largest");
                        continue;
                    }
                    let model = fit(&folder, &flags);
                    let record = &model["fit"];
                    assert_eq!(
                        (&record["search"], &record["ties"], &record["absent"]),
                        (&json!(search), &json!(ties), &json!(absent))
                    );
                    let expected = match reference {
                        "last" => "d",
                        "largest" => "a",
                        "b" => "b",
                        _ => record["reference"].as_str().unwrap(),
                    };
                    assert_eq!(record["reference"], expected);
                    let weights: Vec<f64> =
                        model["weights"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect();
                    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{weights:?}");
                    assert_eq!(
                        weights[3] > 0.0,
                        absent == "keep" || reference == "last",
                        "{flags:?}: {weights:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_best_reference_is_at_least_as_good_as_any() {
    let folder = folder();
    let score = |flags: &[&str]| fit(&folder, flags)["fit"]["score"]["fitted"].as_f64().unwrap();
    let best = score(&["--reference", "best"]);
    for class in ["a", "b", "c"] {
        assert!(best >= score(&["--reference", class]) - 1e-12, "{class}");
    }
}

#[test]
fn a_class_called_like_a_rule_can_be_the_reference() {
    let folder = Folder::new().with("data.csv", "label,p_last,p_b\nlast,0.6,0.4\nb,0.7,0.3\nb,0.2,0.8\n");
    assert_eq!(fit(&folder, &["--reference", "last"])["fit"]["reference"], "b");
    assert_eq!(fit(&folder, &["--reference", "class:last"])["fit"]["reference"], "last");
}

#[test]
fn every_metric_can_be_maximised() {
    let folder = folder().with_metric_files();
    let listed = folder.ok(&["metrics", "--json"]).json();
    for metric in listed["metrics"].as_array().unwrap() {
        let name = spelled_out(metric["name"].as_str().unwrap());
        let model = fit(&folder, &["--metric", &name, "--method", "cwplugin"]);
        assert_eq!(model["fit"]["metric"], name.as_str());
        let binary = folder.run(&["fit", "data.csv", "--metric", &name, "--search", "binary:0.01"]);
        assert_eq!(
            binary.code,
            if metric["quasi_concave"] == true { 0 } else { 2 },
            "{name}: {}",
            binary.stderr
        );
    }
}

#[test]
fn the_published_method_is_its_settings_spelled_out() {
    let folder = folder();
    let published = fit(&folder, &["--method", "cwplugin:published"]);
    let flags = ["--reference", "last", "--search", "grid:0.01", "--ties", "first", "--absent", "drop"];
    let spelled = fit(&folder, &flags);
    assert_eq!(published["weights"], spelled["weights"]);
    assert_eq!(published["fit"]["pairs"], spelled["fit"]["pairs"]);
    let record = &published["fit"];
    assert_eq!(
        (&record["search"], &record["ties"], &record["absent"], &record["reference"]),
        (&json!("grid:0.01"), &json!("first"), &json!("drop"), &json!("d"))
    );
    // A further flag changes only its setting.
    let largest = fit(&folder, &["--method", "cwplugin:published", "--reference", "largest"]);
    assert_eq!((&largest["fit"]["reference"], &largest["fit"]["search"]), (&json!("a"), &json!("grid:0.01")));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = folder();
    for flags in [&[] as &[&str], &["--reference", "best"], &["--search", "grid:0.001", "--metric", "mcc"]] {
        let args = [&["fit", "data.csv", "--json"], flags].concat();
        let one = folder.ok(&[&args[..], &["--threads", "1"]].concat()).stdout;
        for threads in ["2", "8"] {
            assert_eq!(folder.ok(&[&args[..], &["--threads", threads]].concat()).stdout, one, "{flags:?}");
        }
        assert_eq!(folder.ok(&args).stdout, one);
    }
}

#[test]
fn the_seed_is_recorded_and_changes_nothing_else() {
    let folder = folder();
    let plugin = |flags: &[&str]| fit(&folder, &[&["--method", "cwplugin"], flags].concat());
    let (zero, seven) = (plugin(&[]), plugin(&["--seed", "7"]));
    assert_eq!((&zero["fit"]["seed"], &seven["fit"]["seed"]), (&json!(0), &json!(7)));
    assert_eq!(zero["weights"], seven["weights"]);
}

#[test]
fn json_on_standard_output_is_the_file_byte_for_byte() {
    let folder = folder();
    let run = folder.ok(&["fit", "data.csv", "--json", "-o", "m.json"]);
    assert_eq!(run.stdout, folder.read("m.json"));
    assert_eq!(folder.ok(&["fit", "data.csv", "-o", "-"]).stdout, run.stdout);
    folder.ok(&["fit", "data.csv", "-o", "n.json"]);
    assert_eq!(folder.read("n.json"), run.stdout);
    assert_eq!(folder.names(), ["data.csv", "m.json", "n.json"]);
}

#[test]
fn quiet_says_nothing_on_standard_error() {
    let folder = folder();
    let loud = folder.ok(&["fit", "data.csv"]);
    assert!(loud.stderr.contains("warning: ") && loud.stderr.contains("hint: "), "{}", loud.stderr);
    let quiet = folder.ok(&["fit", "data.csv", "--quiet", "-o", "m.json"]);
    assert_eq!(quiet.stderr, "");
    assert_eq!(quiet.stdout, loud.stdout);
}

#[test]
fn the_program_reproduces_algorithm_1_alpha_for_alpha() {
    let fixture: Value =
        serde_json::from_slice(&std::fs::read(testdata("algorithm1.json")).unwrap()).unwrap();
    let folder = Folder::new();
    let mut compared = 0;
    for result in fixture["results"].as_array().unwrap() {
        let (name, metric) = (result["sample"].as_str().unwrap(), result["metric"].as_str().unwrap());
        // Equal best scores of different matrices hang on the order of operations; see testdata/README.md.
        let is_tied = result["tied"].as_array().is_some_and(|tied| !tied.is_empty());
        let place: usize = name[..2].parse().unwrap();
        if place % 7 != 3 || is_tied || !["macro-f1", "mcc", "accuracy"].contains(&metric) {
            continue;
        }
        let sample = &fixture["samples"][place];
        assert_eq!(sample["name"], name);
        let rows = sample["probabilities"].as_array().unwrap();
        let m = rows[0].as_array().unwrap().len();
        let mut table = String::from("label");
        (0..m).for_each(|k| write!(table, ",p_c{k}").unwrap());
        for (row, label) in rows.iter().zip(sample["labels"].as_array().unwrap()) {
            write!(table, "\nc{label}").unwrap();
            row.as_array().unwrap().iter().for_each(|p| write!(table, ",{p}").unwrap());
        }
        folder.write("data.csv", table);
        let steps = format!("grid:{}", 1.0 / result["steps"].as_f64().unwrap());
        let flags = [
            "--metric",
            metric,
            "--reference",
            "last",
            "--search",
            &steps,
            "--ties",
            "first",
            "--absent",
            "drop",
        ];
        let model = fit(&folder, &flags);
        let pairs = model["fit"]["pairs"].as_array().unwrap();
        for (k, alpha) in result["alphas"].as_array().unwrap().iter().enumerate() {
            let pair = pairs.iter().find(|pair| pair["class"] == format!("c{k}"));
            match (alpha.as_f64(), pair) {
                (Some(alpha), Some(pair)) => {
                    let found = pair["alpha"].as_f64().unwrap();
                    assert!((found - alpha).abs() < 1e-9, "{metric} {steps} c{k}: {found} {alpha}");
                    compared += 1;
                }
                (Some(alpha), None) => assert!(alpha.abs() < 1e-12, "a class without rows has alpha 0"),
                (None, pair) => assert!(pair.is_none(), "the reference has no alpha"),
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn a_class_without_probability_gets_the_advice_that_fits_its_part() {
    let rows = "a,0.6,0.4,0\na,0.7,0.3,0\nb,0.4,0.6,0\nc,0.5,0.5,0\n";
    let folder = Folder::new().with("t.csv", format!("label,p_a,p_b,p_c\n{rows}"));
    for (reference, advice) in [("a", "check its column"), ("c", "try another --reference")] {
        let run = folder.ok(&["fit", "t.csv", "--reference", reference]);
        let warning = run.stderr.lines().find(|line| line.contains("probability 0")).unwrap();
        assert!(warning.contains("class \"c\"") && warning.ends_with(advice), "{warning}");
    }
}
