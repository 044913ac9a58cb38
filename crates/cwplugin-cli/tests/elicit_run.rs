//! `cwplugin elicit run`: ask and tell in one command.

use serde_json::json;

use crate::support::Folder;
use crate::support::samples::numbers;

/// Larger the closer the odds of the weights are to those of 0.1, 0.6 and 0.3; logs its queries.
const PROGRAM: &str = r#"$| = 1;
my @best = (0.1, 0.6, 0.3);
while (<STDIN>) {
    my ($id) = /"id": *(\d+)/;
    my @w = split /,/, (/"weights": *\[(.*?)\]/)[0];
    my $loss = 0;
    for my $k (grep { $w[$_] + $w[2] > 0 } 0, 1) {
        $loss += abs($w[$k] / ($w[$k] + $w[2]) - $best[$k] / ($best[$k] + $best[2]));
    }
    open my $log, '>>', 'asked.txt';
    syswrite $log, $_;
    exit 3 if @ARGV && $id == $ARGV[0];
    printf "%.17g\n", 1 - $loss;
}
"#;

const ORACLE: &str = "command:perl earn.pl";

fn folder() -> Folder {
    Folder::new().with("earn.pl", PROGRAM)
}

/// `elicit run` without a table.
fn elicit<'a>(program: &'a str, flags: &[&'a str]) -> Vec<&'a str> {
    let first = ["elicit", "run", program, "--classes", "a,b,c", "--mode", "restricted", "--quasi-concave"];
    [&first[..], flags].concat()
}

#[test]
fn it_is_ask_and_tell_in_one_command() {
    let folder = folder();
    let run = folder.ok(&elicit(ORACLE, &["--budget", "60", "-o", "model.json"]));
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
fn a_session_continues_where_the_program_failed() {
    let folder = folder();
    let flags = ["--budget", "60", "--session", "s.json", "-o", "model.json"];
    let run = folder.run(&elicit("command:perl earn.pl 10", &flags));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("the program ended with exit code 3 before it answered"), "{}", run.stderr);
    assert!(!folder.names().contains(&"model.json".into()));
    let status = folder.ok(&["elicit", "status", "s.json", "--json"]).json();
    assert_eq!((&status["answered"], &status["open"]), (&json!(9), &json!([10])));
    folder.ok(&elicit(ORACLE, &flags));
    assert_eq!(folder.text("asked.txt").lines().count(), 33, "only the tenth was asked twice");
    let kept = folder.text("model.json");
    folder.ok(&elicit(ORACLE, &["--budget", "60", "-o", "at-once.json"]));
    assert_eq!(folder.text("at-once.json"), kept);
    // When all queries are answered, nothing is asked; other flags are another session.
    let before = folder.text("asked.txt");
    folder.ok(&elicit(ORACLE, &flags));
    assert_eq!(folder.text("asked.txt"), before);
    folder.run(&elicit(ORACLE, &["--budget", "61", "--session", "s.json"])).refused(
        1,
        "s.json: the session has other classes, rows or flags",
        "repeat the same flags",
    );
}

#[test]
fn a_table_and_standard_errors_are_used() {
    let folder = folder()
        .with("data.csv", crate::support::TABLE)
        .with("noisy.sh", "while read -r line; do echo \"0.5 0.01\"; done\n");
    let args =
        ["elicit", "run", "command:sh noisy.sh", "--predictions", "data.csv", "--budget", "12", "--json"];
    let run = folder.ok(&args);
    assert_eq!(run.json()["fit"]["mode"], json!("safe"));
    assert_eq!(run.json()["classes"], json!(["a", "b", "c"]));
    let once = ["elicit", "run", "command-once:echo 0.5", "--predictions", "data.csv", "--budget", "5"];
    assert!(folder.ok(&[&once[..], &["--reference", "a", "-q"]].concat()).text().contains("\"a\" fixed"));
}

#[test]
fn errors_name_the_flag_or_the_answer() {
    let folder = folder();
    let refused = |args: &[&str], error: &str, hint: &str| folder.run(args).refused(2, error, hint);
    refused(
        &["elicit", "run", "earn.pl", "--classes", "a,b", "--budget", "9"],
        "earn.pl: not a program",
        "command:PROGRAM",
    );
    refused(
        &elicit(ORACLE, &["--budget", "1"]),
        "--budget 1: a budget of 1 queries is too small: at least 4 are needed",
        "give at least 4",
    );
    for (program, what) in [
        ("command-once:echo 0.5 -1", "whose second number, the standard error, is below 0"),
        ("command-once:echo 1 2 3", "more than a number and its standard error"),
        ("command-once:echo good", "which is not a number"),
    ] {
        let run = folder.run(&elicit(program, &["--budget", "9", "-o", "model.json"]));
        assert!(run.code == 1 && run.stderr.contains(what), "{}", run.stderr);
        assert!(run.stderr.contains("use --session FILE to keep the answers"), "{}", run.stderr);
        assert!(!folder.names().contains(&"model.json".into()));
    }
    let slow = folder.run(&elicit("command:sleep 9", &["--budget", "9", "--timeout", "0.1"]));
    assert!(slow.code == 1 && slow.stderr.contains("did not answer within 0.1 seconds"), "{}", slow.stderr);
    assert!(slow.stderr.contains("allow more time with --timeout SECONDS"), "{}", slow.stderr);
}
