//! `cwplugin compare`: the documented protocol, with the numbers of `fit` and `eval`.

mod rows; // which rows are drawn, spoiled, tested on
mod external; // draws and predictions of methods outside

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::support::samples::{CLASSES, csv, features, numbers, rows};
use crate::support::{Folder, cells};

/// 150 rows, of which 30 are test rows.
fn folder() -> Folder {
    Folder::new().with("data.csv", csv(&rows(150, 1)))
}

const QUICK: [&str; 6] =
    ["compare", "data.csv", "--methods", "clean,cwplugin,vector", "--metrics", "accuracy,macro-f1"];

fn run(folder: &Folder, flags: &[&str]) -> Vec<u8> {
    folder.ok(&[&QUICK as &[&str], flags, &["--json"]].concat()).stdout
}

fn json(folder: &Folder, flags: &[&str]) -> Value {
    serde_json::from_slice(&run(folder, flags)).unwrap()
}

/// The scores of one cell.
fn scores(document: &Value, method: &str, metric: &str, size: usize) -> Vec<f64> {
    let mut cells =
        document["cells"].as_array().unwrap().iter().filter(|cell| {
            cell["method"] == method && cell["metric"] == metric && cell["size"] == json!(size)
        });
    let scores = numbers(&cells.next().unwrap_or_else(|| panic!("{method} {metric} {size}"))["scores"]);
    assert!(cells.next().is_none(), "{method} {metric} {size} twice");
    scores
}

#[test]
fn every_cell_has_its_fields_and_the_mean_of_its_scores() {
    let folder = folder();
    let document = json(&folder, &["--sizes", "20,50", "--repeats", "4", "--seed", "3"]);
    assert_eq!(document["rows"], json!({"pool": 120, "test": 30}));
    assert_eq!(document["classes"], json!(CLASSES));
    assert_eq!((&document["repeats"], &document["seed"]), (&json!(4), &json!(3)));
    let cells = document["cells"].as_array().unwrap();
    let mut seen = BTreeSet::new();
    for cell in cells {
        let fields: BTreeSet<&str> = cell.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            ["task", "method", "metric", "size", "mean", "sd", "test_error", "runs", "scores"]
                .into_iter()
                .collect()
        );
        assert_eq!((&cell["task"], &cell["runs"]), (&json!("data"), &json!(4)));
        let scores = numbers(&cell["scores"]);
        let mean = scores.iter().sum::<f64>() / 4.0;
        let sd = (scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / 3.0).sqrt();
        assert!((cell["mean"].as_f64().unwrap() - mean).abs() < 1e-12, "{cell}");
        assert!((cell["sd"].as_f64().unwrap() - sd).abs() < 1e-12, "{cell}");
        if cell["method"] == "clean" {
            assert_eq!(cell["sd"], json!(0.0), "the black box does not look at samples");
        }
        seen.insert([&cell["method"], &cell["metric"], &cell["size"]].map(ToString::to_string));
    }
    assert_eq!((cells.len(), seen.len()), (12, 12));
    let sds = cells.iter().filter(|cell| cell["method"] == "vector").map(|cell| cell["sd"].as_f64().unwrap());
    assert!(sds.into_iter().any(|sd| sd > 0.0), "samples differ");
}

#[test]
fn the_number_of_threads_changes_nothing_and_the_seed_does() {
    let folder = folder();
    let flags = ["--sizes", "20,40", "--repeats", "3", "--noise", "a:0.4", "--shift", "b:0.3"];
    let with = |more: &[&str]| run(&folder, &[&flags as &[&str], more].concat());
    let one = with(&["--threads", "1"]);
    assert!(one == with(&["--threads", "2"]));
    assert!(one == with(&["--threads", "1", "--seed", "0"]));
    assert!(one != with(&["--seed", "1"]));
}

/// A sample as large as the pool is the pool.
#[test]
fn a_cell_is_fit_on_the_pool_and_eval_on_the_test_rows() {
    let all = rows(100, 2);
    let part = |split: &str| csv(&all.iter().filter(|row| row.split == split).cloned().collect::<Vec<_>>());
    let folder = Folder::new()
        .with("data.csv", csv(&all))
        .with("pool.csv", part("pool"))
        .with("test.csv", part("test"));
    let methods = [
        "clean",
        "cwplugin",
        "cwplugin:published",
        "ascent",
        "bagged",
        "probing",
        "temperature",
        "bcts",
        "vector",
        "vector:probability",
        "dirichlet-diag",
        "dirichlet-full",
        "svs",
        "sms",
    ];
    let mut args =
        vec!["compare", "data.csv", "--test-column", "split=test", "--sizes", "80", "--repeats", "1"];
    let names = methods.join(",");
    args.extend(["--methods", &names, "--metrics", "macro-f1,mcc", "--json", "--seed", "5"]);
    let document = folder.ok(&args).json();
    assert_eq!(document["rows"], json!({"pool": 80, "test": 20}));
    for cell in document["cells"].as_array().unwrap() {
        let (method, metric) = (cell["method"].as_str().unwrap(), cell["metric"].as_str().unwrap());
        let fit = ["fit", "pool.csv", "--method", method, "--metric", metric, "--seed", "5", "-o", "m.json"];
        folder.ok(&fit);
        let eval = ["eval", "m.json", "test.csv", "--metric", metric, "--resamples", "1", "--json"];
        let eval = folder.ok(&eval).json();
        let expected = eval["metrics"][metric]["fitted"].as_f64().unwrap();
        let found = cell["mean"].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{method} {metric}: {found}, not {expected}");
        assert_eq!((&cell["sd"], &cell["runs"]), (&Value::Null, &json!(1)), "one score has no deviation");
    }
}

#[test]
fn one_more_of_anything_leaves_the_others_as_they_were() {
    let folder = folder();
    let base = json(&folder, &["--sizes", "30", "--repeats", "2"]);
    let expected = scores(&base, "vector", "macro-f1", 30);
    let more = json(&folder, &["--sizes", "60,15,30", "--repeats", "2"]);
    assert_eq!(scores(&more, "vector", "macro-f1", 30), expected, "more sizes");
    let more = json(&folder, &["--sizes", "30", "--repeats", "4"]);
    assert_eq!(scores(&more, "vector", "macro-f1", 30)[..2], expected, "more samples");
    let args = ["compare", "data.csv", "--methods", "bcts,vector", "--metrics", "mcc,macro-f1", "--json"];
    let other = folder.ok(&[&args as &[&str], &["--sizes", "30", "--repeats", "2"]].concat()).json();
    assert_eq!(scores(&other, "vector", "macro-f1", 30), expected, "other methods and metrics");
}

#[test]
fn csv_goes_to_a_file_or_to_standard_output() {
    let folder = folder();
    let flags = ["--sizes", "20", "--repeats", "2"];
    let document = json(&folder, &flags);
    let args = [&QUICK as &[&str], &flags].concat();
    let file = folder.ok(&[&args as &[&str], &["--csv", "out.csv"]].concat());
    assert!(file.text().contains("mean ± standard deviation") && file.stderr.contains("wrote out.csv"));
    let stream = folder.ok(&[&args as &[&str], &["--csv", "-"]].concat());
    assert_eq!(stream.stdout, folder.read("out.csv"));
    let lines = cells(&stream.stdout);
    assert_eq!(lines[0], ["task", "method", "metric", "size", "mean", "sd", "test_error", "runs", "failed"]);
    let found = document["cells"].as_array().unwrap();
    assert_eq!(lines.len(), 1 + found.len());
    for (line, cell) in lines[1..].iter().zip(found) {
        let text = |field: &str| cell[field].as_str().unwrap().to_string();
        assert_eq!(line[..3], [text("task"), text("method"), text("metric")]);
        assert_eq!(
            line[3..],
            ["size", "mean", "sd", "test_error", "runs"]
                .map(|field| number(&cell[field]))
                .into_iter()
                .chain(["0".into()])
                .collect::<Vec<_>>()
        );
    }
    let run = folder.run(&[&args as &[&str], &["--csv", "-", "--json"]].concat());
    run.refused(2, "--json and --csv - both write to standard output", "--csv FILE");
}

/// As Rust writes it: 0, not 0.0.
fn number(value: &Value) -> String {
    value.as_f64().unwrap().to_string()
}

#[test]
fn one_picture_per_metric_with_a_line_per_method() {
    let folder = folder();
    fs::create_dir(folder.path("pictures")).unwrap();
    for dir in ["pictures", "new/deep"] {
        folder.ok(&[&QUICK as &[&str], &["--sizes", "20,40", "--repeats", "2", "--plot", dir]].concat());
        let mut names: Vec<_> = fs::read_dir(folder.path(dir))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["accuracy.svg", "macro-f1.svg"]);
        for name in names {
            let text = folder.text(&format!("{dir}/{name}"));
            let picture = roxmltree::Document::parse(&text).unwrap();
            assert_eq!(picture.root_element().tag_name().name(), "svg");
            for method in ["clean", "cwplugin", "vector"] {
                assert!(text.contains(&format!(">{method}<")), "{method} is in the legend of {name}");
            }
        }
    }
    let args = ["compare", "data.csv", "--methods", "clean", "--sizes", "20", "--repeats", "1"];
    folder.ok(&[&args as &[&str], &["--metrics", "f1:a,linear-diagonal:1,2,3", "--plot", "odd"]].concat());
    assert!(folder.path("odd/f1-a.svg").exists() && folder.path("odd/linear-diagonal-1-2-3.svg").exists());
}

#[test]
fn without_flags_the_sizes_are_the_papers_and_the_methods_all() {
    let folder = Folder::new().with("data.csv", csv(&rows(80, 6)));
    let args = ["compare", "data.csv", "--metrics", "accuracy", "--repeats", "1", "--json"];
    let document = folder.ok(&args).json();
    let column = |document: &Value, field: &str| -> Vec<Value> {
        document["cells"].as_array().unwrap().iter().map(|cell| cell[field].clone()).collect()
    };
    let listed = folder.ok(&["methods", "--json"]).json();
    let listed: Vec<&Value> =
        listed["methods"].as_array().unwrap().iter().map(|method| &method["name"]).collect();
    assert_eq!(
        column(&document, "method").iter().collect::<Vec<_>>(),
        listed[..listed.len() - 1],
        "all but logistic"
    );
    assert!(column(&document, "size").iter().all(|size| *size == json!(50)), "64 rows to draw from");
    let with = folder.ok(&[&args as &[&str], &["--features", "x,y"]].concat()).json();
    assert_eq!(column(&with, "method").iter().collect::<Vec<_>>(), listed);
    folder.write("f.npy", features(&rows(80, 6)));
    let by_file = folder.ok(&[&args as &[&str], &["--features", "f.npy"]].concat()).json();
    assert_eq!(by_file, with, "the same features in a file");
}

#[test]
fn a_table_on_standard_input_is_a_task_without_a_name() {
    let folder = Folder::new();
    let args = ["compare", "-", "--methods", "clean", "--metrics", "accuracy", "--sizes", "5", "--json"];
    let document = folder.run_on(&args, csv(&rows(30, 7)).as_bytes()).ok().json();
    assert_eq!(document["cells"][0]["task"], "standard input");
}

#[test]
fn the_best_and_those_as_good_are_marked() {
    let folder = folder();
    let text = folder.ok(&[&QUICK as &[&str], &["--sizes", "20", "--repeats", "3"]].concat()).text();
    let document = json(&folder, &["--sizes", "20", "--repeats", "3"]);
    for metric in ["accuracy", "macro-f1"] {
        let of = |cell: &&Value| cell["metric"] == metric;
        let cells: Vec<&Value> = document["cells"].as_array().unwrap().iter().filter(of).collect();
        let mean = |cell: &Value| cell["mean"].as_f64().unwrap();
        let best = cells.iter().max_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap();
        let error = best["sd"].as_f64().unwrap() / 3_f64.sqrt();
        let table = text.split(&format!("\n  {metric}\n")).nth(1).unwrap();
        for cell in &cells {
            let name = format!("  {} ", cell["method"].as_str().unwrap());
            let line = table.lines().find(|line| line.starts_with(&name)).unwrap().trim_end();
            assert!(
                line.contains(&format!("{:.4} ± {:.4}", mean(cell), cell["sd"].as_f64().unwrap())),
                "{line}"
            );
            let is_best = mean(cell) >= mean(best);
            assert_eq!(line.ends_with('*'), is_best, "{line}");
            assert_eq!(line.ends_with('≈'), !is_best && mean(best) - mean(cell) <= error, "{line}");
        }
    }
}

/// Costs so large that two mistakes are too much for any number: a sample with two of them cannot be scored.
#[test]
fn a_fit_that_fails_is_put_down_and_the_others_count() {
    let mut table = rows(80, 8);
    for row in table.iter_mut().filter(|row| row.split == "test") {
        row.p = [0, 1, 2].map(|class| if row.label == Some(class) { 0.75 } else { 0.125 });
    }
    let folder = Folder::new()
        .with("data.csv", csv(&table))
        .with("costs.csv", "0,1e308,1e308\n1e308,0,1e308\n1e308,1e308,0\n");
    let mut args =
        vec!["compare", "data.csv", "--test-column", "split=test", "--methods", "cwplugin,temperature"];
    args.extend(["--metrics", "cost:costs.csv,accuracy", "--sizes", "3,60", "--repeats", "8"]);
    let run = folder.ok(&[&args as &[&str], &["--json"]].concat());
    let document = run.json();
    let cell = |method: &str, metric: &str, size: usize| {
        let is_it =
            |cell: &&Value| cell["method"] == method && cell["metric"] == metric && cell["size"] == size;
        document["cells"].as_array().unwrap().iter().find(is_it).unwrap()
    };
    let some = cell("cwplugin", "cost:costs.csv", 3);
    let failures = some["failures"].as_array().unwrap();
    let runs = some["runs"].as_u64().unwrap();
    assert!(runs > 0 && runs < 8, "{some}");
    assert_eq!(failures.len() as u64 + runs, 8);
    assert_eq!(failures[0]["error"], "metric cost:costs.csv is -inf, not a finite number");
    assert!(failures[0]["repeat"].as_u64().unwrap() < 8);
    let all = cell("cwplugin", "cost:costs.csv", 60);
    assert_eq!((&all["mean"], &all["sd"], &all["runs"]), (&Value::Null, &Value::Null, &json!(0)));
    for method in ["cwplugin", "temperature"] {
        let other = cell(method, "accuracy", 60);
        assert_eq!(
            (&other["runs"], &other["mean"]),
            (&json!(8), &json!(1.0)),
            "one metric is no other's business"
        );
        assert!(other.get("failures").is_none());
    }
    let n = 8 + failures.len();
    let warning = format!(
        "warning: {n} fits of cwplugin failed, the first with 3 rows for cost:costs.csv: metric cost:costs.csv is -inf, not a finite number\n"
    );
    assert!(run.stderr.contains(&warning), "{}", run.stderr);
    let run = folder.ok(&[&args as &[&str], &["--csv", "out.csv"]].concat());
    assert!(run.text().contains("failed"), "{}", run.text());
    let lines = cells(&folder.read("out.csv"));
    assert!(
        lines.iter().any(|line| line[1..] == ["cwplugin", "cost:costs.csv", "60", "", "", "", "0", "8"]),
        "{lines:?}"
    );
}
