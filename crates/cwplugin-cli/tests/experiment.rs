//! `cwplugin experiment`, on small files that look like the real ones.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too

mod support;

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Int64Array, StringArray};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use support::Folder;
use support::samples::{Row, npy, numbers, rows, write};

const TWEETS: [&str; 3] = ["negative", "neutral", "positive"];
const NLI: [&str; 3] = ["contradiction", "entailment", "neutral"];
const CENSUS: [&str; 8] = ["AGEP", "COW", "SCHL", "MAR", "OCCP", "POBP", "SEX", "RAC1P"];
const SMALL: [&str; 4] = ["--sizes", "10,25", "--repeats", "2"];

/// A file of predictions: label, split, and single-precision probabilities.
fn predictions(rows: &[Row], classes: [&str; 3]) -> Vec<u8> {
    let labels: StringArray = rows.iter().map(|row| row.label.map(|label| classes[label])).collect();
    let splits: StringArray = rows.iter().map(|row| Some(row.split)).collect();
    let mut columns: Vec<(String, ArrayRef)> =
        vec![("label".into(), Arc::new(labels)), ("split".into(), Arc::new(splits))];
    for (class, name) in classes.iter().enumerate() {
        let p: Float32Array = rows.iter().map(|row| Some(row.p[class] as f32)).collect();
        columns.push((format!("p_{name}"), Arc::new(p)));
    }
    write(columns)
}

/// Embeddings of half precision, as the real ones are: a multiple of 1/4 below 2 in every place.
fn half(quarters: &[i16], columns: usize) -> Vec<u8> {
    let bits = |&quarters: &i16| -> u16 {
        let sign = if quarters < 0 { 0x8000 } else { 0 };
        sign | [0x0000, 0x3400, 0x3800, 0x3a00, 0x3c00, 0x3d00, 0x3e00, 0x3f00]
            [usize::from(quarters.unsigned_abs())]
    };
    let mut bytes = npy(&vec![0.0; quarters.len()], columns);
    bytes.truncate(bytes.len() - 4 * quarters.len());
    let place = bytes.windows(3).position(|window| window == b"<f4").unwrap();
    bytes[place + 2] = b'2';
    bytes.extend(quarters.iter().flat_map(|number| bits(number).to_le_bytes()));
    bytes
}

/// Persons of two states, whose income goes with their age and not with anything else.
fn census(n: usize, columns: &[&str]) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let incomes: Vec<i64> = (0..n).map(|_| rng.random_range(0..3)).collect();
    let states: StringArray = (0..n).map(|row| Some(["CA", "TX", "NY"][row % 5 % 3])).collect();
    let mut table: Vec<(String, ArrayRef)> =
        vec![("state".into(), Arc::new(states)), ("y3".into(), Arc::new(Int64Array::from(incomes.clone())))];
    for name in columns {
        let number = |income: &i64| {
            if *name == "AGEP" { 20 * income + rng.random_range(15..40) } else { rng.random_range(0..9) }
        };
        let numbers: Vec<i64> = incomes.iter().map(number).collect();
        table.push(((*name).into(), Arc::new(Int64Array::from(numbers))));
    }
    write(table)
}

/// A folder `data` with a file for one task of each kind.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("data")).unwrap();
    let tweets = rows(100, 1);
    folder.write("data/lmtweets.parquet", predictions(&tweets, TWEETS));
    let embeddings: Vec<i16> =
        tweets.iter().flat_map(|row| [row.label.unwrap() as i16 * 3, (row.p[1] * 7.0) as i16 - 3]).collect();
    folder.write("data/lmtweets.emb.npy", half(&embeddings, 2));
    folder.write("data/anli-bart-large.parquet", predictions(&rows(200, 2), NLI));
    // Neither sentence alone tells the class, nor do both side by side: only their product does.
    for (name, pairs) in [("snli-extra", rows(150, 3)), ("snli-test", rows(300, 4))] {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for row in &pairs {
            let sign = if rng.random() { 3 } else { -3 };
            first.push(sign);
            second.push([sign, -sign, 0][row.label.unwrap()]);
        }
        folder.write(&format!("data/{name}.parquet"), predictions(&pairs, NLI));
        folder.write(&format!("data/{name}.emb_u.npy"), half(&first, 1));
        folder.write(&format!("data/{name}.emb_v.npy"), half(&second, 1));
    }
    folder.write("data/acs-income-8feat.parquet", census(400, &CENSUS));
    folder
}

fn experiment(folder: &Folder, name: &str, flags: &[&str]) -> Value {
    folder.ok(&[&["experiment", name, "--data", "data", "-o", "out"] as &[&str], &SMALL, flags].concat());
    folder.json(&format!("out/{name}.json"))
}

/// Everything of the cells but the name of the task.
fn cells(document: &Value, methods: &[&str]) -> Vec<Value> {
    let wanted = |cell: &&Value| methods.is_empty() || methods.iter().any(|method| cell["method"] == *method);
    let of =
        |cell: &Value| json!([cell["method"], cell["metric"], cell["size"], cell["scores"], cell["mean"]]);
    document["cells"].as_array().unwrap().iter().filter(wanted).map(of).collect()
}

fn mean(document: &Value, method: &str, metric: &str, size: usize) -> f64 {
    let is_it = |cell: &&Value| cell["method"] == method && cell["metric"] == metric && cell["size"] == size;
    document["cells"].as_array().unwrap().iter().find(is_it).unwrap()["mean"].as_f64().unwrap()
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
    assert_eq!((&document["shift"], &document["noise"]), (&Value::Null, &Value::Null));
    assert_eq!((&document["sizes"], &document["repeats"]), (&json!([10, 25]), &json!(2)));
    assert_eq!((&document["seed"], &document["cwplugin"]), (&json!(4), &json!(env!("CARGO_PKG_VERSION"))));
    let metrics = ["accuracy", "macro-f1", "macro-g-mean", "mcc", "macro-fowlkes-mallows"];
    assert_eq!(document["metrics"], json!(metrics));
    assert_eq!(document["methods"].as_array().unwrap().len(), 14);
    assert!(document["seconds"].is_number());
    assert_eq!(document["cells"].as_array().unwrap().len(), 14 * 5 * 2);
    for cell in document["cells"].as_array().unwrap() {
        assert_eq!((&cell["task"], &cell["runs"]), (&json!("lmtweets"), &json!(2)));
        let scores = numbers(&cell["scores"]);
        assert!((cell["mean"].as_f64().unwrap() - f64::midpoint(scores[0], scores[1])).abs() < 1e-12);
        assert!(cell["method"] != "clean" || cell["sd"] == json!(0.0));
    }
    let text = folder.text("out/lmtweets.svg");
    let picture = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(picture.root_element().tag_name().name(), "svg");
    for name in metrics {
        assert!(text.contains(name), "{name}");
    }
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
    let metrics = ["--metrics", "accuracy,macro-f1,macro-g-mean,mcc,macro-fowlkes-mallows", "--json"];
    let compare = |file: &str, flags: &[&str]| {
        let args = ["compare", file, "--test-column", "split=test"];
        folder.ok(&[&args as &[&str], &metrics, &SMALL, flags].concat()).json()
    };
    let expected = compare("data/lmtweets.parquet", &["--features", "data/lmtweets.emb.npy"]);
    assert_eq!(cells(&experiment(&folder, "lmtweets", &[]), &[]), cells(&expected, &[]));
    let expected =
        compare("data/anli-bart-large.parquet", &["--shift", "entailment,neutral:0.8", "--seed", "2"]);
    let found = experiment(&folder, "anli-shift-bart", &["--seed", "2"]);
    assert_eq!(cells(&found, &[]), cells(&expected, &[]));
    assert_eq!((&found["rows"], &found["shift"]), (&expected["rows"], &json!("entailment,neutral:0.8")));
    assert_eq!(found["methods"].as_array().unwrap().len(), 13, "no features, no logistic");
    let methods = ["cwplugin", "clean", "vector"];
    let expected = compare(
        "data/snli-extra.parquet",
        &["--noise", "entailment:0.6", "--methods", "cwplugin,clean,vector"],
    );
    let found = experiment(&folder, "snli-noise", &[]);
    assert_eq!(cells(&found, &methods), cells(&expected, &methods));
    assert_eq!(found["noise"], "entailment:0.6");
}

#[test]
fn of_two_sentences_the_product_is_looked_at() {
    let folder = folder();
    let document = experiment(&folder, "snli-shift", &["--methods", "logistic", "--sizes", "100"]);
    assert!(mean(&document, "logistic", "macro-f1", 100) > 0.95, "{document}");
    let args = ["compare", "data/snli-test.parquet", "--test-column", "split=test", "--methods", "logistic"];
    let side_by_side = "data/snli-test.emb_u.npy,data/snli-test.emb_v.npy";
    let more = ["--features", side_by_side, "--sizes", "100", "--shift", "entailment,neutral:0.8", "--json"];
    let plain = folder.ok(&[&args as &[&str], &more].concat()).json();
    assert!(mean(&plain, "logistic", "macro-f1", 100) < 0.8, "{plain}");
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
    assert!(folder.path("out/anli-noise-bart.svg").exists());
}

/// No folder is named, and none is asked for.
#[test]
fn generated_rows_need_no_files() {
    let folder = Folder::new();
    let run = |name: &str, flags: &[&str]| {
        let args = ["experiment", name, "-o", "out", "--methods", "clean,bcts", "--json"];
        let mut command = folder.command(&[&args as &[&str], &SMALL, flags].concat());
        let output = command.env_remove("CWPLUGIN_DATA").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let all = run("generated", &[]);
    let tasks: Vec<&str> =
        all["cells"].as_array().unwrap().iter().map(|cell| cell["task"].as_str().unwrap()).collect();
    for name in ["10-mild", "10-severe", "10-overconfident", "10-none", "50-mild", "50-severe"] {
        let name = format!("generated-{name}");
        assert_eq!(tasks.iter().filter(|task| **task == name).count(), 2 * 5 * 2, "{name}");
        let document = folder.json(&format!("out/{name}.json"));
        assert_eq!(document["rows"], json!({"pool": 8000, "test": 8000}));
        assert_eq!((&document["shift"], &document["unlabelled"]), (&Value::Null, &json!(0)));
        let law = &document["source"]["generated"];
        let classes = document["classes"].as_array().unwrap();
        assert_eq!((&law["classes"], &classes[0]), (&json!(classes.len()), &json!("1")));
        assert_eq!(document["source"]["fnv"].as_str().unwrap().len(), 16);
        assert!(folder.path(&format!("out/{name}.svg")).exists());
    }
    let first = folder.json("out/generated-10-severe.json");
    let again = run("generated-10-severe", &["--threads", "1", "--unlabelled", "50"]);
    assert_eq!(cells(&again, &[]), cells(&first, &[]), "rows without labels are nothing to these methods");
    let second = folder.json("out/generated-10-severe.json");
    assert_eq!((&second["unlabelled"], &second["source"]), (&json!(50), &first["source"]));
    assert_ne!(cells(&run("generated-10-severe", &["--seed", "1"]), &[]), cells(&first, &[]));
    assert_ne!(folder.json("out/generated-10-severe.json")["source"]["fnv"], first["source"]["fnv"]);
    // All methods but those that learn from features; of fifty classes none learns a full matrix.
    let methods = |name: &str| {
        folder.ok(&["experiment", name, "-o", "out", "--quiet", "--sizes", "8", "--repeats", "1"]);
        let document = folder.json(&format!("out/{name}.json"));
        document["methods"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().into())
            .collect::<Vec<String>>()
    };
    let (ten, fifty) = (methods("generated-10-none"), methods("generated-50-mild"));
    assert!(!ten.contains(&"logistic".into()) && ten.contains(&"dirichlet-full".into()));
    assert_eq!(fifty, ten.into_iter().filter(|name| name != "dirichlet-full").collect::<Vec<_>>());
}

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
        "lmtweets: --sizes 81, but there are only 80 labelled rows to draw from",
        "smaller sizes",
    );
    folder.write("data/lmtweets.parquet", predictions(&rows(30, 1), TWEETS));
    folder.write("data/lmtweets.emb.npy", half(&[1; 30], 1));
    let error = "lmtweets: there are only 24 labelled rows to draw from, fewer than the smallest size, 50";
    folder.run(&args[..7]).refused(1, error, "--sizes");
}

#[test]
fn what_cannot_be_run_is_refused_before_the_work() {
    let folder = folder();
    let run = |args: &[&str]| folder.run(&[&["experiment", "--quiet"], args].concat());
    let hint = "write all, or one of acs-income-8feat, acs-income-linked, lmtweets,";
    run(&["tweets"]).refused(2, "there is no experiment \"tweets\"", hint);
    run(&["lm"]).refused(2, "there is no experiment \"lm\"", "snli-shift, snli-noise, generated-10-mild");
    let mut command = folder.command(&["experiment", "lmtweets"]);
    let output = command.env_remove("CWPLUGIN_DATA").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        stderr,
        "cwplugin: error: where are the prediction files?\n  hint: name their folder with --data DIR or CWPLUGIN_DATA; \
         experiments/README.md says how to make them\n"
    );
    let hint = "experiments/README.md says how the prediction files are made";
    run(&["lmtweets", "--data", "nowhere"]).refused(1, "nowhere: no such folder", hint);
    run(&["lmtweets", "--data", "data/lmtweets.parquet"]).refused(
        1,
        "data/lmtweets.parquet: no such folder",
        hint,
    );
    // All files of all tasks are looked for before the first task is run.
    let error = "data/acs-income-linked.parquet: no such file";
    run(&["acs-income", "--data", "data"]).refused(1, error, hint);
    run(&["all", "--data", "data"]).refused(1, error, hint);
    fs::remove_file(folder.path("data/lmtweets.emb.npy")).unwrap();
    run(&["lmtweets", "--data", "data"]).refused(1, "data/lmtweets.emb.npy: no such file", hint);
    let error = "no method is called \"magic\"";
    run(&["lmtweets", "--data", "data", "--methods", "magic"]).refused(2, error, "write cwplugin or");
    let error = "--methods names \"clean\" twice";
    run(&["lmtweets", "--data", "data", "--methods", "clean,clean"]).refused(2, error, "every method once");
    assert_eq!(folder.names(), ["data"], "nothing was written");
    let args = ["anli-shift-bart", "--data", "data", "-o", "out", "--methods", "logistic"];
    run(&args).refused(
        2,
        "--methods logistic learns from features, and anli-shift-bart has none",
        "other methods",
    );
}

#[test]
fn files_that_are_not_as_they_should_be_are_refused() {
    let folder = folder();
    let run = |name: &str| folder.run(&["experiment", name, "--quiet", "--data", "data", "-o", "out"]);
    let census_hint = "experiments/README.md says what is in a census table";
    folder.write("data/acs-income-8feat.parquet", census(50, &CENSUS[1..]));
    let error = "data/acs-income-8feat.parquet: no column \"AGEP\"";
    run("acs-income-8feat").refused(1, error, census_hint);
    let person = "state,y3,AGEP,COW,SCHL,MAR,OCCP,POBP,SEX,RAC1P\n";
    for (rows, error, hint) in [
        ("CA,0,1,1,1,1,1,1,1,1\n", "no row has \"TX\" in column \"state\"", "rows of CA and of TX"),
        (
            "CA,0,1,1,1,1,1,1,1,1\nTX,3,1,1,1,1,1,1,1,1\n",
            "row 2, column \"y3\": \"3\" is not 0, 1 or 2",
            census_hint,
        ),
        ("CA,0,1,x,1,1,1,1,1,1\n", "row 1, column \"COW\": \"x\" is not a finite number", census_hint),
        ("CA,0,1,1,1,1,1,1,1,\n", "row 1, column \"RAC1P\": \"\" is not a finite number", census_hint),
    ] {
        // What a file is, its content tells.
        folder.write("people.csv", format!("{person}{rows}"));
        folder.write("data/acs-income-8feat.parquet", csv_as_parquet(&folder.text("people.csv")));
        run("acs-income-8feat").refused(1, &format!("data/acs-income-8feat.parquet: {error}"), hint);
    }
    let without = |column: &str| {
        let text = StringArray::from(vec!["entailment", "neutral"]);
        let p: ArrayRef = Arc::new(Float32Array::from(vec![0.5, 0.5]));
        let mut columns: Vec<(String, ArrayRef)> =
            vec![("label".into(), Arc::new(text.clone())), ("split".into(), Arc::new(text))];
        columns.extend(["p_entailment", "p_neutral"].map(|name| (name.to_string(), Arc::clone(&p))));
        columns.retain(|(name, _)| name != column);
        write(columns)
    };
    folder.write("data/anli-bart-large.parquet", without("split"));
    let error = "data/anli-bart-large.parquet: no column \"split\"";
    run("anli-noise-bart").refused(1, error, "which rows are for testing");
    folder.write("data/anli-bart-large.parquet", without("label"));
    let error = "data/anli-bart-large.parquet: no label column \"label\"; the columns are \"split\", \"p_entailment\", \
                 \"p_neutral\"";
    run("anli-noise-bart").refused(1, error, "");
    folder.write("data/anli-bart-large.parquet", without("nothing"));
    let error = "data/anli-bart-large.parquet: no labelled row has \"test\" in column \"split\"";
    run("anli-noise-bart").refused(1, error, "the column holds \"entailment\", \"neutral\"");
    folder.write("data/anli-bart-large.parquet", predictions(&rows(10, 2), NLI));
    let run = run("anli-shift-bart");
    assert_eq!(run.code, 1);
    let error = "data/anli-bart-large.parquet: after the shift entailment,neutral:0.8, no row of class ";
    assert!(run.stderr.contains(error) && run.stderr.contains("is left"), "{}", run.stderr);
    folder.write("data/lmtweets.emb.npy", half(&[1; 99], 1));
    let error = "data/lmtweets.emb.npy: 99 rows, but data/lmtweets.parquet has more";
    folder.run(&["experiment", "lmtweets", "--quiet", "--data", "data", "-o", "out"]).refused(
        1,
        error,
        "in the same order",
    );
}

/// A table of text as a Parquet file of text.
fn csv_as_parquet(text: &str) -> Vec<u8> {
    let cells = support::cells(text.as_bytes());
    let column = |(place, name): (usize, &String)| {
        let values: StringArray = cells[1..].iter().map(|row| Some(row[place].clone())).collect();
        (name.clone(), Arc::new(values) as ArrayRef)
    };
    write(cells[0].iter().enumerate().map(column).collect())
}
