//! Replies and votes that are damaged, incomplete or not what the flags say.

use serde_json::{Value, json};

use crate::support::{Folder, model};

/// A chat completion that answers ham or spam.
fn chat(label: &str, p: f64) -> Value {
    let top =
        [("ham", p), ("spam", 1.0 - p)].map(|(token, p)| json!({"token": token, "logprob": f64::ln(p)}));
    let content = json!([{"token": "ham", "logprob": p.ln(), "top_logprobs": top}]);
    json!({"label": label, "choices": [{"message": {"content": "ham"}, "logprobs": {"content": content}}]})
}

fn lines(documents: &[Value]) -> String {
    documents.iter().map(|document| document.to_string() + "\n").collect()
}

fn eval<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["eval", file, "--metric", "accuracy"], more].concat()
}

/// Without `--classes`, a first pass looks for them; what is wrong with the file comes first.
#[test]
fn a_first_pass_names_the_first_document_that_is_no_reply() {
    let folder = Folder::new();
    let from = ["--from", "openai"];
    let whole = chat("ham", 0.7).to_string();
    for (text, error, hint) in [
        ("<html>502</html>\n".to_owned(), "row 1: not JSON: \"<html>502</html>\"", "replies are JSON"),
        (format!("{whole}\n{}", &whole[..100]), "row 2: not valid JSON", "may be cut off"),
        (
            "1\n2\n".to_owned(),
            "row 1: not a reply of openai: expected a reply, found a number",
            "--reply FIELD",
        ),
        (
            Value::String(whole.clone()).to_string(),
            "row 1: not a reply of openai: expected a reply, found a text",
            "--reply FIELD",
        ),
        (
            "{\"a\": 1}\n".to_owned(),
            "row 1: not a reply of openai: there are no choices and no output",
            "check --from openai",
        ),
        (String::new(), "is empty", "check the program"),
        (" \n\n".to_owned(), "there is no reply", "check the program"),
        (
            "{\"label\": \"ham\", \"error\": {\"message\": \"slow down\"}}\n".to_owned(),
            "row 1: the service replied with an error: slow down",
            "--skip-errors",
        ),
    ] {
        folder.write("r.jsonl", &text);
        let run = folder.run(&eval("r.jsonl", &from));
        assert_eq!(run.code, 1, "{text}");
        let mut message = run.stderr.lines();
        assert!(
            message.next().unwrap().starts_with(&format!("cwplugin: error: r.jsonl: {error}")),
            "{text}: {}",
            run.stderr
        );
        assert!(message.next().unwrap().contains(hint), "{text}: {}", run.stderr);
    }
    // Replies that are whole leave the question of the classes.
    folder.write("r.jsonl", lines(&[chat("ham", 0.7), chat("ham", 0.6)]));
    let error = "r.jsonl: the classes are not known: \"ham\" is the only label";
    folder.refuses(&eval("r.jsonl", &from), error, "--classes A,B,C");
    folder.write("votes.jsonl", "{\"id\": 1, \"answer\": \"ham\", \"label\": \"ham\"}\n{\"id\": 2, \"ans");
    let run = folder.run(&eval("votes.jsonl", &["--from", "votes"]));
    assert!(run.code == 1 && run.stderr.contains("votes.jsonl: row 2: not valid JSON"), "{}", run.stderr);
}

#[test]
fn labels_that_differ_only_in_case_are_not_two_classes() {
    let folder = Folder::new();
    folder.write(
        "r.jsonl",
        lines(&[chat("ham", 0.7), chat("Ham", 0.6), chat("spam", 0.2), chat("spam ", 0.2)]),
    );
    let error = "r.jsonl: the labels \"Ham\" and \"ham\" differ only in case";
    folder.refuses(&eval("r.jsonl", &["--from", "openai"]), error, "--classes ham,spam --ignore-case");
    let cured = ["--from", "openai", "--classes", "ham,spam", "--ignore-case"];
    assert!(folder.ok(&eval("r.jsonl", &cured)).text().starts_with("4 labelled rows"));
    // White space around a label does not make another class.
    folder.write("r.jsonl", lines(&[chat("ham", 0.7), chat("ham ", 0.6), chat("spam", 0.2)]));
    assert!(folder.ok(&eval("r.jsonl", &["--from", "openai"])).text().starts_with("3 labelled rows"));
}

/// Every file of a folder is at least one row.
#[test]
fn a_folder_is_read_completely() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("replies")).unwrap();
    folder.write("replies/1.json", chat("ham", 0.7).to_string());
    folder.write("replies/2.json", chat("spam", 0.3).to_string());
    let from = ["--from", "openai", "--classes", "ham,spam"];
    assert!(folder.ok(&eval("replies", &from)).text().starts_with("2 labelled rows"));
    for (name, content) in [("replies/0.json", ""), ("replies/3.json", " \n")] {
        folder.write(name, content);
        let error = format!("{name}: there is no reply");
        folder.refuses(&eval("replies", &from), &error, "send the request again, or delete the file");
        let run = folder.ok(&eval("replies", &[&from[..], &["--skip-errors"]].concat()));
        assert!(
            run.stderr.contains(&format!("1 reply left out, first row 1: {name}: there is no reply")),
            "{}",
            run.stderr
        );
        assert!(run.text().starts_with("2 labelled rows"), "{}", run.text());
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let gzipped = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    folder.write("replies/3.json.gz", gzipped(&chat("ham", 0.6).to_string()));
    assert!(folder.ok(&eval("replies", &from)).text().starts_with("3 labelled rows"));
    std::fs::create_dir(folder.path("votes")).unwrap();
    for id in 0..3 {
        let vote = |answer: &str| json!({"id": id, "label": "ham", "answer": answer});
        folder.write(&format!("votes/{id}.json"), lines(&[vote("ham"), vote("spam"), vote("ham")]));
    }
    let run = folder.ok(&eval("votes", &["--from", "votes", "--classes", "ham,spam"]));
    assert!(run.stderr.contains("note: votes: 3 rows of 3 votes"), "{}", run.stderr);
    std::fs::create_dir(folder.path("lines")).unwrap();
    folder.write("lines/1.jsonl", lines(&[chat("ham", 0.7)]));
    let error = "lines: the folder has no .json file";
    folder.refuses(&eval("lines", &from), error, "cat lines/*.jsonl > replies.jsonl");
}

#[test]
fn parts_of_a_streamed_reply_are_not_rows() {
    let folder = Folder::new();
    let mut chunk = chat("ham", 0.7);
    chunk["choices"][0]["delta"] = json!({"content": "ham"});
    folder.write("r.jsonl", lines(&[chunk]));
    let error = "r.jsonl: row 1: a part of a streamed reply: choices[0].delta";
    folder.refuses(&eval("r.jsonl", &["--from", "openai", "--classes", "ham,spam"]), error, "stream=False");
}

#[test]
fn votes_are_refused_with_the_flag_that_helps() {
    let folder = Folder::new();
    let args = |more: &[&'static str]| {
        eval("v.jsonl", &[&["--from", "votes", "--classes", "ham,spam"], more].concat())
    };
    let vote = |id: u32, answer: &str| json!({"id": id, "label": "ham", "answer": answer});
    folder.write("v.jsonl", lines(&[vote(1, "hamm"), vote(2, "spam")]));
    let error = "v.jsonl: id \"1\": no class among the answers: \"hamm\"";
    folder.refuses(
        &args(&[]),
        error,
        "--class 'ham=ham,hamm'; the classes are \"ham\", \"spam\"; --skip-errors",
    );
    folder.ok(&args(&["--class", "ham=ham,hamm"]));
    let run = folder.ok(&args(&["--skip-errors"]));
    assert!(run.stderr.contains("1 reply left out, first row 1: id \"1\": no class"), "{}", run.stderr);
    folder.write("v.jsonl", lines(&[vote(1, "ham"), json!({"label": "ham", "answer": "ham"})]));
    folder.refuses(&args(&[]), "v.jsonl: row 2: there is no field id", "--id FIELD");
    folder.write("v.jsonl", lines(&[vote(1, "ham"), json!({"id": 1})]));
    folder.refuses(&args(&[]), "v.jsonl: row 2: there is no field answer", "--answer-at FIELD");
    folder.write("v.jsonl", lines(&[json!({"id": 1, "answer": ["ham", "spam"]})]));
    let error = "v.jsonl: row 1: answer is a list, not a text or a whole number";
    folder.refuses(&args(&[]), error, "write one answer per line");
    folder.write("v.jsonl", lines(&[json!({"id": 1, "label": "ham", "text": "ham"})]));
    let error = "v.jsonl: row 1: there is no field \"txt\"; the fields are \"id\", \"label\", \"text\"";
    folder.refuses(&args(&["--answer-at", "txt"]), error, "--answer-at FIELD");
    let run = folder.run(&args(&[]));
    assert!(run.code == 1 && run.stderr.contains("--answer-at names another"), "{}", run.stderr);
    folder.write("long.csv", "id,label,answer\n1,ham,ham\n1,ham,spam\n");
    let run = folder.run(&eval("long.csv", &["--from", "votes"]));
    assert!(run.code == 1 && run.stderr.contains("votes are answers in JSON lines"), "{}", run.stderr);
    let stdin =
        folder.run_on(&eval("-", &["--from", "votes", "--classes", "ham,spam"]), b"id,ham,spam\n1,2,3\n");
    stdin.refused(1, "<stdin>: row 1: not JSON: \"id,ham,spam\"", "a table of counts is read from a file");
}

#[test]
fn the_class_that_an_answer_may_mean_keeps_its_texts() {
    let folder = Folder::new().with("m.json", model(&["ham", "/Sports"], &[0.5, 0.5]));
    let scores = |name: &str| json!({"response": [{"label": name, "score": 1.0}]});
    folder.write("r.jsonl", lines(&[scores("/Sports/Football")]));
    let args = ["apply", "m.json", "r.jsonl", "--from", "huggingface", "--reply", "response"];
    let error = "r.jsonl: row 1: no class among the answers in response: \"/Sports/Football\"";
    folder.refuses(&args, error, "e.g. --class '/Sports=/Sports,/Sports/Football'");
    let spelled = [&args[..], &["--class", "/Sports=sport,game"]].concat();
    folder.refuses(&spelled, error, "e.g. --class '/Sports=sport,game,/Sports/Football'");
}
