//! `cwplugin fit --oracle`: what `elicit` finds by ask and tell, in one command.

use serde_json::json;

use crate::support::Folder;
use crate::support::samples::numbers;

/// Earns the more, the nearer the odds of the weights are to those of 0.1, 0.6 and 0.3; counts what it is asked.
const PROGRAM: &str = "\
import json, math, sys
best = [0.1, 0.6, 0.3]
for line in sys.stdin:
    q = json.loads(line)
    w = q['weights']
    pairs = [(w[k] / (w[k] + w[2]), best[k] / (best[k] + best[2])) for k in (0, 1) if w[k] + w[2] > 0]
    loss = sum(abs(a - b) for a, b in pairs)
    open('asked.txt', 'a').write(line)
    if len(sys.argv) > 1 and q['id'] == int(sys.argv[1]):
        sys.exit(3)
    print(1 - loss, flush=True)
";

const ORACLE: &str = "command:python3 earn.py";

fn folder() -> Folder {
    Folder::new().with("earn.py", PROGRAM)
}

/// `fit` with this oracle and no table.
fn fit<'a>(oracle: &'a str, flags: &[&'a str]) -> Vec<&'a str> {
    let first = ["fit", "--oracle", oracle, "--classes", "a,b,c", "--mode", "restricted", "--quasi-concave"];
    [&first[..], flags].concat()
}

#[test]
fn it_is_ask_and_tell_in_one_command() {
    let folder = folder();
    let run = folder.ok(&fit(ORACLE, &["--budget", "60", "-o", "model.json"]));
    assert!(run.stderr.contains("2 classes against \"c\": 32 queries, 16 for each"), "{}", run.stderr);
    let model = folder.json("model.json");
    let distance: f64 =
        numbers(&model["weights"]).iter().zip([0.1, 0.6, 0.3]).map(|(w, b)| (w - b).abs()).sum();
    assert!(distance < 0.003, "{distance}");
    assert_eq!((&model["fit"]["method"], &model["fit"]["queries"]), (&json!("elicit"), &json!(32)));
    assert_eq!(folder.text("asked.txt").lines().count(), 32);
    let first: serde_json::Value =
        serde_json::from_str(folder.text("asked.txt").lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["id"], &first["classes"], &first["repeat"]),
        (&json!(1), &json!(["a", "b", "c"]), &json!(0))
    );

    // By hand the same model, to the last bit.
    let start = [
        "elicit",
        "start",
        "--classes",
        "a,b,c",
        "--mode",
        "restricted",
        "--quasi-concave",
        "--budget",
        "60",
    ];
    folder.ok(&[&start[..], &["-o", "s.json"]].concat());
    loop {
        let asked = folder.ok(&["elicit", "ask", "s.json", "--json"]).json();
        let Some(query) = asked["queries"].as_array().unwrap().first() else { break };
        let w = numbers(&query["weights"]);
        let part = |k: usize, best: f64| (w[k] / (w[k] + w[2]) - best / (best + 0.3)).abs();
        let loss = [(0, 0.1), (1, 0.6)].into_iter().filter(|&(k, _)| w[k] + w[2] > 0.0);
        let value = 1.0 - loss.map(|(k, best)| part(k, best)).sum::<f64>();
        folder.ok(&["elicit", "tell", "s.json", &query["id"].to_string(), &value.to_string()]);
    }
    folder.ok(&["elicit", "finish", "s.json", "-o", "by-hand.json"]);
    assert_eq!(folder.text("by-hand.json"), folder.text("model.json"));
}

#[test]
fn a_session_goes_on_where_the_program_failed() {
    let folder = folder();
    let flags = ["--budget", "60", "--session", "s.json", "-o", "model.json"];
    let run = folder.run(&fit("command:python3 earn.py 10", &flags));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("it ended with exit code 3 before it answered"), "{}", run.stderr);
    assert!(!folder.names().contains(&"model.json".into()));
    let status = folder.ok(&["elicit", "status", "s.json", "--json"]).json();
    assert_eq!((&status["answered"], &status["open"]), (&json!(9), &json!([10])));
    folder.ok(&fit(ORACLE, &flags));
    assert_eq!(folder.text("asked.txt").lines().count(), 33, "only the tenth was asked twice");
    let kept = folder.text("model.json");
    folder.ok(&fit(ORACLE, &["--budget", "60", "-o", "at-once.json"]));
    assert_eq!(folder.text("at-once.json"), kept);
    // Once all is answered nothing is asked, and other flags are another session.
    let before = folder.text("asked.txt");
    folder.ok(&fit(ORACLE, &flags));
    assert_eq!(folder.text("asked.txt"), before);
    folder.run(&fit(ORACLE, &["--budget", "61", "--session", "s.json"])).refused(
        1,
        "s.json: this session began with other classes, rows or flags",
        "repeat those",
    );
}

#[test]
fn a_table_shows_where_weights_matter_and_noise_is_taken_for_what_it_is() {
    let folder = folder()
        .with("data.csv", crate::support::TABLE)
        .with("noisy.sh", "while read -r line; do echo \"0.5 0.01\"; done\n");
    let args = ["fit", "data.csv", "--oracle", "command:sh noisy.sh", "--budget", "12", "--json"];
    let run = folder.ok(&args);
    assert_eq!(run.json()["fit"]["mode"], json!("safe"));
    assert_eq!(run.json()["classes"], json!(["a", "b", "c"]));
    let once =
        ["fit", "data.csv", "--oracle", "command-once:echo 0.5", "--budget", "5", "--reference", "a", "-q"];
    assert!(folder.ok(&once).text().contains("\"a\" fixed"));
}

#[test]
fn what_means_nothing_is_refused() {
    let folder = folder().with("data.csv", crate::support::TABLE);
    let refused = |args: &[&str], error: &str, hint: &str| folder.run(args).refused(2, error, hint);
    refused(
        &["fit", "--oracle", "earn.py", "--classes", "a,b", "--budget", "9"],
        "--oracle earn.py: this names no program",
        "command:PROGRAM",
    );
    refused(
        &["fit", "--oracle", ORACLE, "--budget", "9"],
        "neither a table nor --classes was given",
        "--classes a,b,c",
    );
    refused(
        &fit(ORACLE, &["--budget", "1"]),
        "--budget 1: a budget of 1 queries is too small: it takes at least 4",
        "give at least 4",
    );
    for flag in
        [&["--mode", "safe"] as &[&str], &["--quasi-concave"], &["--repeats", "2"], &["--precision", "0.1"]]
    {
        let what = format!("{} means nothing without --oracle", flag[0]);
        refused(&[&["fit", "data.csv"], flag].concat(), &what, "leave it out");
    }
    for flags in [&["--metric", "mcc"] as &[&str], &["--method", "auto"], &["--subject-to", "accuracy>=0"]] {
        let run = folder.run(&fit(ORACLE, &[&["--budget", "9"], flags].concat()));
        assert!(run.code == 2 && run.stderr.contains("cannot be used with"), "{}", run.stderr);
    }
    for (program, what) in [
        ("command-once:echo 0.5 -1", "whose second number, the standard error, is below 0"),
        ("command-once:echo 1 2 3", "more than a number and its standard error"),
        ("command-once:echo good", "which is not a number"),
    ] {
        let run = folder.run(&fit(program, &["--budget", "9", "-o", "model.json"]));
        assert!(run.code == 1 && run.stderr.contains(what), "{}", run.stderr);
        assert!(run.stderr.contains("--session FILE would have kept"), "{}", run.stderr);
        assert!(!folder.names().contains(&"model.json".into()));
    }
    let slow = folder.run(&fit("command:sleep 9", &["--budget", "9", "--metric-timeout", "0.1"]));
    assert!(slow.code == 1 && slow.stderr.contains("did not answer within 0.1 seconds"), "{}", slow.stderr);
}
