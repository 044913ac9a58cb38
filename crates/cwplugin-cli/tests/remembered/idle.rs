//! Flags that have no effect on the input.

use serde_json::Value;

use super::{folder, words};

#[test]
fn flags_without_an_effect_are_refused() {
    let folder = folder();
    let run = |line: &str| {
        let line = words(line);
        folder.run(&line.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for flag in ["--class ham=x", "--class-map map.toml", "--reply a", "--answer-at a", "--skip-errors"] {
        let name = flag.split(' ').next().unwrap();
        let error = format!("{name} is not supported without --from");
        run(&format!("fit percent.csv {flag}")).refused(
            2,
            &error,
            "name the source of the replies with --from",
        );
        let error = format!("{name} is not supported for a table of counts");
        if name != "--reply" {
            run(&format!("fit votes.csv --from votes {flag}")).refused(2, &error, &format!("omit {name}"));
        }
    }
    for flag in ["--scores logits", "--normalize", "--positive ham"] {
        let name = flag.split(' ').next().unwrap();
        let error = format!("{name} is not supported with --from openai");
        run(&format!("fit chat.jsonl --from openai {flag}")).refused(2, &error, &format!("omit {name}"));
        let error = format!("{name} is not supported with --from votes");
        run(&format!("fit votes.csv --from votes {flag}")).refused(2, &error, &format!("omit {name}"));
    }
    for flag in ["--format csv", "--delimiter ;", "--decimal ,", "--prefix p_"] {
        let name = flag.split(' ').next().unwrap();
        let error = format!("{name} is not supported with --from openai");
        run(&format!("fit chat.jsonl --from openai {flag}")).refused(2, &error, &format!("omit {name}"));
        let error = format!("{name} is not supported for answers in JSON lines");
        let answers = "texts.jsonl --from votes --answer-at text";
        run(&format!("fit {answers} {flag}")).refused(2, &error, &format!("omit {name}"));
    }
    // A table of counts is a table.
    run("fit votes.csv --from votes --format csv").ok();
    run("fit texts.jsonl --from votes --answer-at text --reply a").refused(
        2,
        "--reply is not supported with --from votes",
        "omit --reply",
    );
    // Options of a table that a model was fitted on do not touch replies.
    folder.ok(&["fit", "logits.csv", "--scores", "logits", "-o", "logits.json"]);
    let flags = ["--from", "openai", "--reply", "response"];
    let run = folder.ok(&[&["apply", "logits.json", "chat.jsonl"][..], &flags].concat());
    let first: Value = serde_json::from_str(run.text().lines().next().unwrap()).unwrap();
    assert!((first["p_ham"].as_f64().unwrap() - 0.9).abs() < 1e-9, "{first}");
}
