//! `cwplugin elicit`: a hidden metric, found through the program alone; nothing lost, nothing counted twice.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Folder;
use crate::support::samples::numbers;

const BETA: [f64; 5] = [0.08, 0.3, 0.22, 0.15, 0.25];

/// A population of which the true probabilities are known.
fn population(n: usize) -> Vec<[f64; 5]> {
    let mut state = 99_u64;
    let mut draw = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let row = |_| {
        let odds = [0; 5].map(|_| (4.0 * (draw() - 0.5)).exp());
        odds.map(|odd| odd / odds.iter().sum::<f64>())
    };
    (0..n).map(row).collect()
}

/// What weights earn: a linear-diagonal metric.
fn worth(population: &[[f64; 5]], weights: &[f64]) -> f64 {
    let earned = |row: &[f64; 5]| {
        let best = cwplugin::rule::argmax_weighted(row, weights);
        BETA[best] * row[best]
    };
    population.iter().map(earned).sum::<f64>() / population.len() as f64
}

fn csv(population: &[[f64; 5]]) -> String {
    let rows = population.iter().map(|row| row.map(|b| b.to_string()).join(",") + "\n");
    std::iter::once("p_a,p_b,p_c,p_d,p_e\n".to_string()).chain(rows).collect()
}

/// Runs `ask` and `tell` until no query is left; returns the number of answers.
fn play(folder: &Folder, batch: &str, value: impl Fn(&[f64]) -> f64) -> usize {
    let mut answers = 0;
    loop {
        let asked = folder.ok(&["elicit", "ask", "s.json", "--batch", batch, "--json"]).json();
        let queries = asked["queries"].as_array().unwrap();
        assert_eq!(asked["done"], json!(queries.is_empty()));
        if queries.is_empty() {
            return answers;
        }
        for query in queries {
            let value = value(&numbers(&query["weights"])).to_string();
            folder.ok(&["elicit", "tell", "s.json", &query["id"].to_string(), &value]);
            answers += 1;
        }
    }
}

fn start(folder: &Folder, flags: &[&str]) -> Value {
    let first = ["elicit", "start", "--classes", "a,b,c,d,e", "-o", "s.json", "--json"];
    folder.ok(&[&first, flags].concat()).json()
}

#[test]
fn a_hidden_beta_is_recovered_through_ask_and_tell() {
    let (folder, population) = (Folder::new(), population(5_000));
    let started = start(&folder, &["--mode", "restricted", "--budget", "120", "--quasi-concave"]);
    assert_eq!(started["count"], json!(64));
    assert_eq!(play(&folder, "3", |weights| worth(&population, weights)), 64);
    let status = folder.ok(&["elicit", "status", "s.json"]).text();
    assert!(status.contains("64 of at most 120 answered; finished"), "{status}");
    folder.ok(&["elicit", "finish", "s.json", "-o", "model.json"]);
    let model = folder.json("model.json");
    let distance: f64 = numbers(&model["weights"]).iter().zip(BETA).map(|(w, b)| (w - b).abs()).sum();
    assert!(distance < 0.005, "{distance} {model}");
    assert_eq!((&model["fit"]["method"], &model["fit"]["queries"]), (&json!("elicit"), &json!(64)));
    assert_eq!((&model["fit"]["mode"], &model["fit"]["reference"]), (&json!("restricted"), &json!("e")));
    assert_eq!(model["fit"]["pairs"].as_array().unwrap().len(), 4);
    // It is a model like any other.
    folder.write("data.csv", csv(&population[..50]));
    folder.ok(&["apply", "model.json", "data.csv"]);
}

#[test]
fn safe_queries_earn_more_than_the_black_box() {
    let population = population(500);
    let folder = Folder::new().with("data.csv", csv(&population));
    let args = ["elicit", "start", "--predictions", "data.csv", "--budget", "50", "-o", "s.json"];
    let said = folder.ok(&args).text();
    assert_eq!(said, "4 classes against \"e\": at most 50 queries\n");
    assert_eq!(play(&folder, "1", |weights| worth(&population, weights)), 50);
    let run = folder.ok(&["elicit", "finish", "s.json", "-o", "model.json"]);
    assert!(run.stderr.contains("warning: the budget of 50 queries is used up"), "{}", run.stderr);
    let fit = &folder.json("model.json")["fit"];
    let (clean, fitted) = (fit["score"]["clean"].as_f64().unwrap(), fit["score"]["fitted"].as_f64().unwrap());
    let (worst, best) = (worth(&population, &[1.0; 5]), worth(&population, &BETA));
    assert!(
        (clean - worst).abs() < 1e-12 && fitted > clean + 0.8 * (best - worst),
        "{clean} {fitted} {best}"
    );
    assert_eq!(fit["warnings"][0]["kind"], json!("unfinished"));
}

#[test]
fn answers_told_at_once_are_all_kept() {
    let folder = Folder::new();
    start(&folder, &["--mode", "restricted", "--budget", "60"]);
    folder.ok(&["elicit", "ask", "s.json", "--batch", "3"]);
    let tells: Vec<_> = (1..=3)
        .map(|id| folder.command(&["elicit", "tell", "s.json", &id.to_string(), "0.5"]).spawn().unwrap())
        .collect();
    for mut tell in tells {
        assert!(tell.wait().unwrap().success());
    }
    let status = folder.ok(&["elicit", "status", "s.json", "--json"]).json();
    assert_eq!((&status["answered"], &status["open"]), (&json!(3), &json!([])));
}

#[test]
fn killed_at_any_moment_nothing_told_is_lost() {
    let folder = Folder::new();
    start(&folder, &["--mode", "safe", "--budget", "200", "--repeats", "8"]);
    let mut told = Vec::new();
    for round in 0..24_u64 {
        let asked = folder.ok(&["elicit", "ask", "s.json", "--json"]).json();
        let id = asked["queries"][0]["id"].as_u64().unwrap();
        let value = (0.5 + 0.001 * round as f64).to_string();
        let args = ["elicit", "tell", "s.json", &id.to_string(), &value];
        let mut tell = folder.command(&args).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(250 * round));
        tell.kill().unwrap();
        let is_told = tell.wait().unwrap().success(); // it may have been quicker
        let session = folder.json("s.json");
        let known = |id: u64| session["queries"][id as usize - 1]["value"].as_f64();
        for &(id, value) in &told {
            assert_eq!(known(id), Some(value), "round {round}");
        }
        assert!(!is_told || known(id).is_some());
        // The same answer again counts once.
        folder.ok(&args);
        told.push((id, value.parse().unwrap()));
    }
    let status = folder.ok(&["elicit", "status", "s.json", "--json"]).json();
    assert_eq!(status["answered"], json!(24));
    assert_eq!(folder.json("s.json")["queries"].as_array().unwrap().len(), 24);
}

/// As for `fit`: a class that is called like a word is `class:NAME`.
#[test]
fn the_last_reference_is_the_last_class_even_if_one_is_called_last() {
    let folder =
        Folder::new().with("t.csv", "label,p_last,p_other\nlast,0.7,0.3\nother,0.4,0.6\nlast,0.6,0.4\n");
    let start = |name: &'static str| {
        let flags = ["elicit", "start", "--classes", "last,other", "--budget", "9", "-o", "s.json"];
        [&flags[..], &["--reference", name]].concat()
    };
    for (name, class) in
        [("last", "other"), ("class:last", "last"), ("other", "other"), ("class:other", "other")]
    {
        let fit = ["fit", "t.csv", "--method", "cwplugin", "--reference", name, "--json"];
        assert_eq!(folder.ok(&fit).json()["fit"]["reference"], json!(class), "fit {name}");
        folder.ok(&start(name));
        assert_eq!(folder.json("s.json")["reference"], json!(class), "elicit {name}");
        std::fs::remove_file(folder.path("s.json")).unwrap();
    }
    for name in ["largest", "best", "class:x"] {
        let error = format!("--reference {name}: unknown class");
        folder.run(&start(name)).refused(
            2,
            &error,
            "write last or one of \"last\", \"other\" (class:NAME for a class called",
        );
    }
}

#[test]
fn what_cannot_be_is_refused_with_the_cure() {
    let folder = Folder::new().with("model.json", "{\"format\": \"cwplugin-model\"}").with("text.json", "x");
    let refused = |args: &[&str], what: &str, hint: &str| {
        let run = folder.run(args);
        assert!(
            run.code > 0 && run.stderr.contains(what) && run.stderr.contains(hint),
            "{args:?} {}",
            run.stderr
        );
    };
    let begin = ["elicit", "start", "--classes", "a,b,c", "-o", "new.json"];
    let with = |flags: &[&'static str]| [&begin, flags].concat();
    refused(&with(&["--budget", "4"]), "a budget of 4 queries is too small", "give at least 5");
    refused(&with(&["--budget", "9", "--mode", "restricted", "--precision", "2"]), "--precision 2", "0.0005");
    refused(&with(&["--budget", "9", "--reference", "x"]), "--reference x: unknown class", "\"a\"");
    refused(
        &["elicit", "start", "--classes", "a", "--budget", "9", "-o", "n.json"],
        "--classes",
        "all classes",
    );
    refused(
        &["elicit", "start", "--classes", "a,b,a", "--budget", "9", "-o", "n.json"],
        "\"a\"",
        "name each class once",
    );
    refused(&["elicit", "start", "--budget", "9", "-o", "n.json"], "--predictions", "");
    assert!(!folder.names().iter().any(|name| name.starts_with('n')), "{:?}", folder.names());
    start(&folder, &["--budget", "20"]);
    refused(
        &["elicit", "start", "--classes", "a,b", "--budget", "9", "-o", "s.json"],
        "-o s.json: the file exists",
        "another name",
    );
    refused(&["elicit", "finish", "s.json"], "no query is answered yet", "elicit ask");
    refused(&["elicit", "tell", "s.json", "1", "0.5"], "unknown query 1", "no query is open");
    folder.ok(&["elicit", "ask", "s.json"]);
    refused(&["elicit", "tell", "s.json", "7", "0.5"], "unknown query 7", "the open queries are 1");
    refused(&["elicit", "tell", "s.json", "1", "nan"], "invalid answer NaN", "larger is better");
    refused(&["elicit", "tell", "s.json", "1", "0.5", "--se", "-1"], "invalid answer -1", "larger is better");
    folder.ok(&["elicit", "tell", "s.json", "1", "-0.5"]);
    let again = folder.ok(&["elicit", "tell", "s.json", "1", "-0.5"]);
    assert!(again.stderr.contains("has this answer already"), "{}", again.stderr);
    refused(&["elicit", "tell", "s.json", "1", "0.6"], "query 1 was already answered with -0.5", "--se");
    let session = folder.text("s.json");
    folder.write("twice.json", session.replace("  \"version\": 1,", "  \"version\": 1,\n  \"version\": 1,"));
    for (file, what) in [
        ("none.json", "no such file"),
        ("text.json", "not a session"),
        ("model.json", "\"format\""),
        ("twice.json", "field \"version\" occurs twice (keep one)"),
    ] {
        for verb in ["ask", "status", "finish"] {
            refused(&["elicit", verb, file], what, "elicit start");
        }
    }
    refused(
        &["elicit", "finish", "s.json", "-o", "s.json"],
        "would overwrite the session",
        "write to another file",
    );
}
