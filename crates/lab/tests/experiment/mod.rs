//! `lab experiment`, on small files that look like the real ones.

mod files; // files that look like the real ones
mod generated; // tasks without files
mod errors; // wrong flags and files
mod theory; // what the paper proves

use serde_json::{Value, json};

use crate::support::samples::{numbers, rows};
use crate::support::{Folder, cells as csv_cells};
use files::{folder, half, predictions};

const TWEETS: [&str; 3] = ["negative", "neutral", "positive"];
const NLI: [&str; 3] = ["contradiction", "entailment", "neutral"];
const CENSUS: [&str; 8] = ["AGEP", "COW", "SCHL", "MAR", "OCCP", "POBP", "SEX", "RAC1P"];
const SMALL: [&str; 4] = ["--sizes", "10,25", "--repeats", "2"];

fn experiment(folder: &Folder, name: &str, flags: &[&str]) -> Value {
    folder.ok(&[&["experiment", name, "--data", "data", "-o", "out"] as &[&str], &SMALL, flags].concat());
    folder.json(&format!("out/{name}.json"))
}

/// Everything of the cells but the name of the task.
fn cells(document: &Value) -> Vec<Value> {
    let of =
        |cell: &Value| json!([cell["method"], cell["metric"], cell["size"], cell["scores"], cell["mean"]]);
    document["cells"].as_array().unwrap().iter().map(of).collect()
}

fn mean(document: &Value, method: &str, metric: &str, size: usize) -> f64 {
    let is_it = |cell: &&Value| cell["method"] == method && cell["metric"] == metric && cell["size"] == size;
    document["cells"].as_array().unwrap().iter().find(is_it).unwrap()["mean"].as_f64().unwrap()
}

/// Method, metric, size, mean, standard deviation and error of the test rows of each cell.
fn statistics(document: &Value) -> Vec<[String; 6]> {
    let keys = ["method", "metric", "size", "mean", "sd", "test_error"];
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        // Like the CSV file: a float that is whole has no point.
        value => value.as_f64().unwrap().to_string(),
    };
    let cells = document["cells"].as_array().unwrap().iter();
    cells.map(|cell| keys.map(|key| text(&cell[key]))).collect()
}

/// The same of `cwplugin compare`, which is not a program of this package: its `main` is called.
fn compare(folder: &Folder, file: &str, flags: &[&str]) -> Vec<[String; 6]> {
    let (file, csv) = (path(folder, file), path(folder, "compared.csv"));
    let args = ["cwplugin", "compare", &file, "--test-column", "split=test", "--csv", &csv, "--quiet"];
    let metrics = ["--metrics", "accuracy,macro-f1,macro-g-mean,mcc,macro-fowlkes-mallows"];
    let status =
        cwplugin_cli::main([&args[..], &metrics, &SMALL, flags].concat().into_iter().map(Into::into));
    assert_eq!(status, std::process::ExitCode::SUCCESS);
    let rows = csv_cells(&folder.read("data/compared.csv"));
    rows[1..].iter().map(|row| [1, 2, 3, 4, 5, 6].map(|column| row[column].clone())).collect()
}

fn path(folder: &Folder, name: &str) -> String {
    folder.path("data").join(name).to_str().unwrap().to_string()
}

#[test]
fn a_result_has_the_fields_that_the_page_is_made_of() {
    let folder = folder();
    let document = experiment(&folder, "lmtweets", &["--seed", "4"]);
    assert_eq!((&document["task"], &document["title"]), (&json!("lmtweets"), &json!("Sentiment of tweets")));
    assert!(document["black_box"].as_str().unwrap().contains("spacysentiment"));
    let bytes = folder.read("data/lmtweets.parquet").len();
    assert_eq!(
        (&document["source"]["file"], &document["source"]["bytes"]),
        (&json!("lmtweets.parquet"), &json!(bytes))
    );
    assert_eq!(document["source"]["fnv"].as_str().unwrap().len(), 16);
    assert_eq!((&document["classes"], &document["rows"]), (&json!(TWEETS), &json!({"pool": 80, "test": 20})));
    let tested: u64 = TWEETS.iter().map(|class| document["test_rows_of"][class].as_u64().unwrap()).sum();
    assert_eq!(tested, 20);
    assert_eq!([&document["shift"], &document["noise"], &document["noise_in"]], [&Value::Null; 3]);
    assert_eq!((&document["sizes"], &document["repeats"]), (&json!([10, 25]), &json!(2)));
    assert_eq!((&document["seed"], &document["cwplugin"]), (&json!(4), &json!(env!("CARGO_PKG_VERSION"))));
    let metrics = ["accuracy", "macro-f1", "macro-g-mean", "mcc", "macro-fowlkes-mallows"];
    assert_eq!(document["metrics"], json!(metrics));
    assert_eq!(document["methods"].as_array().unwrap().len(), cwplugin::METHODS.len());
    assert!(document["seconds"].is_number());
    assert_eq!(document["cells"].as_array().unwrap().len(), cwplugin::METHODS.len() * 5 * 2);
    for cell in document["cells"].as_array().unwrap() {
        assert_eq!((&cell["task"], &cell["runs"]), (&json!("lmtweets"), &json!(2)));
        let scores = numbers(&cell["scores"]);
        assert!((cell["mean"].as_f64().unwrap() - f64::midpoint(scores[0], scores[1])).abs() < 1e-12);
        assert!(cell["method"] != "clean" || cell["sd"] == json!(0.0));
    }
    for name in metrics {
        let text = folder.text(&format!("out/lmtweets-{name}.svg"));
        let picture = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(picture.root_element().tag_name().name(), "svg");
        assert!(text.contains(&format!("Sentiment of tweets: {name}")), "{name}");
        assert!(
            cwplugin::METHODS.iter().all(|method| text.contains(&format!(">{}<", method.name))),
            "{name}"
        );
    }
}

/// Figures are drawn from the result file, so a method that is added to it later appears.
#[test]
fn figures_are_drawn_again_from_the_result_files() {
    let folder = folder();
    experiment(&folder, "lmtweets", &["--methods", "clean,vector"]);
    let (path, figure) = ("out/lmtweets.json", "out/lmtweets-mcc.svg");
    let first = folder.text(figure);
    folder.ok(&["figures", "out"]);
    assert_eq!(folder.text(figure), first);
    let mut document = folder.json(path);
    let cell = json!({"task": "lmtweets", "method": "finetune", "metric": "mcc", "size": 25, "mean": 0.4, "sd": null, "scores": [0.4]});
    document["cells"].as_array_mut().unwrap().push(cell);
    folder.write(path, document.to_string());
    folder.ok(&["figures", "out"]);
    assert!(folder.text(figure).contains(">finetune<"));
    folder.write(path, "{");
    let error = "out/lmtweets.json: not a result file (EOF while parsing an object at line 1 column 1)";
    folder.refuses(&["figures", "out"], error, "name a folder with the results");
    let error = "none: cannot be read (No such file or directory (os error 2))";
    folder.refuses(&["figures", "none"], error, "name a folder with the results");
}

/// The page needs Python 3.11; where there is none, its own tests cannot run either.
#[test]
fn the_page_can_be_made_of_the_results() {
    let python = |args: &[&str]| std::process::Command::new("python3").args(args).output();
    if !python(&["-c", "import tomllib"]).is_ok_and(|output| output.status.success()) {
        return;
    }
    let folder = folder();
    for name in ["lmtweets", "anli-shift-bart", "snli-noise", "generated-10-none"] {
        experiment(&folder, name, &["--methods", "clean,vector"]);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/page.py");
    let path = |name: &str| folder.path(name).to_str().unwrap().to_string();
    let output = python(&["-B", script, "--results", &path("out"), "--page", &path("page.md")]).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = folder.text("page.md");
    for text in
        ["3 tasks", "entailment,neutral:0.8", "entailment:0.6", "eng-spacysentiment", "## Generated rows"]
    {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn predictions_are_compared_as_compare_does() {
    let folder = folder();
    let expected = compare(&folder, "lmtweets.parquet", &["--features", &path(&folder, "lmtweets.emb.npy")]);
    assert_eq!(statistics(&experiment(&folder, "lmtweets", &[])), expected);
    let flags = ["--shift", "entailment,neutral:0.8", "--seed", "2"];
    let found = experiment(&folder, "anli-shift-bart", &["--seed", "2"]);
    assert_eq!(statistics(&found), compare(&folder, "anli-bart-large.parquet", &flags));
    assert_eq!(found["shift"], "entailment,neutral:0.8");
    assert_eq!(
        found["methods"].as_array().unwrap().len(),
        cwplugin::METHODS.len() - 1,
        "no features, no logistic"
    );
    let flags = ["--noise", "entailment:0.6", "--methods", "cwplugin,clean,vector"];
    let expected = compare(&folder, "snli-extra.parquet", &flags);
    let found = experiment(&folder, "snli-noise", &["--methods", "cwplugin,clean,vector"]);
    assert_eq!(statistics(&found), expected);
    assert_eq!((&found["noise"], &found["noise_in"]), (&json!("entailment:0.6"), &json!("sample")));
    let flags = [&flags[..], &["--noise-in", "everywhere"]].concat();
    let expected = compare(&folder, "snli-extra.parquet", &flags);
    let target = experiment(&folder, "snli-noise-target", &["--methods", "cwplugin,clean,vector"]);
    assert_eq!(statistics(&target), expected);
    assert_ne!(statistics(&target), statistics(&found));
    assert_eq!((&target["noise"], &target["noise_in"]), (&json!("entailment:0.6"), &json!("everywhere")));
    assert_eq!(target["rows"], found["rows"]);
    let of = |document: &Value| document["test_rows_of"]["entailment"].as_f64().unwrap();
    assert!((of(&target) - (of(&found) - (of(&found) * 0.6).round())).abs() < 1e-9, "as they are scored");
}

#[test]
fn of_two_sentences_the_product_is_looked_at() {
    let folder = folder();
    let document = experiment(&folder, "snli-shift", &["--methods", "logistic", "--sizes", "100"]);
    assert!(mean(&document, "logistic", "macro-f1", 100) > 0.95, "{document}");
    let side_by_side =
        ["snli-test.emb_u.npy", "snli-test.emb_v.npy"].map(|name| path(&folder, name)).join(",");
    let flags = ["--methods", "logistic", "--features", &side_by_side, "--sizes", "100"];
    let plain =
        compare(&folder, "snli-test.parquet", &[&flags[..], &["--shift", "entailment,neutral:0.8"]].concat());
    let cell = plain.iter().find(|cell| cell[1] == "macro-f1" && cell[2] == "100").unwrap();
    assert!(cell[3].parse::<f64>().unwrap() < 0.8, "{plain:?}");
}

#[test]
fn a_black_box_is_trained_in_one_state_and_tested_in_the_other() {
    let folder = folder();
    let document = experiment(&folder, "acs-income-8feat", &["--methods", "clean,logistic,vector"]);
    // Of five rows two are of California and two of Texas.
    assert_eq!(document["rows"], json!({"pool": 128, "test": 32}));
    assert_eq!(document["classes"], json!(["up to 30,000", "30,001 to 50,000", "above 50,000"]));
    assert_eq!(document["methods"], json!(["clean", "logistic", "vector"]));
    assert!(mean(&document, "clean", "accuracy", 25) > 0.6, "age tells the income");
}

#[test]
fn the_number_of_threads_changes_nothing_and_the_seed_does() {
    let folder = folder();
    let run = |flags: &[&str]| {
        let args = [
            "experiment",
            "acs-income-8feat",
            "--data",
            "data",
            "-o",
            "out",
            "--json",
            "--methods",
            "clean,vector",
        ];
        folder.ok(&[&args as &[&str], &SMALL, flags].concat()).stdout
    };
    let one = run(&["--threads", "1"]);
    assert!(one == run(&["--threads", "2"]) && one != run(&["--seed", "1"]));
    run(&[]);
    let printed: Value = serde_json::from_slice(&one).unwrap();
    assert_eq!(printed["cells"], folder.json("out/acs-income-8feat.json")["cells"]);
}

#[test]
fn the_folder_may_be_named_by_a_variable() {
    let folder = folder();
    let mut command = folder.command(&["experiment", "anli-noise-bart", "--methods", "clean", "-o", "out"]);
    let output = command.args(SMALL).env("CWPLUGIN_DATA", "data").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8(output.stdout).unwrap().contains("anli-noise-bart: ANLI, noisy labels"));
    assert!(folder.path("out/anli-noise-bart-mcc.svg").exists());
}

/// No folder is named, and none is asked for.
#[test]
fn sizes_are_those_that_the_pool_allows() {
    let folder = folder();
    let sizes = |name: &str, flags: &[&str]| {
        let args =
            ["experiment", name, "--data", "data", "-o", "out", "--methods", "clean", "--repeats", "1"];
        folder.ok(&[&args as &[&str], flags].concat());
        folder.json(&format!("out/{name}.json"))["sizes"].clone()
    };
    assert_eq!(sizes("lmtweets", &[]), json!([50]), "80 rows to draw from");
    assert_eq!(sizes("acs-income-8feat", &[]), json!([50, 100]), "128 rows to draw from");
    assert_eq!(sizes("lmtweets", &["--sizes", "80,7"]), json!([7, 80]));
    let args = ["experiment", "lmtweets", "--data", "data", "--quiet", "-o", "out", "--sizes", "81"];
    folder.run(&args).refused(
        1,
        "lmtweets: --sizes 81, but the pool has only 80 labelled rows",
        "use smaller --sizes",
    );
    folder.write("data/lmtweets.parquet", predictions(&rows(30, 1), TWEETS));
    folder.write("data/lmtweets.emb.npy", half(&[1; 30], 1));
    let error = "lmtweets: the pool has only 24 labelled rows, fewer than the smallest size, 50";
    folder.run(&args[..7]).refused(1, error, "--sizes");
}
