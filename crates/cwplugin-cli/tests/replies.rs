//! Replies of black boxes: every fixture, with the probabilities of an independent implementation.

use serde_json::{Value, json};

use crate::support::{Folder, model, testdata};

/// The cases of `testdata/replies/cases.json`.
fn cases() -> Vec<Value> {
    let text = std::fs::read_to_string(testdata("replies/cases.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

/// The flags of a case.
fn flags(case: &Value) -> Vec<String> {
    let options = &case["options"];
    let mut flags = vec!["--from".to_owned(), case["from"].as_str().unwrap().to_owned()];
    let names = [("reply", "--reply"), ("missing", "--missing"), ("answer_at", "--answer-at")];
    let is_vote = case["from"] == "votes";
    for (name, flag) in names {
        if let Some(value) = options[name].as_str().filter(|_| !is_vote) {
            flags.extend([flag.to_owned(), value.to_owned()]);
        }
    }
    for (name, flag, default) in
        [("label", "--label", "label"), ("id", "--id", "id"), ("answer", "--answer-at", "answer")]
    {
        if let Some(value) =
            options[name].as_str().filter(|value| *value != default && (is_vote || name != "answer"))
        {
            flags.extend([flag.to_owned(), value.to_owned()]);
        }
    }
    for (class, spellings) in options["class"].as_object().into_iter().flatten() {
        flags.extend(["--class".to_owned(), format!("{class}={}", texts(spellings).join(","))]);
    }
    flags
}

fn close(found: &Value, expected: f64) -> bool {
    (found.as_f64().unwrap() - expected).abs() < 1e-9
}

/// With equal weights, `apply` writes the probabilities that were read.
#[test]
fn every_reply_gives_the_probabilities_of_the_reference() {
    let folder = Folder::new();
    for case in cases() {
        let Some(rows) = case["expected"]["rows"].as_array() else { continue };
        let (name, classes) = (case["name"].as_str().unwrap(), texts(&case["options"]["classes"]));
        let names: Vec<&str> = classes.iter().map(String::as_str).collect();
        folder.write("m.json", model(&names, &vec![1.0 / names.len() as f64; names.len()]));
        let file = testdata(&format!("replies/{}", case["file"].as_str().unwrap()));
        let mut args = vec!["apply", "m.json", &file, "--to", "jsonl", "--skip-errors"];
        let flags = flags(&case);
        args.extend(flags.iter().map(String::as_str));
        let run = folder.ok(&args);
        let found: Vec<Value> = run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let counted =
            |row: &Value| row["counts"].as_array().is_none_or(|counts| counts.iter().any(|n| *n != 0));
        let expected: Vec<&Value> = rows.iter().filter(|row| counted(row)).collect();
        assert_eq!(found.len(), expected.len(), "{name}");
        for (found, expected) in found.iter().zip(expected) {
            let m = classes.len() as f64;
            let counts: Option<Vec<f64>> = expected["counts"]
                .as_array()
                .map(|counts| counts.iter().map(|n| n.as_f64().unwrap()).collect());
            let votes = counts.as_ref().map(|counts| counts.iter().sum::<f64>());
            assert_eq!(found["votes"].as_f64(), votes, "{name}");
            for (k, class) in classes.iter().enumerate() {
                let wanted = match &counts {
                    Some(counts) => (counts[k] + 0.5) / (counts.iter().sum::<f64>() + 0.5 * m),
                    None => expected["probabilities"][k].as_f64().unwrap(),
                };
                assert!(
                    close(&found[format!("p_{class}")], wanted),
                    "{name}: {class}: {found} instead of {expected}"
                );
            }
            if counts.is_none() {
                assert!(close(&found["other"], expected["other"].as_f64().unwrap()), "{name}: other");
            }
            let id = case["options"]["id"].as_str().unwrap_or("id");
            assert_eq!(found[id], expected["id"], "{name}");
        }
    }
}

#[test]
fn every_bad_reply_is_refused_with_its_row_and_a_cure() {
    let folder = Folder::new();
    for case in cases() {
        let error = &case["expected"]["error"];
        if error.is_null() {
            continue;
        }
        let name = case["name"].as_str().unwrap();
        let classes = texts(&case["options"]["classes"]).join(",");
        let file = testdata(&format!("replies/{}", case["file"].as_str().unwrap()));
        let mut args = vec!["eval", &file, "--classes", &classes];
        let flags = flags(&case);
        args.extend(flags.iter().map(String::as_str));
        let run = folder.run(&args);
        let is_configuration = error["kind"] == "configuration";
        assert_eq!(run.code, if is_configuration { 2 } else { 1 }, "{name}: {}", run.stderr);
        let has_cure = run.stderr.contains("hint:") || run.stderr.contains("give a name, and a text");
        assert!(has_cure, "{name}: {}", run.stderr);
        if let Some(row) = error["row"].as_u64() {
            let line = run.stderr.lines().find(|line| line.contains("error:")).unwrap();
            let is_named = line.contains(&format!("row {row}:")) || error["kind"] == "json";
            assert!(is_named, "{name}: {line}");
        }
    }
}

/// A batch output file with one failed request, and labels in another table.
fn batch() -> Folder {
    let folder = Folder::new();
    let mut lines = std::fs::read_to_string(testdata("replies/openai-batch.jsonl")).unwrap();
    lines += "{\"id\":\"b\",\"custom_id\":\"late\",\"response\":null,\"error\":{\"code\":\"batch_expired\",\"message\":\"expired\"}}\n";
    folder.with("batch.jsonl", lines)
}

#[test]
fn a_batch_file_is_read_as_it_comes_with_labels_elsewhere() {
    let folder = batch();
    let classes = ["--classes", "negative,neutral,positive", "--from", "openai"];
    let run = folder.run(&[&["eval", "batch.jsonl", "--label", "labels.csv"][..], &classes].concat());
    assert_eq!(run.code, 1, "no labels.csv yet: {}", run.stderr);
    folder.write("model.json", model(&["negative", "neutral", "positive"], &[0.2, 0.3, 0.5]));
    let applied = folder.ok(&["apply", "model.json", "batch.jsonl", "--from", "openai", "--skip-errors"]);
    assert!(applied.stderr.contains("1 reply left out"), "{}", applied.stderr);
    let ids: Vec<Value> = applied
        .text()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone())
        .collect();
    let label =
        |(i, id): (usize, &Value)| format!("{},{}\n", id.as_str().unwrap(), ["positive", "negative"][i % 2]);
    let labels: String = ids.iter().enumerate().map(label).collect();
    folder.write("labels.csv", format!("id,label\n{labels}"));
    let fit = ["fit", "batch.jsonl", "--label", "labels.csv", "--skip-errors", "-o", "m.json", "--json"];
    let fitted = folder.ok(&[&fit[..], &classes].concat()).json();
    assert_eq!(fitted["input"], json!({"from": "openai"}));
    assert_eq!(fitted["fit"]["rows"], json!(ids.len()));
    // The model remembers its source.
    folder.ok(&["apply", "m.json", "batch.jsonl", "--skip-errors"]);
    let run = folder.run(&["apply", "m.json", "batch.jsonl", "--from", "gemini"]);
    run.refused(2, "--from gemini, but m.json was fitted with --from openai", "omit --from");
    let run = folder.run(&["apply", "m.json", "batch.jsonl", "--missing", "refuse"]);
    run.refused(2, "--missing refuse, but m.json was fitted with --missing spread", "omit --missing");
    let run = folder.run(&["apply", "m.json", "batch.jsonl", "--class", "positive=pos"]);
    let error = "--class 'positive=pos', but m.json was fitted with the names of the classes";
    run.refused(2, error, "omit --class");
}

#[test]
fn mistakes_in_flags_and_files_are_named() {
    let folder = Folder::new();
    let replies = std::fs::read(testdata("replies/openai-wrapped.jsonl")).unwrap();
    folder.write("r.jsonl", replies);
    folder.write("t.csv", "id,label,p_a,p_b\n1,a,0.5,0.5\n");
    let from = ["--from", "openai", "--classes", "negative,neutral,positive"];
    let eval = |data: &str, more: &[&str]| folder.run(&[&["eval", data][..], &from, more].concat());
    let hint = "the reply is in field \"response\": use --reply response";
    eval("r.jsonl", &[]).refused(
        1,
        "r.jsonl: row 1: not a reply of openai: there are no choices and no output",
        hint,
    );
    eval("r.jsonl", &["--reply", "body"]).refused(1, "r.jsonl: row 1: there is no field body", hint);
    let gemini = ["eval", "r.jsonl", "--from", "gemini", "--classes", "a,b"];
    let hint = "it looks like a reply of openai: use --from openai --reply response";
    folder.run(&gemini).refused(1, "r.jsonl: row 1: not a reply of gemini: there are no candidates", hint);
    let hint = "name a table that exists, with a column of ids and one of labels, or";
    eval("r.jsonl", &["--label", "l.csv"]).refused(1, "--label l.csv: no such file", hint);
    let error = "--label l.csv: no such file, and no such column in t.csv, which has \"id\", \"label\", \"p_a\", \"p_b\"";
    folder.run(&["eval", "t.csv", "--label", "l.csv"]).refused(1, error, hint);
    eval("r.jsonl", &["--label", "id"]).refused(
        2,
        "--label id: field \"id\" is the id of a reply",
        "name another",
    );
    let error = "t.csv: row 1: not JSON: \"id,label,p_a,p_b\"";
    eval("t.csv", &[]).refused(1, error, "replies are JSON; for a table, omit --from");
    eval("r.jsonl", &["--class-map", "m.toml"]).refused(1, "m.toml: no such file", "check --class-map");
    folder.write("blank.jsonl", "\n\n");
    eval("blank.jsonl", &[]).refused(1, "blank.jsonl: there is no reply", "check");
    folder.write("utf16.jsonl", b"\xff\xfe{\0");
    eval("utf16.jsonl", &[]).refused(1, "utf16.jsonl: is UTF-16 text", "save it as UTF-8");
    let classes = ["--classes", "negative,neutral,positive,ironic"];
    let args = ["apply", "model.json", "r.jsonl", "--from", "openai", "--reply", "response"];
    folder.write("model.json", model(&["negative", "neutral", "positive", "ironic"], &[0.25; 4]));
    let applied = folder.ok(&[&args[..], &classes].concat());
    let warning = "warning: r.jsonl: no reply lists \"ironic\": check the spelling of the class";
    assert!(applied.stderr.contains(warning), "{}", applied.stderr);
}

#[test]
fn a_list_of_replies_that_does_not_end_is_refused() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(testdata("replies/openai-chat.jsonl")).unwrap();
    let list = text.lines().collect::<Vec<_>>().join(",\n");
    let args = ["eval", "list.json", "--from", "openai", "--classes", "negative,neutral,positive"];
    for (start, end) in [("[", ""), ("[", ","), ("[", "] x")] {
        folder.write("list.json", format!("{start}{list}{end}"));
        let run = folder.run(&args);
        assert!(
            run.code == 1 && run.stderr.contains("the list of replies is not valid JSON"),
            "{end}: {}",
            run.stderr
        );
    }
}

#[test]
fn replies_without_a_flag_are_recognised() {
    let folder = batch();
    let error = "batch.jsonl: holds replies of openai, not a table";
    folder.refuses(&["fit", "batch.jsonl"], error, "read them with --from openai");
    for (file, from) in [
        ("huggingface.jsonl", "huggingface"),
        ("comprehend-sentiment.jsonl", "comprehend"),
        ("cohere.jsonl", "cohere"),
    ] {
        std::fs::copy(testdata(&format!("replies/{file}")), folder.path("x.jsonl")).unwrap();
        let error = format!("x.jsonl: holds replies of {from}, not a table");
        folder.refuses(&["eval", "x.jsonl"], &error, &format!("--from {from}"));
    }
    let run = folder.run(&["eval", "batch.jsonl", "--from", "opnai"]);
    assert!(run.code == 2 && run.stderr.contains("did you mean openai?"), "{}", run.stderr);
}

#[test]
fn classes_are_found_in_the_labels_or_in_the_scores() {
    let folder = Folder::new();
    let row = |label: &str, a: f64| {
        json!({"label": label, "response": [{"label": "A", "score": a}, {"label": "B", "score": 1.0 - a}]})
            .to_string()
    };
    folder.write("hf.jsonl", [row("A", 0.9), row("B", 0.3), row("B", 0.6)].join("\n"));
    let fit = ["fit", "hf.jsonl", "--from", "huggingface", "--reply", "response", "--json"];
    assert_eq!(folder.ok(&fit).json()["classes"], json!(["A", "B"]));
    folder.write("map.toml", "spam = [\"A\"]\nham = [\"B\"]\n");
    let mapped =
        ["fit", "hf.jsonl", "--from", "huggingface", "--reply", "response", "--class-map", "map.toml"];
    let error = "hf.jsonl: row 1, field \"label\": unknown class \"A\"";
    folder.refuses(&mapped, error, "--label-map");
    folder.write(
        "classify.jsonl",
        "{\"label\":\"b\",\"data\":[{\"index\":0,\"probs\":[0.2,0.8],\"num_classes\":2}]}\n",
    );
    let error = "classify.jsonl: the classes are not known: the numbers of /classify have no names, and labels do not give their order";
    folder.refuses(&["eval", "classify.jsonl", "--from", "vllm"], error, "--classes A,B,C");
    folder.ok(&["eval", "classify.jsonl", "--from", "vllm", "--classes", "a,b"]);
    let unlabelled = ["eval", "x.jsonl", "--from", "openai"];
    std::fs::copy(testdata("replies/openai-chat.jsonl"), folder.path("x.jsonl")).unwrap();
    let error = "x.jsonl: the classes are not known: there are no labels, and replies of openai do not name the classes";
    folder.refuses(&unlabelled, error, "--classes A,B,C");
}

#[test]
fn votes_are_smoothed_and_one_hot_rows_are_warned_about() {
    let folder = Folder::new().with("votes.csv", "label,ham,spam\nham,4,1\nspam,0,5\nham,3,2\n");
    let model = folder.ok(&["fit", "votes.csv", "--from", "votes", "-o", "m.json", "--json"]).json();
    assert_eq!(model["input"], json!({"from": "votes", "votes": {"min": 5, "median": 5, "max": 5}}));
    let run = folder.ok(&["apply", "m.json", "votes.csv"]);
    assert!(run.text().starts_with("label,ham,spam,votes,prediction\nham,4,1,5,ham\n"), "{}", run.text());
    assert!(run.stderr.starts_with("note: votes.csv: 3 rows of 5 votes\n"), "{}", run.stderr);
    // Far fewer votes than in the fit; a column `votes` stays as it is.
    folder.write("few.csv", "ham,spam,votes\n2,0,many\n0,1,one\n");
    let run = folder.ok(&["apply", "m.json", "few.csv"]);
    assert!(run.text().starts_with("ham,spam,votes,prediction\n2,0,many,ham\n"), "{}", run.text());
    let warning = "warning: few.csv: the rows have 1 to 2 votes, median 1, but m.json was fitted on rows of 5 votes; ask as";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    folder.write("single.csv", "label,ham,spam\nham,1,0\nspam,0,1\n");
    let run = folder.ok(&["eval", "single.csv", "--from", "votes"]);
    assert!(run.stderr.contains("every row has one vote"), "{}", run.stderr);
}

#[test]
fn only_whole_numbers_are_votes() {
    let folder = Folder::new().with("p.csv", "label,ham,spam\nham,4,1\nspam,0.25,0.75\n");
    let read = |file: &'static str| ["fit", file, "--from", "votes"];
    let error = "p.csv: row 2, column \"ham\": 0.25 is not a number of votes";
    folder.refuses(&read("p.csv"), error, "omit it if these are probabilities");
    folder.write("none.csv", "label,ham,spam\nham,3,1\nspam,0,0\n");
    let error = "none.csv: row 2, columns \"ham\", \"spam\": no class has a vote";
    folder.refuses(&read("none.csv"), error, "ask again");
    folder.write("empty.csv", "label,ham,spam\nham,3,1\nspam,,2\n");
    folder.refuses(&read("empty.csv"), "empty.csv: row 2, column \"ham\": the value is missing", "write 0");
    let run = folder.run(&["fit", "empty.csv", "--from", "votes", "--missing", "spread"]);
    run.refused(2, "--missing is not supported with --from votes", "write 0");
}

#[test]
fn one_hot_rows_and_ids_without_a_class_are_named() {
    let folder = Folder::new();
    folder.write("hot.csv", "label,p_a,p_b\na,1,0\nb,0,1\nb,1,0\n");
    let run = folder.ok(&["fit", "hot.csv"]);
    assert!(run.stderr.contains("every probability is 0 or 1"), "{}", run.stderr);
    folder.write("none.jsonl", "{\"id\": 1, \"answer\": \"ham\", \"label\": \"ham\"}\n{\"id\": 2, \"answer\": \"?\", \"label\": \"spam\"}\n");
    let error = "none.jsonl: id \"2\": no class among the answers: \"?\"";
    folder.refuses(&["fit", "none.jsonl", "--from", "votes"], error, "--skip-errors");
}

#[test]
fn a_table_of_the_most_probable_classes_is_completed() {
    let folder = Folder::new().with("top.csv", "label,p_a,p_b,p_c\na,0.6,0.3,\nb,0.2,0.7,0.1\nc,,0.3,0.5\n");
    let error = "top.csv: row 1, column \"p_c\": the value is missing";
    folder.refuses(&["fit", "top.csv"], error, "--missing spread");
    let model = folder.ok(&["fit", "top.csv", "--missing", "spread", "-o", "m.json", "--json"]).json();
    assert_eq!(model["input"], json!({"missing": "spread"}));
    folder.ok(&["apply", "m.json", "top.csv"]);
    folder.refuses(&["fit", "top.csv", "--missing", "refuse"], error, "fill it in");
    let run = folder.run(&["fit", "top.csv", "--missing", "spread", "--scores", "logits"]);
    run.refused(2, "--missing is not supported with --scores logits", "convert the scores");
}
